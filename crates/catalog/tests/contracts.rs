//! Output contracts: exact messages, no values of the result in them, and no schema that hangs.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::time::Instant;

use code_mode_catalog::{Catalog, ToolSource, ToolSpec};
use common::{schema, tool};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn check(schema: &Value, details: &Value) -> String {
    let catalog =
        Catalog::new(vec![ToolSpec { output_schema: Some(schema.clone()), ..tool("x") }], Vec::new());
    let entry = catalog.by_id("openclaw:core:x").unwrap();
    match catalog.output_contract(entry) {
        Ok(Some(contract)) => {
            contract.check(details).map_or_else(|error| error.to_string(), |()| "ok".to_owned())
        }
        Ok(None) => "no contract".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn mismatch(path: &str, expected: &str) -> String {
    format!(
        "Tool \"openclaw:core:x\" returned details that do not match its declared outputSchema. At {path}: expected {expected}."
    )
}

const INVALID: &str = "Tool \"openclaw:core:x\" has an invalid outputSchema.";

#[test]
fn names_path_and_kind() {
    let item = json!({"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
        "id": {"type": "string"}, "odd name": {"enum": ["a", 1, null]}, "n": {"type": ["integer", "null"], "minimum": 0}}});
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/item"}, "$defs": {"item": item}});
    let cases = [
        (json!([{"id": "a"}]), "ok".to_owned()),
        (json!({"id": "a"}), mismatch("$", "array")),
        (json!([{"id": "a"}, {"id": 7}]), mismatch("$[1].id", "string")),
        (json!([{}]), mismatch("$[0]", "the required property \"id\"")),
        (json!([{"id": "a", "SECRET": 1}]), mismatch("$[0]", "no properties beside the declared ones")),
        (json!([{"id": "a", "odd name": "SECRET"}]), mismatch("$[0][\"odd name\"]", "\"a\" or 1 or null")),
        (json!([{"id": "a", "n": "SECRET"}]), mismatch("$[0].n", "integer or null")),
        (json!([{"id": "a", "n": -1}]), mismatch("$[0].n", "a number within the declared range")),
    ];
    for (details, message) in cases {
        assert_eq!(check(&list, &details), message, "{details}");
    }
}

#[test]
fn names_alternatives() {
    let schema = json!({"oneOf": [
        {"type": "object", "properties": {"ok": {"const": true}, "value": {"type": "string"}}, "required": ["ok", "value"]},
        {"type": "object", "properties": {"ok": {"const": false}, "error": {"type": "string"}}, "required": ["ok", "error"]},
        {"type": "null"},
    ]});
    assert_eq!(check(&schema, &json!({"ok": false, "error": "e"})), "ok");
    assert_eq!(check(&schema, &json!({"ok": false, "error": 1})), mismatch("$.error", "string"));
    assert_eq!(check(&schema, &json!({"ok": 3})), mismatch("$", "object or null"));
    assert_eq!(
        check(&json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), &json!(1)),
        mismatch("$", "string or null")
    );
}

#[test]
fn members_named_by_the_result_are_not_repeated() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "number"}});
    assert_eq!(check(&schema, &json!({"alice@example.com": "SECRET"})), mismatch("$.*", "number"));
}

#[test]
fn invalid_schemas() {
    for schema in [
        json!({"type": "banana"}),
        json!({"pattern": "("}),
        json!({"minimum": "x"}),
        json!({"$ref": "https://example.com/schema.json"}),
        json!({"$ref": "file:///etc/passwd"}),
        json!({"$ref": "#/nowhere"}),
        json!({"$schema": "https://example.com/meta"}),
        json!("string"),
        json!({"pattern": "(((a{1000}){1000}){1000})"}),
    ] {
        assert_eq!(check(&schema, &json!({})), INVALID, "{schema}");
    }
}

#[test]
fn only_local_tools_have_contracts() {
    for source in [ToolSource::Mcp, ToolSource::Client] {
        let spec =
            ToolSpec { source: Some(source), output_schema: Some(json!({"type": "banana"})), ..tool("x") };
        let catalog = Catalog::new(vec![spec], Vec::new());
        assert!(matches!(catalog.output_contract(&catalog.entries()[0]), Ok(None)));
    }
}

#[test]
fn hostile_schemas_and_results_take_no_time() {
    let started = Instant::now();
    let mut defs = Map::new();
    for n in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        defs.insert(format!("d{n}"), json!({"anyOf": [next, next]}));
    }
    defs.insert("d40".into(), json!({"type": "null"}));
    assert_eq!(check(&json!({"$ref": "#/$defs/d0", "$defs": defs}), &json!(1)), INVALID);

    let twice = json!({"anyOf": [
        {"properties": {"a": {"$ref": "#"}}, "not": {}}, {"properties": {"a": {"$ref": "#"}}, "not": {}}, {"type": "null"}]});
    let deep = (0..100).fold(json!(1), |inner, _| json!({"a": inner}));
    assert!(check(&twice, &deep).starts_with("Tool \"openclaw:core:x\" returned"));

    for endless in [json!({"$ref": "#"}), json!({"allOf": [{"$ref": "#"}]})] {
        assert_eq!(check(&endless, &json!([1])), "ok");
    }
    let backtracking = json!({"type": "string", "pattern": "^(x+x+)+y$"});
    assert_eq!(check(&backtracking, &json!("x".repeat(100_000))), mismatch("$", "the declared shape"));
    let look_around = json!({"type": "string", "pattern": "^(?=(x+x+)+y)x"});
    check(&look_around, &json!("x".repeat(100_000)));
    let unique = json!({"type": "array", "uniqueItems": true});
    let items: Vec<Value> = (0..20_000).map(|n| json!({"n": n})).collect();
    assert_eq!(check(&unique, &json!(items)), "ok");
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
}

#[test]
fn text_is_checked_too() {
    let spec = ToolSpec { output_schema: Some(json!({"type": "string"})), ..tool("x") };
    let catalog = Catalog::new(vec![spec], Vec::new());
    let contract = catalog.output_contract(&catalog.entries()[0]).unwrap().unwrap();
    assert!(contract.check_json("\"a\"").is_ok());
    assert_eq!(contract.check_json("1").unwrap_err().to_string(), mismatch("$", "string"));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(
        contract.check_json(&deep).unwrap_err().to_string(),
        mismatch("$", "JSON of at most 127 levels")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_schema_panics_and_messages_never_hold_values(schema in schema(), key in "[a-z]{1,6}") {
        let details = json!({key: "SECRET-VALUE", "a": [1, {"b": "SECRET-VALUE"}]});
        let message = check(&schema, &details);
        prop_assert!(!message.contains("SECRET"), "{}", message);
    }
}
