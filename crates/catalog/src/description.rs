//! What the model reads about `exec` and `wait`. Bounded, and byte-identical for equal input.

use std::fmt::Write as _;

use crate::catalog::Catalog;
use crate::quick_index::utf16_length;

/// UTF-16 units of all namespaces together.
const NAMESPACES_LENGTH: usize = 8_000;
/// Characters of a namespace's description.
const NAMESPACE_DESCRIPTION_CHARS: usize = 400;
/// Characters of a namespace's prompt.
const NAMESPACE_PROMPT_CHARS: usize = 3_000;
/// UTF-16 units of the list of MCP servers.
const SERVERS_LENGTH: usize = 1_000;

/// What `exec`'s description depends on beside the catalog.
#[derive(Debug, Clone, Copy)]
pub struct ExecDescriptionInput<'a> {
    /// Wall clock of one `exec` or `wait`, in milliseconds.
    pub timeout_ms: u64,
    /// Guest heap, in bytes.
    pub memory_limit_bytes: u64,
    /// Output of one cell, in bytes.
    pub max_output_bytes: u64,
    /// Nested calls in flight at once.
    pub max_pending_tool_calls: u64,
    /// How long a suspended cell is kept, in seconds.
    pub snapshot_ttl_seconds: u64,
    /// Results of a search without a limit.
    pub search_default_limit: u64,
    /// Most results of a search.
    pub max_search_limit: u64,
    /// The languages the run accepts: "javascript", "typescript" or both.
    pub languages: &'a [&'a str],
    /// Whether a trailing expression is the value.
    pub implicit_return: bool,
    /// Visible plugin namespaces: global name, description, prompt.
    pub namespaces: &'a [(&'a str, &'a str, Option<&'a str>)],
    /// Whether the swarm globals exist.
    pub swarm: bool,
}

