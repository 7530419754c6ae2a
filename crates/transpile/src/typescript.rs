//! Removes types from a program.
//!
//! Types are blanked in place, so lines and columns stay as they are. What is more than a type - enums,
//! namespaces, parameter properties, `<T>x` - needs a transform that prints the code anew; then the
//! printer's own record of where each token came from maps positions back.

use std::sync::atomic::{AtomicU64, Ordering};

use once_cell::sync::OnceCell;
use swc_core::{
    common::{
        BytePos, GLOBALS, Globals, LineCol, Mark, SourceMap, Span, Spanned,
        errors::{DiagnosticBuilder, Emitter, Handler},
        sync::Lrc,
    },
    ecma::{
        ast::{AutoAccessor, Decorator, Expr, Invalid, Pass, Program, ReturnStmt, Script, Stmt},
        codegen::{self, text_writer::JsWriter},
        parser::TsSyntax,
        transforms::{
            base::{fixer::fixer, hygiene::hygiene, resolver},
            typescript::{Config, typescript},
        },
        visit::{Visit, VisitWith},
    },
};
use swc_ts_fast_strip::{ErrorCode, Mode, Options, operate};

use crate::{
    RejectionKind,
    diagnostic::Fault,
    implicit_return,
    parse::{self, Parsed},
    position::{self, PositionMap, PrintedToken},
};

static INITIALISATIONS: AtomicU64 = AtomicU64::new(0);
static TRANSFORM: OnceCell<Transform> = OnceCell::new();

/// How often the TypeScript transform was initialised in this process: 0 while only JavaScript ran.
pub fn initialisations() -> u64 {
    INITIALISATIONS.load(Ordering::Relaxed)
}

/// Removes types from a parsed program and puts its value in place.
pub(crate) fn transform(
    parsed: Parsed,
    value: Option<Span>,
    marks: &[BytePos],
    lines_before: usize,
) -> Result<(String, PositionMap), Fault> {
    refuse_unsupported(&parsed)?;
    let transform = TRANSFORM.get_or_init(Transform::new);
    let (code, script) = parsed.into_parts();
    let (edited, map) = implicit_return::insert(&code, value, marks, lines_before);
    match transform.blank(edited) {
        Ok(blanked) => Ok((blanked, map)),
        Err(ErrorCode::UnsupportedSyntax) => Ok(print(script, &code, value, lines_before)),
        Err(_) => Err(fault("TypeScript transform failed on this program")),
    }
}

fn fault(message: &str) -> Fault {
    Fault { kind: RejectionKind::TypeScript, message: message.to_owned(), offset: None }
}

/// What TypeScript cells share; made when the first of them comes.
struct Transform {
    syntax: TsSyntax,
}

impl Transform {
    fn new() -> Self {
        INITIALISATIONS.fetch_add(1, Ordering::Relaxed);
        Self { syntax: TsSyntax { decorators: true, ..TsSyntax::default() } }
    }

    /// The code with blanks in place of types; `UnsupportedSyntax` if it has more than types.
    fn blank(&self, code: String) -> Result<String, ErrorCode> {
        let options =
            Options { module: Some(false), parser: self.syntax, mode: Mode::StripOnly, ..Options::default() };
        let handler = Handler::with_emitter(false, false, Box::new(Silent));
        let map = Lrc::new(SourceMap::default());
        operate(&map, &handler, code, options).map(|output| output.code).map_err(|error| error.code)
    }
}

/// The code printed anew from its tree, with everything of TypeScript turned into JavaScript.
fn print(mut script: Script, code: &str, value: Option<Span>, lines_before: usize) -> (String, PositionMap) {
    if let Some(value) = value {
        return_value(&mut script, value);
    }
    // Marks are kept per `Globals` and never freed: a fresh one per program.
    let program = GLOBALS.set(&Globals::new(), || {
        let (unresolved, top_level) = (Mark::new(), Mark::new());
        let mut program = Program::Script(script);
        let config = Config { native_class_properties: true, ..Config::default() };
        resolver(unresolved, top_level, true).process(&mut program);
        typescript(config, unresolved, top_level).process(&mut program);
        hygiene().process(&mut program);
        fixer(None).process(&mut program);
        program
    });
    let map = Lrc::new(SourceMap::default());
    let mut printed = Vec::with_capacity(code.len());
    let mut record = Vec::new();
    let writer = JsWriter::new(Lrc::clone(&map), "\n", &mut printed, Some(&mut record));
    let mut emitter =
        codegen::Emitter { cfg: codegen::Config::default(), comments: None, cm: map, wr: Box::new(writer) };
    // Writing to memory cannot fail.
    let _ = emitter.emit_program(&program);
    drop(emitter);
    let mut printed = String::from_utf8_lossy(&printed).into_owned();
    // A statement was printed, an expression is wanted.
    printed.truncate(printed.trim_end().trim_end_matches(';').len());
    (printed, printed_map(&record, code, lines_before))
}

/// Turns the expression statement of that span into a `return`.
fn return_value(script: &mut Script, value: Span) {
    let Some(statements) = parse::statements_mut(script) else { return };
    for statement in statements.iter_mut().rev() {
        if let Stmt::Expr(expression) = statement
            && expression.expr.span() == value
        {
            let argument =
                std::mem::replace(&mut expression.expr, Box::new(Expr::Invalid(Invalid::default())));
            *statement = Stmt::Return(ReturnStmt { span: value, arg: Some(argument) });
            return;
        }
    }
}

fn printed_map(record: &[(BytePos, LineCol)], code: &str, lines_before: usize) -> PositionMap {
    let lines = position::LineIndex::new(code);
    let mut tokens: Vec<_> = record
        .iter()
        .filter(|(origin, _)| !origin.is_dummy() && parse::is_user_code(*origin, code))
        .map(|(origin, at)| {
            let (line, column) = lines.line_column(parse::code_offset(*origin));
            // The wrapper line counts as line 1 of the code.
            let line = u32::try_from(lines_before).unwrap_or(u32::MAX).saturating_add(line - 1);
            PrintedToken { at: (at.line as usize, at.col as usize), origin: (line, column) }
        })
        .collect();
    tokens.sort_by_key(|token| token.at);
    PositionMap::Printed { tokens }
}

/// Takes the strip's diagnostics; the program was parsed before, so they only say that a print is needed.
struct Silent;

impl Emitter for Silent {
    fn emit(&mut self, _: &mut DiagnosticBuilder<'_>) {}
}

/// Refuses what neither the transform nor the VM understands.
fn refuse_unsupported(parsed: &Parsed) -> Result<(), Fault> {
    let text = parsed.body();
    if !text.contains('@') && !text.contains("accessor") {
        return Ok(());
    }
    let mut unsupported = Unsupported::default();
    parsed.script().visit_with(&mut unsupported);
    match unsupported.found {
        Some((position, what)) => {
            let message = format!("{what} are not supported; write the code without them");
            Err(Fault::at(RejectionKind::TypeScript, message, parse::body_offset(position)))
        }
        None => Ok(()),
    }
}

#[derive(Default)]
struct Unsupported {
    found: Option<(BytePos, &'static str)>,
}

impl Visit for Unsupported {
    fn visit_decorator(&mut self, decorator: &Decorator) {
        self.found.get_or_insert((decorator.span.lo, "Decorators"));
    }

    fn visit_auto_accessor(&mut self, accessor: &AutoAccessor) {
        self.found.get_or_insert((accessor.span.lo, "`accessor` fields"));
    }
}
