//! TypeScript declarations of tools: valid for every schema, bounded, with the author's words in comments only.

mod doc;
mod render;

pub(crate) use doc::{Doc, one_line};
use render::render;
use serde_json::Value;

use crate::entry::EntryData;
use crate::types::{Limits, Others, Type, property_name, read};

const LIMITS: Limits =
    Limits { depth: 10, properties: 200, members: 120, name_chars: 200, nodes: 2_000, exact: false };
/// What is shown of a type whose full text is too long.
const BRIEF: Limits =
    Limits { depth: 2, properties: 60, members: 20, name_chars: 60, nodes: 200, exact: false };
/// Bytes of one type.
const TYPE_BYTES: usize = 32 * 1024;

/// One callable: its documentation, and its signature from the parenthesis on.
pub(crate) struct Signature {
    pub(crate) doc: String,
    /// `(input: {…}): Promise<…>`
    pub(crate) call: String,
}

/// How a tool is called and what it gives; every line but the first is indented by `indent`.
pub(crate) fn signature(entry: &EntryData, result: &str, indent: &str) -> Signature {
    let input = entry.parameters.as_ref().map_or(Type::Unknown, |schema| read(schema, LIMITS).0);
    let mut doc = Doc::new(indent);
    doc.text(&entry.description);
    let mut optional = true;
    if let Type::Object(object) = &input {
        optional = object.properties.iter().all(|property| property.optional);
        for property in &object.properties {
            if let Some(description) = &property.description {
                doc.tag("param", &property_name(&property.name), description);
            }
        }
    }
    let text = match (&entry.parameters, input) {
        (None, _) | (_, Type::Unknown) => "Record<string, unknown>".to_owned(),
        (Some(schema), input) => bounded(schema, &input, indent),
    };
    let mark = if optional { "?" } else { "" };
    Signature { doc: doc.finish(), call: format!("(input{mark}: {text}): Promise<{result}>") }
}

/// The type of a trusted output schema.
pub(crate) fn output_type(schema: &Value, indent: &str) -> String {
    bounded(schema, &read(schema, LIMITS).0, indent)
}

fn bounded(schema: &Value, full: &Type, indent: &str) -> String {
    let text = render(full, indent, TYPE_BYTES);
    let text = text.or_else(|| render(&read(schema, BRIEF).0, indent, TYPE_BYTES));
    text.unwrap_or_else(|| "unknown".to_owned())
}

/// Whether an object type says nothing at all.
fn is_open_and_empty(others: &Others) -> bool {
    matches!(others, Others::Unsaid)
}
