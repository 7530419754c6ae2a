//! Acts on what a guest asked for in a turn: answers what the engine knows, hands the rest to the host.

use crate::bridge::{GuestTimer, Method, Open, Outcome, Request, Settled};
use crate::cell::{Cell, CellState, Phase, Scopes};
use crate::config::as_size;
use crate::core::{Alarm, Core};
use crate::deliver::{failed, refused};
use crate::protocol::{HostEvent, Reply, parse_deep, quote};
use crate::sink::TimerOp;
use code_mode_catalog::{Entry, Source};
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Requests beyond those in flight; the prelude refuses a burst over it, this is the check behind it.
const QUEUE_LENGTH: usize = 128;
/// Timers at once; the prelude has the same number.
const MOST_TIMERS: usize = 1000;

const NOT_SAFE: &str = "restart-safe code mode cannot call side-effecting tools.";
const NO_NAMESPACES: &str = "restart-safe code mode cannot call plugin namespaces.";

/// Sets and clears guest timers.
pub(crate) fn apply_timers(core: &Core, cell: &Arc<Cell>, state: &mut CellState, ops: &[TimerOp]) {
    for op in ops {
        match *op {
            TimerOp::Set { id, delay_ms, background } if state.bridge.timers.len() < MOST_TIMERS => {
                let at = Instant::now() + Duration::from_millis(delay_ms);
                let key = core.timers.add(at, Alarm::Guest { cell: Arc::clone(cell), id });
                state.bridge.timers.insert(id, GuestTimer { key, background });
            }
            TimerOp::Set { .. } => {}
            TimerOp::Clear { id } => {
                if let Some(timer) = state.bridge.timers.remove(&id) {
                    core.timers.cancel(timer.key);
                }
                state
                    .bridge
                    .inbox
                    .retain(|settled| settled.id != id || !matches!(settled.outcome, Outcome::Timer));
            }
        }
    }
}

/// Acts on requests in order, then hands out as many calls as may be in flight.
pub(crate) fn apply(core: &Core, cell: &Arc<Cell>, state: &mut CellState, requests: Vec<Request>) {
    let limit = as_size(cell.run.config.max_pending_tool_calls);
    for request in requests {
        let id = request.id;
        if request.method == Method::Yield {
            state.bridge.yields.push((id, request.body));
            continue;
        }
        let outcome = if state.bridge.open_count() >= limit + QUEUE_LENGTH {
            Some(Outcome::Error(refused(
                "too many pending code mode tool calls",
                "too_many_pending_tool_calls",
            )))
        } else {
            act(cell, state, request)
        };
        if let Some(outcome) = outcome {
            state.bridge.inbox.push(Settled { id, outcome });
        }
    }
    dispatch(core, cell, state);
}

/// Hands queued calls to the host, in order, as far as the limits allow.
pub(crate) fn dispatch(core: &Core, cell: &Cell, state: &mut CellState) {
    let limit = as_size(cell.run.config.max_pending_tool_calls);
    let scopes = match &state.scopes {
        Scopes::Ready(table) => Some(Arc::clone(table)),
        Scopes::None | Scopes::Asked => None,
    };
    while let Some((request, open)) = state.bridge.next_dispatch(limit, cell.run.swarm_concurrency) {
        if let Some(entry) = &open.entry {
            cell.run.telemetry.lock().called(&entry.id);
        }
        let body = std::mem::take(&mut open.body);
        let namespace = scopes.as_ref().and_then(|table| table.callable(&open.target));
        let head = head(cell, open, namespace.map(|(_, id, path)| (id, path)));
        state.bridge.asked_host = true;
        core.outbox.send(HostEvent::Call { run: cell.run.key, cell: cell.id, request, head, body });
    }
}

/// Takes the host's answer to a call. False: nobody waits for it any more.
pub(crate) fn reply(core: &Arc<Core>, cell: &Arc<Cell>, reply: Reply) -> bool {
    let mut state = cell.state.lock();
    // It may have ended since it was found: nothing of it goes out any more.
    if state.phase == Phase::Ended {
        return false;
    }
    let Some(open) = state.bridge.settle(reply.request) else { return false };
    let outcome =
        if reply.ok { accepted(cell, &open, reply.text) } else { Outcome::Error(as_failure(&reply.text)) };
    state.bridge.inbox.push(Settled { id: reply.request, outcome });
    dispatch(core, cell, &mut state);
    core.inbox_changed(cell, &mut state);
    true
}

