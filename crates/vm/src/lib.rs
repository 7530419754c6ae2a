//! QuickJS cells in memory slots. The only crate of the workspace with unsafe code.
#![expect(
    unused_variables,
    clippy::unused_self,
    clippy::needless_pass_by_value,
    reason = "skeleton of the API"
)]
mod error;
mod stop;
mod turn;

pub use error::VmError;
use std::sync::Arc;
pub use stop::{StopHandle, StopReason};
pub use turn::{Phase, Settlement, TurnEnd, TurnHost, Work};

/// A script evaluated once, when the template is built.
#[derive(Debug, Clone, Copy)]
pub struct PreludeScript<'a> {
    /// File name in stack frames.
    pub name: &'a str,
    /// One expression that gives a function; called as `f(host, shared)`.
    pub source: &'a str,
}
/// A VM with the prelude evaluated.
#[derive(Debug)]
pub struct Template(());
impl Template {
    /// Builds it.
    pub fn build(scripts: &[PreludeScript<'_>]) -> Result<Arc<Template>, VmError> {
        unreachable!()
    }
    /// Builds it with options.
    pub fn build_with(
        scripts: &[PreludeScript<'_>],
        options: TemplateOptions,
    ) -> Result<Arc<Template>, VmError> {
        unreachable!()
    }
    /// Whether it starts at any slot.
    pub fn is_relocatable(&self) -> bool {
        unreachable!()
    }
    /// Its size.
    pub fn image_bytes(&self) -> usize {
        unreachable!()
    }
}
/// Options of a template.
#[derive(Debug, Clone, Copy, Default)]
pub struct TemplateOptions {
    /// Adds `host.crash()` (tests only): it reads an invalid address inside QuickJS.
    pub crash_hook: bool,
}
/// Options of a pool.
#[derive(Debug, Clone, Copy)]
pub struct PoolOptions {
    /// Slots kept with their memory when nobody uses them.
    pub max_warm_slots: usize,
}
/// Numbers of a pool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Address ranges held.
    pub slots_reserved: usize,
    /// Of these, idle in the pool.
    pub slots_warm: usize,
    /// Of these, held by a VM or an image.
    pub slots_in_use: usize,
    /// Address space held, in bytes.
    pub bytes_reserved: usize,
}
/// Hands out slots.
#[derive(Debug)]
pub struct SlotPool(());
impl SlotPool {
    /// An empty pool.
    pub fn new(options: PoolOptions) -> Arc<SlotPool> {
        unreachable!()
    }
    /// A slot.
    pub fn checkout(self: &Arc<Self>, heap_limit_bytes: usize) -> Result<Slot, VmError> {
        unreachable!()
    }
    /// Counts.
    pub fn stats(&self) -> PoolStats {
        unreachable!()
    }
}
/// An address range for one VM.
#[derive(Debug)]
pub struct Slot(());
/// A VM.
#[derive(Debug)]
pub struct Vm(std::cell::Cell<()>);
impl Vm {
    /// Starts it.
    pub fn start(template: &Arc<Template>, slot: Slot, heap_limit_bytes: usize) -> Result<Vm, VmError> {
        unreachable!()
    }
    /// One turn.
    pub fn turn(&mut self, work: Work<'_>, host: &mut dyn TurnHost, stop: &StopHandle) -> TurnEnd {
        unreachable!()
    }
    /// Bytes used above the template.
    pub fn heap_used_bytes(&self) -> usize {
        unreachable!()
    }
    /// Bytes the guest may use above the template.
    pub fn heap_limit_bytes(&self) -> usize {
        unreachable!()
    }
    /// Makes an image.
    pub fn park(self, template: &Template) -> Result<Parked, VmError> {
        unreachable!()
    }
}
/// A VM put away.
#[derive(Debug)]
pub struct Parked(());
impl Parked {
    /// Bytes of the image.
    pub fn image_bytes(&self) -> usize {
        unreachable!()
    }
    /// Makes a VM of it.
    pub fn resume(self, template: &Template) -> Result<Vm, VmError> {
        unreachable!()
    }
}
/// A thread prepared for guest code.
#[derive(Debug)]
pub struct WorkerThread(());
impl WorkerThread {
    /// Prepares the calling thread.
    pub fn register() -> Result<WorkerThread, VmError> {
        unreachable!()
    }
    /// The handle to kick it.
    pub fn kicker(&self) -> Kicker {
        unreachable!()
    }
}
/// Ends guest code that never polls.
#[derive(Debug, Clone)]
pub struct Kicker(Arc<()>);
impl Kicker {
    /// Sends a signal if the thread is in guest code whose stop is set.
    pub fn kick(&self) -> bool {
        unreachable!()
    }
}
