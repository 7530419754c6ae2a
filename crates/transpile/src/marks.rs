//! Finds statements that destructure.
//!
//! `QuickJS` gives a pattern no position of its own: what fails in it is reported at the call before, lines away
//! or in the wrapper. A statement that does nothing, put in front, has a position, and the pattern inherits it.

use swc_core::{
    common::{BytePos, Spanned},
    ecma::{
        ast::{AssignTarget, Decl, Expr, ForHead, Pat, Script, Stmt, VarDecl, VarDeclOrExpr},
        visit::{Visit, VisitWith},
    },
};

/// Programs that models write have a few; each one costs a look at its line.
const MAX_MARKS: usize = 1000;

/// Where such statements begin, in no order. Only those in a statement list: another one may go before them.
pub(crate) fn find(script: &Script) -> Vec<BytePos> {
    let mut marks = Marks(Vec::new());
    script.visit_with(&mut marks);
    marks.0
}

struct Marks(Vec<BytePos>);

impl Visit for Marks {
    fn visit_stmts(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if self.0.len() < MAX_MARKS && destructures(statement) {
                self.0.push(statement.span_lo());
            }
        }
        statements.visit_children_with(self);
    }
}

fn destructures(statement: &Stmt) -> bool {
    match statement {
        Stmt::Decl(Decl::Var(declared)) => declares_pattern(declared),
        Stmt::Expr(expression) => assigns_pattern(&expression.expr),
        Stmt::For(each) => {
            matches!(&each.init, Some(VarDeclOrExpr::VarDecl(declared)) if declares_pattern(declared))
        }
        Stmt::ForIn(each) => head_has_pattern(&each.left),
        Stmt::ForOf(each) => head_has_pattern(&each.left),
        _ => false,
    }
}

fn declares_pattern(declared: &VarDecl) -> bool {
    !declared.declare && declared.decls.iter().any(|declarator| is_pattern(&declarator.name))
}

fn assigns_pattern(expression: &Expr) -> bool {
    let mut expression = expression;
    while let Expr::Paren(paren) = expression {
        expression = &paren.expr;
    }
    matches!(expression, Expr::Assign(assignment) if matches!(assignment.left, AssignTarget::Pat(_)))
}

fn head_has_pattern(head: &ForHead) -> bool {
    match head {
        ForHead::VarDecl(declared) => declares_pattern(declared),
        ForHead::UsingDecl(_) => false,
        ForHead::Pat(pattern) => is_pattern(pattern),
    }
}

fn is_pattern(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Object(_) | Pat::Array(_))
}
