//! A run: its scope, catalog, limits and counters. Cells belong to one run and never see another's.

use crate::config::Config;
use crate::protocol::{CellId, RunKey};
use crate::telemetry::Telemetry;
use code_mode_catalog::Catalog;
use parking_lot::{Mutex, RwLock};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who a run or a caller is. An absent field makes no claim.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Scope {
    /// The agent.
    pub agent_id: Option<String>,
    /// The session.
    pub session_id: Option<String>,
    /// The session's routing key.
    pub session_key: Option<String>,
    /// The agent run.
    pub run_id: Option<String>,
}

/// A plugin namespace offered to the guests of a run.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamespaceSpec {
    /// Registry id.
    pub id: String,
    /// The plugin that registered it.
    pub plugin_id: String,
    /// The guest global.
    pub global_name: String,
    /// Read by the model.
    pub description: String,
    /// Read by the model, after the description.
    #[serde(default)]
    pub prompt: Option<String>,
    /// Tools that must be in the catalog and owned by the plugin.
    pub required_tool_names: Vec<String>,
}

/// What a host hands in to open a run.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(clippy::struct_excessive_bools, reason = "independent options, named as the host names them")]
pub struct RunSpec {
    /// The raw `tools.codeMode` value.
    pub config: Value,
    /// The scope.
    pub scope: Scope,
    /// The effective tools: a JSON array of `ToolSpec`.
    pub tools: Option<Box<RawValue>>,
    /// Tools the client brought along: the same.
    pub client_tools: Option<Box<RawValue>>,
    /// The host answers `tools.search` itself.
    pub host_search: bool,
    /// The host answers `tools.describe` itself.
    pub host_describe: bool,
    /// Sub-agents exist.
    pub swarm: bool,
    /// Sub-agents at work at once.
    pub swarm_concurrency: Option<usize>,
    /// Every cell is restart-safe, whatever the guest says.
    pub restart_safe: bool,
    /// Somebody listens to events.
    pub trace: bool,
    /// Names of the tools the model sees.
    pub visible_tools: Vec<String>,
    /// Plugin namespaces registered at this moment.
    pub namespaces: Vec<NamespaceSpec>,
}

/// One prepared agent run.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "as in RunSpec")]
pub(crate) struct Run {
    pub(crate) key: RunKey,
    pub(crate) config: Config,
    pub(crate) scope: Scope,
    pub(crate) host_search: bool,
    pub(crate) host_describe: bool,
    pub(crate) swarm: bool,
    pub(crate) restart_safe: bool,
    pub(crate) trace: bool,
    pub(crate) namespaces: Vec<NamespaceSpec>,
    pub(crate) catalog: RwLock<Arc<Catalog>>,
    pub(crate) telemetry: Mutex<Telemetry>,
    pub(crate) cells: Mutex<HashSet<CellId>>,
    pub(crate) closed: AtomicBool,
    /// Outstanding `agents.run` calls at work at once.
    pub(crate) swarm_concurrency: usize,
}

const SWARM_CONCURRENCY: usize = 8;

impl Run {
    pub(crate) fn new(key: RunKey, spec: RunSpec, catalog: Arc<Catalog>) -> Self {
        let namespaces =
            spec.namespaces.into_iter().filter(|namespace| is_visible(namespace, &catalog)).collect();
        Self {
            key,
            config: Config::resolve(&spec.config, None),
            scope: spec.scope,
            host_search: spec.host_search,
            host_describe: spec.host_describe,
            swarm: spec.swarm,
            restart_safe: spec.restart_safe,
            trace: spec.trace,
            namespaces,
            telemetry: Mutex::new(Telemetry::new(spec.visible_tools)),
            catalog: RwLock::new(catalog),
            cells: Mutex::default(),
            closed: AtomicBool::new(false),
            swarm_concurrency: spec.swarm_concurrency.unwrap_or(SWARM_CONCURRENCY).max(1),
        }
    }

    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog.read())
    }

    /// JSON text of the cumulative counters.
    pub(crate) fn telemetry_json(&self) -> String {
        let catalog = self.catalog();
        self.telemetry.lock().to_json(&catalog)
    }
}

/// Visible iff every required tool is in the catalog and owned by the registering plugin.
fn is_visible(namespace: &NamespaceSpec, catalog: &Catalog) -> bool {
    !namespace.required_tool_names.is_empty()
        && namespace
            .required_tool_names
            .iter()
            .all(|name| catalog.plugin_tool(&namespace.plugin_id, name).is_some())
}
