//! Deep, long and ambiguous sources: refused or prepared, never an overflow, never a long wait.

use std::time::{Duration, Instant};

use code_mode_transpile::{
    Language, MAX_BRACKETS, MAX_OPERATORS, Options, REQUIRED_STACK_BYTES, Rejection, RejectionKind, Script,
    prepare,
};

/// Runs on half the stack that the crate asks its callers for, although tests are less optimised.
fn on_required_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(REQUIRED_STACK_BYTES / 2)
        .spawn(run)
        .expect("a thread starts")
        .join()
        .expect("no test panics")
}

fn attempt(source: &str, language: Language) -> Result<Script, Rejection> {
    prepare(source, &Options { language, implicit_return: true })
}

/// `(name, opening, middle, closing)`, the outer two repeated.
const NESTED: &[(&str, &str, &str, &str)] = &[
    ("parentheses", "(", "1", ")"),
    ("open parentheses", "(", "", ""),
    ("closing parentheses", "", "1", ")"),
    ("brackets", "[", "1", "]"),
    ("open brackets", "[", "", ""),
    ("blocks", "{", "", "}"),
    ("open blocks", "{", "", ""),
    ("objects", "({a:", "1", "})"),
    ("object patterns", "({a:", "b", "}=1)"),
    ("shorthand patterns", "({a=", "b", "}=1)"),
    ("array patterns", "[", "a", "]=1"),
    ("let patterns", "[", "a", "]=1;let q"),
    ("not", "!", "1", ""),
    ("minus", "- ", "1", ""),
    ("tilde", "~", "1", ""),
    ("increments", "++ ", "a", ""),
    ("typeof", "typeof ", "1", ""),
    ("void", "void ", "1", ""),
    ("delete", "delete ", "1", ""),
    ("await", "await ", "1", ""),
    ("new", "new ", "a", ""),
    ("new with arguments", "new ", "a", "()"),
    ("spread", "f(...", "a", ")"),
    ("sum", "a+", "a", ""),
    ("sum of strings", "'a'+", "a", ""),
    ("sum of templates", "`a`+", "a", ""),
    ("power", "a**", "a", ""),
    ("nullish", "a??", "a", ""),
    ("and", "a&&", "a", ""),
    ("comma", "a,", "a", ""),
    ("less", "a<", "b", ""),
    ("greater", "a>", "b", ""),
    ("less and comma", "a<b,", "b", ""),
    ("assignment", "a=", "1", ""),
    ("ternary", "a?b:", "c", ""),
    ("ternary in the middle", "a?", "b", ":c"),
    ("ternary arrows", "a?(b):c=>", "1", ""),
    ("ternary arrows in parentheses", "(a?(b):c=>", "1", ")"),
    ("arrows", "a=>", "1", ""),
    ("arrows in parentheses", "(a)=>", "1", ""),
    ("arrows with blocks", "(a)=>{", "1", "}"),
    ("arrow defaults", "(a=", "1", ")=>1"),
    ("async arrows", "async a=>", "1", ""),
    ("async calls", "async(", "1", ")"),
    ("members", "a.", "a", ""),
    ("optional members", "a?.", "a", ""),
    ("index", "a[", "0", "]"),
    ("indexes", "", "a", "[0]"),
    ("calls", "", "a", "()"),
    ("calls of members", "", "a", ".b()"),
    ("optional calls", "", "a", "?.()"),
    ("tagged templates", "", "a", "`b`"),
    ("tagged templates with holes", "", "a", "`${b}`"),
    ("templates", "`${", "1", "}`"),
    ("open templates", "`${", "", ""),
    ("functions", "(function(){", "", "})"),
    ("function defaults", "function f(a=", "1", "){}"),
    ("classes", "class A extends ", "B", "{}"),
    ("class bodies", "class A{a=", "1", "}"),
    ("class methods", "(class{a(){", "1", "}})"),
    ("class keys", "(class{[", "1", "]=1})"),
    ("static blocks", "(class{static{", "1", "}})"),
    ("getters", "({get a(){return ", "1", "}})"),
    ("if", "if(a)", ";", ""),
    ("if on lines", "if(a)\n", ";", ""),
    ("else if", "if(a){}else ", ";", ""),
    ("else if without braces", "if(a)b;else ", ";", ""),
    ("if in else", "if(a);else ", ";", ""),
    ("while", "while(a)", ";", ""),
    ("for", "for(;;)", ";", ""),
    ("for of", "for(a of b)", ";", ""),
    ("for await", "for await(a of b)", ";", ""),
    ("for heads", "for(", "a", ";;);"),
    ("with", "with(a)", ";", ""),
    ("do", "do ", ";", "while(a)"),
    ("do in blocks", "do{", ";", "}while(a)"),
    ("labels", "a:", ";", ""),
    ("distinct labels", "a$:", ";", ""),
    ("try", "try{", "", "}finally{}"),
    ("switch", "switch(a){case 1:", "", "}"),
    ("cases", "case 1:", "", ""),
    ("statements", "a;", "", ""),
    ("lines", "a\n", "", ""),
    ("lines of calls", "a(b)\n", "", ""),
    ("lines of awaits", "await a(b)\n", "", ""),
    ("ifs one after the other", "if(a){b}else{c}\n", "", ""),
    ("comments", "/*", "", "*/"),
    ("line comments", "//\n", "", ""),
    ("html comments", "<!--(\n", "", ""),
    ("regexes", "/[(]/;", "", ""),
    ("regexes after blocks", "{}/(/;", "", ""),
    ("divisions after braces", "x={}/(", "", ")/1;"),
    ("regex or division", "f=function(){}/(", "", ")/1;"),
    ("regex or division on lines", "f=function(){}\n/(/\n", "", ""),
    ("jsx", "<a>", "", "</a>"),
    ("jsx fragments", "<>", "", "</>"),
    ("imports", "import(", "1", ")"),
    ("yield", "yield ", "1", ""),
    ("in", "a in ", "b", ""),
    ("decorators", "@a ", "class A{}", ""),
    ("decorated classes", "@(class{", "", "})"),
    ("quotes", "'", "", ""),
    ("backslashes", "\\", "", ""),
    ("backticks", "`", "", ""),
    ("hash", "#", "", ""),
    ("unicode escapes", "\\u{61}.", "a", ""),
    ("exclamation behind", "", "a", "!"),
    ("as", "", "a", " as a"),
    ("as const", "", "a", " as const"),
    ("satisfies", "", "a", " satisfies a"),
    ("assertions", "<a>", "b", ""),
    ("assertions in parentheses", "<a>(", "b", ")"),
    ("generic arrows", "<a,>(b)=>", "b", ""),
    ("type arguments", "a<", "b", ">"),
    ("open type arguments", "f(a<", "", ""),
    ("type arguments of calls", "a<b>(", "c", ")"),
    ("type arguments and comma", "let x:A<B,", "C", ">"),
    ("types in arguments", "let x:A<", "C", ">"),
    ("type parentheses", "let x:(", "a", ")"),
    ("array types", "let x:a", "", "[]"),
    ("indexed types", "let x:a[", "b", "]"),
    ("function types", "let x:(a:", "b", ")=>c"),
    ("function types behind", "type x=()=>", "b", ";"),
    ("constructor types", "type x=new()=>", "b", ";"),
    ("object types", "let x:{a:", "b", "}"),
    ("mapped types", "let x:{[k in ", "b", "]:1}"),
    ("tuples", "let x:[", "a", "]"),
    ("template types", "let x:`${", "a", "}`"),
    ("conditional types", "type x=a extends b?c:", "d", ""),
    ("keyof", "let x:keyof ", "a", ""),
    ("readonly", "let x:readonly ", "a", ""),
    ("infer", "type x=a extends infer b extends ", "c", "?d:e"),
    ("unions", "let x:a|", "b", ""),
    ("typeof types", "let x:typeof a<", "b", ">"),
    ("qualified types", "let x:a.", "b", ""),
    ("import types", "let x:import('a').", "b", ""),
    ("type parameters", "function f<a extends ", "b", ">(){}"),
    ("namespaces", "namespace a{", "", "}"),
    ("dotted namespaces", "namespace a.", "b", "{}"),
    ("abstract", "abstract ", "class A{}", ""),
    ("declare", "declare ", "let a", ""),
    ("predicates", "function f():a is ", "b", "{}"),
    ("non-ascii", "é.", "é", ""),
    ("line separators", "(\u{2028}", "1", ")"),
];