/// Passes notes of a guest's swarm (`phase`, `log`) on; they want no answer.
pub(crate) fn notes(core: &Core, cell: &Cell, notes: Vec<String>) {
    for body in notes {
        let head = json!({ "method": "note", "parent": cell.tool_call_id }).to_string();
        core.outbox.send(HostEvent::Call { run: cell.run.key, cell: cell.id, request: 0, head, body });
    }
}

/// Answers a request, or makes it an open one for the host (`None`).
fn act(cell: &Cell, state: &mut CellState, request: Request) -> Option<Outcome> {
    match request.method {
        Method::Search => {
            cell.run.telemetry.lock().searches += 1;
            if cell.run.host_search {
                return open(cell, state, with_limit(cell, request), None);
            }
            Some(search(cell, &request))
        }
        Method::Describe => {
            cell.run.telemetry.lock().describes += 1;
            match cell.catalog.lookup(&request.target) {
                Err(error) => Some(mistake(&error)),
                Ok(entry) if cell.run.host_describe => open(cell, state, request, Some(entry.clone())),
                Ok(entry) => Some(Outcome::Value(cell.catalog.describe_json(entry))),
            }
        }
        Method::Call | Method::CallValue => match cell.catalog.lookup(&request.target) {
            Err(_) if cell.restart_safe => Some(Outcome::Error(refused(NOT_SAFE, "invalid_input"))),
            Err(error) => Some(mistake(&error)),
            Ok(entry) => call(cell, state, request, entry.clone()),
        },
        Method::Mcp => {
            match cell.catalog.by_id(&request.target).filter(|entry| entry.source == Source::Mcp) {
                None => Some(mistake(&format!("Unknown MCP tool: {}.", request.target))),
                Some(entry) => call(cell, state, request, entry.clone()),
            }
        }
        Method::Namespace => namespace(cell, state, request),
        Method::Agent if cell.run.swarm => open(cell, state, request, None),
        Method::Agent => Some(mistake(&"agents are not available in this run.")),
        Method::Yield => None,
    }
}

fn call(cell: &Cell, state: &mut CellState, request: Request, entry: Entry) -> Option<Outcome> {
    // Restart safety is decided by the exact id that the guest wrote, never by a name.
    if cell.restart_safe && !(request.target == entry.id && cell.catalog.check_restart_safe(&entry.id)) {
        return Some(Outcome::Error(refused(NOT_SAFE, "invalid_input")));
    }
    // A tool whose contract cannot be checked does not run.
    if let Err(error) = cell.catalog.output_contract(&entry) {
        return Some(Outcome::Error(failed(&error.to_string())));
    }
    open(cell, state, request, Some(entry))
}

fn namespace(cell: &Cell, state: &mut CellState, request: Request) -> Option<Outcome> {
    if cell.restart_safe {
        return Some(Outcome::Error(refused(NO_NAMESPACES, "invalid_input")));
    }
    let table = match &state.scopes {
        Scopes::Ready(table) => Arc::clone(table),
        Scopes::None | Scopes::Asked => return Some(mistake(&"Unknown code mode namespace function.")),
    };
    let entry = table.callable(&request.target).and_then(|(id, ..)| cell.catalog.by_id(id));
    match entry {
        None => Some(mistake(&"Unknown code mode namespace function.")),
        Some(entry) => call(cell, state, request, entry.clone()),
    }
}

fn open(cell: &Cell, state: &mut CellState, request: Request, entry: Option<Entry>) -> Option<Outcome> {
    state.bridge.add(request, entry, &cell.tool_call_id);
    None
}

