//! A parked VM is the same VM: whatever a program holds across a suspension is there afterwards.

mod common;

use std::thread;

use code_mode_vm::{Settlement, TurnEnd, Vm, Work};
use common::{Cell, MIB, TEMPLATE, finished, split_call};

/// Runs a body; at every suspension the VM is parked and resumed on another thread.
fn run_parked(body: &str) -> TurnEnd {
    let mut cell = Cell::new(16 * MIB);
    let mut end = cell.start(body);
    loop {
        match end {
            TurnEnd::Pending | TurnEnd::Fulfilled => {
                cell = thread::spawn(move || cell.park_and_resume(&TEMPLATE)).join().expect("resume");
            }
            other => return other,
        }
        end = if end == TurnEnd::Fulfilled {
            cell.finish()
        } else {
            let request = cell.host.calls.pop_front().expect("an open call");
            let (id, input) = split_call(&request);
            cell.settle(id, input)
        };
    }
}

#[test]
fn everything_a_program_can_hold_survives() {
    let cases = [
        ("const x = 40; const y = await call(2); return x + y", "42"),
        (
            "const inc = ((n) => () => ++n)(5); inc(); await call(0); inc(); await call(0); return inc()",
            "8",
        ),
        (
            "function* g() { let i = 0; while (true) { const r = yield i++; if (r) i += r } }
             const it = g(); it.next(); it.next(); await call(0); return [it.next(10).value, it.next().value]",
            "[12,13]",
        ),
        (
            "async function* ag() { for (let i = 0; i < 3; i++) yield await call(i * 2) }
             const out = []; for await (const v of ag()) out.push(v); return out",
            "[0,2,4]",
        ),
        (
            "const k1 = {}, k2 = () => 1, s = Symbol('s'); const m = new Map([[k1, 1], [k2, 2], [s, 3], [NaN, 4], ['é', 5]]);
             const st = new Set([k1, 1n, -0]); await call(0);
             return [m.get(k1), m.get(k2), m.get(s), m.get(NaN), m.get('é'), st.has(k1), st.has(1n), st.has(0), st.has({})]",
            "[1,2,3,4,5,true,true,true,false]",
        ),
        (
            "const k = {}; const w = new WeakMap([[k, 'v']]), ws = new WeakSet([k]), r = new WeakRef(k);
             let lost = new WeakRef({}); await call(0);
             return [w.get(k), ws.has(k), r.deref() === k, w.has({}), lost.deref() === undefined]",
            "[\"v\",true,true,false,true]",
        ),
        (
            "const re = /(?<w>\\w+) /gy; re.exec('one two three '); await call(0);
             return [re.lastIndex, re.exec('one two three ').groups.w, re.flags]",
            "[4,\"two\",\"gy\"]",
        ),
        ("const b = 2n ** 200n; await call(0); return (b + 1n).toString().slice(-6)", "\"301377\""),
        (
            "class A { #p = 1; static #c = 0; static make() { A.#c++; return new A } bump() { return ++this.#p } static get c() { return A.#c } }
             class B extends A { get t() { return super.bump() } }
             const b = new B; A.make(); b.bump(); await call(0); return [b.t, A.c, b instanceof A]",
            "[3,1,true]",
        ),
        (
            "const t = new Float64Array([1.5, NaN]), d = new DataView(t.buffer); d.setInt8(8, 7); await call(0);
             return [t[0], d.getInt8(8), t.buffer.byteLength]",
            "[1.5,7,16]",
        ),
        (
            "const p = new Proxy({}, { get: (_, k) => k + '!' }); const { proxy, revoke } = Proxy.revocable({}, {});
             await call(0); revoke(); try { proxy.x } catch (e) { return [p.a, e.name] }",
            "[\"a!\",\"TypeError\"]",
        ),
        (
            "const log = []; const p = Promise.race([call('a'), call('b')]).finally(() => log.push('f'));
             const q = Promise.allSettled([call('c'), Promise.reject(1)]); log.push(await p);
             log.push((await q).map((x) => x.status)); return log",
            "[\"f\",\"a\",[\"fulfilled\",\"rejected\"]]",
        ),
        (
            "try { try { await call(0); throw new Error('x') } finally { await call(1) } } catch (e) { return e.stack.includes('cell.js:2') }",
            "true",
        ),
        (
            "const d = new Date(86400000); const s = Symbol.for('reg'); let t = 'a'; for (let i = 0; i < 100; i++) t += i;
             await call(0); return [d.toISOString(), Symbol.for('reg') === s, t.length, eval('t.slice(0, 3)'), new Function('return 9')()]",
            "[\"1970-01-02T00:00:00.000Z\",true,191,\"a01\",9]",
        ),
        (
            "globalThis.g1 = 1; var v = 2; Array.prototype.extra = 3; await call(0); return [g1, v, [].extra, globalThis.g1]",
            "[1,2,3,1]",
        ),
        (
            "const big = new Array(50000).fill(0).map((_, i) => ({ i, s: 's' + i })); await call(0);
             return big.reduce((n, o) => n + o.i + o.s.length, 0)",
            "1250263890",
        ),
        ("return await Promise.all(Array.from({ length: 20 }, (_, i) => call(i)))", "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19]"),
    ];
    for (body, json) in cases {
        assert_eq!(run_parked(body), finished(json), "{body}");
        assert_eq!(common::run(body), finished(json), "straight: {body}");
    }
}

