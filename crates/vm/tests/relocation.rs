//! A relocated template is as good as one built in place.

mod common;

use code_mode_vm::{PreludeScript, Template, VmError};
use common::{Cell, MIB, PRELUDE, TEMPLATE, finished};

/// State of every kind that hashes or links addresses.
const KEEPER: PreludeScript<'static> = PreludeScript {
    name: "keeper.js",
    source: "(host, shared) => {
        const objects = Array.from({ length: 500 }, (_, i) => ({ i }));
        const map = new Map(objects.map((o) => [o, o.i])), set = new Set(objects), weak = new WeakMap(objects.map((o) => [o, o.i]));
        const symbols = Array.from({ length: 50 }, (_, i) => Symbol('s' + i)), bySymbol = new Map(symbols.map((s, i) => [s, i]));
        const strings = new Map(Array.from({ length: 300 }, (_, i) => ['key' + i, i]));
        class Box { #v = map; get v() { return this.#v } static of = new Box }
        const shapes = Array.from({ length: 300 }, (_, i) => ({ ['p' + i]: i, z: i }));
        const gen = (function* () { for (const o of objects) yield o.i })(); gen.next();
        const ref = new WeakRef(objects[3]);
        globalThis.verify = () => objects.every((o) => map.get(o) === o.i && set.has(o) && weak.get(o) === o.i)
            && symbols.every((s, i) => bySymbol.get(s) === i) && [...strings].every(([k, v]) => strings.get(k) === v)
            && !map.has({}) && Box.of.v === map && shapes.every((o, i) => o['p' + i] === i && o.z === i)
            && gen.next().value === 1 && ref.deref() === objects[3];
    }",
};

#[test]
fn the_test_template_is_relocatable() {
    assert!(TEMPLATE.is_relocatable());
}

#[test]
fn maps_sets_and_shapes_of_the_prelude_work_in_every_slot() {
    let template = Template::build(&[KEEPER, PRELUDE]).expect("template");
    assert_eq!(template.relocation_problem(), None);
    let mut cells: Vec<_> = (0..12).map(|index| Cell::of(&template, (index % 3 + 1) * 5 * MIB)).collect();
    for cell in &mut cells {
        let body = "if (!verify()) return 'broken';
            for (let i = 0; i < 3000; i++) { const o = { ['q' + i % 97]: i }; o.z = 1; delete o.z; JSON.parse('{\"a\":{\"b\":[1]}}') }
            const f = await call(1); return f";
        let end = cell.start(body);
        assert_eq!(cell.drive(end), finished("1"));
    }
}

#[test]
fn shapes_made_by_the_template_can_be_freed_and_extended() {
    // Freeing the last object of a shape unlinks it by its stored hash; the table is resized under way.
    let body = "const hold = []; for (const g of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[g] } catch {} }
        for (let i = 0; i < 5000; i++) { const o = {}; for (let j = 0; j < 5; j++) o['k' + (i * 7 + j) % 911] = j; hold.push(o); if (i % 3) hold.shift() }
        return hold.length";
    let mut cell = Cell::new(16 * MIB);
    let end = cell.start(body);
    assert_eq!(cell.drive(end), finished("1667"));
}

#[test]
fn scripts_share_one_object_and_run_in_order() {
    let first = PreludeScript {
        name: "a.js",
        source: "(host, shared) => { shared.a = Object.getPrototypeOf(shared) === null }",
    };
    let second = PreludeScript {
        name: "b.js",
        source: "(host, shared) => { globalThis.seen = [shared.a, Object.keys(host).length >= 0] }",
    };
    let template = Template::build(&[first, second, PRELUDE]).expect("template");
    let mut cell = Cell::of(&template, MIB);
    let end = cell.start("return seen");
    assert_eq!(cell.drive(end), finished("[true,true]"));
}

#[test]
fn a_prelude_that_fails_is_told_with_its_name() {
    let broken = |source| Template::build(&[PreludeScript { name: "p.js", source }]).expect_err("broken");
    assert_eq!(
        broken("() => { throw new TypeError('no') }").to_string(),
        "prelude p.js failed: TypeError: no"
    );
    assert!(broken("(").to_string().starts_with("prelude p.js failed: SyntaxError"));
    let missing = VmError::Prelude {
        name: "shared.controller".to_owned(),
        message: "it must be an object with the methods begin, settle, finish and describe".to_owned(),
    };
    assert_eq!(broken("() => {}"), missing);
    assert_eq!(broken("(h, s) => { s.controller = { settle() {} } }"), missing);
}

#[test]
fn every_build_of_a_prelude_is_relocatable() {
    for _ in 0..40 {
        assert_eq!(Template::build(&[KEEPER, PRELUDE]).expect("template").relocation_problem(), None);
    }
}
