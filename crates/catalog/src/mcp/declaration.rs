//! The `.d.ts` texts of the `MCP` namespace.

use std::fmt::Write as _;

use super::{Kind, McpNamespace, Server, Tool};
use crate::dts::{self, Detail, Signature};
use crate::types::quote;

const RESULT_TYPE: &str = "\
type McpToolResult = {
  content?: unknown[];
  structuredContent?: unknown;
  isError?: boolean;
  [key: string]: unknown;
};
";

const HEADER_TYPE: &str = "\
type McpApiHeader = {
  kind: \"mcp_api\";
  scope: \"root\" | \"server\" | \"tool\";
  header: string;
  [key: string]: unknown;
};
";

/// The overview: which servers there are and where their declarations are.
pub(crate) fn index(namespace: &McpNamespace) -> String {
    let mut out = String::from("// MCP servers of this run. API.read the file of a server for its tools.\n");
    for server in &namespace.servers {
        let count = server.tools.len();
        let plural = if count == 1 { "" } else { "s" };
        // Writing to a String cannot fail, here and below.
        let _ = writeln!(
            out,
            "//   MCP.{}: {count} tool{plural} of server {}, declared in {}",
            server.identifier,
            quote(&server.name),
            server.path()
        );
    }
    out.push('\n');
    out.push_str(HEADER_TYPE);
    out.push_str("\ndeclare namespace MCP {\n");
    out.push_str("  /** The servers and this header. */\n  function $api(): Promise<McpApiHeader>;\n}\n");
    out
}

/// Bytes of a server's file up to which it is told in full, and then in brief; beyond that it is an outline.
const ENOUGH_BYTES: usize = 48 * 1024;

/// Everything a server offers. Large servers are told in less detail, so that a program can still print the file within
/// its output limit; every tool and parameter is named all the same.
pub(super) fn server(server: &Server) -> String {
    [Detail::Full, Detail::Brief]
        .into_iter()
        .map(|detail| server_in(server, detail))
        .find(|text| text.len() <= ENOUGH_BYTES)
        .unwrap_or_else(|| server_in(server, Detail::Outline))
}

fn server_in(server: &Server, detail: Detail) -> String {
    let mut out = format!("{RESULT_TYPE}\n{HEADER_TYPE}\n");
    let _ = writeln!(out, "// Server {}. Each function takes one object.", quote(&server.name));
    if detail != Detail::Full {
        let _ = writeln!(
            out,
            "// Shortened: await MCP.{}.$api(\"<tool>\") gives one tool in full.",
            server.identifier
        );
    }
    let _ = writeln!(out, "declare namespace MCP.{} {{", server.identifier);
    out.push_str("  /** Return this header, or that of one tool; with schema also the JSON Schemas. */\n");
    out.push_str(
        "  function $api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;\n",
    );
    for tool in server.tools.iter().filter(|tool| tool.kind == Kind::Tool) {
        out.push('\n');
        out.push_str(&function(tool, "  ", detail));
    }
    for group in ["resources", "prompts"].into_iter().filter(|group| server.has(group)) {
        let _ = writeln!(out, "\n  namespace {group} {{");
        let members = server.tools.iter().filter(|tool| tool.kind.parts().is_some_and(|(of, _)| of == group));
        let members: Vec<String> = members.map(|tool| function(tool, "    ", detail)).collect();
        out.push_str(&members.join("\n"));
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// One tool alone.
pub(super) fn single(server: &Server, tool: &Tool) -> String {
    let inner = match tool.kind.parts() {
        None => function(tool, "  ", Detail::Full),
        Some((group, _)) => format!("  namespace {group} {{\n{}  }}\n", function(tool, "    ", Detail::Full)),
    };
    format!("{RESULT_TYPE}\ndeclare namespace MCP.{} {{\n{inner}}}\n", server.identifier)
}

fn function(tool: &Tool, indent: &str, detail: Detail) -> String {
    let Signature { doc, mut call } = dts::signature(&tool.entry, "McpToolResult", indent, detail);
    if tool.entry.parameters.is_none() {
        call = match tool.kind {
            Kind::Tool => call,
            Kind::ResourcesList | Kind::PromptsList => {
                "(input?: { cursor?: string }): Promise<McpToolResult>".into()
            }
            Kind::ResourcesRead => "(input: { uri: string }): Promise<McpToolResult>".into(),
            Kind::PromptsGet => {
                "(input: { name: string; arguments?: Record<string, string> }): Promise<McpToolResult>".into()
            }
        };
    }
    format!("{doc}{indent}function {}{call};\n", tool.identifier)
}