fn limit_of(cell: &Cell, request: &Request) -> u64 {
    let config = &cell.run.config;
    // "null" (absent) is the default; anything larger than a u64 is clamped like everything above the maximum.
    match request.body.as_str() {
        "null" => config.search_default_limit,
        given => given.parse().unwrap_or(u64::MAX).min(config.max_search_limit),
    }
}

fn search(cell: &Cell, request: &Request) -> Outcome {
    let limit = as_size(limit_of(cell, request));
    let found: Vec<String> = cell
        .catalog
        .search(&request.target, limit)
        .into_iter()
        .map(|entry| cell.catalog.guest_entry_json(entry))
        .collect();
    Outcome::Value(format!("[{}]", found.join(",")))
}

fn with_limit(cell: &Cell, mut request: Request) -> Request {
    request.body = json!({ "query": request.target, "limit": limit_of(cell, &request) }).to_string();
    request
}

/// What a host's good answer means to the guest.
fn accepted(cell: &Cell, open: &Open, text: String) -> Outcome {
    match (open.method, &open.entry) {
        (Method::Search, _) => listed(cell, &text),
        (Method::Describe, Some(entry)) => described(cell, entry, &text),
        (method, Some(entry)) if method.is_tool_call() => {
            Outcome::Tool { method, entry: entry.clone(), text }
        }
        _ => Outcome::Value(text),
    }
}

/// Entries for the ids a host's search gave; ids the guest may not see are dropped.
fn listed(cell: &Cell, text: &str) -> Outcome {
    let ids: Vec<String> = serde_json::from_str(text).unwrap_or_default();
    let found: Vec<String> = ids
        .iter()
        .filter_map(|id| cell.catalog.by_id(id))
        .filter(|entry| entry.is_guest_visible())
        .map(|entry| cell.catalog.guest_entry_json(entry))
        .collect();
    Outcome::Value(format!("[{}]", found.join(",")))
}

/// An entry with the schemas a host's describe gave; without an answer, the tool's own.
fn described(cell: &Cell, entry: &Entry, text: &str) -> Outcome {
    let own = cell.catalog.describe_json(entry);
    let given = serde_json::from_str::<Value>(text).unwrap_or_default();
    let (Ok(Value::Object(mut described)), Value::Object(given)) = (serde_json::from_str(&own), given) else {
        return Outcome::Value(own);
    };
    for key in ["parameters", "outputSchema"] {
        if let Some(schema) = given.get(key) {
            described.insert(key.to_owned(), schema.clone());
        }
    }
    Outcome::Value(Value::Object(described).to_string())
}

/// A mistake of the guest, catchable; uncaught it is an ordinary exception.
fn mistake(error: &dyn std::fmt::Display) -> Outcome {
    Outcome::Error(format!(r#"{{"message":{}}}"#, quote(&error.to_string())))
}

/// The host's error text, marked as the failure of a nested call.
fn as_failure(text: &str) -> String {
    match parse_deep(text) {
        Some(Value::Object(mut fields)) => {
            if !fields.get("message").is_some_and(Value::is_string) {
                fields.insert("message".into(), "the tool failed without saying why".into());
            }
            fields.insert("detail".into(), "nested_tool_failed".into());
            Value::Object(fields).to_string()
        }
        _ => failed("the tool failed without saying why"),
    }
}

fn head(cell: &Cell, open: &Open, namespace: Option<(&str, &str)>) -> String {
    let mut head = format!(
        r#"{{"method":"{}","target":{},"toolCallId":{},"parent":{}"#,
        open.method.as_str(),
        quote(&open.target),
        quote(&open.nested_id),
        quote(&cell.tool_call_id),
    );
    if let Some(entry) = &open.entry {
        let (id, name) = (quote(&entry.id), quote(&entry.name));
        let _ = write!(head, r#","catalogId":{id},"toolName":{name},"hostIndex":{}"#, entry.host_index);
    }
    if let Some((id, path)) = namespace {
        let _ = write!(head, r#","namespaceId":{},"path":{}"#, quote(id), quote(path));
    }
    head.push('}');
    head
}

/// Counts a reply that nobody waits for.
pub(crate) fn late(core: &Core) {
    core.counters.late_replies.fetch_add(1, Ordering::Relaxed);
}
