//! JSON Schema to [`Type`]: bounded, and total. Whatever is odd, too deep or too large becomes `unknown`.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::merge::MEMBERS;
use super::{Object, Others, Property, Type, quote, resolve};

/// How much of a schema is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Nesting of objects and arrays.
    pub(crate) depth: usize,
    /// Properties of one object.
    pub(crate) properties: usize,
    /// Members of one enumeration.
    pub(crate) members: usize,
    /// Characters of a property name or a string literal.
    pub(crate) name_chars: usize,
    /// Schema nodes in all, `$ref`s counted each time they are followed.
    pub(crate) nodes: usize,
    /// Descriptions and defaults are read too.
    pub(crate) prose: bool,
    /// Only what says all there is counts as complete: closed objects, no `$ref`, no `allOf`, no patterns.
    pub(crate) exact: bool,
}

/// Properties of one object that are looked at, to choose the shown ones from.
const SEEN: usize = 2_000;
/// Bytes of a property's description that are kept.
const DESCRIPTION_BYTES: usize = 1_200;
/// Bytes of a default's JSON that are kept.
const DEFAULT_BYTES: usize = 100;

/// Keywords that narrow a type in ways no [`Type`] can tell.
const CONDITIONS: [&str; 9] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
];

/// The type a schema describes, and whether nothing was left out of it.
pub(crate) fn read(schema: &Value, limits: Limits) -> (Type, bool) {
    let mut reader = Reader { root: schema, limits, nodes: limits.nodes, refs: Vec::new(), complete: true };
    let read = reader.schema(schema, 0);
    (read, reader.complete)
}

