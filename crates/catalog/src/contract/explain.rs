//! Where a result first leaves its schema, in words of the schema only.
//!
//! The validator has already said no; this walk finds a place to name. It knows the keywords that results usually
//! break and stops at a budget, so it may stop short of the exact spot, but it never repeats a value of the result.

use serde_json::{Map, Value};

use crate::names::is_identifier;
use crate::types::{quote, resolve};

/// Pairs of schema and value that are looked at.
const STEPS: usize = 4_000;
/// Nested `$ref`s and combinators on one value.
const DEPTH: usize = 128;
/// Alternatives and literals that a message lists.
const LISTED: usize = 8;
/// Longer names and literals of the schema are not repeated.
const NAME_CHARS: usize = 64;

/// Path and expected kind of the first mismatch found.
pub(super) fn mismatch(schema: &Value, details: &Value) -> (String, String) {
    let mut walk = Walk { root: schema, steps: STEPS, path: Vec::new() };
    match walk.find(schema, details, 0) {
        Some(expected) => (walk.text(), expected),
        None => ("$".to_owned(), "the declared shape".to_owned()),
    }
}

enum Step<'a> {
    Member(&'a str),
    /// A member whose name comes from the result.
    Unnamed,
    Item(usize),
}

struct Walk<'a> {
    root: &'a Value,
    steps: usize,
    path: Vec<Step<'a>>,
}

impl<'a> Walk<'a> {
    fn text(&self) -> String {
        let mut out = "$".to_owned();
        for step in &self.path {
            match step {
                Step::Member(name) if is_identifier(name) => out.extend([".", name]),
                Step::Member(name) => out.extend(["[", &quote(name), "]"]),
                Step::Unnamed => out.push_str(".*"),
                Step::Item(at) => out.extend(["[", &at.to_string(), "]"]),
            }
        }
        out
    }

