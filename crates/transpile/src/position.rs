//! Lines and columns: counting them in text, and mapping evaluated code back to what the user wrote.
//!
//! A line ends at `\n`, `\r\n`, `\r`, U+2028 or U+2029, as in the language. Columns are UTF-16 units, as
//! editors and TypeScript count; `QuickJS` reports UTF-8 bytes, so those are converted here.

use std::ops::Range;

/// How positions in [`crate::Script::code`] relate to the user's text.
#[derive(Debug, Clone)]
pub(crate) enum PositionMap {
    /// The user's lines stand one below the wrapper line, with a few insertions in them.
    InPlace { lines_before: usize, user_lines: usize, inserted: Vec<Insertion> },
    /// The code was printed anew; one entry per printed token, sorted by line and column.
    Printed { tokens: Vec<PrintedToken> },
}

/// Text that is not the user's, inside one of the user's lines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insertion {
    /// Line of the evaluated code, counted from 0 (the wrapper line).
    pub(crate) line: usize,
    /// Where it starts in that line, in UTF-16 units from 0.
    pub(crate) column: usize,
    /// How many UTF-16 units it takes.
    pub(crate) width: usize,
}

/// Where a printed token came from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrintedToken {
    /// Line and column in the evaluated code, both from 0.
    pub(crate) at: (usize, usize),
    /// Line and column in the submitted text, both from 1.
    pub(crate) origin: (u32, u32),
}

impl PositionMap {
    /// The user's position for line `index` of `code` (from 0) and a 1-based byte column.
    pub(crate) fn original(&self, code: &str, index: usize, column: u32) -> Option<(u32, u32)> {
        let text = &code[line_range(code, index)?];
        let end = floor_char_boundary(text, (column as usize).saturating_sub(1));
        let units = utf16_len(&text[..end]);
        match self {
            Self::InPlace { lines_before, user_lines, inserted } => {
                if index == 0 || index > *user_lines {
                    return None;
                }
                // Later insertions first: their columns count the earlier ones.
                let column = inserted.iter().rev().filter(|insertion| insertion.line == index).fold(
                    units,
                    |units, insertion| {
                        if units >= insertion.column + insertion.width {
                            units - insertion.width
                        } else {
                            units.min(insertion.column)
                        }
                    },
                );
                Some((saturate(lines_before + index), saturate(column + 1)))
            }
            Self::Printed { tokens } => {
                let after = tokens.partition_point(|token| token.at <= (index, units));
                let token = tokens[..after].last().filter(|token| token.at.0 == index);
                token
                    .or_else(|| tokens.get(after).filter(|token| token.at.0 == index))
                    .map(|token| token.origin)
            }
        }
    }
}

/// Line and column of a byte offset, both from 1.
pub(crate) fn line_column(text: &str, offset: usize) -> (u32, u32) {
    let before = &text[..floor_char_boundary(text, offset)];
    let mut line = 1;
    let mut start = 0;
    for end in line_ends(before) {
        line += 1;
        start = end;
    }
    (line, saturate(utf16_len(&before[start..]) + 1))
}

/// The line starts of a text, for many look-ups.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, starts: std::iter::once(0).chain(line_ends(text)).collect() }
    }

    /// Line and column of a byte offset, both from 1.
    pub(crate) fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = floor_char_boundary(self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).map_or(0, |line| self.starts[line]);
        (saturate(line), saturate(utf16_len(&self.text[start..offset]) + 1))
    }
}

/// How many lines end in `text`.
pub(crate) fn count_lines(text: &str) -> usize {
    line_ends(text).count()
}

/// The byte range of a line (from 0) without its terminator; `None` past the last line.
pub(crate) fn line_range(text: &str, index: usize) -> Option<Range<usize>> {
    let start = match index {
        0 => 0,
        _ => line_ends(text).nth(index - 1)?,
    };
    let end = line_ends(&text[start..]).next().map_or(text.len(), |end| start + end);
    let content = text[start..end].trim_end_matches(is_line_terminator);
    Some(start..start + content.len())
}

/// How many UTF-16 units `text` takes.
pub(crate) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

/// Whether a character ends a line in JavaScript.
pub(crate) fn is_line_terminator(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The largest character boundary at or before `offset`, within `text`.
pub(crate) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    text.floor_char_boundary(offset)
}

/// The offsets just behind each line terminator; `\r\n` is one.
fn line_ends(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().filter_map(move |(at, byte)| match byte {
        b'\n' => Some(at + 1),
        b'\r' if bytes.get(at + 1) != Some(&b'\n') => Some(at + 1),
        // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
        0xE2 if bytes.get(at + 1) == Some(&0x80) && matches!(bytes.get(at + 2), Some(0xA8 | 0xA9)) => {
            Some(at + 3)
        }
        _ => None,
    })
}

fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_the_language_says() {
        assert_eq!(count_lines("a\nb\r\nc\rd\u{2028}e\u{2029}f"), 5);
        assert_eq!(line_column("ab\ncd", 4), (2, 2));
        assert_eq!(line_column("a\r\nb", 3), (2, 1));
        assert_eq!(&"a\r\nbc\rd"[line_range("a\r\nbc\rd", 1).expect("the line exists")], "bc");
        assert_eq!(line_range("a", 1), None);
    }

    #[test]
    fn columns_are_utf16_units() {
        assert_eq!(line_column("😀x", 4), (1, 3));
        assert_eq!(line_column("éx", 2), (1, 2));
        assert_eq!(line_column("é", 1), (1, 1), "inside a character: its start");
        assert_eq!(line_column("ab", 99), (1, 3));
    }
}
