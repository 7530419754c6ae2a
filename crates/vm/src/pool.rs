//! Slots and the pool that hands them out.
//!
//! States of a slot's memory:
//!
//! | state | committed | contents | who |
//! |---|---|---|---|
//! | cold | nothing | reads of a new commit are zero | pool, or a parked image |
//! | warm | at most `WARM_BYTES` | `[0, dirty)` is a former template copy, the rest is zero | pool |
//! | in use | as the heap grows | one VM | `Vm` |
//!
//! Invariant 6: bytes of a former cell are never seen by a later one. `[0, dirty)` of a warm slot is
//! overwritten by the next template copy (and zeroed beyond it) before any guest code runs; everything
//! above was zeroed when the slot came back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::error::VmError;
use crate::layout::{self, COMMIT_STEP, PAGE_BYTES, SLOT_ALIGN, SMALL_PAGES_BYTES, WARM_BYTES};
use crate::sys;

/// Options of a pool.
#[derive(Debug, Clone, Copy)]
pub struct PoolOptions {
    /// Idle slots kept for reuse, over all size classes. Slots that come back beyond it are released.
    pub max_warm_slots: usize,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self { max_warm_slots: 8 }
    }
}

/// Numbers of a pool at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PoolStats {
    /// Address ranges held, idle ones included.
    pub slots_reserved: usize,
    /// Of these, idle in the pool.
    pub slots_warm: usize,
    /// Of these, held by a VM, a parked image or a caller.
    pub slots_in_use: usize,
    /// Address space held by all of them, in bytes. Not memory: that is committed as heaps grow.
    pub bytes_reserved: usize,
}

/// Hands out slots and takes them back. Any thread may use it.
#[derive(Debug)]
pub struct SlotPool {
    options: PoolOptions,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Idle slots by size.
    idle: BTreeMap<usize, Vec<Range>>,
    stats: PoolStats,
}

impl SlotPool {
    /// An empty pool. Address space is reserved slot by slot, when asked for.
    pub fn new(options: PoolOptions) -> Arc<SlotPool> {
        Arc::new(SlotPool { options, state: Mutex::default() })
    }

    /// A slot for a cell with this heap limit; an idle one of the same class if there is one.
    pub fn checkout(self: &Arc<Self>, heap_limit_bytes: usize) -> Result<Slot, VmError> {
        let size = layout::size_class(heap_limit_bytes)
            .ok_or(VmError::HeapLimitTooLarge { limit_bytes: heap_limit_bytes })?;
        let idle = {
            let mut state = self.state.lock();
            let idle = state.idle.get_mut(&size).and_then(Vec::pop);
            if idle.is_some() {
                state.stats.slots_warm -= 1;
                state.stats.slots_in_use += 1;
            }
            idle
        };
        let range = if let Some(range) = idle {
            range
        } else {
            let range = Range::reserve(size)?;
            let mut state = self.state.lock();
            state.stats.slots_reserved += 1;
            state.stats.slots_in_use += 1;
            state.stats.bytes_reserved += size;
            range
        };
        Ok(Slot { range: Some(range), id: next_slot_id(), pool: Arc::clone(self) })
    }

    /// Counts at this moment.
    pub fn stats(&self) -> PoolStats {
        self.state.lock().stats
    }

    fn take_back(&self, mut range: Range) {
        let keep = {
            let state = self.state.lock();
            state.stats.slots_warm < self.options.max_warm_slots
        };
        // Wiping happens outside the lock; two threads that race may keep one slot too many, no more.
        let keep = keep && range.make_idle();
        let mut state = self.state.lock();
        state.stats.slots_in_use -= 1;
        if keep {
            state.stats.slots_warm += 1;
            state.idle.entry(range.size).or_default().push(range);
        } else {
            state.stats.slots_reserved -= 1;
            state.stats.bytes_reserved -= range.size;
            drop(state);
            drop(range);
        }
    }
}

/// Every checkout gets a number of its own, so that an image cannot be put into a later user of its range.
fn next_slot_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An address range for one VM. Goes back to its pool when dropped.
#[derive(Debug)]
pub struct Slot {
    /// `None` only while dropping.
    range: Option<Range>,
    id: u64,
    pool: Arc<SlotPool>,
}

impl Slot {
    /// Number of this checkout; no two are equal within a process.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Address of the first byte.
    pub fn base(&self) -> usize {
        self.range().base
    }

    /// Bytes of address space.
    pub fn size_bytes(&self) -> usize {
        self.range().size
    }

    pub(crate) fn range(&self) -> &Range {
        self.range.as_ref().expect("a slot has its range until it is dropped")
    }

    pub(crate) fn range_mut(&mut self) -> &mut Range {
        self.range.as_mut().expect("a slot has its range until it is dropped")
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if let Some(range) = self.range.take() {
            self.pool.take_back(range);
        }
    }
}

