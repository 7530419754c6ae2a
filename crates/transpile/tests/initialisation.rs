//! The TypeScript transform is made at the first TypeScript cell only. A process of its own: it counts.

use code_mode_transpile::{Language, Options, prepare, typescript_initialisations};

#[test]
fn only_typescript_initialises_it() {
    let attempt = |source, language| prepare(source, &Options { language, implicit_return: true }).is_ok();
    assert!(attempt("1", Language::JavaScript));
    assert!(!attempt("let a: number = 1", Language::JavaScript), "the hint does not need the transform");
    assert_eq!(typescript_initialisations(), 0);
    for _ in 0..3 {
        assert!(attempt("let a: number = 1", Language::TypeScript));
        assert!(attempt("enum A { B }", Language::TypeScript));
    }
    assert_eq!(typescript_initialisations(), 1);
}
