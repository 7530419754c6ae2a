//! What the host hands over: one [`ToolSpec`] per effective tool. Plain data; parsing it decides nothing.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A tool as the host describes it. Field names follow the agent tools of the public API (camelCase in JSON).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ToolSpec {
    /// The tool's own name, as the gateway calls it.
    pub name: String,
    /// A short title for people.
    pub label: Option<String>,
    /// What the tool does, in the words of its author. Untrusted text.
    #[serde(deserialize_with = "text_or_null")]
    pub description: String,
    /// JSON Schema of the input.
    pub parameters: Option<Value>,
    /// Where the tool comes from; absent means what the other fields suggest (see `id::Identity`).
    pub source: Option<ToolSource>,
    /// The owner's name: plugin id, MCP server or client.
    pub source_name: Option<String>,
    /// The plugin that registered the tool.
    pub plugin_id: Option<String>,
    /// JSON Schema of the result's `details`.
    pub output_schema: Option<Value>,
    /// `"sequential"` tools run alone, in order.
    pub execution_mode: Option<ExecutionMode>,
    /// A plugin's word that a call has no side effects.
    pub replay_safe: Option<bool>,
    /// Set for tools that stand for an operation of an MCP server.
    pub mcp: Option<McpOrigin>,
    /// The host's handle of the tool object, handed back unchanged.
    pub host_index: u32,
}

/// A tool without a description may say so with `null`.
fn text_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The `source` values a host may give. `Plugin` becomes [`Source::Openclaw`] in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolSource {
    /// A core tool, or a plugin's when an owner is given.
    Openclaw,
    /// A plugin's tool.
    Plugin,
    /// A tool of an MCP server.
    Mcp,
    /// A tool that the calling client offers for this run.
    Client,
}

/// Whether calls of one tool may overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExecutionMode {
    /// Calls may overlap with others.
    Parallel,
    /// Each call runs alone.
    Sequential,
}

/// The MCP server and operation that a tool stands for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct McpOrigin {
    /// The configured name of the server.
    pub server_name: String,
    /// The tool's name on that server.
    pub tool_name: String,
    /// `"tool"` (also when absent), `"resources.list"`, `"resources.read"`, `"prompts.list"` or `"prompts.get"`.
    pub operation: Option<String>,
}

/// The `source` of a catalog entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Core and plugin tools: local, trusted code.
    Openclaw,
    /// Tools of MCP servers: untrusted, reached through the `MCP` global only.
    Mcp,
    /// Tools of the calling client: untrusted.
    Client,
}

impl Source {
    /// The word used in ids and in the guest's entries.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Openclaw => "openclaw",
            Self::Mcp => "mcp",
            Self::Client => "client",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_public_field_names() {
        let spec: ToolSpec = serde_json::from_str(
            r#"{"name":"x","description":"d","source":"plugin","pluginId":"p","outputSchema":{},
                "executionMode":"sequential","replaySafe":true,"hostIndex":3,"unknownField":1,
                "mcp":{"serverName":"s","toolName":"t"}}"#,
        )
        .expect("a complete spec");
        assert_eq!(spec.source, Some(ToolSource::Plugin));
        assert_eq!(spec.execution_mode, Some(ExecutionMode::Sequential));
        assert_eq!((spec.replay_safe, spec.host_index), (Some(true), 3));
        assert_eq!(spec.mcp.map(|origin| origin.server_name).as_deref(), Some("s"));
    }

    #[test]
    fn everything_but_the_name_may_be_missing() {
        let spec: ToolSpec =
            serde_json::from_str(r#"{"name":"x","description":null}"#).expect("a short spec");
        assert_eq!(spec.description, "");
        assert!(spec.parameters.is_none());
    }
}
