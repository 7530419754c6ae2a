//! A crash inside QuickJS ends its cell and nothing else.
#![cfg(unix)]

mod common;

use std::thread;

use code_mode_vm::TurnEnd;
use common::{Cell, MIB, TEMPLATE, finished};

#[test]
fn a_segmentation_fault_ends_its_cell_only() {
    let mut neighbour = Cell::new(MIB);
    let waiting = neighbour.start("const a = [1]; a.push(await call(2)); return a");
    for _ in 0..20 {
        let mut cell = Cell::new(MIB);
        let end = cell.start("const keep = [1, 2, 3]; crash(); return keep");
        assert_eq!(end, TurnEnd::Crashed { signal: libc_sigsegv() });
        assert_eq!(cell.finish(), TurnEnd::Crashed { signal: libc_sigsegv() }, "the VM is dead");
        assert!(cell.vm.park(&TEMPLATE).is_err());
    }
    assert_eq!(neighbour.drive(waiting), finished("[1,2]"));
}

#[test]
fn aborts_and_stack_overflows_are_contained() {
    for (body, signal) in [("crash(1)", 6), ("crash(2)", 11), ("try { crash(2) } finally { return 1 }", 11)] {
        for _ in 0..5 {
            assert_eq!(Cell::new(MIB).start(body), TurnEnd::Crashed { signal }, "{body}");
        }
    }
    let worker = thread::Builder::new().stack_size(64 << 20).spawn(|| Cell::new(MIB).start("crash(2)"));
    let end = worker.expect("spawn").join().expect("the thread lives");
    assert_eq!(end, TurnEnd::Crashed { signal: 11 });
}

#[test]
fn threads_crash_side_by_side() {
    let threads: Vec<_> = (0..4)
        .map(|id| {
            thread::spawn(move || {
                for round in 0..50 {
                    let mut cell = Cell::new(MIB);
                    let body = if (round + id) % 2 == 0 { "crash()" } else { "return await call(7)" };
                    let end = cell.start(body);
                    let end = cell.drive(end);
                    let expected = if (round + id) % 2 == 0 {
                        TurnEnd::Crashed { signal: libc_sigsegv() }
                    } else {
                        finished("7")
                    };
                    assert_eq!(end, expected);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("thread");
    }
}

#[test]
fn a_crash_after_an_out_of_memory_error_is_out_of_memory() {
    assert_eq!(
        common::run_with(MIB, "try { new Uint8Array(2 ** 30) } catch {} crash()"),
        TurnEnd::OutOfMemory
    );
}

fn libc_sigsegv() -> i32 {
    11
}
