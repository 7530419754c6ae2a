//! The virtual declaration files behind `API.list` and `API.read`.

use std::fmt;

use crate::catalog::Catalog;

/// The files of one catalog version.
#[derive(Debug)]
pub struct VirtualFiles {}

/// `Display` is the message for the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileError {
    /// An empty, `.` or `..` segment.
    BadPath(String),
    /// No such file.
    Unknown(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPath(path) => write!(f, "Invalid API path: {path}"),
            Self::Unknown(path) => write!(f, "Unknown API file: {path}"),
        }
    }
}

impl std::error::Error for FileError {}

impl VirtualFiles {
    pub(crate) fn new(_catalog: &Catalog, _swarm: bool) -> Self {
        Self {}
    }

    /// JSON `{files: [{path, description, bytes}]}`.
    pub fn list(&self, _prefix: &str) -> Result<String, FileError> {
        Ok("{\"files\":[]}".to_owned())
    }

    /// JSON `{path, content, description, bytes}`.
    pub fn read(&self, path: &str) -> Result<String, FileError> {
        Err(FileError::Unknown(path.to_owned()))
    }
}
