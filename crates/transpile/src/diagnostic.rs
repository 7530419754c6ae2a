//! What is told when a program is refused: message, position, and the line it is about.

use std::fmt;

use crate::position;

/// Why a program was refused before anything ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What kind of fault it is.
    pub kind: RejectionKind,
    /// One line for the model to read, without the position.
    pub message: String,
    /// 1-based line in the submitted text.
    pub line: Option<u32>,
    /// 1-based column in the submitted text, in UTF-16 units.
    pub column: Option<u32>,
    /// The offending line, cut to a readable length, with a marker under the fault.
    pub code_frame: Option<String>,
}

/// The kinds of [`Rejection`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectionKind {
    /// A shell command was sent as code.
    ShellText,
    /// The program imports, exports or reaches for a module loader.
    ModuleAccess,
    /// The program is not valid JavaScript.
    Syntax,
    /// The program is not valid TypeScript, or uses what the transform does not support.
    TypeScript,
    /// The program is nested too deeply to be parsed safely.
    TooDeep,
}

impl fmt::Display for Rejection {
    /// Message, position and code frame in one text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if matches!(self.kind, RejectionKind::Syntax | RejectionKind::TypeScript) {
            f.write_str("SyntaxError: ")?;
        }
        f.write_str(&self.message)?;
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, " (line {line}, column {column})")?;
        }
        match &self.code_frame {
            Some(frame) => write!(f, "\n{frame}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Rejection {}

/// A fault at a place in the code, before that place is put into the user's terms.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: RejectionKind,
    pub(crate) message: String,
    /// Byte offset in the code without its fence.
    pub(crate) offset: Option<usize>,
}

impl Fault {
    /// A fault at a byte offset.
    pub(crate) fn at(kind: RejectionKind, message: impl Into<String>, offset: usize) -> Self {
        Self { kind, message: message.into(), offset: Some(offset) }
    }

    /// Puts the fault into the terms of the submitted text; `start` is where the code begins in it.
    pub(crate) fn into_rejection(self, source: &str, start: usize) -> Rejection {
        let place = self.offset.map(|offset| {
            let (line, column) = position::line_column(source, start + offset);
            (line, column, code_frame(source, line, column))
        });
        let (line, column, code_frame) = match place {
            Some((line, column, frame)) => (Some(line), Some(column), frame),
            None => (None, None, None),
        };
        Rejection { kind: self.kind, message: self.message, line, column, code_frame }
    }
}

/// Characters of the offending line that are shown.
const FRAME_WIDTH: usize = 100;
/// Characters shown before the fault when the line has to be cut.
const FRAME_LEAD: usize = 60;

fn code_frame(source: &str, line: u32, column: u32) -> Option<String> {
    let text = &source[position::line_range(source, line as usize - 1)?];
    // Column in characters: the marker has to stand under what a reader sees.
    let mut units = 1;
    let fault = text.chars().take_while(|c| {
        units += c.len_utf16();
        units <= column as usize
    });
    let fault = fault.count();
    let skipped = if text.chars().nth(FRAME_WIDTH).is_some() { fault.saturating_sub(FRAME_LEAD) } else { 0 };
    let shown: String = text.chars().skip(skipped).take(FRAME_WIDTH).map(printable).collect();
    let head = if skipped > 0 { "…" } else { "" };
    let tail = if text.chars().nth(skipped + FRAME_WIDTH).is_some() { "…" } else { "" };
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let lead = " ".repeat(head.chars().count() + fault - skipped);
    Some(format!("{number} | {head}{shown}{tail}\n{margin} | {lead}^"))
}

/// Control characters would break the frame apart.
fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marker_stands_under_the_fault() {
        assert_eq!(
            code_frame("let a\nlet é = ;", 2, 9).expect("the line exists"),
            "2 | let é = ;\n  |         ^"
        );
        assert_eq!(code_frame("😀 x", 1, 4).expect("the line exists"), "1 | 😀 x\n  |   ^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_fault() {
        let line = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let frame = code_frame(&line, 1, 501).expect("the line exists");
        let expected = format!("1 | …{}X{}…\n  | {}^", "a".repeat(60), "b".repeat(39), " ".repeat(61));
        assert_eq!(frame, expected);
    }
}
