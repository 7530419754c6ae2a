//! Refuses programs that reach for a module loader. There is none in the VM: this is for a clear error.
//!
//! Works on the tree with a small scope analysis, so no spelling hides (`r\u0065quire`, `(0, require)()`,
//! `const load = require`) and no innocent use is hit: properties, strings and the user's own names pass.

use swc_core::{
    common::{BytePos, Spanned},
    ecma::{
        ast::{
            ArrowExpr, ArrowFunctionBody, AssignExpr, AssignTarget, AssignTargetPat, BlockStmt, BreakStmt,
            CatchClause, ClassExpr, Constructor, ContinueStmt, Expr, FnExpr, ForInStmt, ForOfStmt, ForStmt,
            Function, Ident, Import, LabeledStmt, Lit, MemberExpr, MemberProp, MetaPropExpr, MetaPropKind,
            ModuleDecl, ObjectPat, ObjectPatProp, Pat, PropName, StaticBlock, SwitchStmt, TsEnumDecl,
            TsEnumMemberId, TsInterfaceDecl, TsModuleBlock, TsModuleRef, TsType, TsTypeAliasDecl, TsTypeAnn,
            TsTypeParamDecl, TsTypeParamInstantiation, UnaryExpr, UnaryOp, VarDeclarator,
        },
        visit::{Visit, VisitWith},
    },
};

use crate::{
    RejectionKind,
    diagnostic::Fault,
    parse::{self, Parsed},
    scope::{self, Names},
};

const MESSAGE: &str = "code mode module access is disabled.";

/// The fault for module access at a byte offset of the user's text.
pub(crate) fn denied(offset: usize) -> Fault {
    Fault::at(RejectionKind::ModuleAccess, MESSAGE, offset)
}

/// Refuses a program that reaches for a module loader.
pub(crate) fn check(parsed: &Parsed) -> Result<(), Fault> {
    if !may_access(parsed.body()) {
        return Ok(());
    }
    let mut guard = Guard::default();
    parsed.script().visit_with(&mut guard);
    guard.found.map_or(Ok(()), |position| Err(denied(parse::body_offset(position))))
}

/// Whether the words of module access occur at all; a backslash may spell any of them.
fn may_access(text: &str) -> bool {
    ["require", "import", "module", "process", "\\"].iter().any(|word| text.contains(word))
}

/// Walks the tree with the names in scope.
#[derive(Default)]
struct Guard {
    scopes: Vec<Names>,
    found: Option<BytePos>,
}

impl Guard {
    fn is_bound(&self, name: Names) -> bool {
        self.scopes.iter().any(|scope| scope.contains(name))
    }

    fn scoped(&mut self, names: Names, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(names);
        visit(self);
        self.scopes.pop();
    }

    fn find(&mut self, node: &impl Spanned) {
        let position = node.span_lo();
        self.found = Some(self.found.map_or(position, |found| found.min(position)));
    }

    /// The property of an unbound `module` or `process` that loads modules.
    fn loader_of(&self, object: &Expr) -> Option<&'static str> {
        let Expr::Ident(name) = bare(object) else { return None };
        let (name, property) = match &*name.sym {
            "module" => (Names::MODULE, "require"),
            "process" => (Names::PROCESS, "getBuiltinModule"),
            _ => return None,
        };
        if self.is_bound(name) { None } else { Some(property) }
    }

    /// `const { getBuiltinModule } = process`.
    fn check_destructuring(&mut self, pattern: &ObjectPat, value: &Expr) {
        let Some(loader) = self.loader_of(value) else { return };
        let takes = |property: &ObjectPatProp| match property {
            ObjectPatProp::KeyValue(pair) => prop_name_is(&pair.key, loader),
            ObjectPatProp::Assign(short) => &*short.key.sym == loader,
            ObjectPatProp::Rest(_) => false,
        };
        if pattern.props.iter().any(takes) {
            self.find(pattern);
        }
    }
}

impl Visit for Guard {
    fn visit_ident(&mut self, name: &Ident) {
        if &*name.sym == "require" && !self.is_bound(Names::REQUIRE) {
            self.find(name);
        }
    }

    fn visit_import(&mut self, import: &Import) {
        self.find(import);
    }

