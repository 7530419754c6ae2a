//! Refuses schemas whose check could take forever: too large, too deep, or multiplying with every `$ref`.
//!
//! The validator remembers its verdicts on recursive references, so a cycle costs nothing here. What does cost is a
//! chain of definitions that each name the next one twice: the cost of a schema is the number of schema nodes that one
//! value may have to be checked against.

use std::collections::HashMap;

use serde_json::Value;

use crate::types::resolve;

/// Levels of the schema as JSON.
const DEPTH: usize = 96;
/// Nodes of the schema as JSON.
const NODES: usize = 20_000;
/// Bytes of all strings and keys.
const BYTES: usize = 1 << 20;
/// Patterns, each of which may compile to a megabyte.
const PATTERNS: usize = 64;
const PATTERN_CHARS: usize = 2_000;
/// Schema nodes that one value may be checked against.
const COST: u64 = 20_000;

pub(super) fn is_bounded(schema: &Value) -> bool {
    let mut size = Size::default();
    if !size.add(schema, 0) {
        return false;
    }
    let mut costs = Costs { root: schema, known: HashMap::new() };
    costs.of(schema, 0) <= COST
}

#[derive(Default)]
struct Size {
    nodes: usize,
    bytes: usize,
    patterns: usize,
}

impl Size {
    fn add(&mut self, value: &Value, depth: usize) -> bool {
        self.nodes += 1;
        if depth > DEPTH || self.nodes > NODES || self.bytes > BYTES || self.patterns > PATTERNS {
            return false;
        }
        match value {
            Value::String(text) => {
                self.bytes += text.len();
                true
            }
            Value::Array(items) => items.iter().all(|item| self.add(item, depth + 1)),
            Value::Object(members) => members.iter().all(|(key, member)| {
                self.bytes += key.len();
                self.patterns += match (key.as_str(), member) {
                    ("pattern", Value::String(text)) if text.chars().count() > PATTERN_CHARS => return false,
                    ("pattern", Value::String(_)) => 1,
                    ("patternProperties", Value::Object(patterns)) => {
                        if patterns.keys().any(|text| text.chars().count() > PATTERN_CHARS) {
                            return false;
                        }
                        patterns.len()
                    }
                    _ => 0,
                };
                self.add(member, depth + 1)
            }),
            Value::Null | Value::Bool(_) | Value::Number(_) => true,
        }
    }
}

struct Costs<'a> {
    root: &'a Value,
    /// By address of the node; `None` while it is being counted.
    known: HashMap<*const Value, Option<u64>>,
}

impl<'a> Costs<'a> {
    fn of(&mut self, schema: &'a Value, depth: usize) -> u64 {
        let Value::Object(members) = schema else { return 1 };
        let address = std::ptr::from_ref(schema);
        match self.known.get(&address) {
            Some(Some(cost)) => return *cost,
            // A cycle: the validator answers the second visit from memory.
            Some(None) => return 1,
            None => {}
        }
        if depth > NODES.min(4 * DEPTH) {
            // References chained deeper than any schema a person writes.
            return u64::MAX;
        }
        self.known.insert(address, None);
        let mut cost = 1_u64;
        for (keyword, member) in members {
            cost = cost.saturating_add(self.keyword(keyword, member, depth));
        }
        self.known.insert(address, Some(cost));
        cost
    }

    fn keyword(&mut self, keyword: &str, member: &'a Value, depth: usize) -> u64 {
        match (keyword, member) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(target)) => {
                resolve(self.root, target).map_or(0, |target| self.of(target, depth + 1))
            }
            ("$defs" | "definitions" | "enum" | "const" | "default" | "examples", _) => 0,
            (_, Value::Array(items)) => self.sum(items.iter(), depth),
            (
                "properties" | "patternProperties" | "dependentSchemas" | "dependencies",
                Value::Object(schemas),
            ) => self.sum(schemas.values(), depth),
            (_, Value::Object(_)) => self.of(member, depth + 1),
            _ => 0,
        }
    }

    fn sum(&mut self, schemas: impl Iterator<Item = &'a Value>, depth: usize) -> u64 {
        schemas.fold(0, |sum, schema| self.of(schema, depth + 1).saturating_add(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn chain(links: usize, width: usize) -> Value {
        let mut defs = Map::new();
        for n in 0..links {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            defs.insert(format!("d{n}"), json!({"anyOf": vec![next; width]}));
        }
        defs.insert(format!("d{links}"), json!({"type": "null"}));
        json!({"$ref": "#/$defs/d0", "$defs": defs})
    }

    #[test]
    fn refuses_what_multiplies() {
        assert!(is_bounded(&chain(30, 1)));
        assert!(is_bounded(&chain(8, 2)));
        assert!(!is_bounded(&chain(30, 2)));
        assert!(!is_bounded(&chain(5_000, 1)));
    }

    #[test]
    fn accepts_recursion() {
        assert!(is_bounded(&json!({"properties": {"l": {"$ref": "#"}, "r": {"$ref": "#"}}})));
        assert!(is_bounded(&json!({"$ref": "#"})));
    }

    #[test]
    fn refuses_what_is_too_large() {
        let deep = (0..200).fold(json!({}), |inner, _| json!({"not": inner}));
        assert!(!is_bounded(&deep));
        assert!(!is_bounded(&json!({"enum": vec![0; NODES + 1]})));
        assert!(!is_bounded(&json!({"description": "x".repeat(BYTES + 1), "type": "null"})));
        assert!(!is_bounded(&json!({"pattern": "x".repeat(PATTERN_CHARS + 1)})));
        let patterns: Map<String, Value> = (0..100).map(|n| (n.to_string(), json!({}))).collect();
        assert!(!is_bounded(&json!({"patternProperties": patterns})));
    }
}
