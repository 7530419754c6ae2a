//! The virtual declaration files behind `API.list` and `API.read`. Nothing is written anywhere; texts are made on
//! first use.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::dts::{self, Detail, Signature};
use crate::entry::Entry;
use crate::mcp::{McpNamespace, declaration};
use crate::names::is_part;
use crate::types::{property_name, quote};

const AGENTS: &str = include_str!("dts/agents.d.ts");
/// Characters of the guest's own path that a message repeats.
const ECHO_CHARS: usize = 200;

/// The files of one catalog version, by path.
#[derive(Debug)]
pub struct VirtualFiles {
    files: BTreeMap<String, File>,
}

/// `Display` is the message for the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// An empty, `.` or `..` segment.
    BadPath(String),
    /// No such file.
    Unknown(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPath(path) => write!(f, "Invalid API path: {path}"),
            Self::Unknown(path) => write!(f, "Unknown API file: {path}. API.list() shows all files."),
        }
    }
}

impl std::error::Error for FileError {}

#[derive(Debug)]
struct File {
    description: String,
    of: Subject,
    content: OnceLock<String>,
}

#[derive(Debug)]
enum Subject {
    Agents,
    McpIndex(Arc<McpNamespace>),
    McpServer(Arc<McpNamespace>, usize),
    /// A tool and its property of `tools`, if it has one.
    Tool(Entry, Option<String>),
}

impl VirtualFiles {
    pub(crate) fn new(
        entries: &[Entry],
        safe_names: &[(String, usize)],
        mcp: Option<&Arc<McpNamespace>>,
        swarm: bool,
    ) -> Self {
        let mut files = BTreeMap::new();
        let mut add = |path: String, description: String, of: Subject| {
            files.insert(path, File { description, of, content: OnceLock::new() });
        };
        if swarm {
            add("agents.d.ts".into(), "Types of agents.run, phase and log.".into(), Subject::Agents);
        }
        if let Some(mcp) = mcp {
            add(
                "mcp/index.d.ts".into(),
                "The MCP servers of this run.".into(),
                Subject::McpIndex(Arc::clone(mcp)),
            );
            for (index, server) in mcp.servers.iter().enumerate() {
                let description =
                    format!("MCP.{}: tools of server {}.", server.identifier, quote(&server.name));
                add(server.path(), description, Subject::McpServer(Arc::clone(mcp), index));
            }
        }
        let mut properties: BTreeMap<usize, &str> = BTreeMap::new();
        properties.extend(safe_names.iter().map(|(name, index)| (*index, name.as_str())));
        let mut taken: HashSet<String> = safe_names.iter().map(|(name, _)| name.clone()).collect();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_guest_visible()) {
            let property = properties.get(&index).map(|name| (*name).to_owned());
            let name = property.clone().unwrap_or_else(|| file_name(&entry.id, &mut taken));
            let description = format!("Types of tool {}.", quote(&entry.id));
            add(format!("tools/{name}.d.ts"), description, Subject::Tool(entry.clone(), property));
        }
        Self { files }
    }

    /// JSON `{files: [{path, description, bytes}]}` of the files whose path begins with `prefix`.
    pub fn list(&self, prefix: &str) -> Result<String, FileError> {
        let prefix = prefix.trim_matches('/');
        if !prefix.is_empty() {
            check(prefix)?;
        }
        let found = self.files.range(prefix.to_owned()..).take_while(|(path, _)| path.starts_with(prefix));
        let files: Vec<Value> = found
            .map(|(path, file)| {
                json!({ "path": path, "description": file.description, "bytes": file.content(path).len() })
            })
            .collect();
        Ok(json!({ "files": files }).to_string())
    }

    /// JSON `{path, content, description, bytes}`; `bytes` is the UTF-8 length of the content.
    pub fn read(&self, path: &str) -> Result<String, FileError> {
        let path = path.trim_matches('/');
        check(path)?;
        let (path, file) = self.files.get_key_value(path).ok_or_else(|| FileError::Unknown(echo(path)))?;
        let content = file.content(path);
        let value = json!({ "path": path, "content": content, "description": file.description, "bytes": content.len() });
        Ok(value.to_string())
    }
}

impl File {
    fn content(&self, path: &str) -> &str {
        match &self.of {
            Subject::Agents => AGENTS,
            Subject::McpServer(mcp, index) => {
                mcp.servers.get(*index).map_or("", |server| server.declaration())
            }
            Subject::McpIndex(mcp) => self.content.get_or_init(|| declaration::index(mcp)),
            Subject::Tool(entry, property) => {
                self.content.get_or_init(|| tool(entry, property.as_deref(), path))
            }
        }
    }
}

fn tool(entry: &Entry, property: Option<&str>, path: &str) -> String {
    let result = entry
        .trusted_output_schema()
        .map_or_else(|| "unknown".to_owned(), |schema| dts::output_type(schema, "  "));
    let Signature { doc, call } = dts::signature(entry, &result, "  ", Detail::Full);
    let id = quote(&entry.id);
    let how = match property {
        Some(name) => format!("tools.{name}(input) or tools.callValue({id}, input)"),
        None => format!("tools.callValue({id}, input)"),
    };
    let member = property_name(property.unwrap_or(&entry.id));
    format!("// {path}: await {how}\ninterface Tools {{\n{doc}  {member}{call};\n}}\n")
}

/// A file name for a tool without a property of its own.
fn file_name(id: &str, taken: &mut HashSet<String>) -> String {
    let base: String = id.chars().map(|char| if is_part(char) || char == '-' { char } else { '_' }).collect();
    let mut name = base.clone();
    let mut number = 2_usize;
    while !taken.insert(name.clone()) {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

fn check(path: &str) -> Result<(), FileError> {
    let bad = path.split('/').any(|segment| matches!(segment, "" | "." | ".."));
    if bad { Err(FileError::BadPath(echo(path))) } else { Ok(()) }
}

fn echo(path: &str) -> String {
    path.chars().take(ECHO_CHARS).collect()
}