    fn visit_meta_prop_expr(&mut self, meta: &MetaPropExpr) {
        if meta.kind == MetaPropKind::ImportMeta {
            self.find(meta);
        }
    }

    fn visit_module_decl(&mut self, declaration: &ModuleDecl) {
        match declaration {
            ModuleDecl::ExportDecl(export) => export.visit_children_with(self),
            ModuleDecl::TsImportEquals(alias) if matches!(alias.module_ref, TsModuleRef::TsEntityName(_)) => {
            }
            _ => self.find(declaration),
        }
    }

    fn visit_unary_expr(&mut self, unary: &UnaryExpr) {
        // `typeof require` asks whether there is one.
        let asks = unary.op == UnaryOp::TypeOf && bare(&unary.arg).is_ident();
        if !asks {
            unary.visit_children_with(self);
        }
    }

    fn visit_member_expr(&mut self, member: &MemberExpr) {
        if let Some(loader) = self.loader_of(&member.obj)
            && member_prop_is(&member.prop, loader)
        {
            self.find(member);
        }
        member.visit_children_with(self);
    }

    fn visit_var_declarator(&mut self, declarator: &VarDeclarator) {
        if let (Pat::Object(pattern), Some(value)) = (&declarator.name, &declarator.init) {
            self.check_destructuring(pattern, value);
        }
        declarator.visit_children_with(self);
    }

    fn visit_assign_expr(&mut self, assignment: &AssignExpr) {
        if let AssignTarget::Pat(AssignTargetPat::Object(pattern)) = &assignment.left {
            self.check_destructuring(pattern, &assignment.right);
        }
        assignment.visit_children_with(self);
    }

    // Labels are names of their own kind.

    fn visit_labeled_stmt(&mut self, labeled: &LabeledStmt) {
        labeled.body.visit_with(self);
    }

    fn visit_break_stmt(&mut self, _: &BreakStmt) {}

    fn visit_continue_stmt(&mut self, _: &ContinueStmt) {}

    // Scopes.

    fn visit_function(&mut self, function: &Function) {
        let params = scope::patterns(function.params.iter().map(|param| &param.pat));
        // Defaults of parameters do not see what the body declares.
        self.scoped(params, |guard| {
            function.params.visit_with(guard);
            let Some(body) = &function.body else { return };
            guard.scoped(scope::function_body(&body.stmts), |guard| body.visit_with(guard));
        });
    }

    fn visit_arrow_expr(&mut self, arrow: &ArrowExpr) {
        self.scoped(scope::patterns(&arrow.params), |guard| {
            arrow.params.visit_with(guard);
            let names = match &*arrow.body {
                ArrowFunctionBody::FunctionBody(body) => scope::function_body(&body.stmts),
                ArrowFunctionBody::Expr(_) => Names::NONE,
            };
            guard.scoped(names, |guard| arrow.body.visit_with(guard));
        });
    }

    fn visit_constructor(&mut self, constructor: &Constructor) {
        self.scoped(scope::constructor_params(&constructor.params), |guard| {
            constructor.params.visit_with(guard);
            let Some(body) = &constructor.body else { return };
            guard.scoped(scope::function_body(&body.stmts), |guard| body.visit_with(guard));
        });
    }

    fn visit_static_block(&mut self, block: &StaticBlock) {
        let names = scope::function_body(&block.body.stmts);
        self.scoped(names, |guard| block.visit_children_with(guard));
    }

    fn visit_fn_expr(&mut self, function: &FnExpr) {
        let names = function.ident.as_ref().map_or(Names::NONE, |name| Names::of(&name.sym));
        self.scoped(names, |guard| function.visit_children_with(guard));
    }

    fn visit_class_expr(&mut self, class: &ClassExpr) {
        let names = class.ident.as_ref().map_or(Names::NONE, |name| Names::of(&name.sym));
        self.scoped(names, |guard| class.visit_children_with(guard));
    }

    fn visit_block_stmt(&mut self, block: &BlockStmt) {
        self.scoped(scope::block(&block.stmts), |guard| block.visit_children_with(guard));
    }

    fn visit_switch_stmt(&mut self, switch: &SwitchStmt) {
        let names = switch.cases.iter().fold(Names::NONE, |names, case| names | scope::block(&case.cons));
        switch.discriminant.visit_with(self);
        self.scoped(names, |guard| switch.cases.visit_with(guard));
    }

