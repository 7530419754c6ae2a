//! The shared case files: what is refused, what passes, and as what it passes.

use code_mode_transpile::{Language, Options, RejectionKind, prepare};
use serde_json::Value;

fn cases(text: &str) -> Value {
    serde_json::from_str(text).expect("the case file is JSON")
}

const BOTH: [Language; 2] = [Language::JavaScript, Language::TypeScript];

fn check(file: &Value, kind: RejectionKind, message: &dyn Fn(&str) -> bool) {
    for language in BOTH {
        let options = Options { language, implicit_return: true };
        for source in file["reject"].as_array().expect("a list") {
            let source = source.as_str().expect("a text");
            let rejection = prepare(source, &options).expect_err(source);
            assert_eq!(rejection.kind, kind, "{source}: {rejection}");
            assert!(message(&rejection.message), "{source}: {}", rejection.message);
        }
        for case in file["accept"].as_array().expect("a list") {
            let source = case["code"].as_str().expect("a text");
            if let Err(rejection) = prepare(source, &options) {
                panic!("{source}: {rejection}");
            }
        }
    }
}

#[test]
fn module_access() {
    let file = cases(include_str!("cases/module-access.json"));
    check(&file, RejectionKind::ModuleAccess, &|message| message == "code mode module access is disabled.");
}

#[test]
fn shell_text() {
    let file = cases(include_str!("cases/shell-text.json"));
    check(&file, RejectionKind::ShellText, &|message| {
        message.contains("code must be JavaScript or TypeScript, not a shell command")
    });
}
