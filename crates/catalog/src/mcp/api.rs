//! `$api()`: the declarations as a value, for programs that look before they call.

use serde_json::{Map, Value, json};

use super::{McpNamespace, Server, Tool, declaration};
use crate::dts::one_line;

const NOTE: &str =
    "Call MCP.<server>.<tool>({...}) with one object. The same text: API.read(\"mcp/<server>.d.ts\").";

impl McpNamespace {
    /// The value as JSON, or the message of the error.
    pub(crate) fn api_json(
        &self,
        server: Option<&str>,
        tool: Option<&str>,
        schema: bool,
    ) -> Result<String, String> {
        let Some(name) = server else { return Ok(self.root_api().to_string()) };
        let server = self.server(name).ok_or_else(|| format!("Unknown MCP server: {}.", one_line(name)))?;
        let Some(name) = tool else { return Ok(server.api(schema).to_string()) };
        let tool = server.tool(name).ok_or_else(|| {
            format!(
                "Unknown MCP tool: {}. MCP.{}.$api() lists the tools of this server.",
                one_line(name),
                server.identifier
            )
        })?;
        Ok(server.tool_api(tool, schema).to_string())
    }

    fn root_api(&self) -> Value {
        let servers: Vec<Value> = self
            .servers
            .iter()
            .map(|server| {
                json!({
                    "name": server.identifier,
                    "server": server.name,
                    "toolCount": server.tools.len(),
                    "path": server.path(),
                })
            })
            .collect();
        let header = declaration::index(self);
        json!({ "kind": "mcp_api", "scope": "root", "header": header, "servers": servers, "note": NOTE })
    }
}

impl Server {
    fn api(&self, schema: bool) -> Value {
        self.value("server", self.declaration(), &self.tools.iter().collect::<Vec<_>>(), schema)
    }

    fn tool_api(&self, tool: &Tool, schema: bool) -> Value {
        self.value("tool", &declaration::single(self, tool), &[tool], schema)
    }

    fn value(&self, scope: &str, header: &str, tools: &[&Tool], schema: bool) -> Value {
        let listed: Vec<Value> = tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.call_name(),
                    "tool": tool.entry.mcp.as_ref().map_or(tool.entry.name.as_str(), |origin| &origin.tool_name),
                    "description": one_line(&tool.entry.description),
                })
            })
            .collect();
        let mut value = json!({
            "kind": "mcp_api",
            "scope": scope,
            "header": header,
            "server": self.identifier,
            "tools": listed,
        });
        if let Some(members) = value.as_object_mut() {
            if schema {
                let schemas: Map<String, Value> = tools
                    .iter()
                    .map(|tool| {
                        (tool.call_name(), tool.entry.parameters.clone().unwrap_or_else(|| json!({})))
                    })
                    .collect();
                members.insert("schemas".to_owned(), Value::Object(schemas));
            }
            members.insert("note".to_owned(), Value::from(NOTE));
        }
        value
    }
}

impl Tool {
    /// `createIssue`, `resources.read`.
    fn call_name(&self) -> String {
        self.kind.parts().map_or_else(|| self.identifier.clone(), |_| self.kind.as_str().to_owned())
    }
}
