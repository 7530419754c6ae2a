//! Output contracts: the trusted `outputSchema` of a tool, compiled, and the check of a result against it.

use std::fmt;

use serde_json::Value;

use crate::entry::EntryData;

/// A compiled output schema.
#[derive(Debug)]
pub struct Contract {
    id: String,
    validator: jsonschema::Validator,
}

/// `Display` is the message for the guest. It never holds a value of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContractError {
    /// The schema cannot be compiled; the tool must not run.
    InvalidSchema {
        /// The tool's id.
        id: String,
    },
    /// The result does not match; the tool has run.
    Mismatch {
        /// The tool's id.
        id: String,
        /// Where in the details, as `$.a[0]`.
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
                "Tool \"{id}\" returned details that do not match its declared outputSchema. At {path}: expected {expected}."
            ),
        }
    }
}

impl std::error::Error for ContractError {}

impl Contract {
    pub(crate) fn of(entry: &EntryData) -> Result<Option<&Self>, ContractError> {
        let compiled = entry.contract.get_or_init(|| {
            let schema = entry.trusted_output_schema()?;
            let validator = jsonschema::options().build(schema).map_err(|_| ());
            Some(validator.map(|validator| Self { id: entry.id.clone(), validator }))
        });
        match compiled {
            None => Ok(None),
            Some(Ok(contract)) => Ok(Some(contract)),
            Some(Err(())) => Err(ContractError::InvalidSchema { id: entry.id.clone() }),
        }
    }

    /// Checks the details of a result.
    pub fn check(&self, details: &Value) -> Result<(), ContractError> {
        if self.validator.is_valid(details) {
            return Ok(());
        }
        Err(ContractError::Mismatch {
            id: self.id.clone(),
            path: "$".into(),
            expected: "the declared shape".into(),
        })
    }
}