/// The description of `exec`: at most about 24,000 characters.
pub fn exec_description(catalog: &Catalog, input: &ExecDescriptionInput<'_>) -> String {
    let mut out = String::with_capacity(16 * 1024);
    introduction(&mut out, input);
    finding(&mut out, input);
    calling(&mut out, input);
    giving(&mut out, input);
    mcp(&mut out, catalog);
    namespaces(&mut out, input.namespaces);
    if input.swarm {
        out.push_str(SWARM);
    }
    let index = catalog.quick_index();
    if !index.is_empty() {
        out.push_str(INDEX);
        out.push_str(index);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The description of `wait`.
pub fn wait_description() -> &'static str {
    "Continue an exec whose result had status \"waiting\". Pass the runId of that result (it begins with cm_). \
     It waits for the pending tool calls, lets the program go on, and returns the same kind of result as exec: \
     \"completed\", \"failed\", or again \"waiting\" with the runId to pass next. A runId is gone when its program has \
     gone on or ended, or has been left waiting for too long."
}

const SWARM: &str = "
## Agents
- await agents.run(prompt, { label?, model?, thinking?, fastMode?, agentId?, schema?, phase? }): start an agent and wait for \
its answer; with a JSON Schema in schema the answer is structured, else text. A failure throws a SwarmAgentError with runId \
and status. Start several with Promise.all.
- phase(title) and log(message) leave notes for people. Types: API.read(\"agents.d.ts\").content.
";

const INDEX: &str = "
## Tools
Each line: the exact id, its input, ->, and the value tools.callValue(id, input) gives. `-> ?` means the shape is not \
declared: return such a value unchanged first and look at it, do not guess its fields.
";

fn introduction(out: &mut String, input: &ExecDescriptionInput<'_>) {
    let language = match input.languages {
        ["javascript"] => "JavaScript",
        ["typescript"] => "TypeScript",
        _ => "JavaScript or TypeScript",
    };
    let value = if input.implicit_return {
        "Its value is what it returns, or without a top-level return the value of its last expression statement."
    } else {
        "Its value is what it returns."
    };
    put(
        out,
        format_args!(
            "Run a {language} program that finds and calls your tools. Tools that you do not see directly are reached \
             from inside such a program, so do all steps of a task that you can foresee in one program: call tools, \
             loop, filter, combine.\n\n\
             The program is the body of an async function in an isolated VM; await and return work at top level. {value} \
             There is no import, export, require, fetch, process or file access: only tools reach the outside. Send \
             code, never shell commands.\n"
        ),
    );
}

fn finding(out: &mut String, input: &ExecDescriptionInput<'_>) {
    put(
        out,
        format_args!(
            "\n## Finding tools\n\
             - ALL_TOOLS: array of {{ id, name, label?, description, source, sourceName?, input, output? }}.\n\
             - await tools.search(query, {{ limit? }}): the best matches as such entries (default {}, at most {}).\n\
             - await tools.describe(id): the entry with its JSON Schemas, parameters and, where declared, outputSchema.\n\
             - API.read(path).content: TypeScript declarations, such as \"tools/<name>.d.ts\"; \
             API.list(prefix?).files: all of them.\n",
            input.search_default_limit, input.max_search_limit
        ),
    );
}

fn calling(out: &mut String, input: &ExecDescriptionInput<'_>) {
    put(
        out,
        format_args!(
            "\n## Calling tools\n\
             - await tools.callValue(id, input), or await tools.<name>(input) where the name is unambiguous: the tool's \
             structured value, or its whole result when it has none.\n\
             - await tools.call(id, input): {{ tool, result }} with the result's content blocks.\n\
             - A failed call rejects with an Error (message, code?, details?) that the program can catch.\n\
             - Calls run in parallel with Promise.all; at most {} are in flight and 128 more wait; await larger lists in batches.\n",
            input.max_pending_tool_calls
        ),
    );
}

fn giving(out: &mut String, input: &ExecDescriptionInput<'_>) {
    put(
        out,
        format_args!(
            "\n## Results and limits\n\
             - Return JSON-compatible data. text(value) and console.log add text to the output, json(value) adds data. \
             Output and value together: at most {} bytes, so filter and shorten in the program.\n\
             - Status \"completed\" has the value, \"failed\" an error and code. \"waiting\" means that calls are still \
             open after {} ms, or that the program called await yield_control(reason?): pass its runId to wait within \
             {} seconds. Calls that settle in time need no wait.\n\
             - Memory: {} bytes. Variables do not last from one exec to the next.\n\
             - restartSafe: true allows only search, describe and read-only tools called by exact id.\n",
            input.max_output_bytes, input.timeout_ms, input.snapshot_ttl_seconds, input.memory_limit_bytes
        ),
    );
}

fn mcp(out: &mut String, catalog: &Catalog) {
    let Some(namespace) = catalog.mcp() else { return };
    let mut listed = String::new();
    let mut left_out = 0_usize;
    for server in &namespace.servers {
        if utf16_length(&listed) + utf16_length(&server.identifier) + 2 > SERVERS_LENGTH {
            left_out += 1;
            continue;
        }
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(&server.identifier);
    }
    if left_out > 0 {
        put(&mut listed, format_args!(" and {left_out} more in mcp/index.d.ts"));
    }
    put(
        out,
        format_args!(
            "\n## MCP\n\
             - await MCP.<server>.<tool>({{ ... }}) takes one object and gives the whole result; also \
             MCP.<server>.resources and .prompts where the server has them. These tools are not in ALL_TOOLS or tools.*.\n\
             - Read the declarations first: API.read(\"mcp/<server>.d.ts\").content, or await MCP.<server>.$api(tool?, {{ schema? }}).\n\
             - Servers: {listed}.\n"
        ),
    );
}

/// Namespaces that do not fit are left out whole, with a line that says so.
fn namespaces(out: &mut String, namespaces: &[(&str, &str, Option<&str>)]) {
    if namespaces.is_empty() {
        return;
    }
    out.push_str("\n## Namespaces\n");
    let mut room = NAMESPACES_LENGTH;
    let mut left_out = 0_usize;
    for (name, description, prompt) in namespaces {
        let mut text =
            format!("- {name}: {}\n", tidy(description, NAMESPACE_DESCRIPTION_CHARS).replace('\n', " "));
        if let Some(prompt) = prompt.filter(|prompt| !prompt.trim().is_empty()) {
            for line in tidy(prompt, NAMESPACE_PROMPT_CHARS).lines() {
                put(&mut text, format_args!("  {line}\n"));
            }
        }
        let length = utf16_length(&text);
        if length > room {
            left_out += 1;
            continue;
        }
        room -= length;
        out.push_str(&text);
    }
    if left_out > 0 {
        put(out, format_args!("- {left_out} more in the object `namespaces`.\n"));
    }
}

/// Trimmed, without control characters but line breaks, and cut on a character.
fn tidy(text: &str, most: usize) -> String {
    let mut shown = text.trim().chars().filter(|char| !char.is_control() || *char == '\n');
    let mut out: String = shown.clone().take(most).collect();
    if shown.nth(most).is_some() {
        out.push('…');
    }
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(text);
}
