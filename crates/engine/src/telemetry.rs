//! Counters of a run, cumulative over its cells. No inputs, results or other guest strings; ids only.

use crate::protocol::quote;
use code_mode_catalog::Catalog;

/// See the module description.
#[derive(Debug)]
pub(crate) struct Telemetry {
    /// JSON array.
    visible_tools: String,
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
        Self {
            visible_tools: serde_json::Value::from(visible_tools).to_string(),
            searches: 0,
            describes: 0,
            calls: 0,
            execs: 0,
            waits: 0,
            called_ids: Vec::new(),
            timeouts: 0,
            memory_failures: 0,
            snapshot_failures: 0,
            output_failures: 0,
            taken: 0,
            restored: 0,
            expired: 0,
            dropped: 0,
        }
    }

    /// Counts a nested call; ids keep the order of their first call.
    pub(crate) fn called(&mut self, id: &str) {
        self.calls += 1;
        if !self.called_ids.iter().any(|known| known == id) {
            self.called_ids.push(id.to_owned());
        }
    }

    /// JSON text of a `CodeModeTelemetry`. Written by hand: every result carries one.
    pub(crate) fn to_json(&self, catalog: &Catalog) -> String {
        let counts = catalog.counts();
        let called: Vec<String> = self.called_ids.iter().map(|id| quote(id)).collect();
        format!(
            concat!(
                r#"{{"catalogSize":{},"sources":{{"openclaw":{},"mcp":{},"client":{}}},"#,
                r#""searchCount":{},"describeCount":{},"callCount":{},"visibleTools":{},"#,
                r#""execCount":{},"waitCount":{},"calledToolIds":[{}],"#,
                r#""limitFailures":{{"timeout":{},"memory":{},"snapshot":{},"output":{}}},"#,
                r#""snapshots":{{"taken":{},"restored":{},"expired":{},"dropped":{}}}}}"#,
            ),
            catalog.entries().len(),
            counts.openclaw,
            counts.mcp,
            counts.client,
            self.searches,
            self.describes,
            self.calls,
            self.visible_tools,
            self.execs,
            self.waits,
            called.join(","),
            self.timeouts,
            self.memory_failures,
            self.snapshot_failures,
            self.output_failures,
            self.taken,
            self.restored,
            self.expired,
            self.dropped,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_json_with_every_counter() {
        let mut telemetry = Telemetry::new(vec!["exec".to_owned(), "wait".to_owned()]);
        telemetry.called("openclaw:core:\"odd\"");
        telemetry.called("openclaw:core:\"odd\"");
        let json = telemetry.to_json(&Catalog::new(Vec::new(), Vec::new()));
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(value["callCount"], 2);
        assert_eq!(value["calledToolIds"], serde_json::json!(["openclaw:core:\"odd\""]));
        assert_eq!(value["visibleTools"], serde_json::json!(["exec", "wait"]));
        assert_eq!(value["snapshots"]["dropped"], 0);
    }
}
