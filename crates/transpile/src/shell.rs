//! Recognises shell commands sent as code, so that the answer can say so.
//!
//! Only text that is no JavaScript, or that is nothing but the name of a command with operands, is ever
//! called shell; everything else gets the parser's own message.

use std::borrow::Cow;

use swc_core::ecma::ast::{BinaryOp, Expr, Stmt, UnaryOp};

use crate::{RejectionKind, diagnostic::Fault, parse::Parsed};

/// Interpreters whose `#!` line stands before JavaScript.
const SCRIPT_INTERPRETERS: [&str; 6] = ["node", "deno", "bun", "tsx", "ts-node", "qjs"];

/// Commands whose name is hardly ever a variable's.
#[rustfmt::skip]
const COMMANDS: [&str; 71] = [
    "apt", "apt-get", "awk", "bash", "brew", "cargo", "cat", "cd", "chmod", "chown", "clear", "cp", "curl",
    "df", "dig", "docker", "du", "echo", "egrep", "env", "gcc", "gh", "git", "grep", "gunzip", "gzip", "kubectl",
    "ln", "ls", "lsof", "make", "mkdir", "mv", "npm", "npx", "pip", "pip3", "pkill", "pnpm", "printf", "ps",
    "pwd", "python", "python3", "rg", "rm", "rmdir", "rsync", "scp", "sed", "sh", "source", "ssh", "sudo",
    "systemctl", "tar", "tee", "touch", "tsc", "uname", "unzip", "wc", "wget", "whoami", "xargs", "yarn",
    "yum", "zip", "zsh", "jq", "pytest",
];

/// Commands whose names are also ordinary words; they need more evidence than their name.
#[rustfmt::skip]
const WORDY_COMMANDS: [&str; 27] = [
    "date", "diff", "exec", "export", "file", "find", "head", "id", "kill", "less", "man", "more", "mount",
    "node", "open", "ping", "read", "set", "sort", "tail", "test", "time", "top", "tree", "type", "unset", "which",
];

/// What the model is told.
const MESSAGE: &str = "This is a shell command, and code must be JavaScript or TypeScript, not a shell command. \
    There is no shell here: write a program that calls a tool, for example \
    `const hits = await tools.search(\"run command\"); return hits`.";

/// The fault for shell text.
pub(crate) fn fault() -> Fault {
    Fault { kind: RejectionKind::ShellText, message: MESSAGE.to_owned(), offset: None }
}

/// Turns the `#!` line of a JavaScript interpreter into a comment of the same length; refuses any other,
/// and a `#` comment, which the parser would take for a private name.
pub(crate) fn without_shebang(body: &str) -> Result<Cow<'_, str>, Fault> {
    let start = body.len() - body.trim_start().len();
    let Some(rest) = body.strip_prefix("#!") else {
        return match body[start..].starts_with('#') {
            true if looks_like_shell(body, start) => Err(fault()),
            true => {
                let message = "Unexpected `#`; a comment begins with `//`";
                Err(Fault::at(RejectionKind::Syntax, message, start))
            }
            false => Ok(Cow::Borrowed(body)),
        };
    };
    let line = rest.lines().next().unwrap_or_default();
    let mut words = line.split(|c: char| c.is_whitespace() || c == '/');
    if words.any(|word| SCRIPT_INTERPRETERS.contains(&word)) {
        Ok(Cow::Owned(format!("//{rest}")))
    } else {
        Err(fault())
    }
}

/// Whether text that is no program looks like a shell command; `offset` is where parsing failed.
pub(crate) fn looks_like_shell(text: &str, offset: usize) -> bool {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let command = line.trim();
        if !command.is_empty() && !command.starts_with('#') {
            // A fault further down is a fault of the program, however its first line looks.
            return offset <= end && is_command_line(command);
        }
        start = end;
    }
    false
}

fn is_command_line(line: &str) -> bool {
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim_start();
    if head == "$" || is_path(head) {
        return true;
    }
    match head {
        "for" => return is_name(rest) && rest.contains(" in ") && rest.contains("; do"),
        "while" | "until" => return rest.contains("; do") || rest.starts_with('['),
        "if" => return rest.starts_with("[ ") || rest.starts_with("[[") || rest.contains("; then"),
        "export" => return assigns(rest),
        _ => {}
    }
    if assigns(head) && is_name(rest) {
        // `FOO=bar command`: a command that begins like one.
        let command = rest.split_whitespace().next().unwrap_or_default();
        return knows(&COMMANDS, command) || knows(&WORDY_COMMANDS, command) || assigns(command);
    }
    if !continues_command(rest) {
        return false;
    }
    let head = head.trim_end_matches(';');
    knows(&COMMANDS, head) || (knows(&WORDY_COMMANDS, head) && has_evidence(rest))
}

