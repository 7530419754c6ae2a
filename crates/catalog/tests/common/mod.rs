//! Generated schemas, well-formed and odd ones mixed, for the property tests.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::allow_attributes,
    reason = "each test binary uses its own part"
)]

use std::path::PathBuf;

use code_mode_catalog::ToolSpec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A file of the data set, which lives outside the repository.
pub(crate) fn data(file: &str) -> Option<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(file);
    let text = std::fs::read_to_string(path).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

/// A tool with nothing but a name.
pub(crate) fn tool(name: &str) -> ToolSpec {
    ToolSpec { name: name.to_owned(), ..ToolSpec::default() }
}

/// Strings that try to get out of wherever they are put.
pub(crate) fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "[a-zA-Z_$][a-zA-Z0-9_$]{0,8}",
        Just("*/ evil() /*".to_owned()),
        Just("a\nb\r\u{2028}c".to_owned()),
        Just("\"; x".to_owned()),
        Just("\\".to_owned()),
        Just("\u{202e}\u{0}\u{200b}".to_owned()),
        Just("constructor".to_owned()),
        Just("__proto__".to_owned()),
        Just("delete".to_owned()),
        Just("1".to_owned()),
        Just(String::new()),
        Just("ünïcode名".to_owned()),
        Just("@param */".to_owned()),
        Just("x".repeat(300)),
        any::<String>(),
    ]
}

/// Schemas of every keyword that the readers know, with odd values in between.
pub(crate) fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer", "default": 5})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"type": "boolean", "nullable": true})),
        Just(json!({"type": "object"})),
        Just(json!({"type": "array"})),
        Just(json!({"$ref": "#"})),
        Just(json!({"$ref": "#/properties/a"})),
        Just(json!({"$ref": "https://example.com/x"})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!(null)),
        Just(json!({})),
        Just(json!({"type": "banana"})),
        Just(json!({"type": 7, "enum": "x", "properties": [], "required": true, "anyOf": 1})),
        (nasty(), nasty())
            .prop_map(|(text, default)| json!({"type": "string", "description": text, "default": default})),
        prop::collection::vec(nasty(), 0..40).prop_map(|members| json!({"enum": members})),
        nasty().prop_map(|value| json!({"const": value})),
        Just(json!({"enum": [1, -2.5, 1e300, null, true, {"a": 1}, [1]]})),
    ];
    leaf.prop_recursive(6, 80, 8, |inner| {
        prop_oneof![
            (prop::collection::vec((nasty(), inner.clone(), any::<bool>()), 0..24), any::<Option<bool>>())
                .prop_map(object),
            inner.clone().prop_map(|of| json!({"type": "object", "additionalProperties": of})),
            inner.clone().prop_map(|of| json!({"type": "object", "patternProperties": {"^x": of}})),
            inner.clone().prop_map(|of| json!({"type": "array", "items": of})),
            (prop::collection::vec(inner.clone(), 0..5), any::<u8>())
                .prop_map(|(of, least)| json!({"type": "array", "prefixItems": of, "minItems": least % 6})),
            (prop::collection::vec(inner.clone(), 0..5), inner.clone())
                .prop_map(|(of, rest)| json!({"type": "array", "items": of, "additionalItems": rest})),
            (prop::collection::vec(inner.clone(), 0..6), inner.clone())
                .prop_map(|(of, also)| merge(also, json!({"anyOf": of}))),
            prop::collection::vec(inner.clone(), 0..6).prop_map(|of| json!({"oneOf": of, "nullable": true})),
            prop::collection::vec(inner, 0..4).prop_map(|of| json!({"allOf": of})),
        ]
    })
}

fn object((properties, closed): (Vec<(String, Value, bool)>, Option<bool>)) -> Value {
    let required: Vec<&String> =
        properties.iter().filter(|(.., required)| *required).map(|(name, ..)| name).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    schema.insert("required".into(), json!(required));
    if let Some(closed) = closed {
        schema.insert("additionalProperties".into(), json!(closed));
    }
    let properties: Map<String, Value> = properties.into_iter().map(|(name, of, _)| (name, of)).collect();
    schema.insert("properties".into(), Value::Object(properties));
    Value::Object(schema)
}

fn merge(schema: Value, more: Value) -> Value {
    match (schema, more) {
        (Value::Object(mut schema), Value::Object(more)) => {
            schema.extend(more);
            Value::Object(schema)
        }
        (schema, _) => schema,
    }
}
