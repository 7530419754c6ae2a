//! A program that is parked and resumed at every suspension does what it does straight.
//!
//! Programs are generated: statements over a few variables, mixing suspensions with everything that keeps
//! state (loops, closures, generators, maps, classes, exceptions, promises in flight).

mod common;

use std::thread;

use code_mode_vm::TurnEnd;
use common::{Cell, MIB, TEMPLATE, split_call};
use proptest::prelude::*;

const PREAMBLE: &str = "let a = 1, b = 'x', c = [1, 2, 3], n = 0; const m = new Map(), s = new Set(), keys = [{}, {}, Symbol('k'), 'k', 7];
    const log = (v) => { if (n++ < 500) text(typeof v === 'symbol' ? 'symbol' : JSON.stringify(v) ?? 'undefined') };
    class Box { #v = 0; static made = 0; constructor(v) { this.#v = v; Box.made++ } get v() { return this.#v } async load() { this.#v = await call(this.#v); return this } }
    const boxes = [], fs = [], gens = [], pending = [];
    function* count(k) { for (let i = 0; i < k; i++) { const r = yield i + a; if (r) i += r } return 'done' }
    async function* stream(k) { try { for (let i = 0; i < k; i++) yield await call(i) } finally { log('closed') } }\n";
const EPILOGUE: &str = "for (const p of pending) log(await p.catch((e) => 'late ' + e));
    return [a, b, c.slice(0, 50), n, [...m.values()], s.size, Box.made, boxes.map((x) => x.v), fs.map((f) => f()), gens.map((g) => g.next(1))];";

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0i32..50).prop_map(|number| number.to_string()),
        Just("a".to_owned()),
        Just("b".to_owned()),
        Just("c.length".to_owned()),
        Just("m.size".to_owned()),
        Just("keys[Math.abs(a | 0) % 5] === keys[0]".to_owned()),
        Just("(/(x+)(?<y>.)/.exec(b) ?? ['none'])[0]".to_owned()),
        Just("boxes.at(-1)?.v ?? null".to_owned()),
        Just("(2n ** BigInt(Math.abs(a | 0) % 70)).toString()".to_owned()),
        Just("[...s].length".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|e| format!("(await call({e}))")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("({l} + {r})")),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| format!("[{l}, {r}].flat().at(-1)")),
            inner.clone().prop_map(|e| format!("(await Promise.race([call({e}), call('slow')]))")),
            (inner.clone(), inner.clone())
                .prop_map(|(l, r)| format!("(await Promise.all([call({l}), {r}])).join()")),
            inner.clone().prop_map(|e| format!(
                "(await (async () => {{ try {{ return await call({e}) }} finally {{ log('f') }} }})())"
            )),
            inner.clone().prop_map(|e| format!("`<${{{e}}}>`")),
            (inner.clone(), inner).prop_map(|(l, r)| format!("({l} > 5 ? {l} : {r})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let simple = prop_oneof![
        expression().prop_map(|e| format!("a = (({e}) | 0) % 1000;")),
        expression().prop_map(|e| format!("b = String({e}).slice(0, 40);")),
        expression().prop_map(|e| format!("if (c.length < 60) c.push({e});")),
        expression().prop_map(|e| format!("log({e});")),
        (0usize..5, expression()).prop_map(|(k, e)| format!("m.set(keys[{k}], {e}); s.add(keys[{k}]);")),
        (0usize..5).prop_map(|k| format!("log(m.get(keys[{k}]) ?? 'no'); s.delete(keys[{k}]);")),
        expression().prop_map(|e| format!("boxes.push(await new Box({e}).load());")),
        expression().prop_map(|e| format!("{{ let x = {e}; fs.push(() => x = [x].length + 1); }}")),
        (1i32..6).prop_map(|k| format!("gens.push(count({k})); log(gens[0].next().value ?? 'end');")),
        expression().prop_map(|e| format!("pending.push(call({e}).then((v) => {{ b += String(v)[0]; return v }}));")),
        expression().prop_map(|e| format!("pending.push((async () => {{ await call(0); throw new Error({e}) }})());")),
        (1i32..4).prop_map(|k| format!("for await (const v of stream({k})) {{ log(v); if (v > 1) break }}")),
        Just("{ const w = new WeakMap([[keys[0], a]]), r = new WeakRef(keys[1]); await call(1); log([w.get(keys[0]), r.deref() === keys[1]]); }".to_owned()),
        Just("{ const re = /x|\\d/g; re.exec('1x2x'); await call(0); log([re.lastIndex, re.exec('1x2x')?.[0]]); }".to_owned()),
        Just("{ const [p, ...q] = await call([1, { z: 2 }, 'é']); log([p, q]); }".to_owned()),
    ];
    simple.prop_recursive(3, 16, 4, |inner| {
        let block = prop::collection::vec(inner, 1..4).prop_map(|all| all.join("\n"));
        prop_oneof![
            (1i32..4, block.clone()).prop_map(|(k, body)| format!("for (let i = 0; i < {k}; i++) {{ {body} fs.length < 20 && fs.push(() => i); }}")),
            (expression(), block.clone(), block.clone()).prop_map(|(e, yes, no)| format!("if ({e}) {{ {yes} }} else {{ {no} }}")),
            (block.clone(), block.clone(), expression())
                .prop_map(|(t, h, e)| format!("try {{ {t} throw new TypeError({e}) }} catch (err) {{ log(err.message); {h} }} finally {{ await call('fin') }}")),
            block.clone().prop_map(|body| format!("await (async (a) => {{ {body} return a }})(a);")),
            block.prop_map(|body| format!("outer: for (const k of ['p', 'q']) {{ while (true) {{ {body} if (await call(k) === 'p') continue outer; break outer }} }}")),
        ]
    })
}

