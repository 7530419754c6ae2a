//! Which of the names that matter to the module guard a scope declares.

use std::ops::{BitOr, BitOrAssign};

use swc_core::ecma::ast::{
    Decl, ForHead, ModuleDecl, ModuleItem, ObjectPatProp, ParamOrTsParamProp, Pat, Stmt, TsNamespaceBody,
    TsParamPropParam, VarDecl, VarDeclKind, VarDeclOrExpr,
};

/// A set of the names `require`, `module` and `process`.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Names(u8);

impl Names {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const REQUIRE: Self = Self(1);
    pub(crate) const MODULE: Self = Self(2);
    pub(crate) const PROCESS: Self = Self(4);

    /// The set of one name; empty for any other.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "require" => Self::REQUIRE,
            "module" => Self::MODULE,
            "process" => Self::PROCESS,
            _ => Self::NONE,
        }
    }

    /// Whether all of `other` is in the set.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Names {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Names {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl FromIterator<Names> for Names {
    fn from_iter<T: IntoIterator<Item = Names>>(names: T) -> Self {
        names.into_iter().fold(Self::NONE, BitOr::bitor)
    }
}

/// What patterns bind.
pub(crate) fn patterns<'a>(patterns: impl IntoIterator<Item = &'a Pat>) -> Names {
    patterns.into_iter().map(pattern).collect()
}

/// What a function's body declares: its own declarations, and the `var`s and functions of inner blocks.
pub(crate) fn function_body(statements: &[Stmt]) -> Names {
    block(statements) | statements.iter().map(hoisted).collect()
}

/// What a block declares for itself.
pub(crate) fn block(statements: &[Stmt]) -> Names {
    statements
        .iter()
        .map(|statement| match statement {
            Stmt::Decl(declared) => declaration(declared),
            _ => Names::NONE,
        })
        .collect()
}

/// What a namespace declares.
pub(crate) fn namespace(items: &[ModuleItem]) -> Names {
    items
        .iter()
        .map(|item| match item {
            ModuleItem::Stmt(Stmt::Decl(declared)) => declaration(declared),
            ModuleItem::Stmt(statement) => hoisted(statement),
            ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => declaration(&export.decl),
            ModuleItem::ModuleDecl(ModuleDecl::TsImportEquals(alias)) => Names::of(&alias.id.sym),
            ModuleItem::ModuleDecl(_) => Names::NONE,
        })
        .collect()
}

/// What the head of a `for (;;)` declares.
pub(crate) fn for_init(init: &VarDeclOrExpr) -> Names {
    match init {
        VarDeclOrExpr::VarDecl(declared) => variables(declared),
        VarDeclOrExpr::Expr(_) => Names::NONE,
    }
}

/// What the head of a `for in` or `for of` declares.
pub(crate) fn for_head(head: &ForHead) -> Names {
    match head {
        ForHead::VarDecl(declared) => variables(declared),
        ForHead::UsingDecl(declared) => patterns(declared.decls.iter().map(|declarator| &declarator.name)),
        ForHead::Pat(_) => Names::NONE,
    }
}

/// What a constructor's parameters bind.
pub(crate) fn constructor_params(params: &[ParamOrTsParamProp]) -> Names {
    params
        .iter()
        .map(|param| match param {
            ParamOrTsParamProp::Param(param) => pattern(&param.pat),
            ParamOrTsParamProp::TsParamProp(property) => match &property.param {
                TsParamPropParam::Ident(name) => Names::of(&name.id.sym),
                TsParamPropParam::Assign(assign) => pattern(&assign.left),
            },
        })
        .collect()
}

fn pattern(pattern: &Pat) -> Names {
    match pattern {
        Pat::Ident(name) => Names::of(&name.id.sym),
        Pat::Array(array) => patterns(array.elems.iter().flatten()),
        Pat::Rest(rest) => self::pattern(&rest.arg),
        Pat::Assign(assign) => self::pattern(&assign.left),
        Pat::Object(object) => object
            .props
            .iter()
            .map(|property| match property {
                ObjectPatProp::KeyValue(pair) => self::pattern(&pair.value),
                ObjectPatProp::Assign(short) => Names::of(&short.key.id.sym),
                ObjectPatProp::Rest(rest) => self::pattern(&rest.arg),
            })
            .collect(),
        Pat::Invalid(_) | Pat::Expr(_) => Names::NONE,
    }
}