fn source(case: &(&str, &str, &str, &str), times: usize) -> String {
    let (_, open, middle, close) = case;
    format!("{}{middle}{}", open.repeat(times), close.repeat(times))
}

/// Several frames of context around the repeated part, so that a limit cannot be dodged by a prefix.
fn variants(text: &str) -> [String; 4] {
    [
        text.to_owned(),
        format!("const x = {text}"),
        format!("let x: {text}; return 1"),
        format!("function* f() {{ {text} }}\nf(() => {text})"),
    ]
}

#[test]
fn a_hundred_thousand_of_anything() {
    on_required_stack(|| {
        for language in [Language::JavaScript, Language::TypeScript] {
            for case in NESTED {
                for text in variants(&source(case, 100_000)) {
                    let start = Instant::now();
                    let _ = attempt(&text, language);
                    let took = start.elapsed();
                    assert!(took < Duration::from_secs(5), "{language:?} {}: {took:?}", case.0);
                }
            }
        }
    });
}

/// Just within the limits, where the most recursion is allowed.
#[test]
fn everything_that_is_not_refused_fits_the_stack() {
    on_required_stack(|| {
        for language in [Language::JavaScript, Language::TypeScript] {
            for case in NESTED {
                for times in [16, 250, MAX_BRACKETS - 3, 990, MAX_OPERATORS - 10] {
                    for text in variants(&source(case, times)) {
                        let start = Instant::now();
                        let _ = attempt(&text, language);
                        let took = start.elapsed();
                        assert!(took < Duration::from_secs(2), "{language:?} {} {times}: {took:?}", case.0);
                    }
                }
            }
        }
    });
}

