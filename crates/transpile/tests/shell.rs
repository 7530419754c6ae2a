//! What is called shell, and what is not although it looks like it.

use code_mode_transpile::{Language, Options, Rejection, RejectionKind, Script, prepare};

fn attempt(source: &str) -> Result<Script, Rejection> {
    prepare(source, &Options { language: Language::JavaScript, implicit_return: true })
}

#[test]
fn commands_are_shell() {
    for source in [
        "ls",
        "ls -l",
        "pwd",
        "ls /tmp",
        "rm -rf node_modules",
        "cd src && npm test",
        "npm run build",
        "curl -s https://a.b/c | jq .",
        "echo hello world",
        "node index.js",
        "$ ls",
        "find . -name '*.ts'",
        "grep -rn foo src/",
        "sed -i 's/a/b/' x",
        "./run.sh",
        "/usr/bin/env node",
        "~/bin/x --y",
        "if [ -f x ]; then echo y; fi",
        "while true; do sleep 1; done",
        "set -euo pipefail\nls",
        "# list\nls -la",
        "```bash\nls -la\n```",
        "#!/bin/bash\nls",
        "#!/usr/bin/env python3\nprint(1)",
        "A=1 B=2 make all",
        "export A=b",
        "pip install x",
        "docker run -it x",
        "git commit -m 'x'",
    ] {
        let rejection = attempt(source).expect_err(source);
        assert_eq!(rejection.kind, RejectionKind::ShellText, "{source}: {rejection}");
        assert!(rejection.message.contains("JavaScript or TypeScript, not a shell command"), "{source}");
    }
}

#[test]
fn typing_errors_are_not_shell() {
    for source in [
        "file name = 3",
        "test('a', () => {",
        "git = await tools.git({a: 1}",
        "echo = foo bar",
        "find(x",
        "cat.name x",
        "sort [1, 2",
        "let ls = ;",
        "const x = 1\nls -la x",
        "for (const x of y { }",
        "if x > 1 { y }",
        "time = now x",
        "# a comment\nlet a = 1",
        "export_ = 1 2",
        "date: 1 2",
        "open file",
        "less than",
        "node value = 1",
    ] {
        let rejection = attempt(source).expect_err(source);
        assert_eq!(rejection.kind, RejectionKind::Syntax, "{source}: {rejection}");
    }
}

#[test]
fn programs_are_not_shell() {
    for source in [
        "const ls = 1; ls",
        "text",
        "json",
        "tools",
        "date - 1",
        "echo`x`",
        "git.status",
        "ls()",
        "(ls)",
        "ls; return 1",
        "ls = 4",
        "#!/usr/bin/env node\nreturn 1",
        "#!/usr/bin/node\n1",
        "a - b",
        "cat > 1 ? 2 : 3",
        "[ls]",
        "ls + 1",
        "await ls",
    ] {
        if let Err(rejection) = attempt(source) {
            panic!("{source}: {rejection}");
        }
    }
}