    fn find(&mut self, schema: &'a Value, value: &Value, depth: usize) -> Option<String> {
        if self.steps == 0 || depth > DEPTH {
            return None;
        }
        self.steps -= 1;
        let schema = match schema {
            Value::Bool(false) => return Some("nothing".to_owned()),
            Value::Object(schema) => schema,
            _ => return None,
        };
        if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let target = resolve(self.root, target)?;
            if let Some(expected) = self.find(target, value, depth + 1) {
                return Some(expected);
            }
        }
        if let Some(expected) = own(schema, value) {
            return Some(expected);
        }
        let inner = match value {
            Value::Object(members) => self.members(schema, members, depth),
            Value::Array(items) => self.items(schema, items, depth),
            _ => None,
        };
        inner.or_else(|| self.combined(schema, value, depth))
    }

    fn members(
        &mut self,
        schema: &'a Map<String, Value>,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Option<String> {
        let declared = schema.get("properties").and_then(Value::as_object);
        for (name, of) in declared.into_iter().flatten() {
            if let Some(member) = members.get(name) {
                self.path.push(Step::Member(name));
                let found = self.find(of, member, depth + 1);
                if found.is_some() {
                    return found;
                }
                self.path.pop();
            }
        }
        let patterns =
            schema.get("patternProperties").and_then(Value::as_object).is_some_and(|found| !found.is_empty());
        let others = schema.get("additionalProperties").filter(|_| !patterns)?;
        for (name, member) in members {
            if declared.is_some_and(|declared| declared.contains_key(name)) {
                continue;
            }
            if others == &Value::Bool(false) {
                return Some("no properties beside the declared ones".to_owned());
            }
            self.path.push(Step::Unnamed);
            let found = self.find(others, member, depth + 1);
            if found.is_some() {
                return found;
            }
            self.path.pop();
        }
        None
    }

    fn items(&mut self, schema: &'a Map<String, Value>, items: &[Value], depth: usize) -> Option<String> {
        let (first, rest) = match (schema.get("prefixItems"), schema.get("items")) {
            (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
            (_, Some(Value::Array(first))) => (first.as_slice(), schema.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        for (at, item) in items.iter().enumerate() {
            let Some(of) = first.get(at).or(rest) else { break };
            self.path.push(Step::Item(at));
            let found = self.find(of, item, depth + 1);
            if found.is_some() {
                return found;
            }
            self.path.pop();
        }
        None
    }

    /// Of alternatives, only one that fits so far (its type and its constants) is looked into.
    fn combined(&mut self, schema: &'a Map<String, Value>, value: &Value, depth: usize) -> Option<String> {
        for part in list(schema, "allOf") {
            let found = self.find(part, value, depth + 1);
            if found.is_some() {
                return found;
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let options = list(schema, keyword);
            if options.is_empty() {
                continue;
            }
            let mut fitting = options.iter().filter(|option| self.fits(option, value));
            let (first, second) = (fitting.next(), fitting.next());
            match (first, second) {
                (None, _) => return Some(alternatives(options)),
                (Some(only), None) => {
                    let found = self.find(only, value, depth + 1);
                    if found.is_some() {
                        return found;
                    }
                }
                _ => {
                    // Several may fit; which one was meant is anybody's guess, so the place is named, not more.
                    if options.iter().all(|option| self.rejects(option, value, depth)) {
                        return Some(alternatives(options));
                    }
                }
            }
        }
        None
    }

    fn rejects(&mut self, option: &'a Value, value: &Value, depth: usize) -> bool {
        let level = self.path.len();
        let found = self.find(option, value, depth + 1).is_some();
        self.path.truncate(level);
        found
    }

    fn fits(&self, option: &'a Value, value: &Value) -> bool {
        let target = option.get("$ref").and_then(Value::as_str).and_then(|target| resolve(self.root, target));
        let Some(option) = target.unwrap_or(option).as_object() else { return option == &Value::Bool(true) };
        if option.contains_key("type") && !has_type(option, value) || !literal_holds(option, value) {
            return false;
        }
        let declared = option.get("properties").and_then(Value::as_object);
        declared.into_iter().flatten().all(|(name, of)| match (of.as_object(), value.get(name)) {
            (Some(of), Some(member)) => !of.contains_key("const") || literal_holds(of, member),
            _ => true,
        })
    }
}

/// What the schema says about the value itself, not its members.
fn own(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    if !has_type(schema, value) {
        return Some(kind(schema));
    }
    if !literal_holds(schema, value) {
        return Some(literals(schema));
    }
    if let Value::Object(members) = value {
        let missing = list(schema, "required")
            .iter()
            .filter_map(Value::as_str)
            .find(|name| !members.contains_key(*name));
        if let Some(name) = missing {
            let name = if name.chars().count() > NAME_CHARS { "…".to_owned() } else { quote(name) };
            return Some(format!("the required property {name}"));
        }
    }
    bound(schema, value)
}

fn bound(schema: &Map<String, Value>, value: &Value) -> Option<String> {
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    #[expect(clippy::cast_precision_loss, reason = "lengths are compared with limits of the same kind")]
    let broken = |least: &str, most: &str, found: usize| {
        limit(least).is_some_and(|least| (found as f64) < least)
            || limit(most).is_some_and(|most| found as f64 > most)
    };
    match value {
        Value::Number(number) => {
            let number = number.as_f64()?;
            let out_of_range = limit("minimum").is_some_and(|least| number < least)
                || limit("maximum").is_some_and(|most| number > most)
                || limit("exclusiveMinimum").is_some_and(|least| number <= least)
                || limit("exclusiveMaximum").is_some_and(|most| number >= most);
            out_of_range.then(|| "a number within the declared range".to_owned())
        }
        Value::String(text) => broken("minLength", "maxLength", text.chars().count())
            .then(|| "a string of the declared length".to_owned()),
        Value::Array(items) => {
            broken("minItems", "maxItems", items.len()).then(|| "an array of the declared length".to_owned())
        }
        Value::Object(members) => broken("minProperties", "maxProperties", members.len())
            .then(|| "an object with the declared number of properties".to_owned()),
        Value::Null | Value::Bool(_) => None,
    }
}

fn has_type(schema: &Map<String, Value>, value: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => is_of(name, value),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(|name| is_of(name, value)),
        _ => true,
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    }
}

fn literal_holds(schema: &Map<String, Value>, value: &Value) -> bool {
    schema.get("const").is_none_or(|only| same(only, value))
        && schema
            .get("enum")
            .and_then(Value::as_array)
            .is_none_or(|any| any.iter().any(|one| same(one, value)))
}

/// Numbers are equal by value: 1 and 1.0.
fn same(a: &Value, b: &Value) -> bool {
    a == b || (a.is_number() && a.as_f64() == b.as_f64())
}

fn kind(schema: &Map<String, Value>) -> String {
    match schema.get("type") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).take(LISTED).collect::<Vec<_>>().join(" or ")
        }
        _ => "the declared type".to_owned(),
    }
}

fn literals(schema: &Map<String, Value>) -> String {
    let listed: Vec<&Value> = match (schema.get("const"), schema.get("enum")) {
        (Some(only), _) => vec![only],
        (None, Some(Value::Array(any))) => any.iter().collect(),
        _ => Vec::new(),
    };
    let texts: Option<Vec<String>> = listed.iter().map(|value| literal(value)).collect();
    match texts {
        Some(texts) if !texts.is_empty() && texts.len() <= LISTED => texts.join(" or "),
        _ => "one of the declared values".to_owned(),
    }
}

fn literal(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (text.chars().count() <= NAME_CHARS).then(|| quote(text)),
        Value::Array(_) | Value::Object(_) => None,
        other => Some(other.to_string()),
    }
}

/// "string or null" when every alternative is a plain type.
fn alternatives(options: &[Value]) -> String {
    let kinds: Option<Vec<&str>> = options.iter().map(|option| option.get("type")?.as_str()).collect();
    match kinds {
        Some(mut kinds) if kinds.len() <= LISTED => {
            let mut seen = std::collections::BTreeSet::new();
            kinds.retain(|kind| seen.insert(*kind));
            if kinds.len() > 1 { kinds.join(" or ") } else { "one of the declared alternatives".to_owned() }
        }
        _ => "one of the declared alternatives".to_owned(),
    }
}

fn list<'a>(schema: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
