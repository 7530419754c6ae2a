//! One cell: a submitted program and its VM, from `exec` to its end.
//!
//! ```text
//!            ┌────────── replies, timers ─────────┐
//!            ▼                                    │
//!  Queued ─► Running ─► Idle (warm, calls open) ──┘
//!    ▲         │  │       │ deadline
//!    │         │  └───────┴──► Parked (image in memory, slot decommitted) ─► expired
//!    └─ wait ──┼───────────────────┘
//!              └─► Ended
//! ```
//!
//! The VM is owned by exactly one of: this structure (queued, idle, parked) or the worker that runs it;
//! [`Place`] says which. All transitions happen under the state's lock; the lock is never held while guest
//! code runs or an image is made.

use crate::bridge::Bridge;
use crate::output::Output;
use crate::protocol::{CellId, LegId};
use crate::run::Run;
use crate::timers::TimerKey;
use crate::worker::WorkerState;
use code_mode_catalog::Catalog;
use code_mode_transpile::{Language, Script};
use code_mode_vm::{Parked, StopHandle, Vm};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Instant;

/// See the module description.
pub(crate) struct Cell {
    pub(crate) id: CellId,
    pub(crate) run: Arc<Run>,
    /// The catalog as it was when the cell started.
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) language: Language,
    pub(crate) restart_safe: bool,
    /// Tool call id of the exec; parent of every nested call, also after a `wait`.
    pub(crate) tool_call_id: String,
    pub(crate) stop: StopHandle,
    pub(crate) started: Instant,
    pub(crate) state: Mutex<CellState>,
}

/// Where a cell is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Queued,
    /// A worker brings the image back; no guest code runs yet.
    Restoring,
    Running,
    Idle,
    Parked,
    Ended,
}

/// Who holds the VM, and in what form.
pub(crate) enum Place {
    /// Not started: the source as submitted.
    Source(String),
    /// Accepted, waiting for the scopes of plugin namespaces.
    Accepted(Arc<Script>),
    /// Ready to run at once.
    Warm(Vm),
    /// An image.
    Parked(Parked),
    /// With a worker, or gone.
    Elsewhere,
}

/// One `exec` or `wait` call in progress.
#[derive(Debug, Clone)]
pub(crate) struct Leg {
    pub(crate) id: LegId,
    pub(crate) deadline: Instant,
    /// When it is suspended if calls are still open then: the deadline, less the time a large heap takes.
    pub(crate) parks_at: Instant,
    pub(crate) started: Instant,
    pub(crate) timer: TimerKey,
    /// The deadline has been put off once, for a guest that had just been resumed.
    pub(crate) graced: bool,
    /// Tool call id of this leg.
    pub(crate) tool_call_id: String,
}

/// Why a leg ends as `waiting`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitReason {
    PendingTools,
    Yield,
}

impl WaitReason {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::PendingTools => "pending_tools",
            Self::Yield => "yield",
        }
    }
}

/// What changes while a cell lives.
pub(crate) struct CellState {
    pub(crate) phase: Phase,
    pub(crate) place: Place,
    pub(crate) leg: Option<Leg>,
    pub(crate) bridge: Bridge,
    pub(crate) output: Output,
    /// The encoded final value, once the program has returned.
    pub(crate) value: Option<String>,
    /// Maps positions of evaluated code to the user's.
    pub(crate) script: Option<Arc<Script>>,
    /// While suspended: the id that `wait` takes.
    pub(crate) run_id: Option<String>,
    /// A place in the store, held from the first suspension to the end.
    pub(crate) reserved: bool,
    pub(crate) suspended_at: Option<Instant>,
    pub(crate) ttl: Option<TimerKey>,
    /// Counted as holding a VM by the scheduler.
    pub(crate) active: bool,
    /// Scopes of plugin namespaces: asked for, or here.
    pub(crate) scopes: Scopes,
    /// Its leg ended while it was being restored: it is put away again as it was, and a new leg may attach.
    pub(crate) reparking: bool,
    /// When the guest last got to run.
    pub(crate) turn_started: Instant,
    /// While running: the worker and its turn number, for hard stops.
    pub(crate) worker: Option<(Arc<WorkerState>, u64)>,
}

/// Plugin namespace scopes of one cell.
#[derive(Debug, Default)]
pub(crate) enum Scopes {
    #[default]
    None,
    Asked,
    /// JSON text the prelude builds the globals from, and what each callable stands for.
    Ready(Arc<crate::namespace::ScopeTable>),
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cell").field("id", &self.id).finish_non_exhaustive()
    }
}
