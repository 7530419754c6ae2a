//! QuickJS cells in memory slots. The only crate of the workspace with unsafe code.

mod arena;
mod clock;
mod current;
mod error;
mod ffi;
mod guard;
mod hard_stop;
mod image;
mod layout;
mod pool;
mod raw;
mod rng;
mod stop;
mod sys;
mod template;
mod turn;
mod vm;

pub use error::VmError;
pub use hard_stop::{Kicker, WorkerThread};
pub use image::Parked;
pub use pool::{PoolOptions, PoolStats, Slot, SlotPool};
pub use stop::{StopHandle, StopReason};
pub use template::{PreludeScript, Template, TemplateOptions};
pub use turn::{Phase, Settlement, TurnEnd, TurnHost, Work};
pub use vm::Vm;
