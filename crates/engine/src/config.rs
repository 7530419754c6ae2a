//! The limits of a run: defaults, clamps, and the two ways to read a `tools.codeMode` value.
//!
//! [`Config::resolve`] never fails: what it cannot use it replaces by the default. [`validate`] reports
//! the same mistakes loudly, each with its path, for tools that check a configuration file.

use serde::Serialize;
use serde_json::{Map, Value};

/// A numeric field: key, default, smallest and largest value.
struct Field {
    key: &'static str,
    default: u64,
    min: u64,
    max: u64,
}

const MIB: u64 = 1024 * 1024;
const TIMEOUT: Field = Field { key: "timeoutMs", default: 10_000, min: 100, max: 60_000 };
const MEMORY: Field = Field { key: "memoryLimitBytes", default: 64 * MIB, min: MIB, max: 1024 * MIB };
const OUTPUT: Field = Field { key: "maxOutputBytes", default: 65_536, min: 1_024, max: 10 * MIB };
const SNAPSHOT: Field = Field { key: "maxSnapshotBytes", default: 10 * MIB, min: 1_024, max: 256 * MIB };
const PENDING: Field = Field { key: "maxPendingToolCalls", default: 16, min: 1, max: 128 };
const TTL: Field = Field { key: "snapshotTtlSeconds", default: 900, min: 1, max: 86_400 };
const SEARCH_MAX: Field = Field { key: "maxSearchLimit", default: 50, min: 1, max: 50 };
const SEARCH_DEFAULT: Field = Field { key: "searchDefaultLimit", default: 8, min: 1, max: 50 };
const NUMBERS: [&Field; 8] =
    [&TIMEOUT, &MEMORY, &OUTPUT, &SNAPSHOT, &PENDING, &TTL, &SEARCH_MAX, &SEARCH_DEFAULT];
const LANGUAGES: [&str; 2] = ["javascript", "typescript"];
const OVERFLOWS: [&str; 2] = ["fail", "truncate"];

/// What happens to output over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OutputOverflow {
    /// The cell fails; what was emitted before stays.
    Fail,
    /// The cell goes on; the text is cut and says how much is missing.
    Truncate,
}

/// Resolved limits of a run; every field is inside its clamp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// Code mode is on.
    pub enabled: bool,
    /// Always `quickjs`.
    pub runtime: &'static str,
    /// Always `only`.
    pub mode: &'static str,
    /// Languages that `exec` accepts; never empty.
    pub languages: Vec<&'static str>,
    /// Wall clock of one leg.
    pub timeout_ms: u64,
    /// Guest heap.
    pub memory_limit_bytes: u64,
    /// UTF-8 JSON bytes that a cell may emit over all its legs.
    pub max_output_bytes: u64,
    /// Stored image of a suspended cell.
    pub max_snapshot_bytes: u64,
    /// Nested calls in flight at once.
    pub max_pending_tool_calls: u64,
    /// Idle time of a suspended cell.
    pub snapshot_ttl_seconds: u64,
    /// `tools.search` limit when the guest gives none.
    pub search_default_limit: u64,
    /// Largest `tools.search` limit.
    pub max_search_limit: u64,
    /// A trailing expression statement is the value of a program without a top-level `return`.
    pub implicit_return: bool,
    /// See [`OutputOverflow`].
    pub output_overflow: OutputOverflow,
}

impl Config {
    /// Resolves a raw `tools.codeMode` value, an agent's value merged over it field by field. Never fails.
    pub fn resolve(raw: &Value, agent_raw: Option<&Value>) -> Self {
        let mut merged = as_fields(raw);
        if let Some(agent) = agent_raw.filter(|value| !value.is_null()) {
            merged.extend(as_fields(agent));
        }
        let number = |field: &Field| {
            merged
                .get(field.key)
                .and_then(positive_integer)
                .map_or(field.default, |n| n.clamp(field.min, field.max))
        };
        let max_search_limit = number(&SEARCH_MAX);
        Self {
            enabled: merged.get("enabled") == Some(&Value::Bool(true)),
            runtime: "quickjs",
            mode: "only",
            languages: languages(merged.get("languages")),
            timeout_ms: number(&TIMEOUT),
            memory_limit_bytes: number(&MEMORY),
            max_output_bytes: number(&OUTPUT),
            max_snapshot_bytes: number(&SNAPSHOT),
            max_pending_tool_calls: number(&PENDING),
            snapshot_ttl_seconds: number(&TTL),
            search_default_limit: number(&SEARCH_DEFAULT).min(max_search_limit),
            max_search_limit,
            implicit_return: merged.get("implicitReturn") != Some(&Value::Bool(false)),
            output_overflow: if merged.get("outputOverflow") == Some(&Value::String("truncate".into())) {
                OutputOverflow::Truncate
            } else {
                OutputOverflow::Fail
            },
        }
    }

