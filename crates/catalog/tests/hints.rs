//! Compact hints: exact texts, bounds, and nothing of an author's prose.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use code_mode_catalog::{Catalog, ToolSource, ToolSpec};
use common::{schema, tool};
use proptest::prelude::*;
use serde_json::{Value, json};

fn hints(parameters: &Value, output: &Value) -> (String, Option<String>) {
    let spec =
        ToolSpec { parameters: Some(parameters.clone()), output_schema: Some(output.clone()), ..tool("x") };
    let catalog = Catalog::new(vec![spec], Vec::new());
    let entry = &catalog.entries()[0];
    (entry.input_hint().to_owned(), entry.output_hint().map(str::to_owned))
}

fn input(parameters: &Value) -> String {
    hints(parameters, &json!({})).0
}

fn output(schema: &Value) -> Option<String> {
    hints(&json!({}), schema).1
}

#[test]
fn output_hints_of_the_shared_cases() {
    let cases: Value = serde_json::from_str(include_str!("cases/output-hints.json")).unwrap();
    for case in cases["cases"].as_array().unwrap() {
        assert_eq!(output(&case["schema"]).as_deref(), case["hint"].as_str(), "{}", case["schema"]);
    }
}

#[test]
fn input_hints() {
    let cases = [
        (json!({"type": "object", "properties": {}}), "{}"),
        (json!({}), "unknown"),
        (
            json!({"type": "object", "required": ["path"], "properties": {
                "limit": {"type": "integer"}, "path": {"type": "string", "description": "SECRET"}, "a-b": {"enum": ["x", 1]}}}),
            "{ path: string; \"a-b\"?: \"x\" | 1; limit?: number }",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "number"}}}}),
            "{ a?: Record<string, number> }",
        ),
        (
            json!({"properties": {"t": {"type": "array", "minItems": 1, "items": [{"type": "string"}, {"type": ["string", "null"]}]}}}),
            "{ t?: [string, (string | null)?, ...Array<unknown>] }",
        ),
        (
            json!({"properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}}}),
            "{ a?: { next?: unknown } }",
        ),
        (
            json!({"properties": {"a": {"properties": {"b": {"properties": {"c": {"properties": {"d": {"properties": {"e": {}}}}}}}}}}}),
            "{ a?: { b?: { c?: { d?: { ... } } } } }",
        ),
    ];
    for (schema, hint) in cases {
        assert_eq!(input(&schema), hint, "{schema}");
    }
}

#[test]
fn wide_inputs_keep_the_required_and_say_that_more_was_left_out() {
    let names: Vec<String> = (10..40).map(|n| format!("property_{n}")).collect();
    let properties: Value = names
        .iter()
        .map(|name| (name.clone(), json!({"type": "string"})))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let hint = input(&json!({"type": "object", "properties": properties, "required": ["property_39"]}));
    assert!(hint.starts_with("{ property_39: string; property_10?: string; "), "{hint}");
    assert!(hint.ends_with("; ... }"), "{hint}");
    assert!(hint.chars().count() <= 300);
    let deep = json!({"type": "object", "properties": {"a": {"type": "object", "properties": properties}}});
    assert_eq!(input(&deep), "{ a?: { ... } }");
}

#[test]
fn partial_outputs_have_no_hint() {
    let closed = |properties: Value| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let many: serde_json::Map<String, Value> =
        (0..21).map(|n| (format!("p{n}"), json!({"type": "null"}))).collect();
    for schema in [
        json!({}),
        json!(true),
        json!({"type": "array"}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"allOf": [{"type": "string"}]}),
        closed(json!({"a": {}})),
        closed(json!({"a": {"type": "object"}})),
        closed(Value::Object(many)),
        closed(json!({"x".repeat(100): {"type": "null"}})),
        json!({"enum": (0..500).collect::<Vec<_>>()}),
        json!({"type": "object", "properties": {}, "patternProperties": {"a": {}}, "additionalProperties": false}),
        json!({"type": "object", "properties": {}, "required": ["a"], "additionalProperties": false}),
        json!({"anyOf": [{"type": "string"}, {}]}),
    ] {
        assert_eq!(output(&schema), None, "{schema}");
    }
    let level = |inner: Value| closed(json!({"a": inner}));
    let six = (0..6).fold(json!({"type": "string"}), |inner, _| level(inner));
    assert!(output(&six).is_some());
    assert_eq!(output(&level(six)), None);
}

#[test]
fn strangers_get_no_hints() {
    let spec = |source| ToolSpec {
        source: Some(source),
        parameters: Some(json!({"properties": {"a": {}}})),
        output_schema: Some(json!({"type": "string"})),
        ..tool("x")
    };
    let catalog = Catalog::new(vec![spec(ToolSource::Mcp), spec(ToolSource::Client)], vec![]);
    for entry in catalog.entries() {
        assert_eq!((entry.input_hint(), entry.output_hint()), ("unknown", None));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_schema_gives_a_bounded_stable_single_line(schema in schema()) {
        let (input, output) = hints(&schema, &schema);
        prop_assert_eq!((&input, &output), (&hints(&schema, &schema).0, &hints(&schema, &schema).1));
        prop_assert!(input.chars().count() <= 300);
        prop_assert!(output.as_ref().is_none_or(|hint| hint.chars().count() <= 800));
        for hint in [Some(input), output].into_iter().flatten() {
            prop_assert!(!hint.contains("*/") && !hint.contains(|char: char| char.is_control()));
            let invisible = ['\u{2028}', '\u{2029}', '\u{202e}', '\u{200b}'];
            prop_assert!(!hint.contains(invisible));
        }
    }
}
