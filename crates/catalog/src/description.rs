//! What the model reads about `exec` and `wait`.

use crate::catalog::Catalog;
use crate::entry::Entry;

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
    /// The languages the run accepts.
    pub languages: &'a [&'a str],
    /// Whether a trailing expression is the value.
    pub implicit_return: bool,
    /// Visible plugin namespaces: global name, description, prompt.
    pub namespaces: &'a [(&'a str, &'a str, Option<&'a str>)],
    /// Whether the swarm globals exist.
    pub swarm: bool,
}

/// The description of `exec`: bounded, and equal for equal input.
pub fn exec_description(catalog: &Catalog, _input: &ExecDescriptionInput<'_>) -> String {
    catalog.quick_index().to_owned()
}

/// The description of `wait`.
pub fn wait_description() -> &'static str {
    "Resume a waiting exec by its runId."
}

pub(crate) fn quick_index(_entries: &[Entry]) -> String {
    String::new()
}
