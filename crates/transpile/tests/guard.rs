//! Module access in sneaky spellings, and innocent code that looks like it.

use code_mode_transpile::{Language, Options, Rejection, RejectionKind, Script, prepare};
use proptest::prelude::*;

fn is_denied(source: &str, language: Language) -> bool {
    match prepare(source, &Options { language, implicit_return: true }) {
        Ok(_) => false,
        Err(rejection) => {
            assert_eq!(rejection.kind, RejectionKind::ModuleAccess, "{source}: {rejection}");
            assert!(rejection.line.is_some());
            true
        }
    }
}

const DENIED: &[&str] = &[
    "try { require } catch (require) { require(1) }",
    "const o = { require }",
    "with (o) { require('x') }",
    "require = (name) => name; require('x')",
    "[require][0]('x')",
    "require`x`",
    "new require('x')",
    "(() => require)()('x')",
    "{ let require = 1 } require('x')",
    "(function require() {}); require('x')",
    "(class require {}); require('x')",
    "for (let require of []) {} require('x')",
    "function f(require) {} require('x')",
    "const f = (require) => 1; require('x')",
    "f(...require)",
    "function f(a = require('x')) {}",
    "class A { [require('x')]() {} }",
    "class A extends require('x') {}",
    "label: { require('x') }",
    "const { require: load } = globalThis; return require",
    "typeof require('x')",
    "module?.require('x')",
    "module['require']('x')",
    "module[`require`]('x')",
    "(0, module).require('x')",
    "const { require: load } = module",
    "process?.getBuiltinModule?.('fs')",
    "process['getBuiltin' + 'Module']('fs')",
    "const { getBuiltinModule } = process",
    "let f; ({ getBuiltinModule: f } = process)",
    "import('fs')",
    "import(/* x */ 'fs')",
    "const f = () => import('fs')",
    "await import(`fs`)",
    "import.meta",
    "export default 1",
    "export { a }",
    "export * from 'x'",
    "import * as x from 'y'",
    "const a = 1\nimport { x } from 'y'",
    "if (a) { import 'y' }",
];

const PASSES: &[&str] = &[
    "typeof require",
    "typeof (require)",
    "const load = { require: 1 }.require",
    "a.require('x')",
    "a?.require('x')",
    "a['require']('x')",
    "'require(1)'",
    "// require('x')",
    "/require/.test('x')",
    "{ let require = 1; require }",
    "if (a) { function require() {} } require(1)",
    "if (a) { var require = () => 1 } require(1)",
    "for (var require of []) {} require(1)",
    "require(1); function require() {}",
    "const { require } = a; require(1)",
    "const [require] = a; require(1)",
    "const { a: [require = 1] } = b; require(1)",
    "const f = (require) => require(1)",
    "const f = ({ require }) => require(1)",
    "const f = (...require) => require",
    "(function require() { require(1) })()",
    "(class require { static a = require })",
    "class require {} new require()",
    "try { } catch (require) { require(1) }",
    "try { } catch ({ require }) { require(1) }",
    "switch (a) { case 1: let require = 1; case 2: require }",
    "require: for (;;) { break require }",
    "require: for (;;) { continue require }",
    "class A { require() { return this.require() } }",
    "class A { #require = 1; get b() { return this.#require } }",
    "const o = { require() {}, get import() { return 1 } }",
    "const module = { require: 1 }; module.require",
    "const process = a; process.getBuiltinModule()",
    "module.exports",
    "process.env",
    "new.target",
    "const o = { set require(v) { } }",
];

const TYPED: &[(&str, bool)] = &[
    ("import type A from 'b'", true),
    ("import { type A } from 'b'", true),
    ("import a = require('b')", true),
    ("export = 1", true),
    ("export interface A {}", true),
    ("export as namespace A", true),
    ("namespace A { import b = require('c') }", true),
    ("namespace A { export const b = require('c') }", true),
    ("declare const require: any; require('b')", true),
    ("declare function require(a: string): any; require('b')", true),
    ("(require as any)('b')", true),
    ("require!('b')", true),
    ("(<any>require)('b')", true),
    ("enum A { B = require('c') }", true),
    ("(process as any).getBuiltinModule('fs')", true),
    ("process!.getBuiltinModule('fs')", true),
    ("namespace A { export const b = 1 }", false),
    ("namespace A { export namespace B { export const c = 1 } import d = B.c; export const e = d }", false),
    ("namespace A { const require = (a: string) => a; require('b') }", false),
    ("enum require { A } require.A", false),
    ("let a: typeof require", false),
    ("interface A { require(a: string): void }", false),
    ("type A = { import: string }", false),
    ("let a: import('b').C", false),
    ("class A { constructor(private require: any) { require('x') } }", false),
    ("function f(this: any, require: (a: string) => void) { require('x') }", false),
];

#[test]
fn sneaky_spellings_are_denied() {
    for source in DENIED {
        for language in [Language::JavaScript, Language::TypeScript] {
            if language == Language::TypeScript && source.starts_with("with") {
                continue; // TypeScript has no `with`.
            }
            assert!(is_denied(source, language), "{language:?}: {source}");
        }
    }
}

#[test]
fn innocent_code_passes() {
    for source in PASSES {
        for language in [Language::JavaScript, Language::TypeScript] {
            assert!(!is_denied(source, language), "{language:?}: {source}");
        }
    }
}

