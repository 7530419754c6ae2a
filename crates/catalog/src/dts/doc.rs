//! Documentation comments around untrusted text.

/// Lines of a tool's description.
const TEXT_LINES: usize = 80;
/// Characters of a one-line description.
const LINE_CHARS: usize = 300;

/// A documentation comment in the making. Nothing that is put in can end it.
pub(crate) struct Doc {
    indent: String,
    lines: Vec<String>,
}

impl Doc {
    pub(crate) fn new(indent: &str) -> Self {
        Self { indent: indent.to_owned(), lines: Vec::new() }
    }

    /// Adds a description, line by line, of at most this many characters.
    pub(crate) fn text(&mut self, text: &str, most: usize) {
        let cut = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
        let mut lines = text[..cut].trim().lines();
        let shown = lines.by_ref().take(TEXT_LINES);
        self.lines.extend(shown.map(|line| neutral(line.trim_end())));
        if cut < text.len() || lines.next().is_some() {
            self.lines.push("…".to_owned());
        }
        while self.lines.last().is_some_and(String::is_empty) {
            self.lines.pop();
        }
    }

    /// Adds a description on one line of at most this many characters.
    pub(crate) fn line(&mut self, text: &str, most: usize) {
        let line = shortened_line(text, most);
        self.lines.extend((!line.is_empty()).then_some(line));
    }

    /// Adds a line `@tag name text`.
    pub(crate) fn tag(&mut self, tag: &str, name: &str, text: &str) {
        self.lines.push(format!("@{tag} {} {}", neutral(name), one_line(text)).trim_end().to_owned());
    }

    /// The comment with a line break at its end, or nothing when it has no text.
    pub(crate) fn finish(self) -> String {
        let indent = &self.indent;
        match self.lines.as_slice() {
            [] => String::new(),
            [only] => format!("{indent}/** {only} */\n"),
            lines => {
                let mut out = format!("{indent}/**\n");
                for line in lines {
                    out.push_str(indent);
                    out.push_str(if line.is_empty() { " *" } else { " * " });
                    out.push_str(line);
                    out.push('\n');
                }
                out.push_str(indent);
                out.push_str(" */\n");
                out
            }
        }
    }
}

/// A text on one line, shortened, fit for a comment.
pub(crate) fn one_line(text: &str) -> String {
    shortened_line(text, LINE_CHARS)
}

fn shortened_line(text: &str, most: usize) -> String {
    let words = text.split_whitespace().take(most).collect::<Vec<_>>().join(" ");
    let text = neutral(&words);
    match text.char_indices().nth(most) {
        // The cut may fall into an escape, which harms nothing.
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// Takes away what could end a comment, break a line, or turn the direction of the text around.
fn neutral(text: &str) -> String {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.replace("*/", "*\\/");
    }
    let visible = |char: &char| {
        !char.is_control()
            && !matches!(char, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let text: String =
        text.chars().map(|char| if char == '\t' { ' ' } else { char }).filter(visible).collect();
    text.replace("*/", "*\\/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(text: &str) -> String {
        let mut doc = Doc::new("  ");
        doc.text(text, 3_000);
        doc.finish()
    }

    #[test]
    fn comments_stay_comments() {
        assert_eq!(comment("a */ b"), "  /** a *\\/ b */\n");
        assert_eq!(comment("a\r\n\nb*\u{200b}/c"), "  /**\n   * a\n   *\n   * b*\\/c\n   */\n");
        assert_eq!(comment(" \n "), "");
        for nasty in ["*/", "**/", "*\n/", "/*/", "*\u{0}/", "*\u{2028}/"] {
            assert_eq!(comment(nasty).matches("*/").count(), 1, "{nasty:?}");
        }
    }

    #[test]
    fn long_texts_are_cut() {
        assert!(comment(&"x".repeat(1_000_000)).len() < 4_000);
        assert!(comment(&"x\n".repeat(100_000)).lines().count() < 90);
        assert_eq!(one_line(&"é".repeat(400)).chars().count(), LINE_CHARS + 1);
    }
}
