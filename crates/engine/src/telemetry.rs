//! Counters of a run, cumulative over its cells. No inputs, results or other guest strings; ids only.

use code_mode_catalog::Catalog;
use serde_json::{Value, json};

/// See the module description.
#[derive(Debug, Default)]
pub(crate) struct Telemetry {
    visible_tools: Value,
    pub(crate) searches: u64,
    pub(crate) describes: u64,
    pub(crate) calls: u64,
    pub(crate) execs: u64,
    pub(crate) waits: u64,
    called_ids: Vec<String>,
    pub(crate) timeouts: u64,
    pub(crate) memory_failures: u64,
    pub(crate) snapshot_failures: u64,
    pub(crate) output_failures: u64,
    pub(crate) taken: u64,
    pub(crate) restored: u64,
    pub(crate) expired: u64,
    pub(crate) dropped: u64,
}

impl Telemetry {
    pub(crate) fn new(visible_tools: Vec<String>) -> Self {
        Self { visible_tools: visible_tools.into(), ..Self::default() }
    }

    /// Counts a nested call; ids keep the order of their first call.
    pub(crate) fn called(&mut self, id: &str) {
        self.calls += 1;
        if !self.called_ids.iter().any(|known| known == id) {
            self.called_ids.push(id.to_owned());
        }
    }

    /// JSON text of a `CodeModeTelemetry`.
    pub(crate) fn to_json(&self, catalog: &Catalog) -> String {
        let counts = catalog.counts();
        json!({
            "catalogSize": catalog.entries().len(),
            "sources": { "openclaw": counts.openclaw, "mcp": counts.mcp, "client": counts.client },
            "searchCount": self.searches,
            "describeCount": self.describes,
            "callCount": self.calls,
            "visibleTools": self.visible_tools,
            "execCount": self.execs,
            "waitCount": self.waits,
            "calledToolIds": self.called_ids,
            "limitFailures": {
                "timeout": self.timeouts, "memory": self.memory_failures,
                "snapshot": self.snapshot_failures, "output": self.output_failures,
            },
            "snapshots": {
                "taken": self.taken, "restored": self.restored, "expired": self.expired, "dropped": self.dropped,
            },
        })
        .to_string()
    }
}
