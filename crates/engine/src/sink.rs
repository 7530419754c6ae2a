//! The guest's side door during a turn: it collects what the guest emits and answers what it reads.
//!
//! Nothing is done here but collecting: requests are acted on after the turn, when it is known that the
//! cell is still alive and within its limits.

use crate::bridge::Request;
use crate::cell::Cell;
use crate::namespace::ScopeTable;
use crate::output::Output;
use crate::protocol::{emit_kind, fetch_kind};
use code_mode_transpile::Script;
use code_mode_vm::TurnHost;
use serde_json::Value;
use std::sync::Arc;

/// A timer of the guest, set or cleared.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TimerOp {
    /// A background timer does not keep the cell from completing.
    Set {
        id: u32,
        delay_ms: u64,
        background: bool,
    },
    Clear {
        id: u32,
    },
}

/// What one turn brought.
pub(crate) struct Sink<'a> {
    cell: &'a Cell,
    scopes: Option<Arc<ScopeTable>>,
    script: Option<Arc<Script>>,
    pub(crate) output: Output,
    pub(crate) requests: Vec<Request>,
    pub(crate) timers: Vec<TimerOp>,
    pub(crate) notes: Vec<String>,
    /// The final value or an item did not fit the output limit.
    pub(crate) overflowed: bool,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(
        cell: &'a Cell,
        output: Output,
        scopes: Option<Arc<ScopeTable>>,
        script: Option<Arc<Script>>,
    ) -> Self {
        Self {
            cell,
            scopes,
            script,
            output,
            requests: Vec::new(),
            timers: Vec::new(),
            notes: Vec::new(),
            overflowed: false,
        }
    }

    fn timer(&mut self, payload: &str) -> Option<()> {
        let (id, delay) = payload.split_once(' ')?;
        let (delay, background) =
            delay.strip_suffix(" background").map_or((delay, false), |delay| (delay, true));
        let delay: f64 = delay.parse().ok()?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped to a sane range"
        )]
        let delay_ms = delay.clamp(0.0, f64::from(i32::MAX)) as u64;
        self.timers.push(TimerOp::Set { id: id.parse().ok()?, delay_ms, background });
        Some(())
    }

    /// `line:column` of the evaluated code as the user's own; `None`: no user code lies there.
    fn position(&self, key: &str) -> Option<String> {
        let (line, column) = key.split_once(':')?;
        let script = self.script.as_ref()?;
        let (line, column) = script.original_position(line.parse().ok()?, column.parse().ok()?)?;
        Some(format!("{line}:{column}"))
    }

    fn setting(&self, key: &str) -> Option<String> {
        let config = &self.cell.run.config;
        match key {
            "maxPendingToolCalls" => Some(config.max_pending_tool_calls.to_string()),
            "outputLimit" => Some(match config.output_overflow {
                crate::config::OutputOverflow::Fail => config.max_output_bytes.to_string(),
                // Truncation needs the whole text to say how much is missing; the heap limit bounds it.
                crate::config::OutputOverflow::Truncate => config.memory_limit_bytes.to_string(),
            }),
            _ => None,
        }
    }
}

impl TurnHost for Sink<'_> {
    fn emit(&mut self, kind: i32, payload: &str) -> bool {
        match kind {
            emit_kind::TEXT => self.output.text(payload),
            emit_kind::JSON => self.output.json(payload),
            emit_kind::CALL => Request::parse(payload).map(|request| self.requests.push(request)).is_some(),
            emit_kind::TIMER => self.timer(payload).is_some(),
            emit_kind::CLEAR_TIMER => {
                payload.parse().map(|id| self.timers.push(TimerOp::Clear { id })).is_ok()
            }
            emit_kind::NOTE => {
                self.notes.push(payload.to_owned());
                true
            }
            emit_kind::OVERFLOW => {
                self.overflowed = true;
                false
            }
            _ => false,
        }
    }

    fn fetch(&mut self, kind: i32, key: &str) -> Option<String> {
        let catalog = &self.cell.catalog;
        let swarm = self.cell.run.swarm;
        match kind {
            fetch_kind::SETTING => self.setting(key),
            fetch_kind::ALL_TOOLS => Some(catalog.all_tools_json().to_owned()),
            fetch_kind::TOOL_NAME => catalog.safe_name(key).map(|entry| entry.id.clone()),
            fetch_kind::TOOL_NAMES => {
                let names: Vec<&str> = catalog.safe_names().iter().map(|(name, _)| name.as_str()).collect();
                Some(Value::from(names).to_string())
            }
            fetch_kind::API_LIST => Some(or_error(catalog.virtual_files(swarm).list(key))),
            fetch_kind::API_READ => Some(or_error(catalog.virtual_files(swarm).read(key))),
            fetch_kind::MCP => catalog.mcp_namespace_json().map(str::to_owned),
            fetch_kind::MCP_API => {
                let (server, tool, schema): (Option<String>, Option<String>, bool) =
                    serde_json::from_str(key).ok()?;
                Some(or_error(catalog.mcp_api_json(server.as_deref(), tool.as_deref(), schema)))
            }
            fetch_kind::POSITION => Some(self.position(key).unwrap_or_default()),
            fetch_kind::SCOPES => self.scopes.as_ref()?.read(key).map(str::to_owned),
            _ => None,
        }
    }
}

/// JSON text, or an error text behind `!`.
fn or_error<E: std::fmt::Display>(answer: Result<String, E>) -> String {
    answer.unwrap_or_else(|error| format!("!{error}"))
}
