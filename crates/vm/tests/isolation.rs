//! What a guest must not see: the host object, other cells, former cells, anything outside the slot.

mod common;

use code_mode_vm::{PoolOptions, SlotPool, StopHandle, TurnEnd, Vm};
use common::{Cell, Host, MIB, TEMPLATE, finished, run};

#[test]
fn the_host_object_is_out_of_reach() {
    let body = "const seen = new Set, queue = [globalThis]; const names = [];
        while (queue.length) { const o = queue.pop(); if (seen.has(o)) continue; seen.add(o);
          for (const k of Reflect.ownKeys(o)) { const d = Reflect.getOwnPropertyDescriptor(o, k); if (!d) continue;
            for (const v of [d.value, d.get, d.set]) if (v && (typeof v === 'object' || typeof v === 'function')) {
              const n = Reflect.getOwnPropertyDescriptor(v, 'name')?.value; if (['emit', 'fetch', 'settle', 'describe', 'crash'].includes(n)) names.push(n); queue.push(v) } }
          const p = Object.getPrototypeOf(o); if (p) queue.push(p) } return [names, seen.size > 500]";
    assert_eq!(run(body), finished("[[\"crash\"],true]"));
}

#[test]
fn the_prelude_leaves_its_own_globals_only() {
    let body = "return Object.getOwnPropertyNames(globalThis).filter((n) => /host|^shared$|controller|prelude|performance|classes/i.test(n))";
    assert_eq!(run(body), finished("[]"));
}

#[test]
fn cells_do_not_share_state() {
    let mut a = Cell::new(MIB);
    let mut b = Cell::new(MIB);
    let end = a.start("Array.prototype.push = null; globalThis.leak = 'a'; Object.prototype.x = 1; await call(0); return typeof leak");
    assert_eq!(end, TurnEnd::Pending);
    let end = b.start("return [typeof leak, typeof [].push, ({}).x]");
    assert_eq!(b.drive(end), finished(r#"["undefined","function",null]"#));
    assert_eq!(a.drive(TurnEnd::Pending), finished("\"string\""));
    assert_eq!(
        run("return [typeof leak, typeof [].push, ({}).x]"),
        finished(r#"["undefined","function",null]"#)
    );
}

#[test]
fn nothing_can_be_imported() {
    let end = run("return import('fs').then(() => 'loaded', (e) => e.name)");
    assert!(matches!(&end, TurnEnd::Finished(name) if name != "\"loaded\""), "{end:?}");
    assert_eq!(
        run("return [typeof require, typeof process, typeof std, typeof os, typeof fetch]"),
        finished(r#"["undefined","undefined","undefined","undefined","undefined"]"#)
    );
}

#[test]
fn waiting_for_memory_is_refused() {
    let body =
        "try { Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0) } catch (e) { return e.name }";
    assert_eq!(run(body), finished("\"TypeError\""));
    assert_eq!(
        run(
            "const i = new Int32Array(new SharedArrayBuffer(8)); Atomics.add(i, 0, 3); return [Atomics.notify(i, 0), i[0]]"
        ),
        finished("[0,3]")
    );
}

#[test]
fn shared_buffers_count_and_end_with_their_cell() {
    assert_eq!(
        common::run_with(MIB, "return new SharedArrayBuffer(2 ** 21).byteLength"),
        TurnEnd::OutOfMemory
    );
    let body = "const b = new SharedArrayBuffer(2 ** 20); await call(0); const kept = b.byteLength; for (let i = 0; i < 100; i++) new SharedArrayBuffer(2 ** 20); return kept";
    assert_eq!(common::run_with(8 * MIB, body), finished("1048576"));
}

/// What a fresh VM's slot holds above the template, seen through the allocator: uninitialised guest memory.
#[test]
fn a_reused_slot_is_as_zero_as_a_new_one() {
    let pool = SlotPool::new(PoolOptions { max_warm_slots: 1 });
    let secret = "const a = []; for (let i = 0; i < 3000; i++) a.push('SECRET-' + i, [i, 'SECRET' + i]); globalThis.keep = a; await call(0)";
    let quiet = "await call(0)";
    let mut images = Vec::new();
    let mut bases = Vec::new();
    for body in [quiet, secret, quiet, secret, quiet] {
        let slot = pool.checkout(8 * MIB).expect("slot");
        bases.push(slot.base());
        let mut vm = Vm::start(&TEMPLATE, slot, 8 * MIB).expect("start");
        let source = format!("(async () => {{ {body} }})");
        let work = code_mode_vm::Work::Start { source: &source, file_name: "c", first_line: 1, setup: None };
        assert_eq!(vm.turn(work, &mut Host::default(), &StopHandle::new()), TurnEnd::Pending);
        if body == quiet {
            // The image is the difference to the template; what a former cell left would be in it.
            let mut probe = vm.park(&TEMPLATE).expect("park");
            images.push(probe.image_bytes());
            probe = probe.resume(&TEMPLATE).expect("resume").park(&TEMPLATE).expect("park again");
            images.push(probe.image_bytes());
        }
    }
    assert!(bases.iter().all(|base| *base == bases[0]), "the slot was reused");
    let (least, most) = (images.iter().min().expect("images"), images.iter().max().expect("images"));
    // Random state and clock differ; leftovers of 3000 strings would be tens of kilobytes.
    assert!(most - least < 128, "{images:?}");
}
