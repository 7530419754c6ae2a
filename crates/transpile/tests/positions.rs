//! Positions of the evaluated code lead back to the user's own lines and columns.

use code_mode_transpile::{Language, Options, Script, prepare};

fn script(source: &str, language: Language) -> Script {
    prepare(source, &Options { language, implicit_return: true }).expect("it is prepared")
}

/// Line and byte column of `needle` in the evaluated code, as the VM would report them.
fn evaluated(script: &Script, needle: &str) -> (u32, u32) {
    let at = script.code.find(needle).unwrap_or_else(|| panic!("{needle} in {}", script.code));
    let before = &script.code[..at];
    let number = |count: usize| u32::try_from(count).expect("small");
    let line = number(before.matches('\n').count()) + u32::try_from(script.first_line).expect("not negative");
    (line, number(at - before.rfind('\n').map_or(0, |end| end + 1) + 1))
}

fn original(script: &Script, needle: &str) -> Option<(u32, u32)> {
    let (line, column) = evaluated(script, needle);
    script.original_position(line, column)
}

#[test]
fn columns_survive_the_implicit_return() {
    let script = script("let a = 1\nfoo(a); bar(  \n qux) // end", Language::JavaScript);
    assert_eq!(script.code, "(async function(){\nlet a = 1\nfoo(a); return (bar(  \n qux)) // end\n})");
    assert_eq!(script.first_line, 1);
    assert_eq!(original(&script, "a = 1"), Some((1, 5)));
    assert_eq!(original(&script, "foo"), Some((2, 1)));
    assert_eq!(original(&script, "bar"), Some((2, 9)));
    assert_eq!(original(&script, "return"), Some((2, 9)), "what was inserted stands where the value does");
    assert_eq!(original(&script, "qux"), Some((3, 2)));
    assert_eq!(original(&script, "// end"), Some((3, 7)));
}

#[test]
fn both_insertions_on_one_line() {
    let script = script("x.y + z /* q */", Language::JavaScript);
    assert_eq!(script.code, "(async function(){\nreturn (x.y + z) /* q */\n})");
    for (needle, column) in [("x.y", 1), ("y +", 3), ("z)", 7), (" /*", 8), ("q */", 12)] {
        assert_eq!(original(&script, needle), Some((1, column)), "{needle}");
    }
}

#[test]
fn the_wrapper_is_no_user_code() {
    let script = script("return 1", Language::JavaScript);
    assert_eq!(script.original_position(0, 1), None);
    assert_eq!(script.original_position(1, 1), None);
    assert_eq!(script.original_position(3, 1), None);
    assert_eq!(script.original_position(u32::MAX, 1), None);
    assert_eq!(script.original_position(2, u32::MAX), Some((1, 9)), "past the end of the line: its end");
    assert_eq!(script.original_position(2, 0), Some((1, 1)));
}

#[test]
fn bytes_become_utf16_units() {
    for language in [Language::JavaScript, Language::TypeScript] {
        let script = script("const é = '😀'; throw é", language);
        assert_eq!(original(&script, "throw"), Some((1, 17)));
    }
    let script = script("const é: 'ü😀' = '😀' as any; throw é", Language::TypeScript);
    assert_eq!(original(&script, "throw"), Some((1, 31)));
}

#[test]
fn a_fence_counts() {
    for language in [Language::JavaScript, Language::TypeScript] {
        let script = script("\n```js\nlet a = 1\n  throw a\n```", language);
        assert_eq!(script.first_line, 3);
        assert_eq!(original(&script, "throw"), Some((4, 3)));
    }
}

#[test]
fn printed_code_leads_back() {
    let source = "// comment\nenum E { A, B }\n\n  const x: number = foo(E.B);\n  throw new Error(`${x}`);";
    let first = script(source, Language::TypeScript);
    assert_eq!(original(&first, "foo"), Some((4, 21)));
    assert_eq!(original(&first, "throw"), Some((5, 3)));
    assert_eq!(original(&first, "new Error"), Some((5, 9)));
    assert_eq!(first.original_position(0, 1), None);

    let fenced = script(&format!("```ts\n{source}\n```"), Language::TypeScript);
    assert_eq!(original(&fenced, "throw"), Some((6, 3)));
}

#[test]
fn implicit_return_decides_sensibly() {
    for (source, code) in [
        ("1 + 1", "return (1 + 1)"),
        ("\"use strict\"", "return (\"use strict\")"),
        ("\"use strict\"; 1", "\"use strict\"; return (1)"),
        ("x;;", "return (x);;"),
        ("await f()", "return (await f())"),
        ("a, b", "return (a, b)"),
        ("let a = 1\n;[a].map(f)", "let a = 1\n;return ([a].map(f))"),
        ("do x(); while (y) z", "do x(); while (y) return (z)"),
        ("function f() { return 1 }\nf()", "function f() { return 1 }\nreturn (f())"),
        ("a = { b() { return 1 } }", "return (a = { b() { return 1 } })"),
        ("if (a) { return 1 }\nb", "if (a) { return 1 }\nb"),
        ("for (;;) { try { } catch { return 1 } }\nb", "for (;;) { try { } catch { return 1 } }\nb"),
        ("switch (a) { case 1: return 1 }\nb", "switch (a) { case 1: return 1 }\nb"),
        ("q: do { return 1 } while (a)\nb", "q: do { return 1 } while (a)\nb"),
        ("if (true) { 5 }", "if (true) { 5 }"),
        ("{ a: 1 }", "{ a: 1 }"),
        ("const x = 1", "const x = 1"),
        ("", ""),
        ("// only a comment", "// only a comment"),
    ] {
        for language in [Language::JavaScript, Language::TypeScript] {
            assert_eq!(script(source, language).code, format!("(async function(){{\n{code}\n}})"));
        }
    }
    let off = Options { language: Language::JavaScript, implicit_return: false };
    assert_eq!(prepare("1", &off).expect("it is prepared").code, "(async function(){\n1\n})");
}
