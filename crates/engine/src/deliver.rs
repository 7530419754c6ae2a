//! Shapes an answer for the guest: checks a tool's details against its contract, wraps `tools.call`, and
//! refuses what would not fit the guest's heap. Runs on the worker, just before the answer is delivered.

use crate::bridge::{Method, Outcome, Settled};
use crate::cell::Cell;
use crate::protocol::{parse_deep, quote, settle_kind};
use code_mode_catalog::Entry;
use code_mode_vm::Vm;
use serde_json::Value;

/// An answer as the prelude takes it.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) id: u32,
    pub(crate) kind: i32,
    pub(crate) text: String,
}

/// Bytes that one parsed JSON node may take in the guest, for the estimate below.
const NODE_BYTES: usize = 72;

/// See the module description.
pub(crate) fn shape(cell: &Cell, vm: &Vm, settled: Settled) -> Delivery {
    let id = settled.id;
    let (kind, text) = match settled.outcome {
        Outcome::Timer => return Delivery { id, kind: settle_kind::TIMER, text: String::new() },
        Outcome::Error(text) => (settle_kind::ERROR, text),
        Outcome::Value(text) => (settle_kind::VALUE, text),
        Outcome::Tool { method, entry, text } => tool(cell, method, &entry, text),
    };
    let room = vm.heap_limit_bytes().saturating_sub(vm.heap_used_bytes());
    if !fits(&text, room) {
        let message = format!(
            "the tool result is too large for the guest: {} bytes of JSON, about {room} bytes of memory left; ask for less",
            text.len()
        );
        return Delivery { id, kind: settle_kind::ERROR, text: failed(&message) };
    }
    Delivery { id, kind, text }
}

fn tool(cell: &Cell, method: Method, entry: &Entry, text: String) -> (i32, String) {
    if let Err(message) = check(cell, method, entry, &text) {
        return (settle_kind::ERROR, failed(&message));
    }
    if method == Method::Call {
        let entry = cell.catalog.guest_entry_json(entry);
        return (settle_kind::VALUE, format!(r#"{{"tool":{entry},"result":{text}}}"#));
    }
    (settle_kind::VALUE, text)
}

/// Validates the details the guest will get, on the copy it will get.
fn check(cell: &Cell, method: Method, entry: &Entry, text: &str) -> Result<(), String> {
    let contract = match cell.catalog.output_contract(entry) {
        Ok(Some(contract)) => contract,
        Ok(None) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let value = parse_deep(text).ok_or("the tool result is no JSON, or nested too deeply")?;
    let details = if method == Method::Call { value.get("details").unwrap_or(&Value::Null) } else { &value };
    contract.check(details).map_err(|error| error.to_string())
}

/// Whether parsing `text` will stay within `room` bytes; errs on the careful side only when it is close.
fn fits(text: &str, room: usize) -> bool {
    if text.len().saturating_mul(NODE_BYTES / 2) <= room {
        return true;
    }
    let nodes = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{' | b':')).count();
    text.len().saturating_mul(3).saturating_add(nodes.saturating_mul(NODE_BYTES)) <= room
}

/// JSON of an error that counts as the failure of the nested call.
pub(crate) fn failed(message: &str) -> String {
    format!(r#"{{"message":{},"detail":"nested_tool_failed"}}"#, quote(message))
}

/// JSON of an error made by the engine: a guest's mistake rather than a tool's failure.
pub(crate) fn refused(message: &str, detail: &str) -> String {
    format!(r#"{{"message":{},"detail":"{detail}"}}"#, quote(message))
}

/// The message in a host's error text.
pub(crate) fn message_of(text: &str) -> String {
    serde_json::from_str::<Value>(text)
        .ok()
        .and_then(|value| value.get("message").and_then(Value::as_str).map(str::to_owned))
        .unwrap_or_else(|| "the host failed without saying why".to_owned())
}