    /// Whether `language` may be used.
    pub fn allows(&self, language: &str) -> bool {
        self.languages.contains(&language)
    }
}

/// A configured number as a size of this machine; one that does not fit is as good as no limit.
pub(crate) fn as_size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// One mistake in a raw configuration value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConfigIssue {
    /// Where, like `tools.codeMode.timeoutMs`.
    pub path: String,
    /// What is wrong and what would be right.
    pub message: String,
}

/// Reports everything [`Config::resolve`] would quietly replace or clamp.
pub fn validate(raw: &Value) -> Vec<ConfigIssue> {
    let root = "tools.codeMode";
    let fields = match raw {
        Value::Null | Value::Bool(_) => return Vec::new(),
        Value::Object(fields) => fields,
        other => {
            return vec![issue(root, format!("must be a boolean or an object, not {}", kind(other)))];
        }
    };
    fields.iter().filter_map(|(key, value)| check(root, key, value, fields)).collect()
}

fn check(root: &str, key: &str, value: &Value, all: &Map<String, Value>) -> Option<ConfigIssue> {
    let path = format!("{root}.{key}");
    if let Some(field) = NUMBERS.iter().find(|field| field.key == key) {
        let max = if key == SEARCH_DEFAULT.key { resolved_search_max(all) } else { field.max };
        let n = positive_integer(value);
        return match n {
            None => Some(issue(
                &path,
                format!("must be an integer from {} to {max}, not {}", field.min, shown(value)),
            )),
            Some(n) if n < field.min || n > max => {
                Some(issue(&path, format!("must be from {} to {max}; {n} is clamped", field.min)))
            }
            Some(_) => None,
        };
    }
    match key {
        "enabled" | "implicitReturn" => {
            (!value.is_boolean()).then(|| issue(&path, format!("must be a boolean, not {}", shown(value))))
        }
        "languages" => check_languages(&path, value),
        "outputOverflow" => (!value.as_str().is_some_and(|s| OVERFLOWS.contains(&s)))
            .then(|| issue(&path, format!("must be \"fail\" or \"truncate\", not {}", shown(value)))),
        "runtime" => (!matches!(value.as_str(), Some("quickjs" | "quickjs-wasi"))).then(|| {
            issue(&path, format!("must be \"quickjs\" (or its alias \"quickjs-wasi\"), not {}", shown(value)))
        }),
        "mode" => (value.as_str() != Some("only"))
            .then(|| issue(&path, format!("must be \"only\", not {}", shown(value)))),
        _ => Some(issue(&path, "is not a known setting".into())),
    }
}

fn check_languages(path: &str, value: &Value) -> Option<ConfigIssue> {
    let Value::Array(items) = value else {
        return Some(issue(
            path,
            format!("must be an array of \"javascript\" and \"typescript\", not {}", shown(value)),
        ));
    };
    let bad = items.iter().position(|item| !item.as_str().is_some_and(|s| LANGUAGES.contains(&s)));
    match bad {
        Some(at) => Some(issue(
            &format!("{path}[{at}]"),
            format!("must be \"javascript\" or \"typescript\", not {}", shown(&items[at])),
        )),
        None if items.is_empty() => {
            Some(issue(path, "must name at least one language; both are used".into()))
        }
        None => None,
    }
}

fn resolved_search_max(all: &Map<String, Value>) -> u64 {
    all.get(SEARCH_MAX.key)
        .and_then(positive_integer)
        .map_or(SEARCH_MAX.default, |n| n.clamp(SEARCH_MAX.min, SEARCH_MAX.max))
}

fn as_fields(raw: &Value) -> Map<String, Value> {
    match raw {
        Value::Object(fields) => fields.clone(),
        other => Map::from_iter([("enabled".to_owned(), Value::Bool(*other == Value::Bool(true)))]),
    }
}

/// The number as JavaScript means it: 1e4 and 10000.0 are integers too.
fn positive_integer(value: &Value) -> Option<u64> {
    let n = value.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked integral and positive; a cast of a larger float saturates and is clamped after"
    )]
    (n.is_finite() && n > 0.0 && n.fract() == 0.0).then_some(n as u64)
}

