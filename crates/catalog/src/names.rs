//! JavaScript names: which property of `tools` a tool gets, and identifiers in general.

use std::collections::BTreeMap;

use crate::entry::Entry;
use crate::tool::Source;

/// Properties of `tools` that are ours, or that would make it a thenable or change its prototype.
const TAKEN: [&str; 6] = ["search", "describe", "call", "callValue", "then", "__proto__"];

/// Property name of `tools.<name>` to entry index, sorted by name. Names that two tools share are left out.
pub(crate) fn safe_names(entries: &[Entry]) -> Vec<(String, usize)> {
    let mut owners: BTreeMap<String, Option<usize>> = BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        if entry.source == Source::Mcp {
            continue;
        }
        let name = normalise(&entry.name);
        if name.is_empty() || TAKEN.contains(&name.as_str()) {
            continue;
        }
        owners.entry(name).and_modify(|owner| *owner = None).or_insert(Some(index));
    }
    owners.into_iter().filter_map(|(name, owner)| Some((name, owner?))).collect()
}

/// Whether `text` can be written as a property or binding name, reserved words aside.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_start) && chars.all(is_part)
}

fn normalise(name: &str) -> String {
    let name = name.trim();
    if is_identifier(name) {
        return name.to_owned();
    }
    let mut out: String = name.chars().map(|char| if is_part(char) { char } else { '_' }).collect();
    if out.chars().next().is_some_and(|first| !is_start(first)) {
        out.insert_str(0, "tool_");
    }
    out
}

pub(crate) fn is_start(char: char) -> bool {
    char == '$' || char == '_' || (is_settled(char) && unicode_ident::is_xid_start(char))
}

pub(crate) fn is_part(char: char) -> bool {
    char == '$' || (is_settled(char) && unicode_ident::is_xid_continue(char))
}

/// Scripts whose letters every engine and compiler of today knows. What a later Unicode version adds elsewhere would be
/// an identifier here and a syntax error there.
fn is_settled(char: char) -> bool {
    matches!(char,
        '\0'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{5d0}'..='\u{5ea}' | '\u{620}'..='\u{64a}' | '\u{904}'..='\u{939}'
        | '\u{e01}'..='\u{e30}' | '\u{1e00}'..='\u{1fff}' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{4db5}'
        | '\u{4e00}'..='\u{9fa5}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_properties() {
        for (name, property) in [
            ("web_search", "web_search"),
            ("get-weather", "get_weather"),
            ("2fa.code", "tool_2fa_code"),
            ("größe", "größe"),
            ("a b\nc", "a_b_c"),
            ("a\u{2028}b", "a_b"),
            ("a\u{cdd}b\u{1e5ec}", "a_b_"),
            ("delete", "delete"),
            ("", ""),
        ] {
            assert_eq!(normalise(name), property, "{name}");
        }
    }

    #[test]
    fn identifiers() {
        assert!(is_identifier("$a_1") && is_identifier("名"));
        assert!(!is_identifier("1a") && !is_identifier("a-b") && !is_identifier(""));
    }
}