/// Two kinds of nesting in one another: limits must hold for the sum.
#[test]
fn pairs_of_nesting_fit_the_stack() {
    nest_pairs(41, 40);
}

/// Minutes long.
#[test]
#[ignore = "slow"]
fn all_pairs_of_nesting_fit_the_stack() {
    nest_pairs(1, 120);
}

fn nest_pairs(every: usize, deep: usize) {
    on_required_stack(move || {
        for language in [Language::JavaScript, Language::TypeScript] {
            for outer in NESTED {
                for inner in NESTED.iter().step_by(every) {
                    let pair = format!("{}{}", outer.1, inner.1);
                    let end = format!("{}{}", inner.3, outer.3);
                    for times in [12, deep] {
                        let text = format!("{}{}{}", pair.repeat(times), inner.2, end.repeat(times));
                        let start = Instant::now();
                        let _ = attempt(&text, language);
                        let took = start.elapsed();
                        assert!(
                            took < Duration::from_secs(2),
                            "{language:?} {} in {} {times}: {took:?}",
                            inner.0,
                            outer.0
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn the_limit_is_named() {
    on_required_stack(|| {
        let brackets =
            attempt(&"(".repeat(MAX_BRACKETS + 1), Language::JavaScript).expect_err("it is refused");
        assert_eq!(brackets.kind, RejectionKind::TooDeep);
        assert_eq!(brackets.message, "code is nested too deeply: more than 512 levels of brackets");
        let operators =
            attempt(&"!".repeat(MAX_OPERATORS + 1), Language::JavaScript).expect_err("it is refused");
        assert_eq!(operators.kind, RejectionKind::TooDeep);
        assert_eq!(operators.message, "code is nested too deeply: more than 2000 operators in one statement");
    });
}

#[test]
fn long_but_flat_programs_are_prepared() {
    on_required_stack(|| {
        let flat = [
            "let a = 1;\n".repeat(20_000),
            "foo(a, b)\n".repeat(20_000),
            "await foo(a, b)\n".repeat(20_000),
            "x++\n".repeat(20_000),
            "if (a) { b } else { c }\n".repeat(20_000),
            "if (a) { b() }\n".repeat(20_000),
            "function f() { return 1 }\n".repeat(20_000),
            format!("switch (a) {{ {} }}", "case 1: b(); break;\n".repeat(20_000)),
            format!("return [{}]", "{a: 1, b: [2]},\n".repeat(20_000)),
            format!("return `{}`", "text ${a + b} and\n".repeat(20_000)),
            format!("return {}1", "'a' +\n".repeat(1500)),
            format!("const q = {{ {} }}", "m() { return 1 },\n".repeat(20_000)),
        ];
        for text in flat {
            for language in [Language::JavaScript, Language::TypeScript] {
                if let Err(rejection) = attempt(&text, language) {
                    panic!("{language:?} {}: {rejection}", &text[..40]);
                }
            }
        }
    });
}

#[test]
fn nesting_within_the_limits_is_prepared() {
    on_required_stack(|| {
        for language in [Language::JavaScript, Language::TypeScript] {
            for text in [
                format!("return {}1{}", "(".repeat(500), ")".repeat(500)),
                format!("return {}1{}", "[".repeat(500), "]".repeat(500)),
                format!("return {}1", "!".repeat(1900)),
                format!("return {}1", "a ? b : ".repeat(900)),
                format!("return a{}", ".then(b => c)".repeat(600)),
                format!("{};", "if (a) { b } else ".repeat(450)),
            ] {
                if let Err(rejection) = attempt(&text, language) {
                    panic!("{language:?} {}: {rejection}", &text[..20]);
                }
            }
        }
    });
}
