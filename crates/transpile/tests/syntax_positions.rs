//! Syntax errors name the user's own line and column.

use code_mode_transpile::{Language, Options, RejectionKind, prepare};

const JAVASCRIPT: &[(&str, (u32, u32))] = &[
    ("let a = ;", (1, 9)),
    ("let a = 1;\nlet b = ;", (2, 9)),
    ("a +* 2", (1, 4)),
    ("foo bar", (1, 5)),
    ("}); evil(); (async function(){", (1, 1)),
    ("let x = 1 }", (1, 11)),
    ("f(1))", (1, 5)),
    ("[1]]", (1, 4)),
    ("if (a { b }", (1, 7)),
    ("for (const x of y { }", (1, 19)),
    ("return \"abc", (1, 8)),
    ("\n\nreturn 'abc", (3, 8)),
    ("await foo(", (1, 11)),
    ("const a = [1, 2", (1, 16)),
    ("if x > 1 { y }", (1, 4)),
    ("let é = 😀;", (1, 9)),
    ("/* é */ let let = 1", (1, 13)),
    ("'😀'; let = = 1", (1, 13)),
    ("'é'; a b", (1, 8)),
    ("'😀'; a b", (1, 9)),
    ("a\r\nb c", (2, 3)),
    ("a\rb c", (2, 3)),
    ("a\u{2028}b c", (2, 3)),
    ("const a", (1, 7)),
    ("({a: 1, b: }).a", (1, 12)),
    ("class A { foo( { } }", (1, 20)),
    ("return a ?? b || c", (1, 8)),
    ("function f() { await 1 }", (1, 22)),
    ("break", (1, 1)),
    ("x = 08n", (1, 7)),
    ("`a ${b", (1, 7)),
    ("/a/gg", (1, 1)),
    ("a => { b c }", (1, 10)),
    ("```js\nlet a = ;\n```", (2, 9)),
    ("\n```js\n\n  a b\n```\n", (4, 5)),
    ("#!/usr/bin/env node\na b", (2, 3)),
];

const TYPESCRIPT: &[(&str, (u32, u32))] = &[
    ("let a: = 1", (1, 8)),
    ("let a: number = ;", (1, 17)),
    ("interface { a: string }", (1, 11)),
    ("interface A { a: }", (1, 18)),
    ("type A = ;", (1, 10)),
    ("type = ", (1, 7)),
    ("enum { A }", (1, 1)),
    ("enum A { 1 + }", (1, 12)),
    ("let a: Array<string = []", (1, 21)),
    ("function f(a: string, b:) {}", (1, 25)),
    ("function f(a?: string = 1 {}", (1, 27)),
    ("class A { private }}", (1, 20)),
    ("class A { constructor(private) { } ", (1, 35)),
    ("const x = y as ;", (1, 16)),
    ("const x = y satisfies", (1, 22)),
    ("let a: number;\nlet b: string = = 2", (2, 17)),
    ("namespace A { let x = }", (1, 23)),
    ("abstract class { abstract foo( }", (1, 16)),
    ("let f = <T>(a: T) = > a", (1, 12)),
    ("let x: {a: number", (1, 18)),
    ("let x: [number", (1, 15)),
    ("let x: (a: number) = 1; let y: (a: ) => b", (1, 20)),
    ("foo<string>(", (1, 13)),
    ("let é: string = ;", (1, 17)),
    ("let a: '😀' = ;", (1, 15)),
    ("type A<T = ", (1, 11)),
    ("type A = { [k in B }", (1, 20)),
    ("declare let", (1, 12)),
    ("@dec class A {}", (1, 1)),
    ("class A {\n  accessor b = 1\n}", (2, 3)),
    ("```ts\nlet a: = 1\n```", (2, 8)),
    ("a!b", (1, 3)),
];

fn check(language: Language, kind: RejectionKind, cases: &[(&str, (u32, u32))]) {
    let mut wrong = Vec::new();
    for (source, position) in cases {
        match prepare(source, &Options { language, implicit_return: true }) {
            Ok(_) => wrong.push(format!("{source:?} was prepared")),
            Err(rejection) => {
                let got = rejection.line.zip(rejection.column);
                if got != Some(*position) || rejection.kind != kind {
                    wrong.push(format!("{source:?} wants {position:?}: {:?} {rejection}", rejection.kind));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn javascript() {
    check(Language::JavaScript, RejectionKind::Syntax, JAVASCRIPT);
}

#[test]
fn typescript() {
    check(Language::TypeScript, RejectionKind::TypeScript, TYPESCRIPT);
}

#[test]
fn javascript_that_is_typescript_says_so() {
    let options = Options { language: Language::JavaScript, implicit_return: true };
    for source in ["const x: number = 1\nreturn x", "interface A { b: string }", "return x as number"] {
        let rejection = prepare(source, &options).expect_err("it is refused");
        let hint = "; this is TypeScript: set language to \"typescript\"";
        assert!(rejection.message.ends_with(hint), "{source}: {}", rejection.message);
    }
    let rejection = prepare("let a = ;", &options).expect_err("it is refused");
    assert_eq!(rejection.message, "Expression expected");
    assert_eq!(
        rejection.to_string(),
        "SyntaxError: Expression expected (line 1, column 9)\n1 | let a = ;\n  |         ^"
    );
}
