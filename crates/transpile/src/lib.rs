#![forbid(unsafe_code)]
//! Turns a submitted program into one JavaScript expression the VM can evaluate, or says why not.
//!
//! Pure: no I/O, no threads, no state but a counter. [`prepare`] may be called from any number of threads
//! at once; each needs a stack of at least 32 MiB, since the parser descends recursively.

use std::sync::atomic::{AtomicU64, Ordering};

static TYPESCRIPT_INITIALISATIONS: AtomicU64 = AtomicU64::new(0);

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
    /// The line number to give the first line of `code`, so that lines count as the user counts them.
    pub first_line: i32,
}

impl Script {
    /// Maps a position in the evaluated code (1-based, as QuickJS reports it) to the user's own line and
    /// column (1-based); `None` if it lies in no user code.
    pub fn original_position(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        (line >= 1).then_some((line, column))
    }
}

/// Why a program was refused before anything ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What kind of fault it is.
    pub kind: RejectionKind,
    /// One line for the model to read.
    pub message: String,
    /// 1-based line in the submitted text.
    pub line: Option<u32>,
    /// 1-based column in the submitted text.
    pub column: Option<u32>,
    /// The offending line with a marker under the fault.
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
    /// The program is nested too deeply.
    TooDeep,
}

/// Prepares a program for evaluation.
pub fn prepare(source: &str, options: &Options) -> Result<Script, Rejection> {
    let _ = options;
    Ok(Script { code: format!("(async function(){{\n{source}\n}})"), first_line: 0 })
}

/// How often the TypeScript transform was initialised in this process: 0 while only JavaScript ran.
pub fn typescript_initialisations() -> u64 {
    TYPESCRIPT_INITIALISATIONS.load(Ordering::Relaxed)
}
