//! Parses a program as what it is: the body of an async function.
//!
//! The text is put into its wrapper first and parsed with it, so the tree's positions are those of the code
//! that will be evaluated, and no copy is needed. That nothing of it lies outside the wrapper is checked on
//! the tree: text like `}); f(); (async function(){` is a syntax error, not a way out.

use swc_core::{
    common::{BytePos, FileName, SourceFile, Spanned, sync::Lrc},
    ecma::{
        ast::{EsVersion, Expr, Script, Stmt},
        parser::{
            EsSyntax, Syntax, TsSyntax,
            error::{Error, SyntaxError},
            parse_file_as_script,
        },
    },
};

use crate::{
    Language, RejectionKind,
    diagnostic::Fault,
    module_guard,
    nesting::{self, Shape},
    shell,
};

/// What stands before the user's text; it ends the wrapper line.
const PREFIX: &str = "(async function(){\n";
/// What stands behind it.
const SUFFIX: &str = "\n})";
/// Where the parser's positions start: 0 is reserved.
const START: BytePos = BytePos(1);

/// A program with its tree.
pub(crate) struct Parsed {
    file: SourceFile,
    script: Script,
}

impl Parsed {
    /// The user's statements.
    pub(crate) fn statements(&self) -> &[Stmt] {
        body(&self.script).map_or(&[], |(statements, _)| statements)
    }

    /// The whole tree, the wrapper included.
    pub(crate) fn script(&self) -> &Script {
        &self.script
    }

    /// The wrapped text.
    pub(crate) fn code(&self) -> &str {
        &self.file.src
    }

    /// The user's text.
    pub(crate) fn body(&self) -> &str {
        let code = self.code();
        &code[PREFIX.len()..code.len() - SUFFIX.len()]
    }

    /// The wrapped text and the tree.
    pub(crate) fn into_parts(self) -> (String, Script) {
        (self.code().to_owned(), self.script)
    }
}

/// Byte offset of a tree position in the wrapped text.
pub(crate) fn code_offset(position: BytePos) -> usize {
    position.0.saturating_sub(START.0) as usize
}

/// Byte offset of a tree position in the user's text.
pub(crate) fn body_offset(position: BytePos) -> usize {
    code_offset(position).saturating_sub(PREFIX.len())
}

/// Whether a tree position of the wrapped text lies in the user's text.
pub(crate) fn is_user_code(position: BytePos, code: &str) -> bool {
    (PREFIX.len()..=code.len() - SUFFIX.len()).contains(&code_offset(position))
}

/// The user's statements, to be changed.
pub(crate) fn statements_mut(script: &mut Script) -> Option<&mut Vec<Stmt>> {
    let Stmt::Expr(statement) = script.body.first_mut()? else { return None };
    let Expr::Paren(paren) = &mut *statement.expr else { return None };
    let Expr::Fn(function) = &mut *paren.expr else { return None };
    Some(&mut function.function.body.as_mut()?.stmts)
}

/// Parses the user's text.
pub(crate) fn parse(text: &str, language: Language, shape: Shape) -> Result<Parsed, Fault> {
    if text.len() > MAX_BYTES {
        let message = format!("code is larger than {MAX_BYTES} bytes");
        return Err(Fault { kind: RejectionKind::TooDeep, message, offset: None });
    }
    let file = wrap(text);
    match parse_file(&file, language) {
        Ok(script) => match body(&script) {
            Some((_, end)) if code_offset(end) == file.src.len() - 1 => Ok(Parsed { file, script }),
            _ => Err(unbalanced(&script, text, shape)),
        },
        Err(errors) => Err(explain(&errors, text, language, shape)),
    }
}

/// Parser and transform cannot be stopped from outside: this bounds what they take to some tens of milliseconds.
/// Models write a few kilobytes.
const MAX_BYTES: usize = 1 << 20;

fn wrap(text: &str) -> SourceFile {
    let mut code = String::with_capacity(PREFIX.len() + text.len() + SUFFIX.len() + "return ()".len());
    code.push_str(PREFIX);
    code.push_str(text);
    code.push_str(SUFFIX);
    let name = Lrc::new(FileName::Anon);
    SourceFile::new(Lrc::clone(&name), false, name, code.into(), START)
}

/// The syntax a language is parsed with.
fn syntax(language: Language) -> Syntax {
    match language {
        Language::JavaScript => {
            Syntax::Es(EsSyntax { explicit_resource_management: true, ..EsSyntax::default() })
        }
        Language::TypeScript => Syntax::Typescript(TsSyntax { decorators: true, ..TsSyntax::default() }),
    }
}

/// The tree of a text without any error, or its errors: the fatal one first, the rest in order.
fn parse_file(file: &SourceFile, language: Language) -> Result<Script, Vec<Error>> {
    let mut recovered = Vec::new();
    match parse_file_as_script(file, syntax(language), EsVersion::latest(), None, &mut recovered) {
        Ok(script) if recovered.is_empty() => Ok(script),
        Ok(_) => Err(recovered),
        Err(fatal) => {
            recovered.insert(0, fatal);
            Err(recovered)
        }
    }
}

