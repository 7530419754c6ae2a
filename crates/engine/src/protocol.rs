//! The vocabulary between the engine and its host, and between the engine and the guest's prelude.
//!
//! Everything is plain data: ids, words and JSON text. Events leave the engine through an [`Outbox`];
//! the host is woken once per batch and takes what has gathered.

use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Numbers that prelude/kinds.js uses for what the guest emits.
pub(crate) mod emit_kind {
    pub(crate) const TEXT: i32 = 1;
    pub(crate) const JSON: i32 = 2;
    pub(crate) const CALL: i32 = 3;
    pub(crate) const TIMER: i32 = 4;
    pub(crate) const CLEAR_TIMER: i32 = 5;
    pub(crate) const NOTE: i32 = 6;
    pub(crate) const OVERFLOW: i32 = 7;
}

/// Numbers that prelude/kinds.js uses for what the guest reads.
pub(crate) mod fetch_kind {
    pub(crate) const SETTING: i32 = 1;
    pub(crate) const ALL_TOOLS: i32 = 2;
    pub(crate) const TOOL_NAME: i32 = 3;
    pub(crate) const TOOL_NAMES: i32 = 4;
    pub(crate) const API_LIST: i32 = 5;
    pub(crate) const API_READ: i32 = 6;
    pub(crate) const MCP: i32 = 7;
    pub(crate) const MCP_API: i32 = 8;
    pub(crate) const SCOPES: i32 = 9;
    pub(crate) const POSITION: i32 = 10;
}

/// Numbers that prelude/kinds.js uses for how a request settles.
pub(crate) mod settle_kind {
    pub(crate) const VALUE: i32 = 0;
    pub(crate) const ERROR: i32 = 1;
    pub(crate) const TIMER: i32 = 2;
}

/// Identifies one leg; chosen by the host, unique per engine.
pub type LegId = u64;
/// Identifies one cell inside the engine.
pub type CellId = u64;
/// Identifies one run inside the engine.
pub type RunKey = u64;

/// What the engine tells its host.
#[derive(Debug)]
pub enum HostEvent {
    /// A leg ended; `result` is the JSON text of the whole result.
    LegDone {
        /// The leg.
        leg: LegId,
        /// JSON text of a `CodeModeResult`.
        result: String,
    },
    /// A guest wants something that only the host can do. Answered with one [`Reply`].
    Call {
        /// The run of the cell.
        run: RunKey,
        /// The cell that asks.
        cell: CellId,
        /// The request, unique in its cell.
        request: u32,
        /// JSON text: what is asked (method, tool, nested id).
        head: String,
        /// JSON text: the input.
        body: String,
    },
    /// The cell is gone: its open calls are to be aborted, and replies to them come too late.
    CellEnded {
        /// The cell.
        cell: CellId,
    },
    /// A state change, for the run's listener; JSON text.
    Trace {
        /// The run.
        run: RunKey,
        /// JSON text of the event.
        event: String,
    },
}

/// The host's answer to a [`HostEvent::Call`].
#[derive(Debug)]
pub struct Reply {
    /// The cell that asked.
    pub cell: CellId,
    /// The request answered.
    pub request: u32,
    /// Whether the call succeeded.
    pub ok: bool,
    /// JSON text: the value, or `{message, name?, code?, details?}`.
    pub text: String,
}

/// Events on their way to the host, in order.
pub(crate) struct Outbox {
    events: Mutex<Vec<HostEvent>>,
    signalled: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Outbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outbox").finish_non_exhaustive()
    }
}

impl Outbox {
    pub(crate) fn new(wake: Box<dyn Fn() + Send + Sync>) -> Self {
        Self { events: Mutex::default(), signalled: AtomicBool::new(false), wake }
    }

    /// Adds an event and wakes the host unless a wake-up is already on its way.
    pub(crate) fn send(&self, event: HostEvent) {
        self.events.lock().push(event);
        if !self.signalled.swap(true, Ordering::SeqCst) {
            (self.wake)();
        }
    }

    /// Takes what has gathered. `polling`: the host comes back by itself and need not be woken. Otherwise the
    /// signal is cleared before reading, so an event added meanwhile wakes the host again.
    pub(crate) fn take(&self, polling: bool) -> Vec<HostEvent> {
        self.signalled.store(polling, Ordering::SeqCst);
        std::mem::take(&mut *self.events.lock())
    }
}

/// Levels of nesting that values of the host may have; the guest's own have as many.
const MAX_DEPTH: usize = 520;

/// Reads JSON of the host, as deep as values may be. `None`: no JSON, or too deep.
pub(crate) fn parse_deep(text: &str) -> Option<serde_json::Value> {
    use serde::Deserialize;
    let mut depth = 0usize;
    let mut in_text = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_text => drop(bytes.next()),
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    serde_json::Value::deserialize(&mut reader).ok()
}

/// JSON text of a string.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_values_are_read_and_deeper_ones_refused() {
        let nested = |levels: usize| format!("{}\"[[\\\"[\"{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse_deep(&nested(512)).is_some());
        assert!(parse_deep(&nested(100_000)).is_none());
        assert!(parse_deep("[1,").is_none());
    }
}
