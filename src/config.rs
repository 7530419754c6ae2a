//! Configuration on both ways as JSON text; the engine decides.

use code_mode_engine::config::{Config, validate};
use napi::{Error, Result};
use napi_derive::napi;
use serde_json::Value;

/// JSON of the settled configuration for a raw value and an agent's own, both JSON text.
#[napi]
pub fn resolve_config(raw: String, agent_raw: Option<String>) -> Result<String> {
    let raw = parse(&raw)?;
    let agent = agent_raw.as_deref().map(parse).transpose()?;
    to_json(&Config::resolve(&raw, agent.as_ref()))
}

/// JSON array of `{path, message}` for everything that `resolveConfig` would correct.
#[napi]
pub fn validate_config(raw: String) -> Result<String> {
    to_json(&validate(&parse(&raw)?))
}

/// What the model reads as the description of `wait`.
#[napi]
pub fn wait_description() -> String {
    code_mode_engine::wait_description().to_owned()
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| Error::from_reason(error.to_string()))
}

pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::from_reason(error.to_string()))
}
