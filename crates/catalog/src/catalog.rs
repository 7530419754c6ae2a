//! [`Catalog`]: the entries of one run in their final order, and the doors to everything derived from them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use crate::contract::{Contract, ContractError};
use crate::entry::{Entry, EntryData};
use crate::files::VirtualFiles;
use crate::id::Identity;
use crate::lookup::{self, LookupError, NameTable};
use crate::mcp::McpNamespace;
use crate::names;
use crate::quick_index;
use crate::search::SearchIndex;
use crate::tool::{Source, ToolSpec};

/// How many entries each source has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceCounts {
    /// Core and plugin tools.
    pub openclaw: usize,
    /// Tools and operations of MCP servers.
    pub mcp: usize,
    /// Tools of the calling client.
    pub client: usize,
}

/// The tools of one run. Immutable; `Send + Sync`, so callers share it behind an `Arc`.
#[derive(Debug)]
pub struct Catalog {
    /// Sorted by id; client entries, again sorted by id, start at `clients_from`.
    entries: Vec<Entry>,
    clients_from: usize,
    names: OnceLock<NameTable>,
    safe_names: OnceLock<Vec<(String, usize)>>,
    all_tools: OnceLock<String>,
    quick_index: OnceLock<String>,
    search: OnceLock<SearchIndex>,
    mcp: OnceLock<Option<Arc<McpNamespace>>>,
    files: [OnceLock<VirtualFiles>; 2],
}

impl Catalog {
    /// Builds the catalog. Of two tools with one id the later counts, `client_tools` being later than `tools`.
    pub fn new(tools: Vec<ToolSpec>, client_tools: Vec<ToolSpec>) -> Self {
        let own = tools.into_iter().map(|spec| {
            let identity = Identity::of(&spec);
            Entry::new(spec, identity)
        });
        Self::from_entries(own.chain(client_tools.into_iter().map(client_entry)))
    }

    /// A new version with these client tools added or replaced. The entries of this version are shared, not copied.
    #[must_use]
    pub fn with_client_tools(&self, more: Vec<ToolSpec>) -> Self {
        Self::from_entries(self.entries.iter().cloned().chain(more.into_iter().map(client_entry)))
    }

    fn from_entries(entries: impl Iterator<Item = Entry>) -> Self {
        let mut by_id = HashMap::new();
        for entry in entries {
            by_id.insert(entry.id.clone(), entry);
        }
        let mut entries: Vec<Entry> = by_id.into_values().collect();
        entries.sort_unstable_by(|a, b| order(a).cmp(&order(b)));
        let clients_from = entries.partition_point(|entry| entry.source != Source::Client);
        Self {
            entries,
            clients_from,
            names: OnceLock::new(),
            safe_names: OnceLock::new(),
            all_tools: OnceLock::new(),
            quick_index: OnceLock::new(),
            search: OnceLock::new(),
            mcp: OnceLock::new(),
            files: [OnceLock::new(), OnceLock::new()],
        }
    }

    /// Every entry, MCP included: sorted by id, client tools after.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many entries each source has.
    pub fn counts(&self) -> SourceCounts {
        let mut counts = SourceCounts::default();
        for entry in &self.entries {
            match entry.source {
                Source::Openclaw => counts.openclaw += 1,
                Source::Mcp => counts.mcp += 1,
                Source::Client => counts.client += 1,
            }
        }
        counts
    }

    /// The guest's `ALL_TOOLS`: a JSON array of compact entries, without MCP.
    pub fn all_tools_json(&self) -> &str {
        self.all_tools.get_or_init(|| array(self.entries.iter().filter(|entry| entry.is_guest_visible())))
    }

    /// The host's view: a JSON array of compact entries, MCP included.
    pub fn host_view_json(&self) -> String {
        array(self.entries.iter())
    }

    /// One entry as the guest sees it, as JSON.
    pub fn guest_entry_json(&self, entry: &EntryData) -> String {
        Value::Object(entry.compact()).to_string()
    }

    /// What `tools.describe` gives, as JSON: the entry, `parameters`, and `outputSchema` when it is trusted.
    pub fn describe_json(&self, entry: &EntryData) -> String {
        let mut object = entry.whole();
        let parameters = entry.parameters.clone().unwrap_or_else(|| Value::Object(Map::new()));
        object.insert("parameters".to_owned(), parameters);
        if let Some(schema) = entry.trusted_output_schema() {
            object.insert("outputSchema".to_owned(), schema.clone());
        }
        Value::Object(object).to_string()
    }

