//! Turns what a guest threw into a [`Failure`]: its text, its place in the user's own source, its code.

use crate::error::{DetailCode, Failure, Location};
use serde::Deserialize;

/// What `controller.describe` gives.
#[derive(Debug, Deserialize)]
struct Report {
    /// The source itself is at fault.
    #[serde(default)]
    compiling: bool,
    origin: Option<Origin>,
    error: Described,
}

/// The nested call an error came from.
#[derive(Debug, Deserialize)]
struct Origin {
    method: String,
    target: String,
    detail: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Described {
    message: String,
    text: String,
    #[serde(default)]
    frames: Vec<Frame>,
}

#[derive(Debug, Deserialize)]
struct Frame {
    line: u32,
    column: u32,
}

/// How the error surfaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surfaced {
    /// The program's own promise was rejected.
    Thrown,
    /// A promise that nobody handled.
    Unhandled,
}

/// Reads a description made in the guest. One that cannot be read is still a failure, never a panic.
pub(crate) fn failure(described: &str, surfaced: Surfaced) -> Failure {
    let Ok(report) = serde_json::from_str::<Report>(described) else {
        return Failure::new(
            DetailCode::InternalError,
            "the guest failed in a way that could not be described",
        );
    };
    // The guest's frames are mapped already: the program sees the same ones.
    let location =
        report.error.frames.first().map(|frame| Location { line: frame.line, column: frame.column });
    let detail = detail(&report);
    let message = match (&report.origin, detail) {
        // The tool's own words, as the host gave them.
        (Some(origin), DetailCode::NestedToolFailed) if surfaced == Surfaced::Unhandled => {
            format!("{} (unhandled rejection of {})", report.error.message, call_name(origin))
        }
        (
            _,
            DetailCode::NestedToolFailed
            | DetailCode::TooManyPendingToolCalls
            | DetailCode::InvalidInput
            | DetailCode::OutputLimitExceeded,
        ) => report.error.message.clone(),
        _ => report.error.text.clone(),
    };
    Failure { detail, message, location }
}

fn detail(report: &Report) -> DetailCode {
    if report.compiling {
        return DetailCode::InvalidInput;
    }
    match report.origin.as_ref().and_then(|origin| origin.detail.as_deref()) {
        Some("nested_tool_failed") => DetailCode::NestedToolFailed,
        Some("too_many_pending_tool_calls") => DetailCode::TooManyPendingToolCalls,
        Some("invalid_input") => DetailCode::InvalidInput,
        Some("output_limit_exceeded") => DetailCode::OutputLimitExceeded,
        _ => DetailCode::InternalError,
    }
}

fn call_name(origin: &Origin) -> String {
    match origin.method.as_str() {
        "call" | "callValue" => {
            format!("tools.{}({})", origin.method, crate::protocol::quote(&origin.target))
        }
        "mcp" | "namespace" => format!("{}({})", origin.method, crate::protocol::quote(&origin.target)),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_failure_reads_as_the_tool_said_it() {
        let text = r#"{"origin":{"method":"call","target":"openclaw:core:x","detail":"nested_tool_failed"},
            "error":{"message":"no such file","text":"Error: no such file\n    at code-mode.js:2:3","frames":[{"fn":"","line":2,"column":3}]}}"#;
        let thrown = failure(text, Surfaced::Thrown);
        assert_eq!(
            (thrown.detail, thrown.message.as_str(), thrown.location),
            (DetailCode::NestedToolFailed, "no such file", Some(Location { line: 2, column: 3 }))
        );
        let unhandled = failure(text, Surfaced::Unhandled);
        assert_eq!(
            unhandled.message,
            "no such file (unhandled rejection of tools.call(\"openclaw:core:x\"))"
        );
    }

    #[test]
    fn other_errors_keep_frames_and_causes() {
        let text = r#"{"origin":null,"error":{"message":"a","text":"Error: a\n    at f (code-mode.js:1:2)\ncaused by: Error: b","frames":[{"fn":"f","line":1,"column":2}]}}"#;
        assert_eq!(
            failure(text, Surfaced::Thrown).message,
            "Error: a\n    at f (code-mode.js:1:2)\ncaused by: Error: b"
        );
        assert_eq!(failure("{", Surfaced::Thrown).detail, DetailCode::InternalError);
    }
}
