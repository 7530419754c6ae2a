//! Reads what a model gave to `exec` and `wait`, and checks who asks. Every mistake is a failure in words.

use crate::error::{DetailCode, Failure};
use crate::run::{Run, Scope};
use crate::store;
use code_mode_transpile::Language;
use serde_json::Value;

pub(crate) fn source_of(input: &Value) -> Result<String, Failure> {
    let field = |name: &str| match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(Failure::invalid(format!("{name} must be a string holding the program to run."))),
    };
    let source = match (field("code")?, field("command")?) {
        (Some(code), Some(command)) if code != command => {
            return Err(Failure::invalid("code and command must match when both are provided."));
        }
        (Some(code), _) => code,
        (None, Some(command)) => command,
        (None, None) => {
            return Err(Failure::invalid("code must be a non-empty string holding the program to run."));
        }
    };
    if source.trim().is_empty() {
        return Err(Failure::invalid("code must be a non-empty string holding the program to run."));
    }
    Ok(source.clone())
}

pub(crate) fn language_of(run: &Run, given: Option<&Value>) -> Result<Language, Failure> {
    let word = match given {
        None | Some(Value::Null) => {
            run.config.languages.iter().find(|l| **l == "javascript").map_or("typescript", |l| l)
        }
        Some(Value::String(word)) => word.as_str(),
        Some(_) => return Err(Failure::invalid("language must be \"javascript\" or \"typescript\".")),
    };
    let language = match word {
        "javascript" => Language::JavaScript,
        "typescript" => Language::TypeScript,
        other => {
            let shown: String = other.chars().take(40).collect();
            return Err(Failure::new(
                DetailCode::UnsupportedLanguage,
                format!("unknown language \"{shown}\": language must be \"javascript\" or \"typescript\"."),
            ));
        }
    };
    if run.config.allows(word) {
        Ok(language)
    } else {
        let allowed = run.config.languages.join(", ");
        Err(Failure::new(
            DetailCode::UnsupportedLanguage,
            format!("{word} is not enabled in this run; write the program in {allowed}."),
        ))
    }
}

pub(crate) fn run_id_of(input: &Value) -> Result<String, Failure> {
    let given = input.get("runId").filter(|value| !value.is_null()).or_else(|| input.get("run_id"));
    let id = match given {
        Some(Value::String(id)) if !id.trim().is_empty() => id.trim(),
        _ => {
            return Err(Failure::invalid("runId must be a non-empty string: the runId of a waiting result."));
        }
    };
    if store::looks_like_run_id(id) {
        Ok(id.to_owned())
    } else {
        Err(Failure::invalid(
            "not a code mode runId: a runId is \"cm_\" and a UUID, as a waiting result of exec or wait gave it.",
        ))
    }
}

/// A cell may be resumed by its own run and session only. A caller without identity is refused when the cell has one.
pub(crate) fn check_scope(owner: &Run, asking: &Run, caller: &Scope) -> Result<(), Failure> {
    let own = &owner.scope;
    let differs = |own: &Option<String>, caller: &Option<String>| own.is_some() && own != caller;
    if owner.key != asking.key
        || differs(&own.run_id, &caller.run_id)
        || differs(&own.agent_id, &caller.agent_id)
    {
        return Err(Failure::invalid("code mode run belongs to a different agent run."));
    }
    if differs(&own.session_id, &caller.session_id) || differs(&own.session_key, &caller.session_key) {
        return Err(Failure::invalid("code mode run belongs to a different session."));
    }
    Ok(())
}
