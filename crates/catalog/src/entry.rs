//! One tool in the catalog: identity, flags and what is derived from its schemas, the latter on first use.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::contract::Contract;
use crate::hint;
use crate::id::Identity;
use crate::replay::is_replay_safe;
use crate::tool::{ExecutionMode, McpOrigin, Source, ToolSpec};

/// Characters of a description in the guest's `ALL_TOOLS` and search results.
const COMPACT_DESCRIPTION_CHARS: usize = 4_000;

/// A catalog entry. Cheap to clone: versions of a catalog share their entries.
#[derive(Debug, Clone)]
pub struct Entry(Arc<EntryData>);

impl Deref for Entry {
    type Target = EntryData;

    fn deref(&self) -> &EntryData {
        &self.0
    }
}

/// The content of an [`Entry`].
#[derive(Debug)]
pub struct EntryData {
    /// `<source>:<owner>:<tool name>`.
    pub id: String,
    /// The tool's own name.
    pub name: String,
    /// A short title for people.
    pub label: Option<String>,
    /// The author's words. Untrusted.
    pub description: String,
    /// Where the tool comes from.
    pub source: Source,
    /// Plugin id, MCP server or client; `None` for core tools.
    pub source_name: Option<String>,
    /// The host's handle of the tool object.
    pub host_index: u32,
    /// Calls run alone, in order.
    pub sequential: bool,
    /// A restart-safe cell may call it by exact id.
    pub replay_safe: bool,
    /// JSON Schema of the input, as given.
    pub parameters: Option<Value>,
    /// JSON Schema of the result's details, as given; trusted only when [`EntryData::is_trusted`].
    pub output_schema: Option<Value>,
    /// MCP server and operation; set exactly when `source` is [`Source::Mcp`].
    pub mcp: Option<McpOrigin>,
    input_hint: OnceLock<String>,
    output_hint: OnceLock<Option<String>>,
    pub(crate) contract: OnceLock<Option<Result<Contract, ()>>>,
}

impl Entry {
    pub(crate) fn new(spec: ToolSpec, identity: Identity) -> Self {
        let replay_safe = is_replay_safe(&spec, &identity);
        let mcp = (identity.source == Source::Mcp).then(|| {
            let mut origin = spec.mcp.unwrap_or_default();
            origin.server_name = identity.owner.clone().unwrap_or_default();
            if origin.tool_name.is_empty() {
                origin.tool_name.clone_from(&spec.name);
            }
            origin
        });
        let given = |text: &String| !text.trim().is_empty();
        Self(Arc::new(EntryData {
            id: identity.id(&spec.name),
            name: spec.name,
            label: spec.label.filter(given),
            description: spec.description,
            source: identity.source,
            source_name: identity.owner,
            host_index: spec.host_index,
            sequential: spec.execution_mode == Some(ExecutionMode::Sequential),
            replay_safe,
            parameters: spec.parameters,
            output_schema: spec.output_schema,
            mcp,
            input_hint: OnceLock::new(),
            output_hint: OnceLock::new(),
            contract: OnceLock::new(),
        }))
    }
}

impl EntryData {
    /// Whether the tool is local code, so that its schemas may speak to the model unasked.
    pub fn is_trusted(&self) -> bool {
        self.source == Source::Openclaw
    }

    /// Whether guests see the entry in `ALL_TOOLS` and `tools.*`.
    pub fn is_guest_visible(&self) -> bool {
        self.source != Source::Mcp
    }

    /// The output schema when it counts as a contract.
    pub fn trusted_output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref().filter(|_| self.is_trusted())
    }

    /// A compact TypeScript type of the input, at most 300 characters; `unknown` for untrusted tools.
    pub fn input_hint(&self) -> &str {
        self.input_hint.get_or_init(|| match &self.parameters {
            Some(schema) if self.is_trusted() => hint::input_hint(schema),
            _ => "unknown".to_owned(),
        })
    }

    /// A complete compact TypeScript type of the details, at most 800 characters, when the tool declares one.
    pub fn output_hint(&self) -> Option<&str> {
        self.output_hint.get_or_init(|| self.trusted_output_schema().and_then(hint::output_hint)).as_deref()
    }

    /// The guest's view: `{ id, name, label?, description, source, sourceName?, input, output? }`, in which a very long
    /// description is cut, since every cell carries all of them.
    pub(crate) fn compact(&self) -> Map<String, Value> {
        let description = &self.description;
        match description.char_indices().nth(COMPACT_DESCRIPTION_CHARS) {
            Some((end, _)) => self.view(&format!("{}…", &description[..end])),
            None => self.view(description),
        }
    }

    /// The same with the whole description.
    pub(crate) fn whole(&self) -> Map<String, Value> {
        self.view(&self.description)
    }

    fn view(&self, description: &str) -> Map<String, Value> {
        let mut object = Map::new();
        let mut put = |key: &str, value: &str| object.insert(key.to_owned(), Value::from(value));
        put("id", &self.id);
        put("name", &self.name);
        if let Some(label) = &self.label {
            put("label", label);
        }
        put("description", description);
        put("source", self.source.as_str());
        if let Some(owner) = &self.source_name {
            put("sourceName", owner);
        }
        put("input", self.input_hint());
        if let Some(output) = self.output_hint() {
            put("output", output);
        }
        object
    }
}
