//! Text to words: split at everything that is no letter or digit, at camelCase and at digits; lower-cased.

use rust_stemmers::{Algorithm, Stemmer};

/// Longer runs of letters are noise, not words.
const WORD_CHARS: usize = 40;

/// Calls `word` with each word of a text. A chunk of several parts (`getUser`, `YouTube`, `n8n`) also gives its whole and
/// its neighbouring pairs, flagged `true`, because people write both "you tube" and "youtube".
pub(crate) fn words(text: &str, mut word: impl FnMut(&str, bool)) {
    let mut part = String::new();
    let mut last = String::new();
    let mut whole = String::new();
    for chunk in text.split(|char: char| !char.is_alphanumeric()).filter(|chunk| !chunk.is_empty()) {
        if chunk.bytes().all(|byte| byte.is_ascii_lowercase()) {
            // By far the most common case in descriptions.
            emit(chunk, false, &mut word);
            continue;
        }
        if chunk.chars().any(is_ideograph) {
            ideographs(chunk, &mut word);
            continue;
        }
        whole.clear();
        part.clear();
        last.clear();
        let mut parts = 0;
        let mut chars = chunk.chars().peekable();
        let mut before = Kind::Other;
        while let Some(char) = chars.next() {
            let kind = Kind::of(char);
            let next_is_lower = chars.peek().is_some_and(|next| Kind::of(*next) == Kind::Lower);
            if !part.is_empty() && kind.starts_part(before, next_is_lower) {
                emit(&part, false, &mut word);
                pair(&last, &part, &mut word);
                parts += 1;
                std::mem::swap(&mut last, &mut part);
                part.clear();
            }
            part.extend(char.to_lowercase());
            whole.extend(char.to_lowercase());
            before = kind;
        }
        emit(&part, false, &mut word);
        if parts > 1 {
            pair(&last, &part, &mut word);
        }
        if parts > 0 {
            emit(&whole, true, &mut word);
        }
    }
}

/// The Porter2 stem of a lower-case word.
pub(crate) struct Stem(Stemmer);

impl Stem {
    pub(crate) fn new() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }

    pub(crate) fn of(&self, word: &str) -> String {
        if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word.to_owned();
        }
        self.0.stem(word).into_owned()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Other,
}

impl Kind {
    fn of(char: char) -> Self {
        if char.is_numeric() {
            Self::Digit
        } else if char.is_uppercase() {
            Self::Upper
        } else if char.is_lowercase() {
            Self::Lower
        } else {
            Self::Other
        }
    }

    /// `fooBar`, `foo1`, `1foo`, and the last capital of `HTTPServer`.
    fn starts_part(self, before: Self, next_is_lower: bool) -> bool {
        match (before, self) {
            (Self::Upper, Self::Upper) => next_is_lower,
            (Self::Digit, kind) => kind != Self::Digit,
            (Self::Lower | Self::Other, Self::Upper) | (_, Self::Digit) => true,
            _ => false,
        }
    }
}

fn emit(text: &str, whole: bool, word: &mut impl FnMut(&str, bool)) {
    if text.len() <= WORD_CHARS {
        word(text, whole);
    }
}

fn pair(first: &str, second: &str, word: &mut impl FnMut(&str, bool)) {
    if !first.is_empty() {
        emit(&format!("{first}{second}"), true, word);
    }
}

/// Scripts written without spaces are searched by pairs of characters.
fn is_ideograph(char: char) -> bool {
    matches!(u32::from(char), 0x3040..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff)
}

fn ideographs(chunk: &str, word: &mut impl FnMut(&str, bool)) {
    let starts: Vec<usize> = chunk.char_indices().map(|(at, _)| at).chain([chunk.len()]).collect();
    match starts.as_slice() {
        [start, end] => word(&chunk[*start..*end], false),
        starts => starts.windows(3).for_each(|pair| word(&chunk[pair[0]..pair[2]], false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(text, |word, whole| out.push(if whole { format!("={word}") } else { word.to_owned() }));
        out
    }

    #[test]
    fn splits_identifiers() {
        let parts =
            ["get", "http", "=gethttp", "server", "=httpserver", "2", "=server2", "=gethttpserver2", "name"];
        assert_eq!(split("getHTTPServer2_name"), parts);
        assert_eq!(split("YouTube"), ["you", "tube", "=youtube"]);
        assert_eq!(split("mcp:ms-365:read.file"), ["mcp", "ms", "365", "read", "file"]);
        assert_eq!(split("n8n API"), ["n", "8", "=n8", "n", "=8n", "=n8n", "api"]);
    }

    #[test]
    fn pairs_characters_of_scripts_without_spaces() {
        assert_eq!(split("查询天气"), ["查询", "询天", "天气"]);
        assert_eq!(split("茶"), ["茶"]);
    }

    #[test]
    fn drops_endless_words() {
        assert!(split(&"x".repeat(1_000_000)).is_empty());
    }

    #[test]
    fn stems_english_only() {
        let stem = Stem::new();
        assert_eq!(stem.of("scheduling"), stem.of("schedule"));
        assert_eq!(stem.of("größen"), "größen");
    }
}
