//! Built-ins that never poll are ended from outside; thread and slot go on.
#![cfg(unix)]

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use code_mode_vm::{Kicker, StopHandle, StopReason, TurnEnd, WorkerThread};
use common::{Cell, MIB, finished};

const NEVER_ENDING: &[&str] = &[
    "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "new Array(1e9) + ''",
    "Array.prototype.sort.call({ length: 2 ** 32 - 1 })",
    "Array.prototype.reverse.call({ length: 2 ** 32 - 1 })",
    "[].concat({ length: 2 ** 32 - 1, [Symbol.isConcatSpreadable]: true })",
    "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
    "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)",
    "Array.prototype.join.call({ length: 2 ** 31 - 1 })",
    "const a = []; a[4294967294] = 1; JSON.stringify(a)",
    "Array.from({ length: 2 ** 32 - 1 })",
    "/(x+x+)+y/.test('x'.repeat(40))",
    "11n ** 711111111n",
    "BigInt('1'.repeat(1e7))",
    "for (;;);",
    "while (true) await null",
    "Reflect.ownKeys(new Proxy({}, { ownKeys: () => ({ length: 2 ** 32 - 1 }) }))",
    "Math.max.apply(null, { length: 2 ** 32 - 1 })",
    "Object.assign({}, new Array(2 ** 28).fill(1))",
    "'a'.repeat(3e4).replaceAll('a', 'b'.repeat(3e4))",
    "new Uint8Array(6e7).sort((a, b) => b - a)",
    "'a'.repeat(1e7).normalize('NFD')",
    "new Array(2 ** 25).fill('ab').join('')",
    "for (;;) lib.fillRandom(new Uint8Array(100000))",
    "for (;;) text('x'.repeat(1e5))",
    "for (;;) new Uint8Array(2e7)",
    "for (;;) Atomics.notify(new Int32Array(new SharedArrayBuffer(64)), 0)",
    "for (;;) new Date().getHours()",
];

/// A worker thread that runs bodies, one cell each, and a driver that stops and kicks it.
fn run_under_deadline(body: &'static str, deadline: Duration) -> (TurnEnd, Duration) {
    let (to_driver, driver) = mpsc::channel::<(Kicker, StopHandle)>();
    let (to_result, result) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(64 << 20).spawn(move || {
        let worker = WorkerThread::register().expect("register");
        let mut cell = Cell::new(512 * MIB);
        to_driver.send((worker.kicker(), cell.stop.clone())).expect("driver");
        let end = cell.start(body);
        to_result.send(end).expect("driver");
        drop(cell);
        // Thread and pool are as good as new.
        let mut next = Cell::new(MIB);
        let end = next.start("return [1, 2].map((x) => x * 21)");
        assert_eq!(next.drive(end), finished("[21,42]"));
    });
    let (kicker, stop) = driver.recv().expect("worker");
    let end = if let Ok(end) = result.recv_timeout(deadline) {
        (end, Duration::ZERO)
    } else {
        stop.stop(StopReason::Deadline);
        let since = Instant::now();
        let end = loop {
            kicker.kick();
            if let Ok(end) = result.recv_timeout(Duration::from_millis(1)) {
                break end;
            }
            assert!(since.elapsed() < Duration::from_secs(10), "cannot stop {body}");
        };
        (end, since.elapsed())
    };
    worker.expect("spawn").join().expect("worker");
    end
}

#[test]
fn built_ins_that_never_poll_are_ended() {
    for body in NEVER_ENDING {
        // A busy machine may be late once; the mechanism may not.
        let mut overshoots = Vec::new();
        while overshoots.len() < 4
            && overshoots.iter().all(|overshoot| *overshoot >= Duration::from_millis(100))
        {
            let (end, overshoot) = run_under_deadline(body, Duration::from_millis(60));
            let expected = matches!(
                end,
                TurnEnd::Stopped(StopReason::Deadline)
                    | TurnEnd::OutOfMemory
                    | TurnEnd::Fulfilled
                    | TurnEnd::Rejected(_)
            );
            assert!(expected, "{body}: {end:?}");
            overshoots.push(overshoot);
        }
        assert!(overshoots.len() < 4, "{body}: {overshoots:?}");
    }
}

#[test]
fn a_kick_without_a_stop_does_nothing() {
    static DONE: AtomicBool = AtomicBool::new(false);
    let worker = WorkerThread::register().expect("register");
    let kicker = worker.kicker();
    let pest = thread::spawn({
        let kicker = kicker.clone();
        move || {
            let mut sent = 0;
            while !DONE.load(Ordering::Relaxed) {
                sent += u32::from(kicker.kick());
            }
            sent
        }
    });
    for _ in 0..200 {
        let mut cell = Cell::new(MIB);
        let end = cell.start("let n = 0; for (let i = 0; i < 2000; i++) n += i; return n");
        assert_eq!(cell.drive(end), finished("1999000"));
    }
    DONE.store(true, Ordering::Relaxed);
    assert_eq!(pest.join().expect("pest"), 0);
}

#[test]
fn a_late_kick_never_hits_the_next_turn() {
    // Every second turn is stopped at a random moment while signals rain down; the others must not notice.
    let worker = WorkerThread::register().expect("register");
    let kicker = worker.kicker();
    let (stops, to_stop) = mpsc::channel::<StopHandle>();
    let timer = thread::spawn(move || {
        while let Ok(stop) = to_stop.recv() {
            thread::sleep(Duration::from_micros(150));
            stop.stop(StopReason::Deadline);
            for _ in 0..20 {
                kicker.kick();
            }
        }
    });
    for round in 0..400 {
        let mut doomed = Cell::new(MIB);
        stops.send(doomed.stop.clone()).expect("timer");
        let end = doomed.start("Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)");
        assert_eq!(end, TurnEnd::Stopped(StopReason::Deadline));
        let mut cell = Cell::new(MIB);
        let end = cell.start("let n = 0; for (let i = 0; i < 3000; i++) n += i; return n");
        assert_eq!(cell.drive(end), finished("4498500"), "round {round}");
    }
    drop(stops);
    timer.join().expect("timer");
}

#[test]
fn kicking_a_thread_that_ended_is_safe() {
    let kicker =
        thread::spawn(|| WorkerThread::register().expect("register").kicker()).join().expect("thread");
    assert!(!kicker.kick());
}
