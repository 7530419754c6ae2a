//! Bounds how deeply a program may nest, before the parser recurses into it.
//!
//! Parser, visitors and the drop of the syntax tree recurse once per level, so a long enough chain of
//! brackets or operators would overflow the native stack. One linear pass over coarse tokens computes an
//! upper bound of the tree's height: within one statement or list item every operator adds a level, and a
//! bracket adds what it holds.

use crate::{
    Language, RejectionKind,
    diagnostic::Fault,
    scan::{Scan, Token},
};

/// Levels of open brackets a program may have. A type argument list of TypeScript counts as four.
pub const MAX_BRACKETS: usize = 512;

/// Operators, calls and keywords that may depend on each other in one statement.
pub const MAX_OPERATORS: usize = 2000;

/// Arrow functions, type assertions and comparisons of TypeScript that may depend on each other undecided:
/// each one multiplies the parser's work.
const MAX_AMBIGUOUS: usize = 4;

/// How many brackets a `<` of TypeScript counts as: the parser tries it both ways, so its work grows with
/// more than the depth.
const ANGLE_WEIGHT: usize = 4;

/// Bytes of a source so small that its nesting is harmless however its slashes are read.
const SMALL_BYTES: usize = 4096;

/// What the pass learned besides: it helps to explain a syntax error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Byte offset of the first closing bracket that closes nothing.
    pub(crate) unmatched: Option<usize>,
}

/// One level of brackets.
#[derive(Debug, Default, Clone, Copy)]
struct Level {
    /// Operators since the last statement or list item began.
    operators: usize,
    /// The height of the highest bracket among them.
    inner: usize,
    /// `operators` and `inner` of the statement before, for an `else` to go on with.
    before: (usize, usize),
    /// The highest statement or item so far.
    highest: usize,
    /// Type argument lists (or comparisons) that a comma does not end.
    angles: usize,
    /// Whether a `?` came before, so that an arrow may be undecided.
    conditional: bool,
    /// Whether a `=` came before, here or around: a default value, if this is a parameter list.
    assigned: bool,
    assigned_around: bool,
    /// Undecided arrows and assertions of this statement, and of those around it.
    ambiguous: usize,
    ambiguous_around: usize,
}

impl Level {
    fn height(&self) -> usize {
        self.operators + self.inner
    }

    /// The level of a bracket that opens here.
    fn opened(&self) -> Self {
        Self {
            ambiguous_around: self.ambiguous_around + self.ambiguous,
            assigned_around: self.assigned_around || self.assigned,
            ..Self::default()
        }
    }

    /// The level of the next hole of a template.
    fn reopened(&self) -> Self {
        Self {
            highest: self.highest.max(self.height()),
            ambiguous_around: self.ambiguous_around,
            assigned_around: self.assigned_around,
            ..Self::default()
        }
    }

    /// Ends a statement, or a list item.
    fn end(&mut self) {
        self.highest = self.highest.max(self.height());
        self.before = (self.operators, self.inner);
        self.operators = 0;
        self.inner = 0;
        self.angles = 0;
        self.conditional = false;
        self.assigned = false;
        self.ambiguous = 0;
    }
}

/// Refuses a program that nests too deeply.
pub(crate) fn check(body: &str, language: Language) -> Result<Shape, Fault> {
    let typescript = language == Language::TypeScript;
    let mut scan = Scan::new(body);
    let mut levels = vec![Level::default()];
    let mut angles = 0usize;
    let mut question = false;
    while let Some(token) = scan.next() {
        let starts = matches!(token, Token::Operand | Token::Statement | Token::Prefix);
        let depth = levels.len();
        let Some(level) = levels.last_mut() else { break };
        if starts && scan.after_operand {
            angles -= level.angles;
            level.end();
        }
        match token {
            Token::Operand => {}
            Token::Semicolon => {
                angles -= level.angles;
                level.end();
            }
            Token::Comma if level.angles > 0 => {}
            Token::Comma => level.end(),
            Token::Else => {
                let (operators, inner) =
                    if level.operators == 0 { level.before } else { (level.operators, level.inner) };
                (level.operators, level.inner) = (operators + 1, inner);
            }
            Token::Statement | Token::Prefix | Token::Word | Token::Operator => level.operators += 1,
            Token::Question => {
                level.operators += 1;
                question = true;
                level.conditional = true;
            }
            Token::Assign => {
                level.operators += 1;
                level.assigned = true;
            }
            Token::Arrow => {
                level.operators += 1;
                level.ambiguous += usize::from(typescript && level.conditional);
            }
            Token::Less => {
                level.operators += 1;
                if typescript {
                    // `a<(b = c<(d = …`: comparisons, or function types whose parameters have defaults.
                    let in_default = (level.assigned || level.assigned_around) && angles > level.angles;
                    level.ambiguous += usize::from(in_default || (!scan.after_operand && !question));
                    level.angles += 1;
                    angles += 1;
                }
            }
            Token::Greater(count) => {
                level.operators += usize::from(count);
                let closed = level.angles.min(usize::from(count));
                level.angles -= closed;
                angles -= closed;
            }
            Token::Reopen => {
                angles -= level.angles;
                *level = level.reopened();
            }
            Token::Open => {
                level.operators += 1;
                let inner = level.opened();
                levels.push(inner);
            }
            Token::Close => {
                if depth > 1 {
                    close(&mut levels, &mut angles);
                }
            }
        }
        if token != Token::Question {
            question = false;
        }
        refuse_excess(&levels, angles)?;
    }
    while levels.len() > 1 {
        close(&mut levels, &mut angles);
    }
    let highest = levels.last().map_or(0, |level| level.highest.max(level.height()));
    if highest > MAX_OPERATORS {
        return Err(too_deep(&format!("more than {MAX_OPERATORS} operators in one statement")));
    }
    if let Some(offset) = scan.conflict {
        return Err(Fault::at(RejectionKind::Syntax, "Merge conflict marker in the code", offset));
    }
    match scan.unsure_slash {
        Some(offset) if body.len() > SMALL_BYTES => Err(Fault::at(
            RejectionKind::TooDeep,
            "cannot tell whether this `/` divides or begins a regular expression; put it in parentheses",
            offset,
        )),
        _ => Ok(Shape { unmatched: scan.unmatched }),
    }
}

fn close(levels: &mut Vec<Level>, angles: &mut usize) {
    if let Some(closed) = levels.pop()
        && let Some(level) = levels.last_mut()
    {
        *angles -= closed.angles;
        level.inner = level.inner.max(closed.highest.max(closed.height()));
    }
}

fn refuse_excess(levels: &[Level], angles: usize) -> Result<(), Fault> {
    if levels.len() - 1 + angles * ANGLE_WEIGHT > MAX_BRACKETS {
        return Err(too_deep(&format!("more than {MAX_BRACKETS} levels of brackets")));
    }
    match levels.last() {
        Some(level) if level.operators > MAX_OPERATORS => {
            Err(too_deep(&format!("more than {MAX_OPERATORS} operators in one statement")))
        }
        Some(level) if level.ambiguous + level.ambiguous_around > MAX_AMBIGUOUS => Err(too_deep(&format!(
            "more than {MAX_AMBIGUOUS} arrow functions, type assertions or comparisons in one another that only their end decides"
        ))),
        _ => Ok(()),
    }
}

fn too_deep(what: &str) -> Fault {
    Fault {
        kind: RejectionKind::TooDeep,
        message: format!("code is nested too deeply: {what}"),
        offset: None,
    }
}
