//! Starting, settling, finishing and failing: the plain life of a cell.

mod common;

use code_mode_vm::{
    PoolOptions, PreludeScript, Settlement, SlotPool, StopHandle, StopReason, Template, TemplateOptions,
    TurnEnd, Vm, Work,
};
use common::{Cell, MIB, finished, run};

#[test]
fn a_value_comes_back() {
    assert_eq!(run("return 1 + 1"), finished("2"));
    assert_eq!(run("return { a: [1, 'é', null] }"), finished(r#"{"a":[1,"é",null]}"#));
    assert_eq!(run(""), finished("null"));
}

#[test]
fn calls_are_answered_in_order() {
    assert_eq!(
        run("const out = []; for (let i = 0; i < 5; i++) out.push(await call({ i })); return out"),
        finished(r#"[{"i":0},{"i":1},{"i":2},{"i":3},{"i":4}]"#)
    );
    assert_eq!(run("return Promise.all([call(1), call(2), call('x')])"), finished(r#"[1,2,"x"]"#));
}

#[test]
fn several_settlements_in_one_turn_are_delivered_in_order() {
    let mut cell = Cell::new(MIB);
    let body = "const log = []; const a = call(1).then(v => log.push(v)), b = call(2).then(v => log.push(v));
        await Promise.all([a, b]); return log";
    assert_eq!(cell.start(body), TurnEnd::Pending);
    let end = cell.turn(Work::Settle(&[
        Settlement { id: 2, kind: 0, text: "\"second\"" },
        Settlement { id: 1, kind: 0, text: "\"first\"" },
    ]));
    assert_eq!(cell.drive(end), finished(r#"["second","first"]"#));
}

#[test]
fn a_failed_call_is_catchable() {
    let mut cell = Cell::new(MIB);
    cell.start("try { await call(1) } catch (e) { return e.message }");
    let end = cell.turn(Work::Settle(&[Settlement { id: 1, kind: 1, text: "no such tool" }]));
    assert_eq!(cell.drive(end), finished("\"no such tool\""));
}

#[test]
fn a_value_that_is_no_promise_is_wrapped() {
    let mut cell = Cell::new(MIB);
    let end = cell.turn(Work::Start { source: "() => 7", file_name: "f", first_line: 1, setup: None });
    assert_eq!(cell.drive(end), finished("7"));
    let mut cell = Cell::new(MIB);
    let source = "() => { Promise.resolve = null; Promise.prototype.then = null; return { x: 1 } }";
    let end = cell.turn(Work::Start { source, file_name: "f", first_line: 1, setup: None });
    assert_eq!(cell.drive(end), finished(r#"{"x":1}"#));
}

#[test]
fn setup_reaches_the_controller() {
    let mut cell = Cell::new(MIB);
    let end = cell.turn(Work::Start {
        source: "() => setup",
        file_name: "f",
        first_line: 1,
        setup: Some("{\"é\":1}\u{0}"),
    });
    assert_eq!(cell.drive(end), finished(r#""{\"é\":1}\u0000""#));
}

#[test]
fn errors_are_described_with_their_phase() {
    assert_eq!(run("throw new TypeError('x')"), TurnEnd::Rejected("0 TypeError: x".to_owned()));
    assert_eq!(
        run("return ]"),
        TurnEnd::Rejected("2 SyntaxError: unexpected token in expression: ']'".to_owned())
    );
    assert_eq!(
        run("Promise.reject(new Error('lost')); return 1"),
        TurnEnd::UnhandledRejection("1 Error: lost".to_owned())
    );
    assert_eq!(run("return { throwInFinish: true }"), TurnEnd::Rejected("3 RangeError: finish".to_owned()));
    let mut cell = Cell::new(MIB);
    let end =
        cell.turn(Work::Start { source: "() => { throw 1 }", file_name: "f", first_line: 1, setup: None });
    assert_eq!(end, TurnEnd::Rejected("0 number: 1".to_owned()));
    let mut cell = Cell::new(MIB);
    let end = cell.turn(Work::Start { source: "42", file_name: "f", first_line: 1, setup: None });
    assert_eq!(end, TurnEnd::Rejected("0 TypeError: not a function".to_owned()));
}

#[test]
fn a_description_that_fails_has_a_fallback() {
    assert_eq!(
        run("throw { get [Symbol.toPrimitive]() { throw 1 } }"),
        TurnEnd::Rejected(r#"{"name":"Error","message":"the error could not be described"}"#.to_owned())
    );
}

#[test]
fn rejections_handled_by_the_end_of_the_drain_are_no_failure() {
    assert_eq!(
        run("const p = Promise.reject(1); await null; await p.catch(() => {}); return 2"),
        finished("2")
    );
    assert_eq!(
        run("const ps = []; for (let i = 0; i < 2000; i++) ps.push(Promise.reject(i));
             for (const p of ps) p.catch(() => {}); return ps.length"),
        finished("2000")
    );
    // The first one in order is the one that is told.
    assert_eq!(
        run(
            "const a = Promise.reject('a'); Promise.reject('b'); Promise.reject('c'); a.catch(() => {}); return 1"
        ),
        TurnEnd::UnhandledRejection("1 string: b".to_owned())
    );
}

#[test]
fn an_unhandled_rejection_is_seen_while_main_waits() {
    let mut cell = Cell::new(MIB);
    let end = cell.start("call(0); (async () => { throw new Error('side') })(); await call(1)");
    assert_eq!(end, TurnEnd::UnhandledRejection("1 Error: side".to_owned()));
}

#[test]
fn fetch_and_emit_carry_text_both_ways() {
    let mut cell = Cell::new(MIB);
    let body = "text('a\\u{1F600}\\uD800b\\0'); return [data('echo:é\\uDC00'), typeof data('nothing')]";
    let end = cell.start(body);
    assert_eq!(cell.drive(end), finished("[\"é\u{FFFD}\",\"undefined\"]"));
    assert_eq!(cell.host.texts, ["a\u{1F600}\u{FFFD}b\0"]);
}

#[test]
fn a_refused_message_stops_the_guest() {
    let mut cell = Cell::new(MIB);
    cell.host.refuse = true;
    let end = cell.start("try { text('one') } catch {} finally { text('two') } text('three')");
    assert_eq!(end, TurnEnd::Stopped(StopReason::Host));
    assert_eq!(cell.host.texts, ["one"]);
    assert_eq!(cell.settle(1, "1"), TurnEnd::Stopped(StopReason::Host), "the VM is dead");
}

#[test]
fn classes_are_told_by_what_values_are() {
    let body = "const k = lib.classOf; class M extends Map {} const fake = { [Symbol.toStringTag]: 'Map', __proto__: Map.prototype };
        return [1, null, 'x', 1n, {}, fake, Object.create(null), [], () => 1, class {}, Math.max, (function () {}).bind(),
            async () => 1, function* () {}, new Date, new M, new Set, new RangeError, new DOMException, Promise.resolve(),
            new Uint8Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1), new SharedArrayBuffer(1), /x/,
            new Proxy([], {}), new Proxy(() => 1, {}), Object(1), Object(''), Object(1n), Object(Symbol()), Object(false),
            new WeakMap, new WeakSet, new WeakRef({}), Symbol(), (function () { return arguments })()].map((v) => k(v))";
    assert_eq!(
        run(body),
        finished("[0,0,0,0,1,1,1,2,3,3,3,3,3,3,4,5,6,7,7,8,9,9,9,9,10,11,11,12,12,12,12,12,13,13,13,14,1]")
    );
}

#[test]
fn utf8_follows_the_encoding_standard() {
    let body = "const d = (b, f, m) => lib.utf8Decode(new Uint8Array(b), !!f, !!m);
        const fails = (b) => { try { d(b, true); return false } catch (e) { return e instanceof TypeError } };
        return [[...lib.utf8Encode('é\\uD800!')], d([0xEF, 0xBB, 0xBF, 65]), d([0xEF, 0xBB, 0xBF, 65], 0, 1).length,
            d([0xF0, 0x9F, 0x98, 0x80]), d([0xF0, 0x9F, 0x41, 0xFF, 0xE2, 0x82]), fails([0xFF]), fails([0x41]),
            lib.utf8Decode(new Uint8Array([1, 65, 66, 2]).subarray(1, 3)), lib.utf8Decode(new Uint8Array([67]).buffer),
            lib.utf8Incomplete(new Uint8Array([65, 0xF0, 0x9F, 0x98])), lib.utf8Incomplete(new Uint8Array([0xFF])),
            lib.utf8Incomplete(new Uint8Array([0xC3])), lib.utf8Incomplete(new Uint8Array([])), d([])]";
    assert_eq!(
        run(body),
        finished(
            "[[195,169,239,191,189,33],\"A\",2,\"😀\",\"\u{FFFD}A\u{FFFD}\u{FFFD}\",true,false,\"AB\",\"C\",3,0,1,0,\"\"]"
        )
    );
}

#[test]
fn the_clock_starts_with_the_cell() {
    let body = "const a = lib.monotonicMs(); const b = lib.monotonicMs(); return a >= 0 && b >= a && a < 5000 && Date.now() > 1.6e12";
    assert_eq!(run(body), finished("true"));
}

#[test]
fn frames_carry_the_given_name_and_line() {
    let mut cell = Cell::new(MIB);
    let source = "() => {\n  return new Error('x').stack\n}";
    let end = cell.turn(Work::Start { source, file_name: "mine.js", first_line: 41, setup: None });
    let TurnEnd::Finished(stack) = cell.drive(end) else { panic!("no stack") };
    assert!(stack.contains("mine.js:42:"), "{stack}");
}

#[test]
fn lazy_scripts_come_when_asked_for_and_survive_parking() {
    let prelude = PreludeScript {
        name: "p",
        source: "(host, shared) => { shared.controller = { begin() {}, settle() {}, finish: (v) => JSON.stringify(v), describe: String };
            globalThis.part = (name) => host.load(name); }",
    };
    let lazy = [PreludeScript { name: "late", source: "(a, b) => [a + b, /x+/.exec('axx')[0]]" }];
    let options = TemplateOptions { lazy: &lazy, ..TemplateOptions::default() };
    let template = Template::build_with(&[prelude], options).expect("template");
    assert_eq!(template.relocation_problem(), None);
    let pool = SlotPool::new(PoolOptions::default());
    let slot = pool.checkout(1 << 20).expect("slot");
    let mut vm = Vm::start(&template, slot, 1 << 20).expect("vm");
    let mut host = Nobody;
    let stop = StopHandle::new();
    let source = "(async () => { const f = part('late'); return [f(1, 2), typeof part('none')] })";
    let start = Work::Start { source, file_name: "u.js", first_line: 1, setup: None };
    assert_eq!(vm.turn(start, &mut host, &stop), TurnEnd::Fulfilled);
    let mut vm = vm.park(&template).expect("image").resume(&template).expect("vm");
    assert_eq!(
        vm.turn(Work::Finish, &mut host, &stop),
        TurnEnd::Finished(r#"[[3,"xx"],"undefined"]"#.to_owned())
    );
}

struct Nobody;

impl code_mode_vm::TurnHost for Nobody {
    fn emit(&mut self, _kind: i32, _payload: &str) -> bool {
        false
    }

    fn fetch(&mut self, _kind: i32, _key: &str) -> Option<String> {
        None
    }
}
