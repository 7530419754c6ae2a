//! Catalog ids: `<source>:<owner>:<tool name>`, and who owns a tool.

use crate::tool::{Source, ToolSource, ToolSpec};

/// The owner part of a core tool's id.
pub const CORE_OWNER: &str = "core";

/// Who a tool belongs to, decided from what the host said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) source: Source,
    /// `None` for core tools.
    pub(crate) owner: Option<String>,
}

impl Identity {
    /// MCP origin outranks the stated source, so that an untrusted tool never passes as a trusted one.
    pub(crate) fn of(spec: &ToolSpec) -> Self {
        if let Some(mcp) = &spec.mcp {
            let owner = given(Some(&mcp.server_name)).or_else(|| given(spec.source_name.as_ref()));
            return Self { source: Source::Mcp, owner: Some(owner.unwrap_or_else(|| "mcp".to_owned())) };
        }
        let owner = given(spec.plugin_id.as_ref()).or_else(|| given(spec.source_name.as_ref()));
        match spec.source {
            Some(ToolSource::Client) => Self::client(spec),
            Some(ToolSource::Mcp) => {
                Self { source: Source::Mcp, owner: Some(owner.unwrap_or_else(|| "mcp".to_owned())) }
            }
            // A plugin that does not say its name must not end up among the core tools.
            Some(ToolSource::Plugin) => {
                Self { source: Source::Openclaw, owner: Some(owner.unwrap_or_else(|| "plugin".to_owned())) }
            }
            Some(ToolSource::Openclaw) | None => Self { source: Source::Openclaw, owner },
        }
    }

    pub(crate) fn client(spec: &ToolSpec) -> Self {
        let owner = given(spec.source_name.as_ref()).unwrap_or_else(|| "client".to_owned());
        Self { source: Source::Client, owner: Some(owner) }
    }

    pub(crate) fn plugin(id: &str) -> Self {
        Self { source: Source::Openclaw, owner: Some(id.to_owned()) }
    }

    pub(crate) fn is_core(&self) -> bool {
        self.source == Source::Openclaw && self.owner.is_none()
    }

    pub(crate) fn id(&self, name: &str) -> String {
        let owner = escape_owner(self.owner.as_deref().unwrap_or(CORE_OWNER));
        format!("{}:{owner}:{name}", self.source.as_str())
    }
}

fn given(text: Option<&String>) -> Option<String> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A colon in an owner would let server `a` with tool `b:c` pose as server `a:b` with tool `c`.
fn escape_owner(owner: &str) -> String {
    if owner.contains([':', '%']) { owner.replace('%', "%25").replace(':', "%3A") } else { owner.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::McpOrigin;

    fn id(spec: &ToolSpec) -> String {
        Identity::of(spec).id(&spec.name)
    }

    fn tool(name: &str) -> ToolSpec {
        ToolSpec { name: name.to_owned(), ..ToolSpec::default() }
    }

    #[test]
    fn names_source_and_owner() {
        assert_eq!(id(&tool("read")), "openclaw:core:read");
        assert_eq!(id(&ToolSpec { plugin_id: Some("git".into()), ..tool("x") }), "openclaw:git:x");
        let plugin =
            ToolSpec { source: Some(ToolSource::Plugin), source_name: Some("git".into()), ..tool("x") };
        assert_eq!(id(&plugin), "openclaw:git:x");
        let client = ToolSpec { source: Some(ToolSource::Client), ..tool("x") };
        assert_eq!(id(&client), "client:client:x");
        let mcp = ToolSpec { source: Some(ToolSource::Mcp), source_name: Some("gh".into()), ..tool("x") };
        assert_eq!(id(&mcp), "mcp:gh:x");
    }

    #[test]
    fn mcp_origin_cannot_pose_as_core() {
        let origin = McpOrigin { server_name: "evil".into(), tool_name: "read".into(), operation: None };
        let spec = ToolSpec { source: Some(ToolSource::Openclaw), mcp: Some(origin), ..tool("read") };
        assert_eq!(id(&spec), "mcp:evil:read");
    }

    #[test]
    fn a_nameless_plugin_is_not_core() {
        let spec = ToolSpec { source: Some(ToolSource::Plugin), ..tool("read") };
        assert!(!Identity::of(&spec).is_core());
        assert_eq!(id(&spec), "openclaw:plugin:read");
    }

    #[test]
    fn owners_with_colons_cannot_collide() {
        let first = ToolSpec { plugin_id: Some("a:b".into()), ..tool("c") };
        let second = ToolSpec { plugin_id: Some("a".into()), ..tool("b:c") };
        assert_eq!(id(&first), "openclaw:a%3Ab:c");
        assert_ne!(id(&first), id(&second));
    }
}
