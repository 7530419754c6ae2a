//! A trailing expression becomes the program's value, as in a REPL.

use swc_core::{
    common::{BytePos, Span, Spanned},
    ecma::ast::Stmt,
};

use crate::{
    parse,
    position::{self, Insertion, PositionMap},
};

/// What is put before the expression, and behind it.
const OPEN: &str = "return (";
const CLOSE: &str = ")";
/// What is put before a statement that needs a position; see [`crate::marks`].
const MARK: &str = "0;";

/// The expression whose value the program yields: its last statement, if no top-level `return` decides.
pub(crate) fn find(statements: &[Stmt]) -> Option<Span> {
    let last = statements.iter().rev().find(|statement| !matches!(statement, Stmt::Empty(_)))?;
    let Stmt::Expr(statement) = last else { return None };
    if returns(statements) { None } else { Some(statement.expr.span()) }
}

/// Whether statements hold a `return` of their own; those of functions inside them do not count.
fn returns(statements: &[Stmt]) -> bool {
    statements.iter().any(statement_returns)
}

fn statement_returns(statement: &Stmt) -> bool {
    match statement {
        Stmt::Return(_) => true,
        Stmt::Block(block) => returns(&block.stmts),
        Stmt::With(with) => statement_returns(&with.body),
        Stmt::Labeled(labeled) => statement_returns(&labeled.body),
        Stmt::If(branch) => {
            statement_returns(&branch.cons) || branch.alt.as_deref().is_some_and(statement_returns)
        }
        Stmt::Switch(switch) => switch.cases.iter().any(|case| returns(&case.cons)),
        Stmt::Try(attempt) => {
            returns(&attempt.block.stmts)
                || attempt.handler.as_ref().is_some_and(|handler| returns(&handler.body.stmts))
                || attempt.finalizer.as_ref().is_some_and(|finalizer| returns(&finalizer.stmts))
        }
        Stmt::While(each) => statement_returns(&each.body),
        Stmt::DoWhile(each) => statement_returns(&each.body),
        Stmt::For(each) => statement_returns(&each.body),
        Stmt::ForIn(each) => statement_returns(&each.body),
        Stmt::ForOf(each) => statement_returns(&each.body),
        _ => false,
    }
}

/// Puts `return (` and `)` around the value in the wrapped text and a mark before each of the statements at
/// `marks`, and notes where.
pub(crate) fn insert(
    code: &str,
    value: Option<Span>,
    marks: &[BytePos],
    lines_before: usize,
) -> (String, PositionMap) {
    // The wrapper takes two of the line ends: the user's lines are those between.
    let user_lines = position::count_lines(code).saturating_sub(1);
    let mut wanted: Vec<(usize, &str)> = marks.iter().map(|mark| (parse::code_offset(*mark), MARK)).collect();
    if let Some(span) = value {
        wanted.extend([(parse::code_offset(span.lo), OPEN), (parse::code_offset(span.hi), CLOSE)]);
    }
    // Stable: a mark stays before the `return` of the same place.
    wanted.sort_by_key(|(offset, _)| *offset);
    let mut edited = String::with_capacity(code.len() + wanted.len() * OPEN.len());
    let mut copied = 0;
    let mut places = Vec::with_capacity(wanted.len());
    for (offset, text) in wanted {
        edited.push_str(&code[copied..offset]);
        copied = offset;
        places.push((edited.len(), text.len()));
        edited.push_str(text);
    }
    edited.push_str(&code[copied..]);
    let lines = position::LineIndex::new(&edited);
    let inserted = places.into_iter().map(|(offset, width)| insertion(&lines, offset, width)).collect();
    (edited, PositionMap::InPlace { lines_before, user_lines, inserted })
}

fn insertion(lines: &position::LineIndex<'_>, offset: usize, width: usize) -> Insertion {
    let (line, column) = lines.line_column(offset);
    Insertion { line: line as usize - 1, column: column as usize - 1, width }
}