#[test]
fn typescript_has_spellings_of_its_own() {
    for (source, denied) in TYPED {
        assert_eq!(is_denied(source, Language::TypeScript), *denied, "{source}");
    }
}

#[test]
fn the_position_is_the_first_access() {
    let options = Options { language: Language::JavaScript, implicit_return: true };
    let rejection =
        prepare("let a = 1\nlet b = `${require('x')}` + require('y')", &options).expect_err("it is refused");
    assert_eq!((rejection.line, rejection.column), (Some(2), Some(12)));
    assert_eq!(rejection.message, "code mode module access is disabled.");
}

/// A spelling of the identifier `require`.
fn spelling() -> impl Strategy<Value = String> {
    prop::collection::vec(0..4u8, 7).prop_map(|kinds| {
        "require"
            .chars()
            .zip(kinds)
            .map(|(letter, kind)| match kind {
                0 => format!("\\u{:04x}", letter as u32),
                1 => format!("\\u{{{:x}}}", letter as u32),
                _ => letter.to_string(),
            })
            .collect()
    })
}

/// An expression that reads the value of an expression.
fn wrapped(inner: impl Strategy<Value = String> + 'static) -> impl Strategy<Value = String> {
    let shapes: &[&str] = &[
        "(%)",
        "(0, %)",
        "[%][0]",
        "{ a: % }.a",
        "(() => %)()",
        "`${%}`",
        "!%",
        "(% ?? 1)",
        "(% || 1)",
        "f(%)",
        "(a ? % : b)",
        "new (class { a = % })().a",
        "(function () { return % })()",
        "(async () => await %)()",
        "void %",
        "(b = %)",
        "(%)?.('x')",
        "/* a */ % // b\n",
        "[...%]",
        "{ [%]: 1 }",
        "(({ a = % }) => a)({})",
    ];
    (inner, prop::sample::select(shapes)).prop_map(|(inner, shape)| {
        let shape = if shape.starts_with('{') { format!("({shape})") } else { shape.to_owned() };
        shape.replace('%', &inner)
    })
}

/// Statements an expression can hide in.
const PLACES: &[&str] = &[
    "%",
    "const a1 = %",
    "if (%) {}",
    "for (const a1 of %) {}",
    "for (;%;) {}",
    "while (%) {}",
    "return %",
    "throw %",
    "switch (1) { case %: }",
    "try { % } finally {}",
    "function a1(b = %) {}",
    "class A1 { [%]() {} }",
    "{ { % } }",
    "label: %",
    "do { % } while (0)",
    "let { a1 = % } = {}",
    "class A1 { static { % } }",
];

proptest! {
    #[test]
    fn no_spelling_gets_through(
        name in spelling().prop_recursive(3, 8, 1, |inner| wrapped(inner).boxed()),
        place in prop::sample::select(PLACES),
        decoy in prop::sample::select(&["", "// require\n", "const o1 = { require: 1 };", "(function require() {});", "{ let require; }"][..]),
    ) {
        let source = format!("{decoy}{}", place.replace('%', &name));
        for language in [Language::JavaScript, Language::TypeScript] {
            prop_assert!(is_denied(&source, language), "{language:?}: {source}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(source in "\\PC*") {
        for language in [Language::JavaScript, Language::TypeScript] {
            check_prepared(prepare(&source, &Options { language, implicit_return: true }));
        }
    }

    #[test]
    fn no_mix_of_tokens_makes_it_panic(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..40), seam in "[ \n]?") {
        let source = tokens.join(&seam);
        for language in [Language::JavaScript, Language::TypeScript] {
            // The parser's own debug assertions may fail here; they have to stay inside.
            if let Ok(script) = prepare(&source, &Options { language, implicit_return: true }) {
                check_prepared(Ok(script));
            }
        }
    }
}

/// No panic was caught, and every position is answered.
fn check_prepared(result: Result<Script, Rejection>) {
    match result {
        Ok(script) => {
            for line in 0..4 {
                let _ = script.original_position(line, 7);
            }
        }
        Err(rejection) => assert_ne!(rejection.message, "The parser failed on this program"),
    }
}

const TOKENS: &[&str] = &[
    "a",
    "é",
    "1",
    "'s'",
    "`t`",
    "`${",
    "}`",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "=>",
    "=",
    "?",
    ":",
    ";",
    ",",
    ".",
    "?.",
    "...",
    "!",
    "+",
    "++",
    "-",
    "*",
    "**",
    "/",
    "/r/",
    "&&",
    "??",
    "|",
    "as",
    "satisfies",
    "const",
    "let",
    "var",
    "if",
    "else",
    "for",
    "of",
    "in",
    "while",
    "do",
    "function",
    "async",
    "await",
    "yield",
    "class",
    "extends",
    "static",
    "get",
    "new",
    "return",
    "throw",
    "try",
    "catch",
    "switch",
    "case",
    "type",
    "interface",
    "enum",
    "namespace",
    "declare",
    "abstract",
    "readonly",
    "private",
    "keyof",
    "infer",
    "is",
    "asserts",
    "this",
    "super",
    "import",
    "export",
    "\n",
    "//c\n",
    "/*c*/",
    "<!--",
    "-->",
    "#",
    "@",
    "\\u0061",
    "😀",
    "\u{2028}",
    "```",
    "#!",
    "using",
    "accessor",
    "unique",
    "never",
];