    fn visit_for_stmt(&mut self, each: &ForStmt) {
        let names = each.init.as_ref().map_or(Names::NONE, scope::for_init);
        self.scoped(names, |guard| each.visit_children_with(guard));
    }

    fn visit_for_in_stmt(&mut self, each: &ForInStmt) {
        self.scoped(scope::for_head(&each.left), |guard| each.visit_children_with(guard));
    }

    fn visit_for_of_stmt(&mut self, each: &ForOfStmt) {
        self.scoped(scope::for_head(&each.left), |guard| each.visit_children_with(guard));
    }

    fn visit_catch_clause(&mut self, clause: &CatchClause) {
        self.scoped(scope::patterns(&clause.param), |guard| clause.visit_children_with(guard));
    }

    fn visit_ts_module_block(&mut self, block: &TsModuleBlock) {
        self.scoped(scope::namespace(&block.body), |guard| block.visit_children_with(guard));
    }

    // Members are no names of the scope, but an initialiser sees those of its enum.
    fn visit_ts_enum_decl(&mut self, numbers: &TsEnumDecl) {
        let names = numbers.members.iter().map(|member| match &member.id {
            TsEnumMemberId::Ident(name) => Names::of(&name.sym),
            TsEnumMemberId::Str(_) => Names::NONE,
        });
        self.scoped(names.collect(), |guard| {
            for member in &numbers.members {
                member.init.visit_with(guard);
            }
        });
    }

    // Types are gone before anything runs.

    fn visit_ts_type(&mut self, _: &TsType) {}

    fn visit_ts_type_ann(&mut self, _: &TsTypeAnn) {}

    fn visit_ts_type_param_decl(&mut self, _: &TsTypeParamDecl) {}

    fn visit_ts_type_param_instantiation(&mut self, _: &TsTypeParamInstantiation) {}

    fn visit_ts_interface_decl(&mut self, _: &TsInterfaceDecl) {}

    fn visit_ts_type_alias_decl(&mut self, _: &TsTypeAliasDecl) {}
}

/// An expression without the parentheses and type assertions around it.
fn bare(expression: &Expr) -> &Expr {
    let mut expression = expression;
    loop {
        expression = match expression {
            Expr::Paren(paren) => &paren.expr,
            Expr::TsNonNull(inner) => &inner.expr,
            Expr::TsAs(inner) => &inner.expr,
            Expr::TsSatisfies(inner) => &inner.expr,
            Expr::TsTypeAssertion(inner) => &inner.expr,
            Expr::Seq(sequence) => match sequence.exprs.last() {
                Some(last) => last,
                None => return expression,
            },
            _ => return expression,
        };
    }
}

fn member_prop_is(property: &MemberProp, name: &str) -> bool {
    match property {
        MemberProp::Ident(ident) => &*ident.sym == name,
        MemberProp::Computed(computed) => expression_is(&computed.expr, name),
        MemberProp::PrivateName(_) => false,
    }
}

fn prop_name_is(key: &PropName, name: &str) -> bool {
    match key {
        PropName::Ident(ident) => &*ident.sym == name,
        PropName::Str(string) => string.value.as_str() == Some(name),
        PropName::Computed(computed) => expression_is(&computed.expr, name),
        PropName::Num(_) | PropName::BigInt(_) => false,
    }
}

/// Whether an expression is a string literal of that text.
fn expression_is(expression: &Expr, text: &str) -> bool {
    match bare(expression) {
        Expr::Lit(Lit::Str(string)) => string.value.as_str() == Some(text),
        Expr::Tpl(template) => {
            let [piece] = template.quasis.as_slice() else { return false };
            piece.cooked.as_ref().and_then(|cooked| cooked.as_str()) == Some(text)
        }
        Expr::Bin(sum) => {
            // `"get" + "BuiltinModule"`, one level of it.
            let (Expr::Lit(Lit::Str(left)), Expr::Lit(Lit::Str(right))) = (bare(&sum.left), bare(&sum.right))
            else {
                return false;
            };
            let (left, right) = (left.value.as_str(), right.value.as_str());
            left.zip(right).is_some_and(|(left, right)| text.strip_prefix(left) == Some(right))
        }
        _ => false,
    }
}