    /// Finds the entry that a guest means by an id or a name. MCP entries are unknown here.
    pub fn lookup(&self, id_or_name: &str) -> Result<&Entry, LookupError> {
        let wanted = id_or_name.trim();
        if let Some(entry) = self.by_id(wanted).filter(|entry| entry.is_guest_visible()) {
            return Ok(entry);
        }
        let names = self.names.get_or_init(|| NameTable::new(&self.entries));
        match names.get(wanted) {
            [] => Err(lookup::unknown(wanted, &self.entries, names)),
            [only] => Ok(&self.entries[*only]),
            _ => Err(lookup::ambiguous(wanted)),
        }
    }

    /// The host's lookup by exact id, MCP included.
    pub fn by_id(&self, id: &str) -> Option<&Entry> {
        let (own, clients) = self.entries.split_at(self.clients_from);
        let find = |part: &[Entry]| part.binary_search_by(|entry| entry.id.as_str().cmp(id)).ok();
        find(own).map(|index| &own[index]).or_else(|| find(clients).map(|index| &clients[index]))
    }

    /// The tool of a plugin by its own name.
    pub fn plugin_tool(&self, plugin_id: &str, name: &str) -> Option<&Entry> {
        self.by_id(&Identity::plugin(plugin_id).id(name))
    }

    /// Makes now what guests are likely to ask for first, so that a caller can have it done outside of a cell's time:
    /// about 20 µs a tool.
    pub fn prepare(&self) {
        self.all_tools_json();
        self.safe_names();
        self.quick_index();
        self.mcp_namespace_json();
        self.search("", 0);
    }

    /// Property names of `tools.<name>` and the index of their entry, sorted by name.
    pub fn safe_names(&self) -> &[(String, usize)] {
        self.safe_names.get_or_init(|| names::safe_names(&self.entries))
    }

    /// The entry behind `tools.<name>`.
    pub fn safe_name(&self, name: &str) -> Option<&Entry> {
        let names = self.safe_names();
        let found = names.binary_search_by(|(safe, _)| safe.as_str().cmp(name)).ok()?;
        self.entries.get(names[found].1)
    }

    /// The guest's search: at most `limit` entries, best first; an empty query lists by id. MCP entries are not found.
    pub fn search(&self, query: &str, limit: usize) -> Vec<&Entry> {
        let index = self.search.get_or_init(|| SearchIndex::new(&self.entries));
        index.search(query, limit).into_iter().filter_map(|found| self.entries.get(found)).collect()
    }

    /// The list of callable tools in `exec`'s description, at most 8,000 characters.
    pub fn quick_index(&self) -> &str {
        self.quick_index.get_or_init(|| quick_index::quick_index(&self.entries))
    }

    /// Whether a restart-safe cell may call this: an exact id of a replay-safe entry, never a name.
    pub fn check_restart_safe(&self, id: &str) -> bool {
        self.by_id(id).is_some_and(|entry| entry.is_guest_visible() && entry.replay_safe)
    }

    /// The compiled output contract of an entry; `None` when it has none that counts. Compiled once, on first use;
    /// an invalid schema is an error each time, so that the tool never runs.
    pub fn output_contract<'a>(&self, entry: &'a EntryData) -> Result<Option<&'a Contract>, ContractError> {
        Contract::of(entry)
    }

    /// What `API.list` and `API.read` show; with `swarm` also the types of `agents`.
    pub fn virtual_files(&self, swarm: bool) -> &VirtualFiles {
        self.files[usize::from(swarm)]
            .get_or_init(|| VirtualFiles::new(&self.entries, self.safe_names(), self.mcp(), swarm))
    }

    /// What the guest's `MCP` global is built from, as JSON; `None` without MCP entries.
    pub fn mcp_namespace_json(&self) -> Option<&str> {
        self.mcp().map(|namespace| namespace.json())
    }

    /// The value of `MCP.$api()` and `MCP.<server>.$api(tool?, {schema?})`, as JSON, or the message of the error.
    pub fn mcp_api_json(
        &self,
        server: Option<&str>,
        tool: Option<&str>,
        schema: bool,
    ) -> Result<String, String> {
        let namespace = self.mcp().ok_or_else(|| "There are no MCP tools in this run.".to_owned())?;
        namespace.api_json(server, tool, schema)
    }

    pub(crate) fn mcp(&self) -> Option<&Arc<McpNamespace>> {
        self.mcp.get_or_init(|| McpNamespace::new(&self.entries).map(Arc::new)).as_ref()
    }
}

fn client_entry(spec: ToolSpec) -> Entry {
    let identity = Identity::client(&spec);
    Entry::new(spec, identity)
}

fn order(entry: &Entry) -> (bool, &str) {
    (entry.source == Source::Client, entry.id.as_str())
}

fn array<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    Value::Array(entries.map(|entry| Value::Object(entry.compact())).collect()).to_string()
}