fn knows(commands: &[&str], word: &str) -> bool {
    commands.contains(&word)
}

/// `./run.sh`, `../x`, `/usr/bin/env`, `~/x`.
fn is_path(word: &str) -> bool {
    let begins = ["./", "../", "~/"].iter().any(|prefix| word.starts_with(prefix));
    let absolute =
        ["/bin/", "/usr/", "/opt/", "/home/", "/tmp/", "/etc/"].iter().any(|p| word.starts_with(p));
    begins || absolute
}

/// `NAME=…` without blanks, as a shell assigns; `==` and `=>` are JavaScript.
fn assigns(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let named = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    named && !name.is_empty() && !value.starts_with(['=', '>', ' ', '\t'])
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '.')
}

/// Whether what stands behind a command's name may be its operands, and is no JavaScript operator.
fn continues_command(rest: &str) -> bool {
    let operator = ["=", "(", ".", ",", ":", "?", "+", "==", "=>", "%", "^", "!", ")", "]", "}", "{", "["];
    let redirects = [">", "<", "|", "&&", "-", "*", "/", "\"", "'", "$"];
    rest.is_empty()
        || redirects.iter().any(|prefix| rest.starts_with(prefix))
        || rest.starts_with(". ")
        || rest.starts_with("./")
        || rest.starts_with("../")
        || !operator.iter().any(|prefix| rest.starts_with(prefix))
}

/// A flag, a path, a pipe, a variable: what operands of a command look like.
fn has_evidence(rest: &str) -> bool {
    rest.split_whitespace().any(|word| {
        let flag = word
            .strip_prefix('-')
            .is_some_and(|flag| flag.starts_with(|c: char| c == '-' || c.is_alphabetic()));
        let variable = word.starts_with('$');
        let file =
            !word.contains(['(', '"', '\'', '`']) && word.contains(['.', '/']) && !word.ends_with([';', ',']);
        flag || variable || file || matches!(word, "|" | "&&" | ">>" | "2>&1")
    })
}

/// Refuses a program that parses, but is nothing except commands: `ls`, `ls -la`, `cd /tmp && ls`.
pub(crate) fn check_expression(parsed: &Parsed) -> Result<(), Fault> {
    let statements = parsed.statements();
    let commands = !statements.is_empty() && statements.iter().all(is_command_statement);
    if commands { Err(fault()) } else { Ok(()) }
}

/// An expression of names, numbers and operators that begins with the name of a command. A program of only
/// such expressions declares nothing, so running it could only fail on the first name.
fn is_command_statement(statement: &Stmt) -> bool {
    let Stmt::Expr(statement) = statement else { return false };
    let mut expression = &*statement.expr;
    loop {
        match expression {
            Expr::Bin(operation) if is_operand(&operation.right) => expression = &operation.left,
            Expr::Bin(operation) if operation.op == BinaryOp::LogicalAnd => {
                // `cd /tmp && ls -l`: the right side is a command of its own.
                if !is_operand_chain(&operation.right) {
                    return false;
                }
                expression = &operation.left;
            }
            Expr::Ident(name) => return knows(&COMMANDS, &name.sym),
            _ => return false,
        }
    }
}

fn is_operand_chain(expression: &Expr) -> bool {
    let mut expression = expression;
    while let Expr::Bin(operation) = expression {
        if !is_operand(&operation.right) {
            return false;
        }
        expression = &operation.left;
    }
    is_operand(expression)
}

fn is_operand(expression: &Expr) -> bool {
    match expression {
        Expr::Ident(_) => true,
        Expr::Unary(operation) => operation.op == UnaryOp::Minus && matches!(&*operation.arg, Expr::Ident(_)),
        Expr::Update(update) => update.prefix && matches!(&*update.arg, Expr::Ident(_)),
        Expr::Member(member) => member.obj.is_ident() && member.prop.is_ident(),
        _ => false,
    }
}
