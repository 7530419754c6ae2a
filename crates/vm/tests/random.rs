//! No two cells share a random sequence.

mod common;

use std::collections::HashSet;

use code_mode_vm::TurnEnd;
use common::{finished, run};

#[test]
fn sequences_differ_between_cells() {
    let mut seen = HashSet::new();
    for _ in 0..500 {
        let end = run("return [Math.random(), lib.random(), ...lib.fillRandom(new Uint32Array(2))]");
        let TurnEnd::Finished(json) = end else { panic!("{end:?}") };
        for number in json[1..json.len() - 1].split(',') {
            assert!(seen.insert(number.to_owned()), "{number} was drawn twice");
        }
    }
}

#[test]
fn numbers_are_spread_over_the_unit_interval() {
    let body = "const h = new Array(10).fill(0); for (let i = 0; i < 10000; i++) { const r = Math.random(); if (!(r >= 0 && r < 1)) return 'range'; h[Math.floor(r * 10)]++ }
        return h.every((n) => n > 800 && n < 1200)";
    assert_eq!(run(body), finished("true"));
}

#[test]
fn fill_random_fills_and_returns_the_same_array() {
    let body = "const a = new Uint8Array(100), b = a.subarray(50); const same = lib.fillRandom(b) === b;
        return [same, a.subarray(0, 50).every((x) => x === 0), b.some((x) => x !== 0), lib.fillRandom(new Float64Array(0)).length]";
    assert_eq!(run(body), finished("[true,true,true,0]"));
    let end = run("lib.fillRandom({})");
    assert!(matches!(end, TurnEnd::Rejected(text) if text.starts_with("0 TypeError")));
}
