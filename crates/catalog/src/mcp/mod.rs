//! The `MCP` namespace: which identifier each server and tool has, and what guests are told about them.

mod api;
pub(crate) mod declaration;
mod identifier;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use identifier::Identifiers;
use serde_json::{Map, Value, json};

use crate::entry::Entry;

/// Servers in the order of their ids, with every MCP entry of the catalog under exactly one name.
#[derive(Debug)]
pub(crate) struct McpNamespace {
    pub(crate) servers: Vec<Server>,
    json: OnceLock<String>,
}

/// One server.
#[derive(Debug)]
pub(crate) struct Server {
    /// The configured name.
    pub(crate) name: String,
    /// `MCP.<identifier>`, and the name of its file.
    pub(crate) identifier: String,
    pub(crate) tools: Vec<Tool>,
    declaration: OnceLock<String>,
}

/// One callable of a server.
#[derive(Debug)]
pub(crate) struct Tool {
    /// The identifier; for an operation the last part (`list` of `resources.list`).
    pub(crate) identifier: String,
    pub(crate) kind: Kind,
    pub(crate) entry: Entry,
}

/// Where a callable is found on its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Tool,
    ResourcesList,
    ResourcesRead,
    PromptsList,
    PromptsGet,
}

impl Kind {
    const OPERATIONS: [Self; 4] =
        [Self::ResourcesList, Self::ResourcesRead, Self::PromptsList, Self::PromptsGet];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::ResourcesList => "resources.list",
            Self::ResourcesRead => "resources.read",
            Self::PromptsList => "prompts.list",
            Self::PromptsGet => "prompts.get",
        }
    }

    fn of(operation: &str) -> Self {
        Self::OPERATIONS.into_iter().find(|kind| kind.as_str() == operation).unwrap_or(Self::Tool)
    }

    /// `("resources", "list")`; `None` for tools.
    pub(crate) fn parts(self) -> Option<(&'static str, &'static str)> {
        self.as_str().split_once('.')
    }

    /// What the operation needs when its entry has no schema.
    fn required(self) -> &'static [&'static str] {
        match self {
            Self::ResourcesRead => &["uri"],
            Self::PromptsGet => &["name"],
            Self::Tool | Self::ResourcesList | Self::PromptsList => &[],
        }
    }
}

impl McpNamespace {
    /// `None` without MCP entries.
    pub(crate) fn new(entries: &[Entry]) -> Option<Self> {
        let mut by_server: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        let mut order: Vec<&str> = Vec::new();
        for entry in entries {
            let Some(origin) = &entry.mcp else { continue };
            let name = origin.server_name.as_str();
            by_server.entry(name).or_insert_with(|| {
                order.push(name);
                Vec::new()
            });
            by_server.entry(name).or_default().push(entry);
        }
        let mut identifiers = Identifiers::of_servers();
        let servers: Vec<Server> = order
            .into_iter()
            .map(|name| {
                Server::new(name, identifiers.assign(name), by_server.get(name).map_or(&[], Vec::as_slice))
            })
            .collect();
        (!servers.is_empty()).then(|| Self { servers, json: OnceLock::new() })
    }

    /// What the guest's prelude builds the global from.
    pub(crate) fn json(&self) -> &str {
        self.json.get_or_init(|| {
            let servers: Vec<Value> = self.servers.iter().map(Server::to_json).collect();
            json!({ "servers": servers }).to_string()
        })
    }

    pub(crate) fn server(&self, identifier: &str) -> Option<&Server> {
        self.servers
            .iter()
            .find(|server| server.identifier == identifier)
            .or_else(|| self.servers.iter().find(|server| server.name == identifier))
    }
}

impl Server {
    fn new(name: &str, identifier: String, entries: &[&Entry]) -> Self {
        let mut identifiers = Identifiers::of_tools();
        let mut tools: Vec<Tool> = Vec::new();
        for entry in entries {
            let origin = entry.mcp.as_ref();
            let mut kind =
                Kind::of(origin.and_then(|origin| origin.operation.as_deref()).unwrap_or_default());
            if tools.iter().any(|tool| tool.kind == kind) {
                // A second entry for one operation stays callable under its own name.
                kind = Kind::Tool;
            }
            let identifier = match kind.parts() {
                Some((_, last)) => last.to_owned(),
                None => identifiers.assign(origin.map_or(entry.name.as_str(), |origin| &origin.tool_name)),
            };
            tools.push(Tool { identifier, kind, entry: (*entry).clone() });
        }
        Self { name: name.to_owned(), identifier, tools, declaration: OnceLock::new() }
    }

    pub(crate) fn path(&self) -> String {
        format!("mcp/{}.d.ts", self.identifier)
    }

    /// The text of the server's file.
    pub(crate) fn declaration(&self) -> &str {
        self.declaration.get_or_init(|| declaration::server(self))
    }

    /// By identifier (`createIssue`, `resources.read`) or by the server's own name for the tool (`create_issue`).
    pub(crate) fn tool(&self, name: &str) -> Option<&Tool> {
        let is_named = |tool: &&Tool| match tool.kind {
            Kind::Tool => tool.identifier == name,
            operation => operation.as_str() == name,
        };
        let own_name = |tool: &&Tool| tool.entry.mcp.as_ref().is_some_and(|origin| origin.tool_name == name);
        self.tools.iter().find(is_named).or_else(|| self.tools.iter().find(own_name))
    }

    fn has(&self, group: &str) -> bool {
        self.tools.iter().any(|tool| tool.kind.parts().is_some_and(|(of, _)| of == group))
    }

    fn to_json(&self) -> Value {
        let tools: Vec<Value> = self.tools.iter().map(Tool::to_json).collect();
        json!({
            "name": self.identifier,
            "server": self.name,
            "tools": tools,
            "resources": self.has("resources"),
            "prompts": self.has("prompts"),
        })
    }
}

/// Required names of one tool that are checked before a call; the server checks the rest.
const REQUIRED_NAMES: usize = 1_000;
/// Nodes and characters of one default. The value of a larger one is left to the server.
const DEFAULT_NODES: usize = 4_000;

/// Whether a value is within the room, which is used up on the way.
fn is_small(value: &Value, room: &mut usize) -> bool {
    let own = value.as_str().map_or(1, str::len);
    if own > *room {
        return false;
    }
    *room -= own;
    match value {
        Value::Array(items) => items.iter().all(|item| is_small(item, room)),
        Value::Object(members) => members.values().all(|member| is_small(member, room)),
        _ => true,
    }
}

impl Tool {
    fn to_json(&self) -> Value {
        let schema = self.entry.parameters.as_ref();
        let declared = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array);
        let required: Vec<&str> = match declared {
            Some(names) => names.iter().filter_map(Value::as_str).take(REQUIRED_NAMES).collect(),
            None => self.kind.required().to_vec(),
        };
        let mut defaults = Map::new();
        let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            if let Some(default) =
                property.get("default").filter(|default| is_small(default, &mut DEFAULT_NODES.clone()))
            {
                defaults.insert(name.clone(), default.clone());
            }
        }
        json!({
            "name": self.identifier,
            "id": self.entry.id,
            "kind": self.kind.as_str(),
            "required": required,
            "defaults": defaults,
        })
    }
}
