//! The sticky stop: it cannot be caught, swallowed or outlived.

mod common;

use std::thread;
use std::time::Duration;

use code_mode_vm::{StopReason, TurnEnd};
use common::{Cell, MIB};

fn stopped_after(body: &str, delay: Duration, reason: StopReason) -> (TurnEnd, Vec<String>) {
    let mut cell = Cell::new(16 * MIB);
    let stop = cell.stop.clone();
    let timer = thread::spawn(move || {
        thread::sleep(delay);
        stop.stop(reason);
    });
    let end = cell.start(body);
    let end = cell.drive(end);
    timer.join().expect("timer");
    (end, cell.host.texts)
}

#[test]
fn loops_end() {
    let bodies = [
        "for (;;);",
        "while (true) await null;",
        "const f = async () => { await null; return f() }; await f()",
        "const spin = () => Promise.resolve().then(spin); spin(); await new Promise(() => {})",
        "for (;;) try { for (;;); } catch {}",
        "for (;;) try { for (;;); } finally { continue }",
        "try { for (;;); } finally { text('finally') }",
        "const o = { get a() { for (;;); } }; return o.a",
        "return JSON.stringify({ toJSON() { for (;;); } })",
        "return { toJSON() { for (;;); } }",
        "throw { toString() { for (;;); } }",
        "Promise.reject({ toString() { for (;;); } })",
        "const g = (function* () { for (;;) yield })(); for (const _ of g);",
        "for (;;) try { lib.classOf(1) } catch {}",
        "queueMicrotask?.(() => { for (;;); }); await null; for (;;);",
        "/(x+x+)+y/.test('x'.repeat(40))",
    ];
    for body in bodies {
        let (end, texts) = stopped_after(body, Duration::from_millis(15), StopReason::Deadline);
        assert_eq!(end, TurnEnd::Stopped(StopReason::Deadline), "{body}");
        assert!(texts.is_empty(), "{body}: no finally block runs on");
    }
}

#[test]
fn the_reason_is_told() {
    let (end, _) = stopped_after("for (;;);", Duration::from_millis(5), StopReason::Abort);
    assert_eq!(end, TurnEnd::Stopped(StopReason::Abort));
}

#[test]
fn a_stop_before_the_turn_runs_nothing() {
    let mut cell = Cell::new(MIB);
    cell.stop.stop(StopReason::Abort);
    assert_eq!(cell.start("text('ran')"), TurnEnd::Stopped(StopReason::Abort));
    assert!(cell.host.texts.is_empty());
    assert_eq!(cell.vm.heap_used_bytes(), 0);
}

#[test]
fn emitting_in_a_loop_ends() {
    let (end, _) =
        stopped_after("for (;;) try { text('x') } catch {}", Duration::from_millis(15), StopReason::Abort);
    assert_eq!(end, TurnEnd::Stopped(StopReason::Abort));
}

#[test]
fn what_the_guest_throws_does_not_pass_for_an_interrupt() {
    assert_eq!(
        common::run("throw new Error('interrupted')"),
        TurnEnd::Rejected("0 Error: interrupted".to_owned())
    );
}
