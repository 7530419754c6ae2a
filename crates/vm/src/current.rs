//! The turn that runs on this thread: everything callbacks need that is not in the slot.

use std::cell::Cell;
use std::ptr;

use crate::guard::{Frame, HostSection};
use crate::layout;
use crate::pool::{self, Range};
use crate::stop::{StopHandle, StopReason};
use crate::template::Code;
use crate::turn::TurnHost;

/// State of one turn. Lives on the worker's stack, outside the slot and below the guard, so it survives a
/// jump; what the guest can make stale is only read after checks.
pub(crate) struct Turn<'a> {
    pub(crate) frame: Frame,
    pub(crate) stop: &'a StopHandle,
    host: Option<*mut (dyn TurnHost + 'a)>,
    lazy: &'a [Code],
    pub(crate) host_panicked: Cell<bool>,
    /// Whether the allocator refused (the copy outside the slot; the slot has one that is captured).
    pub(crate) out_of_memory: Cell<bool>,
    base: usize,
    size: usize,
    committed: Cell<usize>,
    used: Cell<usize>,
}

thread_local! {
    static CURRENT: Cell<*const Turn<'static>> = const { Cell::new(ptr::null()) };
}

impl<'a> Turn<'a> {
    /// A turn in `range`. The host may be absent while a template is built.
    pub(crate) fn new(
        range: &Range,
        stop: &'a StopHandle,
        host: Option<&'a mut dyn TurnHost>,
        lazy: &'a [Code],
    ) -> Turn<'a> {
        Turn {
            frame: Frame::new(stop.flag_address()),
            stop,
            host: host.map(ptr::from_mut),
            lazy,
            host_panicked: Cell::new(false),
            out_of_memory: Cell::new(false),
            base: range.base,
            size: range.size,
            committed: Cell::new(range.committed),
            used: Cell::new(range.dirty),
        }
    }

    /// Makes this the current turn of the thread for the time of `inside`.
    pub(crate) fn enter<R>(&mut self, inside: impl FnOnce(*mut Frame) -> R) -> R {
        struct Restore(*const Turn<'static>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let this: *mut Turn<'a> = self;
        let _restore = Restore(CURRENT.replace(this.cast_const().cast()));
        // SAFETY: `this` is valid; only the address of the field is taken.
        inside(unsafe { &raw mut (*this).frame })
    }

    /// Hands the growth of this turn back to the slot's bookkeeping.
    pub(crate) fn settle(&self, range: &mut Range) {
        range.committed = self.committed.get();
        range.dirty = range.dirty.max(self.used.get());
    }
}

/// Grows the committed part of the current slot so that `[0, used)` is usable. Called by the allocator, in
/// guest code: it may be interrupted by a jump at any instruction, so the wider bound is noted first and
/// is at worst too wide.
pub(crate) fn grow(base: usize, used: usize) -> bool {
    let turn = CURRENT.get();
    if turn.is_null() {
        return false;
    }
    // SAFETY: set by `Turn::enter`, which outlives everything that runs inside it.
    let turn = unsafe { &*turn };
    if turn.base != base || used > turn.size {
        return false;
    }
    turn.used.set(turn.used.get().max(used));
    let committed = turn.committed.get();
    if used <= committed {
        return true;
    }
    let to = layout::commit_target(committed, used, turn.size);
    turn.committed.set(to);
    pool::commit(base, turn.size, committed, to)
}

/// Bytecode of a lazy script: start and length. It outlives the turn and is only read.
pub(crate) fn lazy_code(name: &[u8]) -> Option<(*const u8, usize)> {
    let turn = CURRENT.get();
    if turn.is_null() {
        return None;
    }
    // SAFETY: as in `grow`.
    let scripts = unsafe { (*turn).lazy };
    scripts
        .iter()
        .find(|code| code.name.as_bytes() == name)
        .map(|code| (code.bytes.as_ptr(), code.bytes.len()))
}

/// Notes that the allocator refused.
pub(crate) fn note_out_of_memory() {
    let turn = CURRENT.get();
    if !turn.is_null() {
        // SAFETY: as in `grow`.
        unsafe { (*turn).out_of_memory.set(true) };
    }
}

/// Whether the guest must not go on: stopped, out of memory, or the host panicked. An atomic read and two
/// plain ones.
pub(crate) fn must_end() -> bool {
    let turn = CURRENT.get();
    if turn.is_null() {
        return false;
    }
    // SAFETY: as in `grow`.
    let turn = unsafe { &*turn };
    turn.out_of_memory.get() || turn.host_panicked.get() || turn.stop.reason().is_some()
}

/// Calls the host of the current turn, in a marked section (no jump meanwhile) and with panics caught.
/// `None`: there is no host, or it panicked.
pub(crate) fn with_host<R>(call: impl FnOnce(&mut dyn TurnHost) -> R) -> Option<R> {
    let turn = CURRENT.get();
    if turn.is_null() {
        return None;
    }
    // SAFETY: as in `grow`. The host pointer came from a `&mut` that the turn holds for its whole life, and
    // a host cannot get back in here: it has no way to reach the VM of its own turn.
    unsafe {
        let host = (*turn).host?;
        let _section = HostSection::enter((&raw const (*turn).frame).cast_mut());
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call(&mut *host)));
        match result {
            Ok(value) => Some(value),
            Err(payload) => {
                (*turn).host_panicked.set(true);
                // The payload's own drop may panic as well; a leak of a panicking host is the lesser evil.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || drop(payload)));
                None
            }
        }
    }
}

/// Runs `call` in a marked section: for callbacks that ask the system for something.
pub(crate) fn outside_slot<R>(call: impl FnOnce() -> R) -> R {
    let turn = CURRENT.get();
    if turn.is_null() {
        return call();
    }
    // SAFETY: as in `grow`.
    let _section = unsafe { HostSection::enter((&raw const (*turn).frame).cast_mut()) };
    call()
}

/// Sets the stop of the current turn.
pub(crate) fn stop(reason: StopReason) {
    let turn = CURRENT.get();
    if !turn.is_null() {
        // SAFETY: as in `grow`.
        unsafe { (*turn).stop.stop(reason) };
    }
}
