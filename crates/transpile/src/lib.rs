#![forbid(unsafe_code)]
//! Turns a submitted program into one JavaScript expression the VM can evaluate, or says why not.
//!
//! A program is the *body of an async function*. [`prepare`] takes the Markdown fence off, bounds the
//! nesting, parses once, refuses module access and shell text, makes a trailing expression the value, and
//! removes types. Lines and columns of the user survive it all; [`Script::original_position`] maps back.
//!
//! Threads: pure functions without shared state but one counter; call from any number of threads at once.
//! The parser descends recursively: a calling thread needs [`REQUIRED_STACK_BYTES`] of free stack.

mod diagnostic;
mod fence;
mod implicit_return;
mod marks;
mod module_guard;
mod nesting;
mod parse;
mod position;
mod scan;
mod scope;
mod shell;
mod typescript;

use position::PositionMap;

pub use diagnostic::{Rejection, RejectionKind};
pub use nesting::{MAX_BRACKETS, MAX_OPERATORS};
pub use typescript::initialisations as typescript_initialisations;

/// Free native stack, in bytes, that a thread needs to call [`prepare`] on any input.
pub const REQUIRED_STACK_BYTES: usize = 32 << 20;

/// The language a program is submitted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// JavaScript.
    JavaScript,
    /// TypeScript: types are removed, never checked.
    TypeScript,
}

/// How [`prepare`] reads a program.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The language of the source.
    pub language: Language,
    /// Whether a trailing expression statement is the value of a program without a top-level `return`.
    pub implicit_return: bool,
}

/// A program ready for evaluation.
#[derive(Debug, Clone)]
pub struct Script {
    /// One JavaScript expression that evaluates to an async function; for a sloppy global script.
    pub code: String,
    /// The line number to give the first line of `code`; [`Script::original_position`] counts on it.
    pub first_line: i32,
    map: PositionMap,
}

impl Script {
    /// Maps a position in the evaluated code to the user's own line and column.
    ///
    /// `line` counts from `first_line`, `column` is 1-based in UTF-8 bytes, both as `QuickJS` reports them.
    /// The answer is 1-based, the column in UTF-16 units. `None`: no user code lies there (the wrapper).
    pub fn original_position(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let index = i64::from(line) - i64::from(self.first_line);
        self.map.original(&self.code, usize::try_from(index).ok()?, column)
    }
}

/// Prepares a program for evaluation. Never panics and never overflows the stack it asks for.
pub fn prepare(source: &str, options: &Options) -> Result<Script, Rejection> {
    // The parser is large and not ours: should it ever panic, the program is refused and the thread lives.
    std::panic::catch_unwind(|| prepare_trusting(source, *options)).unwrap_or_else(|_| {
        Err(Rejection {
            kind: RejectionKind::Syntax,
            message: "The parser failed on this program".to_owned(),
            line: None,
            column: None,
            code_frame: None,
        })
    })
}

fn prepare_trusting(source: &str, options: Options) -> Result<Script, Rejection> {
    let text = fence::unwrap(source);
    let report = |fault: diagnostic::Fault| fault.into_rejection(source, text.start);
    let body = shell::without_shebang(text.body).map_err(report)?;
    let shape = nesting::check(&body, options.language).map_err(report)?;
    let parsed = parse::parse(&body, options.language, shape).map_err(report)?;
    module_guard::check(&parsed).map_err(report)?;
    shell::check_expression(&parsed).map_err(report)?;
    let value = if options.implicit_return { implicit_return::find(parsed.statements()) } else { None };

    let marks = marks::find(parsed.script());
    let lines_before = position::count_lines(&source[..text.start]);
    let (code, map) = match options.language {
        Language::JavaScript => implicit_return::insert(parsed.code(), value, &marks, lines_before),
        Language::TypeScript => typescript::transform(parsed, value, &marks, lines_before).map_err(report)?,
    };
    // QuickJS takes a first line of 0 for "not given", so lines are evaluated one higher than the user counts.
    let first_line = i32::try_from(lines_before).unwrap_or(i32::MAX).saturating_add(1);
    Ok(Script { code, first_line, map })
}
