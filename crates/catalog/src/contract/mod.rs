//! Output contracts: the trusted `outputSchema` of a tool, compiled once, and the check of a result against it.

mod explain;
mod guard;

use std::fmt;

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use crate::entry::EntryData;

/// Bytes that a compiled pattern may take.
const PATTERN_BYTES: usize = 1 << 20;
/// Steps of a pattern with look-around, which the linear engine cannot run.
const BACKTRACKS: usize = 20_000;

/// A compiled output schema. Checking is bounded by schema and result alone, whatever the two hold.
#[derive(Debug)]
pub struct Contract {
    id: String,
    schema: Value,
    validator: Validator,
}

/// `Display` is the message for the guest. It holds names and kinds from the schema, never a value of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContractError {
    /// The schema cannot be compiled, or checking against it could take forever; the tool must not run.
    InvalidSchema {
        /// The tool's id.
        id: String,
    },
    /// The result does not match; the tool has run.
    Mismatch {
        /// The tool's id.
        id: String,
        /// Where in the details, as `$.a[0]`. Members the schema does not name are `*`.
        path: String,
        /// What the schema wants there.
        expected: String,
    },
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidSchema { id } => write!(f, "Tool \"{id}\" has an invalid outputSchema."),
            Self::Mismatch { id, path, expected } => write!(
                f,
                "Tool \"{id}\" returned details that do not match its declared outputSchema. \
                 At {path}: expected {expected}."
            ),
        }
    }
}

impl std::error::Error for ContractError {}

impl Contract {
    pub(crate) fn of(entry: &EntryData) -> Result<Option<&Self>, ContractError> {
        let compiled = entry.contract.get_or_init(|| {
            let schema = entry.trusted_output_schema()?;
            Some(compile(schema).map(|validator| Self {
                id: entry.id.clone(),
                schema: schema.clone(),
                validator,
            }))
        });
        match compiled {
            None => Ok(None),
            Some(Ok(contract)) => Ok(Some(contract)),
            Some(Err(())) => Err(ContractError::InvalidSchema { id: entry.id.clone() }),
        }
    }

    /// Checks the details of a result.
    pub fn check(&self, details: &Value) -> Result<(), ContractError> {
        // Only the verdict of the validator is used: collecting its errors is not bounded for recursive schemas.
        if self.validator.is_valid(details) {
            return Ok(());
        }
        let (path, expected) = explain::mismatch(&self.schema, details);
        Err(ContractError::Mismatch { id: self.id.clone(), path, expected })
    }

    /// Checks details given as JSON text. Text that is no JSON, or is nested too deep to be read, does not match.
    pub fn check_json(&self, details: &str) -> Result<(), ContractError> {
        match serde_json::from_str(details) {
            Ok(details) => self.check(&details),
            Err(_) => Err(ContractError::Mismatch {
                id: self.id.clone(),
                path: "$".to_owned(),
                expected: "JSON of at most 127 levels".to_owned(),
            }),
        }
    }
}

fn compile(schema: &Value) -> Result<Validator, ()> {
    if !guard::is_bounded(schema) {
        return Err(());
    }
    let linear = PatternOptions::regex().size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES);
    let options = || jsonschema::options().should_validate_formats(false);
    options().with_pattern_options(linear).build(schema).or_else(|_| {
        let backtracking = PatternOptions::fancy_regex()
            .backtrack_limit(BACKTRACKS)
            .size_limit(PATTERN_BYTES)
            .dfa_size_limit(PATTERN_BYTES);
        options().with_pattern_options(backtracking).build(schema).map_err(|_| ())
    })
}