struct Reader<'a> {
    root: &'a Value,
    limits: Limits,
    nodes: usize,
    /// The `$ref`s being followed; meeting one again is a cycle.
    refs: Vec<&'a str>,
    complete: bool,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value, depth: usize) -> Type {
        if self.nodes == 0 || depth > self.limits.depth {
            return self.cut();
        }
        self.nodes -= 1;
        match schema {
            Value::Bool(false) => Type::Never,
            Value::Object(object) => self.object_schema(object, depth),
            _ => self.cut(),
        }
    }

    fn cut(&mut self) -> Type {
        self.complete = false;
        Type::Unknown
    }

    fn object_schema(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Type {
        if self.limits.exact && CONDITIONS.iter().any(|keyword| schema.contains_key(*keyword)) {
            return self.cut();
        }
        let mut found = self.own(schema, depth);
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.reference(target, depth);
            found = target.and(found);
        }
        for part in list(schema, "allOf") {
            let part = self.schema(part, depth);
            found = found.and(part);
        }
        for keyword in ["anyOf", "oneOf"] {
            if schema.contains_key(keyword) {
                found = self.alternatives(list(schema, keyword), found, depth);
            }
        }
        if schema.get("nullable") == Some(&Value::Bool(true)) && found != Type::Unknown {
            found = Type::union([found, Type::Null]);
        }
        if found == Type::Unknown {
            self.complete = false;
        }
        found
    }

    /// Alternatives that say nothing about the type (`{required: […]}`) leave what the rest of the schema says.
    fn alternatives(&mut self, options: &'a [Value], base: Type, depth: usize) -> Type {
        if let Type::Union(known) = &base
            && known.len() * options.len() > MEMBERS
        {
            // Alternatives of alternatives: too many to combine, so the first ones stand for both.
            return base;
        }
        let mut members = Vec::new();
        let mut unsaid = false;
        for option in options {
            match self.schema(option, depth) {
                Type::Unknown => unsaid = true,
                known => members.push(known.and(base.clone())),
            }
        }
        if unsaid {
            // Also right for a mix: what is known of one alternative does not hold for the others.
            return base;
        }
        match Type::union(members) {
            Type::Never => base,
            known => known,
        }
    }

    /// What the schema says itself, without `$ref` and combinators.
    fn own(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Type {
        if let Some(value) = schema.get("const") {
            return self.literal(value);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.enumeration(values);
        }
        match schema.get("type") {
            Some(Value::String(name)) => self.named(name, schema, depth),
            Some(Value::Array(names)) => {
                let names = names.iter().filter_map(Value::as_str).take(8);
                let members: Vec<Type> = names.map(|name| self.named(name, schema, depth)).collect();
                if members.is_empty() { Type::Unknown } else { Type::union(members) }
            }
            _ if schema.get("properties").is_some_and(Value::is_object) => self.object(schema, depth),
            _ if schema.get("additionalProperties").is_some_and(Value::is_object) => {
                self.object(schema, depth)
            }
            _ if schema.contains_key("items") || schema.contains_key("prefixItems") => {
                self.array(schema, depth)
            }
            _ => Type::Unknown,
        }
    }

    fn named(&mut self, name: &str, schema: &'a Map<String, Value>, depth: usize) -> Type {
        match name {
            "string" => Type::String,
            "number" | "integer" => Type::Number,
            "boolean" => Type::Boolean,
            "null" => Type::Null,
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            _ => self.cut(),
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Type {
        let has_properties =
            schema.get("properties").and_then(Value::as_object).is_some_and(|found| !found.is_empty());
        if depth >= self.limits.depth && has_properties && !self.limits.exact {
            self.complete = false;
            return Type::Object(Object { cut: true, ..Object::default() });
        }
        let required: BTreeSet<&str> =
            list(schema, "required").iter().filter_map(Value::as_str).take(SEEN).collect();
        let mut declared: Vec<(bool, &'a str, &'a Value)> = Vec::new();
        if let Some(Value::Object(properties)) = schema.get("properties") {
            self.complete &= properties.len() <= SEEN;
            declared.extend(
                properties
                    .iter()
                    .take(SEEN)
                    .map(|(name, of)| (!required.contains(name.as_str()), name.as_str(), of)),
            );
        }
        if declared.iter().filter(|(optional, ..)| !optional).count() < required.len() {
            // A required name that is not declared: the type would not mention it.
            self.complete = false;
        }
        declared.sort_unstable_by_key(|(optional, name, _)| (*optional, *name));
        let mut object = Object::default();
        for (optional, name, of) in declared {
            if object.properties.len() == self.limits.properties
                || name.chars().count() > self.limits.name_chars
            {
                object.cut = true;
                self.complete = false;
                continue;
            }
            object.properties.push(self.property(name, of, optional, depth));
        }
        object.others = self.others(schema, depth);
        Type::Object(object)
    }

    fn property(&mut self, name: &str, schema: &'a Value, optional: bool, depth: usize) -> Property {
        let prose = self.limits.prose;
        Property {
            name: name.to_owned(),
            of: self.schema(schema, depth + 1),
            optional,
            description: schema.get("description").filter(|_| prose).and_then(Value::as_str).map(shortened),
            default: schema.get("default").filter(|_| prose).and_then(default_text),
        }
    }

    fn others(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Others {
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => return Others::None,
            Some(of @ Value::Object(_)) => {
                // A dictionary is open: it never says all there is.
                self.complete = false;
                return Others::Of(Box::new(self.schema(of, depth + 1)));
            }
            _ => self.complete = false,
        }
        match schema.get("patternProperties") {
            Some(Value::Object(patterns)) => {
                let members: Vec<Type> =
                    patterns.values().take(16).map(|of| self.schema(of, depth + 1)).collect();
                if members.is_empty() { Others::Unsaid } else { Others::Of(Box::new(Type::union(members))) }
            }
            _ if schema.get("additionalProperties") == Some(&Value::Bool(true)) => {
                Others::Of(Box::new(Type::Unknown))
            }
            _ => Others::Unsaid,
        }
    }

    fn array(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Type {
        let (items, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(items)), rest) => (Some(items), rest),
            (_, Some(Value::Array(items))) => (Some(items), schema.get("additionalItems")),
            (_, rest) => (None, rest),
        };
        match (items, rest) {
            (Some(items), rest) => self.tuple(schema, items, rest, depth),
            (None, Some(of)) => Type::Array(Box::new(self.schema(of, depth + 1))),
            (None, None) => Type::Array(Box::new(self.cut())),
        }
    }

    fn tuple(
        &mut self,
        schema: &'a Map<String, Value>,
        items: &'a [Value],
        rest: Option<&'a Value>,
        depth: usize,
    ) -> Type {
        if items.len() > self.limits.properties {
            return Type::Array(Box::new(self.cut()));
        }
        let least =
            schema.get("minItems").and_then(Value::as_u64).and_then(|least| usize::try_from(least).ok());
        let required = least.unwrap_or(0).min(items.len());
        let items: Vec<Type> = items.iter().map(|item| self.schema(item, depth + 1)).collect();
        let rest = match rest {
            Some(Value::Bool(false)) => None,
            Some(of) => Some(Box::new(self.schema(of, depth + 1))),
            None if schema.get("maxItems").and_then(Value::as_u64) == u64::try_from(items.len()).ok() => None,
            None => Some(Box::new(self.cut())),
        };
        Type::Tuple { items, required, rest }
    }

    fn enumeration(&mut self, values: &[Value]) -> Type {
        let mut members: Vec<Type> = Vec::new();
        for value in values.iter().take(self.limits.members) {
            members.push(self.literal(value));
        }
        if values.len() > self.limits.members {
            self.complete = false;
            members.extend(values.iter().skip(self.limits.members).map(kind));
            members = members.into_iter().map(widen).collect();
        }
        Type::union(members)
    }

    fn literal(&mut self, value: &Value) -> Type {
        match value {
            Value::Null => Type::Null,
            Value::Bool(_) | Value::Number(_) => Type::Literal(value.to_string()),
            Value::String(text) if text.chars().count() <= self.limits.name_chars => {
                Type::Literal(quote(text))
            }
            _ => {
                self.complete = false;
                kind(value)
            }
        }
    }

    fn reference(&mut self, target: &'a str, depth: usize) -> Type {
        if self.limits.exact || self.refs.contains(&target) {
            return self.cut();
        }
        let Some(schema) = resolve(self.root, target) else { return self.cut() };
        self.refs.push(target);
        let read = self.schema(schema, depth);
        self.refs.pop();
        read
    }
}

/// The plain type of a value that is too long or too many to be a literal.
fn kind(value: &Value) -> Type {
    match value {
        Value::Null => Type::Null,
        Value::Bool(_) => Type::Boolean,
        Value::Number(_) => Type::Number,
        Value::String(_) => Type::String,
        Value::Array(_) | Value::Object(_) => Type::Unknown,
    }
}

fn shortened(description: &str) -> String {
    description[..description.floor_char_boundary(DESCRIPTION_BYTES)].to_owned()
}

/// Defaults are worth showing while they are short.
fn default_text(value: &Value) -> Option<String> {
    let short = match value {
        Value::String(text) => text.len() <= DEFAULT_BYTES,
        Value::Array(items) => {
            items.len() <= 4 && items.iter().all(|item| !item.is_array() && !item.is_object())
        }
        Value::Object(members) => members.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    };
    short.then(|| value.to_string()).filter(|text| text.len() <= DEFAULT_BYTES)
}

fn widen(of: Type) -> Type {
    match of {
        Type::Literal(text) if text.starts_with('"') => Type::String,
        Type::Literal(text) if text == "true" || text == "false" => Type::Boolean,
        Type::Literal(_) => Type::Number,
        other => other,
    }
}

fn list<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const WIDE: Limits = Limits {
        depth: 8,
        properties: 100,
        members: 100,
        name_chars: 100,
        nodes: 1_000,
        prose: true,
        exact: false,
    };

    fn of(schema: &Value) -> Type {
        read(schema, WIDE).0
    }

    #[test]
    fn follows_references_and_stops_at_cycles() {
        let tree = json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {"type": "array", "items": {"$ref": "#/$defs/a%20b"}}}});
        assert_eq!(of(&tree), Type::Array(Box::new(Type::Unknown)));
        assert_eq!(of(&json!({"$ref": "#"})), Type::Unknown);
        assert_eq!(of(&json!({"$ref": "#/nowhere"})), Type::Unknown);
        assert_eq!(of(&json!({"$ref": "https://example.com/x.json"})), Type::Unknown);
        assert_eq!(
            of(&json!({"$ref": "#x", "$defs": {"y": {"$anchor": "x", "type": "string"}}})),
            Type::String
        );
    }

    #[test]
    fn merges_all_of() {
        let schema = json!({"allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"a": {"enum": ["x"]}, "b": {"type": "number"}}},
        ]});
        let Type::Object(object) = of(&schema) else { panic!() };
        let names: Vec<(&str, bool)> =
            object.properties.iter().map(|p| (p.name.as_str(), p.optional)).collect();
        assert_eq!(names, [("a", false), ("b", true)]);
        assert_eq!(object.properties[0].of, Type::Literal("\"x\"".into()));
    }

    #[test]
    fn alternatives_that_only_require_leave_the_object() {
        let schema = json!({"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
        assert!(matches!(of(&schema), Type::Object(_)));
    }

    #[test]
    fn odd_schemas_are_unknown() {
        for schema in [
            json!(1),
            json!("x"),
            json!([]),
            json!({"type": 3}),
            json!({"type": "banana"}),
            json!({"type": []}),
        ] {
            assert_eq!(of(&schema), Type::Unknown, "{schema}");
        }
        assert!(matches!(
            of(&json!({"type": "object", "properties": [1], "required": true})),
            Type::Object(_)
        ));
    }

    #[test]
    fn endless_nesting_costs_its_limit_only() {
        let mut bomb = json!({"type": "string"});
        for level in 0..60 {
            let key = format!("l{level}");
            bomb = json!({"anyOf": [{"properties": {key.clone(): bomb.clone()}}, {"type": "array", "items": {"type": "null"}}]});
        }
        let started = std::time::Instant::now();
        let defs: Map<String, Value> = (0..40)
            .map(|n| {
                let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
                (format!("d{n}"), json!({"allOf": [next, next], "anyOf": [next, next]}))
            })
            .collect();
        of(&json!({"$ref": "#/$defs/d0", "$defs": defs}));
        of(&bomb);
        assert!(started.elapsed().as_millis() < 500);
    }
}
