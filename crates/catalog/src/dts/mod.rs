//! TypeScript declarations of tools: valid for every schema, bounded, with the author's words in comments only.

mod doc;
mod render;

pub(crate) use doc::{Doc, one_line};
use render::render;
use serde_json::Value;

use crate::entry::EntryData;
use crate::types::{Limits, Type, property_name, read};

/// Bytes of one type.
const TYPE_BYTES: usize = 32 * 1024;

/// How much of a tool is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// All of it, within generous limits.
    Full,
    /// The first lines of the description and shallow types without prose.
    Brief,
    /// One line, and the names and plain types of the parameters.
    Outline,
}

impl Detail {
    const fn limits(self) -> Limits {
        let full = Limits {
            depth: 10,
            properties: 200,
            members: 120,
            name_chars: 200,
            nodes: 2_000,
            prose: true,
            exact: false,
        };
        match self {
            Self::Full => full,
            Self::Brief => Limits { depth: 2, members: 20, name_chars: 60, nodes: 400, prose: false, ..full },
            Self::Outline => {
                Limits { depth: 1, members: 6, name_chars: 60, nodes: 300, prose: false, ..full }
            }
        }
    }

    const fn description_chars(self) -> usize {
        match self {
            Self::Full => 3_000,
            Self::Brief => 300,
            Self::Outline => 100,
        }
    }
}

/// One callable: its documentation, and its signature from the parenthesis on.
pub(crate) struct Signature {
    pub(crate) doc: String,
    /// `(input: {…}): Promise<…>`
    pub(crate) call: String,
}

/// How a tool is called and what it gives; every line but the first is indented by `indent`.
pub(crate) fn signature(entry: &EntryData, result: &str, indent: &str, detail: Detail) -> Signature {
    let input = entry.parameters.as_ref().map_or(Type::Unknown, |schema| read(schema, detail.limits()).0);
    let mut doc = Doc::new(indent);
    match detail {
        Detail::Outline => doc.line(&entry.description, detail.description_chars()),
        Detail::Full | Detail::Brief => doc.text(&entry.description, detail.description_chars()),
    }
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
    bounded(schema, &read(schema, Detail::Full.limits()).0, indent)
}

fn bounded(schema: &Value, read_already: &Type, indent: &str) -> String {
    let text = render(read_already, indent, TYPE_BYTES);
    let text = text.or_else(|| render(&read(schema, Detail::Outline.limits()).0, indent, TYPE_BYTES));
    text.unwrap_or_else(|| "unknown".to_owned())
}