/// The statements of the wrapper's function and where its body ends, if the tree is one such function.
fn body(script: &Script) -> Option<(&[Stmt], BytePos)> {
    let [Stmt::Expr(statement)] = script.body.as_slice() else { return None };
    let Expr::Paren(paren) = &*statement.expr else { return None };
    let Expr::Fn(function) = &*paren.expr else { return None };
    let body = function.function.body.as_ref()?;
    Some((&body.stmts, body.span.hi))
}

/// The text closes the wrapper itself.
fn unbalanced(script: &Script, text: &str, shape: Shape) -> Fault {
    let guess = script.body.first().map_or(0, |first| body_offset(first.span_hi()).min(text.len()));
    let offset = shape.unmatched.unwrap_or(guess);
    Fault::at(RejectionKind::Syntax, unexpected_bracket(text, offset), offset)
}

fn unexpected_bracket(text: &str, offset: usize) -> String {
    match text.as_bytes().get(offset) {
        Some(bracket @ (b')' | b']' | b'}')) => {
            format!("Unexpected `{}`", char::from(*bracket))
        }
        _ => "Unexpected closing bracket".to_owned(),
    }
}

/// Turns parser errors into one fault in the user's terms.
fn explain(errors: &[Error], text: &str, language: Language, shape: Shape) -> Fault {
    let Some(first) = most_telling(errors) else {
        return Fault { kind: RejectionKind::Syntax, message: "Syntax error".to_owned(), offset: None };
    };
    let offset = body_offset(first.span().lo);
    if shell::looks_like_shell(text, offset) {
        return shell::fault();
    }
    if let Some(module) = errors.iter().find(|error| is_module_syntax(error.kind())) {
        return module_guard::denied(body_offset(module.span().lo));
    }
    if let Some(unmatched) = shape.unmatched.filter(|unmatched| *unmatched <= offset) {
        return Fault::at(kind(language), unexpected_bracket(text, unmatched), unmatched);
    }
    let at_end = text[offset.min(text.len())..].trim_end().is_empty();
    if at_end && is_about_next_token(first.kind()) {
        return Fault::at(kind(language), "Unexpected end of code", text.trim_end().len());
    }
    let mut message = plain(first.kind());
    if language == Language::JavaScript && is_typescript(text) {
        message.push_str("; this is TypeScript: set language to \"typescript\"");
    }
    Fault::at(kind(language), message, offset.min(text.len()))
}

/// The fatal error (the first of the list), or an earlier one that already misses a token there.
fn most_telling(errors: &[Error]) -> Option<&Error> {
    let fatal = errors.first()?;
    errors
        .iter()
        .filter(|error| misses_token(error.kind()) && error.span().lo < fatal.span().lo)
        .min_by_key(|error| error.span().lo)
        .or(Some(fatal))
}

/// Whether the parser went on although it wanted another token.
fn misses_token(error: &SyntaxError) -> bool {
    matches!(
        error,
        SyntaxError::TS1003
            | SyntaxError::TS1005
            | SyntaxError::TS1109
            | SyntaxError::TS1110
            | SyntaxError::Unexpected { .. }
            | SyntaxError::Expected(..)
            | SyntaxError::ExpectedIdent
    )
}

fn is_typescript(text: &str) -> bool {
    nesting::check(text, Language::TypeScript).is_ok()
        && parse_file(&wrap(text), Language::TypeScript).is_ok()
}

fn kind(language: Language) -> RejectionKind {
    match language {
        Language::JavaScript => RejectionKind::Syntax,
        Language::TypeScript => RejectionKind::TypeScript,
    }
}

fn is_module_syntax(error: &SyntaxError) -> bool {
    matches!(
        error,
        SyntaxError::ImportExportInScript
            | SyntaxError::ImportMetaInScript
            | SyntaxError::NonTopLevelImportExport
    )
}

/// Whether an error says that the next token is not the one expected; at the end there is none.
fn is_about_next_token(error: &SyntaxError) -> bool {
    !matches!(
        error,
        SyntaxError::UnterminatedBlockComment
            | SyntaxError::UnterminatedStrLit
            | SyntaxError::UnterminatedRegExp
            | SyntaxError::UnterminatedTpl
    )
}

/// The parser's message in plain words.
fn plain(error: &SyntaxError) -> String {
    match error {
        SyntaxError::ExpectedSemiForExprStmt { .. } | SyntaxError::ExpectedSemi => {
            "Expected `;` or a new line before this".to_owned()
        }
        SyntaxError::WithLabel { inner, .. } => plain(inner.kind()),
        SyntaxError::Unexpected { got, .. } => format!("Unexpected {}", token_name(got)),
        SyntaxError::Expected(expected, got) => {
            format!("Expected `{expected}`, got {}", token_name(got))
        }
        _ => error.msg().replace("<eof>", "end of code").trim_end_matches('.').to_owned(),
    }
}

/// A token as the user would write it; the parser names kinds of tokens in angle brackets.
fn token_name(name: &str) -> String {
    match name {
        "<eof>" => "end of code".to_owned(),
        _ if name.starts_with('<') && name.len() > 2 && name.ends_with('>') => {
            format!("a {}", &name[1..name.len() - 1])
        }
        "ident" => "a name".to_owned(),
        _ if name.contains(' ') => format!("a {name}"),
        _ => format!("`{name}`"),
    }
}