fn variables(declared: &VarDecl) -> Names {
    // `declare const` leaves nothing behind at run time.
    if declared.declare { Names::NONE } else { patterns(declared.decls.iter().map(|each| &each.name)) }
}

fn declaration(declared: &Decl) -> Names {
    match declared {
        Decl::Var(variable) => variables(variable),
        Decl::Using(using) => patterns(using.decls.iter().map(|declarator| &declarator.name)),
        // Without a body it is an overload's signature.
        Decl::Fn(function) if !function.declare && function.function.body.is_some() => {
            Names::of(&function.ident.sym)
        }
        Decl::Class(class) if !class.declare => Names::of(&class.ident.sym),
        Decl::TsEnum(numbers) if !numbers.declare => Names::of(&numbers.id.sym),
        Decl::TsModule(module) if !module.declare && remains(module.body.as_ref()) => {
            module.id.as_ident().map_or(Names::NONE, |name| Names::of(&name.sym))
        }
        _ => Names::NONE,
    }
}

/// Whether a namespace leaves anything behind at run time; one of types only does not.
fn remains(body: Option<&TsNamespaceBody>) -> bool {
    let declared = |declared: &Decl| match declared {
        Decl::TsInterface(_) | Decl::TsTypeAlias(_) => false,
        Decl::TsModule(module) => !module.declare && remains(module.body.as_ref()),
        _ => true,
    };
    match body {
        None => false,
        Some(TsNamespaceBody::TsNamespaceDecl(inner)) => remains(Some(&inner.body)),
        Some(TsNamespaceBody::TsModuleBlock(block)) => block.body.iter().any(|item| match item {
            ModuleItem::Stmt(Stmt::Decl(inner)) => declared(inner),
            ModuleItem::ModuleDecl(ModuleDecl::ExportDecl(export)) => declared(&export.decl),
            _ => true,
        }),
    }
}

/// The `var`s and functions inside a statement that belong to the function around it.
fn hoisted(statement: &Stmt) -> Names {
    let all = |statements: &[Stmt]| statements.iter().map(hoisted).collect::<Names>();
    match statement {
        Stmt::Decl(Decl::Var(declared)) if declared.kind == VarDeclKind::Var => variables(declared),
        // Only plain functions leave their block.
        Stmt::Decl(Decl::Fn(declared))
            if !declared.declare
                && declared.function.body.is_some()
                && !declared.function.is_async
                && !declared.function.is_generator =>
        {
            Names::of(&declared.ident.sym)
        }
        Stmt::Block(block) => all(&block.stmts),
        Stmt::With(with) => hoisted(&with.body),
        Stmt::Labeled(labeled) => hoisted(&labeled.body),
        Stmt::If(branch) => hoisted(&branch.cons) | branch.alt.as_deref().map_or(Names::NONE, hoisted),
        Stmt::Switch(switch) => switch.cases.iter().map(|case| all(&case.cons)).collect(),
        Stmt::Try(attempt) => {
            let handler = attempt.handler.as_ref().map_or(Names::NONE, |handler| all(&handler.body.stmts));
            let finalizer = attempt.finalizer.as_ref().map_or(Names::NONE, |block| all(&block.stmts));
            all(&attempt.block.stmts) | handler | finalizer
        }
        Stmt::While(each) => hoisted(&each.body),
        Stmt::DoWhile(each) => hoisted(&each.body),
        Stmt::For(each) => {
            let head = match &each.init {
                Some(VarDeclOrExpr::VarDecl(declared)) if declared.kind == VarDeclKind::Var => {
                    variables(declared)
                }
                _ => Names::NONE,
            };
            head | hoisted(&each.body)
        }
        Stmt::ForIn(each) => hoisted_head(&each.left) | hoisted(&each.body),
        Stmt::ForOf(each) => hoisted_head(&each.left) | hoisted(&each.body),
        _ => Names::NONE,
    }
}

fn hoisted_head(head: &ForHead) -> Names {
    match head {
        ForHead::VarDecl(declared) if declared.kind == VarDeclKind::Var => variables(declared),
        _ => Names::NONE,
    }
}
