//! Removes types from a program.

use std::sync::atomic::{AtomicU64, Ordering};

use swc_core::common::Span;

use crate::{diagnostic::Fault, implicit_return, parse::Parsed, position::PositionMap};

static INITIALISATIONS: AtomicU64 = AtomicU64::new(0);

/// How often the TypeScript transform was initialised in this process: 0 while only JavaScript ran.
pub fn initialisations() -> u64 {
    INITIALISATIONS.load(Ordering::Relaxed)
}

/// The wrapped code without types.
pub(crate) fn transform(
    parsed: Parsed,
    value: Option<Span>,
    lines_before: usize,
) -> Result<(String, PositionMap), Fault> {
    Ok(implicit_return::insert(parsed.into_code(), value, lines_before))
}
