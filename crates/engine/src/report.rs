//! Turns what a guest threw into a [`Failure`]: its text, its place in the user's own source, its code.

use crate::error::{DetailCode, Failure, Location};
use code_mode_transpile::Script;
use serde::Deserialize;

/// What `controller.describe` gives.
#[derive(Debug, Deserialize)]
struct Report {
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
    #[serde(rename = "fn", default)]
    function: String,
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
pub(crate) fn failure(described: &str, script: Option<&Script>, surfaced: Surfaced) -> Failure {
    let Ok(report) = serde_json::from_str::<Report>(described) else {
        return Failure::new(DetailCode::InternalError, "the guest failed in a way that could not be described");
    };
    let mapped: Vec<(String, Location)> = report
        .error
        .frames
        .iter()
        .filter_map(|frame| {
            let (line, column) = match script {
                Some(script) => script.original_position(frame.line, frame.column)?,
                None => (frame.line, frame.column),
            };
            Some((frame.function.clone(), Location { line, column }))
        })
        .collect();
    let location = mapped.first().map(|(_, location)| *location);
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
        _ => text_with_frames(&report.error, &mapped),
    };
    Failure { detail, message, location }
}

fn detail(report: &Report) -> DetailCode {
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
        "call" | "callValue" => format!("tools.{}({})", origin.method, crate::protocol::quote(&origin.target)),
        "mcp" | "namespace" => format!("{}({})", origin.method, crate::protocol::quote(&origin.target)),
        other => other.to_owned(),
    }
}

/// The guest's text with its frame lines replaced by the mapped ones.
fn text_with_frames(error: &Described, mapped: &[(String, Location)]) -> String {
    let is_frame = |line: &&str| line.starts_with("    at ");
    let mut lines = error.text.lines();
    let mut text = String::new();
    let mut rest = None;
    for line in lines.by_ref() {
        if is_frame(&line) {
            rest = Some(());
            break;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    for (function, location) in mapped {
        let place = format!("code-mode.js:{}:{}", location.line, location.column);
        text.push_str("\n    at ");
        text.push_str(&if function.is_empty() { place } else { format!("{function} ({place})") });
    }
    if rest.is_some() {
        // Causes and inner errors follow the first frames.
        for line in lines.skip_while(is_frame) {
            text.push('\n');
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_failure_reads_as_the_tool_said_it() {
        let text = r#"{"origin":{"method":"call","target":"openclaw:core:x","detail":"nested_tool_failed"},
            "error":{"message":"no such file","text":"Error: no such file\n    at code-mode.js:2:3","frames":[{"fn":"","line":2,"column":3}]}}"#;
        let thrown = failure(text, None, Surfaced::Thrown);
        assert_eq!(
            (thrown.detail, thrown.message.as_str(), thrown.location),
            (DetailCode::NestedToolFailed, "no such file", Some(Location { line: 2, column: 3 }))
        );
        let unhandled = failure(text, None, Surfaced::Unhandled);
        assert_eq!(unhandled.message, "no such file (unhandled rejection of tools.call(\"openclaw:core:x\"))");
    }

    #[test]
    fn other_errors_keep_frames_and_causes() {
        let text = r#"{"origin":null,"error":{"message":"a","text":"Error: a\n    at f (code-mode.js:1:2)\ncaused by: Error: b","frames":[{"fn":"f","line":1,"column":2}]}}"#;
        assert_eq!(
            failure(text, None, Surfaced::Thrown).message,
            "Error: a\n    at f (code-mode.js:1:2)\ncaused by: Error: b"
        );
        assert_eq!(failure("{", None, Surfaced::Thrown).detail, DetailCode::InternalError);
    }
}
