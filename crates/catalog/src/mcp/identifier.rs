//! Identifiers of MCP servers and tools: camelCase, and each name given out once.

use std::collections::HashSet;

use crate::names::{is_part, is_start};

/// Words that cannot be declared as a function or namespace, and properties that would make an object a thenable or
/// touch its prototype.
const RESERVED: &[&str] = &[
    "__proto__",
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "constructor",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "globalThis",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "prototype",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Gives out identifiers of one scope.
pub(super) struct Identifiers {
    taken: HashSet<String>,
    fallback: &'static str,
    ignore_case: bool,
}

impl Identifiers {
    /// Servers also name files, so names that differ only in case count as one; `index` is the overview's file.
    pub(super) fn of_servers() -> Self {
        let taken = ["$api", "index"].map(str::to_owned);
        Self { taken: taken.into(), fallback: "server", ignore_case: true }
    }

    pub(super) fn of_tools() -> Self {
        let taken = ["$api", "resources", "prompts"].map(str::to_owned);
        Self { taken: taken.into(), fallback: "tool", ignore_case: false }
    }

    /// The identifier of a name: itself in camelCase, or with 2, 3, … when that is taken or reserved.
    pub(super) fn assign(&mut self, name: &str) -> String {
        let base = camel_case(name, self.fallback);
        let mut candidate = base.clone();
        let mut number = 2_usize;
        while RESERVED.contains(&candidate.as_str()) || !self.taken.insert(self.key(&candidate)) {
            candidate = format!("{base}{number}");
            number += 1;
        }
        candidate
    }

    fn key(&self, candidate: &str) -> String {
        if self.ignore_case { candidate.to_lowercase() } else { candidate.to_owned() }
    }
}

/// Longer names are cut; what makes them differ is then a number.
const CHARS: usize = 64;

fn camel_case(name: &str, fallback: &str) -> String {
    let mut out = String::new();
    for part in
        name.split(|char: char| !(char.is_alphanumeric() && is_part(char))).filter(|part| !part.is_empty())
    {
        if out.is_empty() {
            lower_start(part, &mut out);
        } else {
            let mut chars = part.chars();
            out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
            out.push_str(chars.as_str());
        }
    }
    let out: String = out.chars().skip_while(|char| !is_start(*char)).take(CHARS).collect();
    // Upper- and lower-casing may give characters that an identifier cannot hold.
    if out.is_empty() || !out.chars().all(is_part) { fallback.to_owned() } else { out }
}

/// `GetUser` → `getUser`, `API` → `api`, `HTTPServer` → `httpServer`.
fn lower_start(part: &str, out: &mut String) {
    let chars: Vec<char> = part.chars().collect();
    let capitals = chars.iter().take_while(|char| char.is_uppercase()).count();
    let next_is_lower = chars.get(capitals).is_some_and(|char| char.is_lowercase());
    let lowered = if capitals > 1 && next_is_lower { capitals - 1 } else { capitals };
    out.extend(chars[..lowered].iter().flat_map(|char| char.to_lowercase()));
    out.extend(&chars[lowered..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_cases() {
        for (name, identifier) in [
            ("chrome-devtools", "chromeDevtools"),
            ("create_issue", "createIssue"),
            ("getTranscripts", "getTranscripts"),
            ("API-post-search", "apiPostSearch"),
            ("HTTPServer", "httpServer"),
            ("3d-print", "dPrint"),
            ("42", "x"),
            ("--", "x"),
            ("", "x"),
            ("a..b//c", "aBC"),
            ("größe_天气", "größe天气"),
            ("a\u{2028}b", "aB"),
        ] {
            assert_eq!(camel_case(name, "x"), identifier, "{name}");
        }
    }

    #[test]
    fn numbers_what_is_taken_or_reserved() {
        let mut tools = Identifiers::of_tools();
        let names = [
            "delete",
            "delete2",
            "constructor",
            "then",
            "$api",
            "resources",
            "prompts",
            "a-b",
            "a_b",
            "aB",
            "ab",
        ];
        let given: Vec<String> = names.iter().map(|name| tools.assign(name)).collect();
        let wanted = [
            "delete2",
            "delete22",
            "constructor2",
            "then2",
            "api",
            "resources2",
            "prompts2",
            "aB",
            "aB2",
            "aB3",
            "ab",
        ];
        assert_eq!(given, wanted);
    }

    #[test]
    fn servers_ignore_case() {
        let mut servers = Identifiers::of_servers();
        let given: Vec<String> = ["myServer", "my-server", "myserver", "index", "__proto__"]
            .iter()
            .map(|name| servers.assign(name))
            .collect();
        assert_eq!(given, ["myServer", "myServer2", "myserver3", "index2", "proto"]);
    }

    #[test]
    fn reserved_words_are_sorted_and_unique() {
        assert!(RESERVED.is_sorted());
    }
}
