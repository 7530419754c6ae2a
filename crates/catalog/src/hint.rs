//! Compact type hints from JSON Schema.
use serde_json::Value;

pub(crate) fn input_hint(_schema: &Value) -> String {
    "unknown".to_owned()
}

pub(crate) fn output_hint(_schema: &Value) -> Option<String> {
    None
}
