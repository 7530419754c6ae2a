//! Runs, cells and their limits: what `code-mode` does, without knowing Node.js.
//!
//! ```text
//!   Engine ── exec / wait / reply ─►  cell (phase, bridge, output)  ◄── timers (deadlines, idle times)
//!     ▲                                   │ ready queue
//!     └──── events (outbox) ◄─────────  workers ── turns ─► VM
//! ```
//!
//! One [`Engine`] owns its threads: workers that run guests and never wait for the host, and one timer
//! thread. The host's calls return at once; what happened comes back as [`HostEvent`]s, of which a batch is
//! announced by one wake-up. Payloads are JSON text on both ways.
#![forbid(unsafe_code)]

mod bridge;
mod catalogs;
mod cell;
pub mod config;
mod core;
mod deliver;
mod engine;
pub mod error;
mod input;
mod namespace;
mod output;
mod prelude;
mod protocol;
mod release;
mod report;
mod requests;
mod result;
mod run;
mod scheduler;
mod sink;
mod store;
mod telemetry;
mod timers;
mod watchdog;
mod worker;

pub use code_mode_catalog::wait_description;
pub use engine::{Engine, EngineOptions, EngineStats};
pub use protocol::{CellId, HostEvent, LegId, Reply, RunKey};
pub use run::{NamespaceSpec, RunSpec, Scope};
