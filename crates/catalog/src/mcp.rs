//! The `MCP` namespace.

use crate::entry::Entry;

#[derive(Debug)]
pub(crate) struct McpNamespace {
    json: String,
}

impl McpNamespace {
    pub(crate) fn new(entries: &[Entry]) -> Option<Self> {
        entries.iter().any(|entry| entry.mcp.is_some()).then(|| Self { json: "{\"servers\":[]}".to_owned() })
    }

    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    pub(crate) fn api_json(
        &self,
        _entries: &[Entry],
        _server: Option<&str>,
        _tool: Option<&str>,
        _schema: bool,
    ) -> Result<String, String> {
        Err("not yet".to_owned())
    }
}
