//! A small model of TypeScript types, between JSON Schema ([`read`]) and text (hints and declarations).

mod merge;
mod read;
mod reference;

use std::fmt::Write as _;

pub(crate) use read::{Limits, read};
pub(crate) use reference::resolve;

/// A TypeScript type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Unknown,
    Never,
    Null,
    Boolean,
    Number,
    String,
    /// A literal type as it is written.
    Literal(String),
    Array(Box<Type>),
    /// The first `required` items are there always.
    Tuple {
        items: Vec<Type>,
        required: usize,
        rest: Option<Box<Type>>,
    },
    Object(Object),
    /// Two or more members, all different.
    Union(Vec<Type>),
}

/// An object type: required properties first, each group sorted by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Object {
    pub(crate) properties: Vec<Property>,
    pub(crate) others: Others,
    /// Properties were left out to stay within the limits.
    pub(crate) cut: bool,
}

/// What an object may hold beside its declared properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Others {
    /// The schema does not say.
    #[default]
    Unsaid,
    /// Nothing.
    None,
    /// Values of this type.
    Of(Box<Type>),
}

/// A declared property.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) of: Type,
    pub(crate) optional: bool,
    /// The author's words: shown in declarations, never in hints.
    pub(crate) description: Option<String>,
    /// The default as JSON text.
    pub(crate) default: Option<String>,
}

impl Type {
    /// The union of these types, flat and without repetitions.
    pub(crate) fn union(members: impl IntoIterator<Item = Self>) -> Self {
        let mut flat: Vec<Self> = Vec::new();
        let mut add = |member: Self| {
            if member != Self::Never && !flat.contains(&member) {
                flat.push(member);
            }
        };
        for member in members {
            match member {
                Self::Unknown => return Self::Unknown,
                Self::Union(inner) => inner.into_iter().for_each(&mut add),
                other => add(other),
            }
        }
        match flat.len() {
            0 => Self::Never,
            1 => flat.remove(0),
            _ => Self::Union(flat),
        }
    }
}

/// A property name as TypeScript source: bare when it is a plain ASCII identifier, else a string literal.
pub(crate) fn property_name(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$');
    if plain && !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() {
        name.to_owned()
    } else {
        quote(name)
    }
}

/// A string literal that holds no line break, no comment end and no invisible character as such.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut before = ' ';
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '/' if before == '*' => out.push_str("\\/"),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(char),
            _ if char.is_alphanumeric() => out.push(char),
            _ => {
                let mut units = [0; 2];
                for unit in char.encode_utf16(&mut units) {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
        before = char;
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_so_that_nothing_escapes() {
        assert_eq!(
            quote("a\"b\\*/\n\u{2028}\u{202e}é🦀"),
            "\"a\\\"b\\\\*\\/\\n\\u2028\\u202eé\\ud83e\\udd80\""
        );
        assert_eq!(property_name("a_1$"), "a_1$");
        assert_eq!(property_name("1a"), "\"1a\"");
        assert_eq!(property_name(""), "\"\"");
        assert_eq!(property_name("größe"), "\"größe\"");
    }

    #[test]
    fn unions_are_flat_and_unknown_swallows() {
        let nested = Type::union([Type::Null, Type::Union(vec![Type::String, Type::Null])]);
        assert_eq!(nested, Type::Union(vec![Type::Null, Type::String]));
        assert_eq!(Type::union([Type::String, Type::Unknown]), Type::Unknown);
        assert_eq!(Type::union([]), Type::Never);
    }
}