/// One reserved range with the bookkeeping of its memory. Released when dropped.
///
/// Holding a `Range` is holding its memory: there is exactly one per address range, and whoever has it (or
/// `&mut` of it) may read and write the committed part.
#[derive(Debug)]
pub(crate) struct Range {
    pub(crate) base: usize,
    pub(crate) size: usize,
    /// `[0, committed)` is readable and writable.
    pub(crate) committed: usize,
    /// `[dirty, committed)` is zero.
    pub(crate) dirty: usize,
    /// `[0, template)` was a template copy; what a cell left there is overwritten at the next start.
    pub(crate) template: usize,
    /// The bookkeeping cannot be trusted (the VM was left by a jump): give all memory back.
    pub(crate) suspect: bool,
}

impl Range {
    pub(crate) fn reserve(size: usize) -> Result<Range, VmError> {
        Range::reserve_near(size, SLOT_ALIGN, 0)
    }

    /// As `reserve`, at a multiple of `align` (itself one of `SLOT_ALIGN`), near `hint` if that is free.
    pub(crate) fn reserve_near(size: usize, align: usize, hint: usize) -> Result<Range, VmError> {
        let base = sys::reserve(size, align, hint).ok_or(VmError::OutOfAddressSpace { bytes: size })?;
        Ok(Range { base, size, committed: 0, dirty: 0, template: 0, suspect: false })
    }

    /// Commits at least `[0, bytes)`.
    pub(crate) fn commit(&mut self, bytes: usize) -> Result<(), VmError> {
        if bytes <= self.committed {
            return Ok(());
        }
        let to = layout::align_up(bytes, COMMIT_STEP);
        if to > self.size || !commit(self.base, self.size, self.committed, to) {
            return Err(VmError::OutOfAddressSpace { bytes });
        }
        self.committed = to;
        Ok(())
    }

    /// As `commit`, for memory that is written as a whole next.
    pub(crate) fn commit_to_fill(&mut self, bytes: usize) -> Result<(), VmError> {
        let was_cold = self.committed == 0;
        self.commit(bytes)?;
        if was_cold {
            let to = layout::align_up(bytes, PAGE_BYTES).min(self.committed);
            // SAFETY: inside the committed part; `base` is page-aligned, and so is `to`.
            unsafe { sys::populate(self.base, self.base + to) };
        }
        Ok(())
    }

    /// Gives all memory back; the address range stays.
    pub(crate) fn decommit(&mut self) -> bool {
        // SAFETY: the range is ours, and `&mut self` says that nobody looks at it.
        let done = self.committed == 0 && !self.suspect || unsafe { sys::decommit_all(self.base, self.size) };
        if done {
            (self.committed, self.dirty, self.template, self.suspect) = (0, 0, 0, false);
        }
        done
    }

    /// Wipes for the next cell. False: it could not be wiped and must be released.
    fn make_idle(&mut self) -> bool {
        if self.suspect || self.committed > WARM_BYTES {
            return self.decommit();
        }
        self.zero(self.template, self.dirty);
        self.dirty = self.dirty.min(self.template);
        true
    }

    /// Zeroes `[from, to)`, within the committed part.
    pub(crate) fn zero(&mut self, from: usize, to: usize) {
        let to = to.min(self.committed);
        if from < to {
            // SAFETY: committed memory of this range, and `&mut self` says that nobody looks at it.
            unsafe { std::ptr::write_bytes((self.base + from) as *mut u8, 0, to - from) };
        }
    }

    /// The first `bytes` bytes.
    pub(crate) fn bytes(&self, bytes: usize) -> &[u8] {
        let bytes = bytes.min(self.committed);
        // SAFETY: committed (readable, initialised by the system with zero) and only written through
        // `&mut self` or by the VM of this range, which does not run while this borrow lives.
        unsafe { std::slice::from_raw_parts(self.base as *const u8, bytes) }
    }

    /// The first `bytes` bytes, to write.
    pub(crate) fn bytes_mut(&mut self, bytes: usize) -> &mut [u8] {
        let bytes = bytes.min(self.committed);
        // SAFETY: as `bytes`, and exclusive by `&mut self`.
        unsafe { std::slice::from_raw_parts_mut(self.base as *mut u8, bytes) }
    }
}

/// Extends the committed part of a slot from `committed` to `to` bytes, both multiples of `COMMIT_STEP`, with
/// the right advice for each part. Async-signal-safe; done again it does no harm.
pub(crate) fn commit(base: usize, size: usize, committed: usize, to: usize) -> bool {
    let split = SMALL_PAGES_BYTES.min(size);
    // SAFETY: only called with the bounds of a slot that the caller uses; all ends are page-aligned.
    unsafe {
        if !sys::commit(base + committed, base + to) {
            return false;
        }
        if committed == 0 {
            sys::advise_pages(base, base + split, false);
        }
        if committed <= split && to > split {
            sys::advise_pages(base + split, base + size, true);
        }
    }
    true
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: made by `reserve` with this size, and this value was the only holder.
        unsafe { sys::release(self.base, self.size) };
    }
}
