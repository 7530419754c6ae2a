//! Every failure a model, a guest or the host can cause: its two codes and its text.
//!
//! A failure is data: it becomes a `failed` result and never a panic or a rejected promise. Messages
//! are written here and nowhere else, so that each says what failed, the value of the limit, and what to do.

use serde::Serialize;

/// The coarse code (`code` in a result).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The caller gave something that cannot be run or resumed; nothing ran, or the cell has ended.
    InvalidInput,
    /// The engine cannot run guests, or the VM of this cell crashed; other cells are unaffected.
    RuntimeUnavailable,
    /// The leg's deadline passed while the guest computed; the cell has ended.
    Timeout,
    /// The host cancelled; the cell has ended.
    Aborted,
    /// The cell emitted more than it may; what was emitted before is kept, the cell has ended.
    OutputLimitExceeded,
    /// The cell's image is larger than it may be; the cell has ended.
    SnapshotLimitExceeded,
    /// The guest failed in some other way; the cell has ended.
    InternalError,
}

/// The fine code (`detailCode` in a result). Each belongs to one [`ErrorCode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "each variant reads as its situation in the table of the contract, section 9"
)]
pub enum DetailCode {
    InvalidInput,
    UnsupportedLanguage,
    ModuleAccessDenied,
    TypescriptTransformFailed,
    SnapshotExpired,
    TooManyPendingToolCalls,
    Timeout,
    Aborted,
    MemoryLimitExceeded,
    NestedToolFailed,
    OutputLimitExceeded,
    SnapshotLimitExceeded,
    SnapshotRestoreFailed,
    RuntimeUnavailable,
    InternalError,
}

impl DetailCode {
    /// The coarse code this fine code belongs to.
    pub fn code(self) -> ErrorCode {
        match self {
            Self::InvalidInput
            | Self::UnsupportedLanguage
            | Self::ModuleAccessDenied
            | Self::TypescriptTransformFailed
            | Self::SnapshotExpired
            | Self::TooManyPendingToolCalls => ErrorCode::InvalidInput,
            Self::Timeout => ErrorCode::Timeout,
            Self::Aborted => ErrorCode::Aborted,
            Self::OutputLimitExceeded => ErrorCode::OutputLimitExceeded,
            Self::SnapshotLimitExceeded => ErrorCode::SnapshotLimitExceeded,
            Self::RuntimeUnavailable => ErrorCode::RuntimeUnavailable,
            Self::MemoryLimitExceeded
            | Self::NestedToolFailed
            | Self::SnapshotRestoreFailed
            | Self::InternalError => ErrorCode::InternalError,
        }
    }
}

/// A place in the user's own source; both numbers are 1-based.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Location {
    /// 1-based line.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
}

/// One failed outcome, ready to be put into a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Fine code; the coarse one follows from it.
    pub detail: DetailCode,
    /// What failed and what to do, for a model or a person.
    pub message: String,
    /// Where in the user's source, when there is such a place.
    pub location: Option<Location>,
}

impl Failure {
    /// A failure without a place in the source.
    pub fn new(detail: DetailCode, message: impl Into<String>) -> Self {
        Self { detail, message: message.into(), location: None }
    }

    /// Bad arguments, ids, or states.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(DetailCode::InvalidInput, message)
    }

    /// The deadline passed while the guest computed.
    pub fn timeout() -> Self {
        Self::new(DetailCode::Timeout, "code mode timeout exceeded")
    }

    /// The host cancelled the cell, the run or the engine.
    pub fn aborted() -> Self {
        Self::new(DetailCode::Aborted, "code mode execution aborted")
    }

    /// The guest heap grew over its limit.
    pub fn memory(limit_bytes: usize) -> Self {
        Self::new(
            DetailCode::MemoryLimitExceeded,
            format!(
                "code mode memory limit exceeded: the guest heap is limited to {limit_bytes} bytes; keep less data at once"
            ),
        )
    }

    /// The cell emitted more than `maxOutputBytes`.
    pub fn output() -> Self {
        Self::new(DetailCode::OutputLimitExceeded, "code mode output limit exceeded")
    }

    /// The image of a suspended cell is over `maxSnapshotBytes`.
    pub fn snapshot(image_bytes: usize, limit_bytes: usize) -> Self {
        Self::new(
            DetailCode::SnapshotLimitExceeded,
            format!(
                "code mode snapshot limit exceeded: the suspended state takes {image_bytes} bytes, the limit is {limit_bytes} bytes"
            ),
        )
    }

    /// As [`Failure::snapshot`], for an image that was given up before its size was known.
    pub fn snapshot_over(limit_bytes: usize) -> Self {
        Self::new(
            DetailCode::SnapshotLimitExceeded,
            format!(
                "code mode snapshot limit exceeded: the suspended state takes more than {limit_bytes} bytes, the limit is {limit_bytes} bytes"
            ),
        )
    }

    /// The stored image could not be brought back.
    pub fn restore(reason: &dyn std::fmt::Display) -> Self {
        Self::new(
            DetailCode::SnapshotRestoreFailed,
            format!("code mode snapshot could not be restored: {reason}"),
        )
    }

    /// The store has no place for one more suspended cell.
    pub fn too_many_suspended() -> Self {
        Self::invalid("too many suspended code mode runs.")
    }

    /// The id is unknown, was finished, or (with `expired`) outlived its time.
    pub fn unavailable(expired: bool) -> Self {
        let detail = if expired { DetailCode::SnapshotExpired } else { DetailCode::InvalidInput };
        Self::new(detail, "code mode run is unavailable or expired.")
    }

    /// The VM died in a way that is not the guest's language-level fault.
    pub fn crashed(signal: i32) -> Self {
        Self::new(
            DetailCode::RuntimeUnavailable,
            format!("code mode VM crashed (signal {signal}); the cell has ended, other cells are unaffected"),
        )
    }

    /// The engine is closed or could not start.
    pub fn unavailable_engine(reason: impl std::fmt::Display) -> Self {
        Self::new(DetailCode::RuntimeUnavailable, format!("code mode engine is unavailable: {reason}"))
    }

    /// A promise that nothing can settle.
    pub fn pending_without_work() -> Self {
        Self::new(DetailCode::InternalError, "code mode promise is pending without host work")
    }
}
