//! Compact type hints from JSON Schema: one line of TypeScript, bounded, and nothing of an author's prose in it.

use serde_json::Value;

use crate::types::{Limits, Object, Others, Property, Type, property_name, read};

/// Characters of an input hint.
const INPUT_CHARS: usize = 300;
const INPUT_DEPTH: usize = 4;
const INPUT_PROPERTIES: usize = 16;

/// Characters of an output hint.
const OUTPUT_CHARS: usize = 800;
const OUTPUT_DEPTH: usize = 6;
const OUTPUT_PROPERTIES: usize = 20;

/// Beyond this no hint fits any more, whatever follows.
const ENOUGH_BYTES: usize = 4 * OUTPUT_CHARS;

/// Longer names and literals are prose, not hints.
const NAME_CHARS: usize = 64;
const MEMBERS: usize = 24;
const NODES: usize = 600;

/// The input type as deep as it fits; where one level is too long already, optional properties go from the end.
pub(crate) fn input_hint(schema: &Value) -> String {
    let mut hint: Option<String> = None;
    for depth in 1..=INPUT_DEPTH {
        let deeper =
            print(&read(schema, input_limits(depth)).0, Shape { depth, properties: INPUT_PROPERTIES });
        if !fits(&deeper, INPUT_CHARS) {
            break;
        }
        let settled = hint.as_ref() == Some(&deeper);
        hint = Some(deeper);
        if settled {
            break;
        }
    }
    hint.unwrap_or_else(|| narrowed(&read(schema, input_limits(1)).0))
}

fn narrowed(input: &Type) -> String {
    let most = match input {
        Type::Object(object) => object.properties.len(),
        _ => 0,
    };
    let mut hints = (0..most).rev().map(|properties| print(input, Shape { depth: 1, properties }));
    hints.find(|hint| fits(hint, INPUT_CHARS)).unwrap_or_else(|| "unknown".to_owned())
}

/// Arrays count as a level when reading, and only objects do when printing.
fn input_limits(depth: usize) -> Limits {
    Limits {
        depth: 2 * depth,
        properties: INPUT_PROPERTIES,
        members: MEMBERS,
        name_chars: NAME_CHARS,
        nodes: NODES,
        prose: false,
        exact: false,
    }
}

fn fits(hint: &str, chars: usize) -> bool {
    hint.len() <= chars || hint.chars().count() <= chars
}

/// The output type when it says all there is and fits.
pub(crate) fn output_hint(schema: &Value) -> Option<String> {
    let limits = Limits {
        // The outermost level is 0, so this is the level of the deepest leaves.
        depth: OUTPUT_DEPTH,
        properties: OUTPUT_PROPERTIES,
        members: OUTPUT_CHARS / 4,
        name_chars: NAME_CHARS,
        nodes: NODES,
        prose: false,
        exact: true,
    };
    let (output, complete) = read(schema, limits);
    if !complete {
        return None;
    }
    let hint = print(&output, Shape { depth: OUTPUT_DEPTH, properties: OUTPUT_PROPERTIES });
    fits(&hint, OUTPUT_CHARS).then_some(hint)
}

/// How much of a type is printed.
#[derive(Clone, Copy)]
struct Shape {
    /// Levels of objects.
    depth: usize,
    /// Properties of the outermost object.
    properties: usize,
}

fn print(of: &Type, shape: Shape) -> String {
    let mut out = String::new();
    write(&mut out, of, shape);
    out
}

fn write(out: &mut String, of: &Type, shape: Shape) {
    if out.len() > ENOUGH_BYTES {
        return;
    }
    match of {
        Type::Unknown => out.push_str("unknown"),
        Type::Never => out.push_str("never"),
        Type::Null => out.push_str("null"),
        Type::Boolean => out.push_str("boolean"),
        Type::Number => out.push_str("number"),
        Type::String => out.push_str("string"),
        Type::Literal(text) => out.push_str(text),
        Type::Array(item) => {
            out.push_str("Array<");
            write(out, item, shape);
            out.push('>');
        }
        Type::Tuple { items, required, rest } => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(out, at, ", ");
                write_item(out, item, at >= *required, shape);
            }
            if let Some(rest) = rest {
                separate(out, items.len(), ", ");
                out.push_str("...Array<");
                write(out, rest, shape);
                out.push('>');
            }
            out.push(']');
        }
        Type::Object(object) => write_object(out, object, shape),
        Type::Union(members) => {
            for (at, member) in members.iter().enumerate() {
                separate(out, at, " | ");
                write(out, member, shape);
            }
        }
    }
}

fn write_item(out: &mut String, item: &Type, optional: bool, shape: Shape) {
    let group = optional && matches!(item, Type::Union(_));
    if group {
        out.push('(');
    }
    write(out, item, shape);
    if group {
        out.push(')');
    }
    if optional {
        out.push('?');
    }
}

fn write_object(out: &mut String, object: &Object, shape: Shape) {
    if object.properties.is_empty() && !object.cut {
        return match &object.others {
            Others::Of(of) => {
                out.push_str("Record<string, ");
                write(out, of, shape.inner());
                out.push('>');
            }
            Others::Unsaid | Others::None => out.push_str("{}"),
        };
    }
    if shape.depth == 0 {
        return out.push_str("{ ... }");
    }
    out.push_str("{ ");
    for (at, property) in object.properties.iter().take(shape.properties).enumerate() {
        separate(out, at, "; ");
        write_property(out, property, shape.inner());
    }
    let cut = object.cut || object.properties.len() > shape.properties;
    let more = matches!(&object.others, Others::Of(of) if **of != Type::Unknown);
    if cut || more {
        separate(out, shape.properties.min(object.properties.len()), "; ");
        out.push_str("...");
    }
    out.push_str(" }");
}

fn write_property(out: &mut String, property: &Property, shape: Shape) {
    out.push_str(&property_name(&property.name));
    out.push_str(if property.optional { "?: " } else { ": " });
    write(out, &property.of, shape);
}

fn separate(out: &mut String, at: usize, separator: &str) {
    if at > 0 {
        out.push_str(separator);
    }
}

impl Shape {
    fn inner(self) -> Self {
        Self { depth: self.depth.saturating_sub(1), properties: usize::MAX }
    }
}
