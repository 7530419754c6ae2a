//! Following `$ref` within one document. Nothing outside of it is ever looked at.

use std::borrow::Cow;

use serde_json::Value;

/// Nodes that are searched for an `$id` or `$anchor`.
const NODES: usize = 5_000;

/// Looks up `#`, `#/a/b`, `#anchor`, and the `$id` of a schema anywhere in the document.
pub(crate) fn resolve<'a>(root: &'a Value, target: &str) -> Option<&'a Value> {
    let Some((base, fragment)) = target.split_once('#') else { return named(root, "$id", target) };
    let document = if base.is_empty() { root } else { named(root, "$id", base)? };
    if fragment.is_empty() {
        Some(document)
    } else if fragment.starts_with('/') {
        document.pointer(&percent_decode(fragment))
    } else {
        named(document, "$anchor", fragment).or_else(|| named(document, "$id", target))
    }
}

/// The first schema whose keyword has this text.
fn named<'a>(root: &'a Value, keyword: &str, text: &str) -> Option<&'a Value> {
    let mut open = vec![root];
    for _ in 0..NODES {
        let node = open.pop()?;
        match node {
            Value::Object(members) => {
                if members.get(keyword).and_then(Value::as_str) == Some(text) {
                    return Some(node);
                }
                open.extend(members.values().rev().filter(|member| member.is_object() || member.is_array()));
            }
            Value::Array(items) => {
                open.extend(items.iter().rev().filter(|item| item.is_object() || item.is_array()));
            }
            _ => {}
        }
    }
    None
}

fn percent_decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text
            .get(at + 1..at + 3)
            .filter(|_| *byte == b'%')
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(*byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_pointers_anchors_and_ids() {
        let root =
            json!({"$id": "Root", "$defs": {"a b": {"$anchor": "x"}, "n": {"p": {"$id": "T0", "q": [1]}}}});
        assert_eq!(resolve(&root, "#"), Some(&root));
        assert_eq!(resolve(&root, "Root#/$defs/a%20b"), resolve(&root, "#x"));
        assert_eq!(resolve(&root, "T0"), resolve(&root, "#/$defs/n/p"));
        assert_eq!(resolve(&root, "T0#/q/0"), Some(&json!(1)));
        for nowhere in ["", "#/nowhere", "#%", "#/%zz", "https://example.com/", "file:///etc/passwd", "T1#/q"]
        {
            assert_eq!(resolve(&root, nowhere), None, "{nowhere}");
        }
    }
}