#[derive(Debug, PartialEq)]
struct Outcome {
    end: TurnEnd,
    texts: Vec<String>,
    calls: Vec<String>,
}

/// Runs to the end; `between` is given the cell at every suspension.
fn outcome(body: &str, mut between: impl FnMut(Cell) -> Cell) -> Outcome {
    let mut cell = Cell::new(32 * MIB);
    let mut calls = Vec::new();
    let mut end = cell.start(body);
    loop {
        if matches!(end, TurnEnd::Pending | TurnEnd::Fulfilled) {
            cell = between(cell);
        }
        end = match end {
            TurnEnd::Pending => {
                let Some(request) = cell.host.calls.pop_front() else { break };
                let (id, input) = split_call(&request);
                let end = cell.settle(id, input);
                calls.push(request);
                end
            }
            TurnEnd::Fulfilled => cell.finish(),
            _ => break,
        };
    }
    Outcome { end, texts: cell.host.texts, calls }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, max_shrink_iters: 400, ..ProptestConfig::default() })]
    #[test]
    fn parking_changes_nothing(statements in prop::collection::vec(statement(), 1..7)) {
        let body = format!("{PREAMBLE}{}\n{EPILOGUE}", statements.join("\n"));
        let straight = outcome(&body, |cell| cell);
        let parked = outcome(&body, |cell| cell.park_and_resume(&TEMPLATE));
        prop_assert_eq!(&straight, &parked, "{}", body);
        let mut turn = 0;
        let mixed = outcome(&body, |cell| {
            turn += 1;
            if turn % 3 != 0 { return cell }
            thread::spawn(|| cell.park_and_resume(&TEMPLATE)).join().expect("resume")
        });
        prop_assert_eq!(&straight, &mixed, "{}", body);
        let ran = matches!(straight.end, TurnEnd::Finished(_) | TurnEnd::Rejected(_) | TurnEnd::UnhandledRejection(_));
        prop_assert!(ran, "{:?}\n{}", straight.end, body);
    }
}

#[test]
fn the_generator_makes_programs_that_suspend_and_finish() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut finished, mut suspensions) = (0, 0);
    for _ in 0..60 {
        let statements =
            prop::collection::vec(statement(), 1..7).new_tree(&mut runner).expect("tree").current();
        let outcome = outcome(&format!("{PREAMBLE}{}\n{EPILOGUE}", statements.join("\n")), |cell| cell);
        finished += u32::from(matches!(outcome.end, TurnEnd::Finished(_)));
        suspensions += outcome.calls.len();
    }
    assert!(finished >= 25 && suspensions >= 300, "{finished} finished, {suspensions} suspensions");
}