#[test]
fn a_small_cell_makes_a_small_image() {
    let mut cell = Cell::new(64 * MIB);
    cell.start("const r = []; for (let i = 0; i < 3; i++) r.push(await call({ i })); return r");
    let parked = cell.vm.park(&TEMPLATE).expect("park");
    assert!(parked.image_bytes() <= 8 << 10, "{} bytes", parked.image_bytes());
}

#[test]
fn used_heap_and_limit_travel_with_the_image() {
    let mut cell = Cell::new(8 * MIB);
    cell.start(
        "globalThis.keep = new Uint8Array(3 * 2 ** 20); await call(0); keep = new Uint8Array(9 * 2 ** 20)",
    );
    let used = cell.vm.heap_used_bytes();
    let mut cell = cell.park_and_resume(&TEMPLATE);
    assert_eq!((cell.vm.heap_used_bytes(), cell.vm.heap_limit_bytes()), (used, 8 * MIB));
    assert_eq!(cell.settle(1, "0"), TurnEnd::OutOfMemory);
}

#[test]
fn random_numbers_and_the_clock_go_on_after_a_resume() {
    let mut cell = Cell::new(MIB);
    cell.start("const a = [Math.random(), lib.monotonicMs()]; await call(0); return [...a, Math.random(), lib.monotonicMs()]");
    thread::sleep(std::time::Duration::from_millis(20));
    let mut cell = cell.park_and_resume(&TEMPLATE);
    let end = cell.settle(1, "0");
    let TurnEnd::Finished(json) = cell.drive(end) else { panic!("not finished") };
    let numbers: Vec<f64> = json[1..json.len() - 1].split(',').map(|n| n.parse().expect("number")).collect();
    assert!((numbers[0] - numbers[2]).abs() > 0.0 && numbers[3] - numbers[1] >= 20.0, "{json}");
}

#[test]
fn a_template_that_is_built_per_slot_parks_as_well() {
    let options = code_mode_vm::TemplateOptions { per_slot_builds: true, ..Default::default() };
    let template = code_mode_vm::Template::build_with(&[common::PRELUDE], options).expect("template");
    assert!(!template.is_relocatable());
    for _ in 0..3 {
        let mut cell = Cell::of(&template, MIB);
        assert_eq!(
            cell.start("const m = new Map([[{}, 1]]); return [await call(1), m.size]"),
            TurnEnd::Pending
        );
        let mut cell = cell.park_and_resume(&template);
        let end = cell.turn(Work::Settle(&[Settlement { id: 1, kind: 0, text: "5" }]));
        assert_eq!(cell.drive(end), finished("[5,1]"));
    }
}

#[test]
fn a_dead_vm_cannot_be_parked() {
    let mut cell = Cell::new(MIB);
    cell.start("new Uint8Array(2 ** 30)");
    assert_eq!(Vm::park(cell.vm, &TEMPLATE).expect_err("dead").to_string(), "VM has ended");
}
