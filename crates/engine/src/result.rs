//! Builds the JSON text of a `CodeModeResult`; the only place that does.

use crate::cell::{CellState, WaitReason};
use crate::error::Failure;
use crate::protocol::quote;
use std::fmt::Write;

/// The program returned.
pub(crate) fn completed(value: &str, output: &str, telemetry: &str, replay_safe: bool) -> String {
    format!(
        r#"{{"status":"completed","value":{value},"output":{output},"telemetry":{telemetry},"replaySafe":{replay_safe}}}"#
    )
}

/// The cell is suspended.
pub(crate) fn waiting(
    run_id: &str,
    reason: WaitReason,
    pending: &str,
    output: &str,
    telemetry: &str,
    replay_safe: bool,
) -> String {
    format!(
        r#"{{"status":"waiting","runId":"{run_id}","reason":"{}","pendingToolCalls":{pending},"output":{output},"telemetry":{telemetry},"replaySafe":{replay_safe}}}"#,
        reason.as_str()
    )
}

/// The leg failed.
pub(crate) fn failed(failure: &Failure, output: &str, telemetry: &str, replay_safe: bool) -> String {
    let mut json = format!(
        r#"{{"status":"failed","error":{},"code":"{}","detailCode":"{}""#,
        quote(&failure.message),
        word(&failure.detail.code()),
        word(&failure.detail),
    );
    if let Some(location) = failure.location {
        let _ = write!(json, r#","location":{{"line":{},"column":{}}}"#, location.line, location.column);
    }
    let _ = write!(json, r#","output":{output},"telemetry":{telemetry},"replaySafe":{replay_safe}}}"#);
    json
}

/// JSON array of the calls that have not settled, guest timers included.
pub(crate) fn pending_calls(state: &CellState) -> String {
    let mut items: Vec<String> = state
        .bridge
        .open()
        .map(|(_, open)| {
            let mut item =
                format!(r#"{{"id":{},"method":"{}""#, quote(&open.nested_id), open.method.as_str());
            if let Some(entry) = &open.entry {
                let _ = write!(item, r#","toolId":{}"#, quote(&entry.id));
            }
            item.push('}');
            item
        })
        .collect();
    let mut timers: Vec<u32> =
        state.bridge.timers.iter().filter(|(_, timer)| !timer.background).map(|(id, _)| *id).collect();
    timers.sort_unstable();
    items.extend(timers.iter().map(|id| format!(r#"{{"id":"timer/{id}","method":"timer"}}"#)));
    format!("[{}]", items.join(","))
}

/// The word of a code as it stands in JSON.
pub(crate) fn word<T: serde::Serialize>(code: &T) -> String {
    serde_json::to_value(code).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
