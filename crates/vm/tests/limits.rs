//! Heap and native stack: every way to exhaust them is an end of the cell, never of the process.

mod common;

use code_mode_vm::TurnEnd;
use common::{Cell, MIB, finished, run, run_with};

#[test]
fn a_full_heap_ends_the_cell() {
    for limit in [MIB, 8 * MIB, 64 * MIB] {
        assert_eq!(
            run_with(limit, "const q = []; while (true) q.push(new Array(100).fill(1))"),
            TurnEnd::OutOfMemory
        );
        assert_eq!(run_with(limit, "let s = 'x'; while (true) s = [s, s].join('')"), TurnEnd::OutOfMemory);
        assert_eq!(
            run_with(limit, "const m = new Map; for (let i = 0; ; i++) m.set(i, {})"),
            TurnEnd::OutOfMemory
        );
        assert_eq!(run_with(limit, "return new Uint8Array(2 ** 31 - 1).length"), TurnEnd::OutOfMemory);
    }
}

#[test]
fn a_caught_out_of_memory_error_still_ends_the_cell() {
    let bodies = [
        "try { new Uint8Array(2 ** 30) } catch {} return 'survived'",
        "try { new Uint8Array(2 ** 30) } catch {} for (;;);",
        "try { new Uint8Array(2 ** 30) } finally { return 'survived' }",
        "try { 'x'.repeat(2 ** 29) } catch (e) { text('caught'); await call(1); return e.message }",
        "const p = (async () => new Uint8Array(2 ** 30))(); await p.catch(() => 1); return 'survived'",
    ];
    for body in bodies {
        assert_eq!(run_with(MIB, body), TurnEnd::OutOfMemory, "{body}");
    }
}

#[test]
fn one_mebibyte_never_aborts() {
    // Every allocation site as the one that fails: fill the heap to a different level first.
    for step in 0..400 {
        let body = format!(
            "const keep = []; for (let i = 0; i < {step}; i++) keep.push(new Uint8Array(2600));
             const m = new Map, w = new WeakMap, s = new Set; class A {{ #x = [1]; get x() {{ return this.#x }} }}
             for (let i = 0; ; i++) {{ const a = new A; m.set(a, i); w.set(a, 'k' + i); s.add('' + i);
               keep.push(a, /a(b+)/g.exec('abb' + i), JSON.parse('{{\"a\":[1,2,{{}}]}}'), async () => a, function* () {{ yield i }},
                 10n ** BigInt(i % 50), new Date(i), `${{i}}`.padEnd(50), Object.entries({{ i }}), new Error('e')); await null }}"
        );
        assert_eq!(run_with(MIB, &body), TurnEnd::OutOfMemory, "step {step}");
    }
}

#[test]
fn the_limit_is_what_the_cell_may_use_above_the_template() {
    for (limit, fits, does_not) in [(MIB, 900 << 10, 1100 << 10), (16 * MIB, 15 * MIB, 17 * MIB)] {
        let body = |bytes: usize| format!("return new Uint8Array({bytes}).length");
        assert_eq!(run_with(limit, &body(fits)), finished(&fits.to_string()));
        assert_eq!(run_with(limit, &body(does_not)), TurnEnd::OutOfMemory);
    }
    let mut cell = Cell::new(4 * MIB);
    assert_eq!(cell.vm.heap_limit_bytes(), 4 * MIB);
    assert_eq!(cell.vm.heap_used_bytes(), 0);
    cell.start("globalThis.keep = new Uint8Array(MiB = 2 ** 20); await call(1)");
    assert!((MIB..MIB + (256 << 10)).contains(&cell.vm.heap_used_bytes()), "{}", cell.vm.heap_used_bytes());
}

#[test]
fn garbage_does_not_count() {
    assert_eq!(
        run_with(
            8 * MIB,
            "for (let i = 0; i < 400; i++) { const a = new Array(10000).fill(i); a.self = a } return 1"
        ),
        finished("1"),
        "cycles of 80 KB, 32 MB in all"
    );
    assert_eq!(
        run_with(MIB, "for (let i = 0; i < 200000; i++) { const a = {}, b = { a }; a.b = b } return 1"),
        finished("1")
    );
}

#[test]
fn native_recursion_is_an_error_of_the_guest() {
    let bodies = [
        "const f = () => f() + 1; f()",
        "const o = {}; o.toString = () => '' + o; '' + o",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a)",
        "return JSON.parse('['.repeat(1e6))",
        "return eval('('.repeat(1e5))",
        "return eval('!'.repeat(1e6) + '1')",
        "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
        "let p = {}; for (let i = 0; i < 2e5; i++) p = new Proxy(p, {}); return p.x",
        "let p = []; for (let i = 0; i < 2e5; i++) p = new Proxy(p, {}); return Array.isArray(p)",
        "let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); return o.x",
        "let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); return f()",
        "class A { constructor() { new A } } new A",
        "let s = 'x'; for (let i = 0; i < 1e5; i++) s = s + 'y' + i; return s.length",
        "return [1e5].flatMap((n) => { let a = [1]; for (let i = 0; i < n; i++) a = [a]; return a.flat(Infinity) })",
        "let g = function* () { yield 1 }; for (let i = 0; i < 1e4; i++) { const h = g; g = function* () { yield* h() } } return [...g()]",
        "let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; o = null; return 1",
        "return 'a'.repeat(1e6).match(/(a|b)*$/)?.length",
        "return structuredClone?.(1)",
    ];
    for body in bodies {
        let end = run_with(256 * MIB, body);
        let guests = matches!(end, TurnEnd::Rejected(_) | TurnEnd::Finished(_) | TurnEnd::OutOfMemory);
        assert!(guests, "{body}: {end:?}");
    }
    assert_eq!(run("return 1"), finished("1"), "the thread is fine");
}

#[test]
fn deep_recursion_is_caught_by_the_guest() {
    assert_eq!(
        run("const f = (n) => n ? 1 + f(n - 1) : 0; try { f(1e7) } catch (e) { return [e.name, f(100)] }"),
        finished(r#"["RangeError",100]"#)
    );
}