fn languages(value: Option<&Value>) -> Vec<&'static str> {
    let named = |language: &&&str| {
        value
            .and_then(Value::as_array)
            .is_some_and(|items| items.iter().any(|item| item.as_str() == Some(**language)))
    };
    let chosen: Vec<_> = LANGUAGES.iter().filter(named).copied().collect();
    if chosen.is_empty() { LANGUAGES.to_vec() } else { chosen }
}

fn issue(path: &str, message: String) -> ConfigIssue {
    ConfigIssue { path: path.to_owned(), message }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
            let text = value.to_string();
            if text.chars().count() <= 40 {
                text
            } else {
                format!("{}…", text.chars().take(40).collect::<String>())
            }
        }
        other => kind(other).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_true_turns_it_on() {
        for (raw, on) in [
            (json!(true), true),
            (json!({"enabled": true}), true),
            (json!(false), false),
            (json!(null), false),
            (json!("true"), false),
            (json!([true]), false),
            (json!({"enabled": "true"}), false),
            (json!({"timeoutMs": 500}), false),
        ] {
            assert_eq!(Config::resolve(&raw, None).enabled, on, "{raw}");
        }
    }

    #[test]
    fn an_agent_is_merged_field_by_field() {
        let global = json!({"enabled": true, "timeoutMs": 500, "maxOutputBytes": 2048});
        let merged = Config::resolve(&global, Some(&json!({"timeoutMs": 900})));
        assert_eq!((merged.enabled, merged.timeout_ms, merged.max_output_bytes), (true, 900, 2048));
        assert!(!Config::resolve(&global, Some(&json!(false))).enabled);
        assert!(Config::resolve(&json!({"timeoutMs": 500}), Some(&json!(true))).enabled);
        assert!(Config::resolve(&global, Some(&Value::Null)).enabled);
    }

    #[test]
    fn numbers_are_defaulted_then_clamped() {
        let with = |value: Value| Config::resolve(&json!({"timeoutMs": value}), None).timeout_ms;
        for bad in [json!("5000"), json!(1.5), json!(-5), json!(0), json!(null), json!([5000])] {
            assert_eq!(with(bad.clone()), 10_000, "{bad}");
        }
        assert_eq!(with(json!(1)), 100);
        assert_eq!(with(json!(1e300)), 60_000);
        assert_eq!(with(json!(2e3)), 2_000);
    }

    #[test]
    fn the_default_search_limit_stays_under_the_largest() {
        let config = Config::resolve(&json!({"maxSearchLimit": 4}), None);
        assert_eq!((config.max_search_limit, config.search_default_limit), (4, 4));
    }

    #[test]
    fn unusable_languages_mean_both() {
        for raw in [json!([]), json!(["python"]), json!("javascript"), json!(3)] {
            assert_eq!(
                Config::resolve(&json!({"languages": raw}), None).languages,
                ["javascript", "typescript"]
            );
        }
        assert_eq!(Config::resolve(&json!({"languages": ["typescript", 3]}), None).languages, ["typescript"]);
    }

    #[test]
    fn validation_names_path_and_remedy() {
        let issues = validate(&json!({
            "enabled": 1, "timeoutMs": 5, "memoryLimitBytes": "64MB", "languages": ["python"], "outputOverflow": "cut",
            "runtime": "v8", "mode": "both", "colour": 1
        }));
        let texts: Vec<_> = issues.iter().map(|i| format!("{} {}", i.path, i.message)).collect();
        assert_eq!(
            texts,
            [
                "tools.codeMode.enabled must be a boolean, not 1",
                "tools.codeMode.timeoutMs must be from 100 to 60000; 5 is clamped",
                "tools.codeMode.memoryLimitBytes must be an integer from 1048576 to 1073741824, not \"64MB\"",
                "tools.codeMode.languages[0] must be \"javascript\" or \"typescript\", not \"python\"",
                "tools.codeMode.outputOverflow must be \"fail\" or \"truncate\", not \"cut\"",
                "tools.codeMode.runtime must be \"quickjs\" (or its alias \"quickjs-wasi\"), not \"v8\"",
                "tools.codeMode.mode must be \"only\", not \"both\"",
                "tools.codeMode.colour is not a known setting",
            ]
        );
        assert_eq!(validate(&json!("on"))[0].message, "must be a boolean or an object, not a string");
        assert!(
            validate(&json!(true)).is_empty()
                && validate(&json!({"enabled": true, "timeoutMs": 100})).is_empty()
        );
    }
}
