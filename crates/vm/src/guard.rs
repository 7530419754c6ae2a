//! The Rust side of `guard.c`: the door into guest code.
//!
//! Invariant 7: between [`run`] and QuickJS no frame owns anything. A jump drops these frames without
//! unwinding, so a body is an `extern "C"` function over plain data; strings going in are made before,
//! results are copied out after.

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{Ordering, compiler_fence};

use crate::error::VmError;

/// Mirrors `struct cm_frame`.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Frame {
    armed: i32,
    in_host: i32,
    stop: *const u8,
}

/// How the guest was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Returned,
    HardStop,
    Crash { signal: i32 },
}

unsafe extern "C" {
    fn cm_guard_install() -> i32;
    fn cm_guard_run(frame: *mut Frame, body: unsafe extern "C" fn(*mut c_void), arg: *mut c_void) -> i32;
    fn cm_build_clock(microseconds: i64);
}

impl Frame {
    /// `stop` is the flag byte of the turn; it must outlive the frame.
    pub(crate) fn new(stop: *const u8) -> Frame {
        Frame { armed: 0, in_host: 0, stop }
    }
}

/// Installs the signal handlers, once per process.
pub(crate) fn install() -> Result<(), VmError> {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    // SAFETY: `get_or_init` makes it once; the handlers chain to the ones that were there.
    let done = *INSTALLED.get_or_init(|| unsafe { cm_guard_install() } == 0);
    if done { Ok(()) } else { Err(VmError::Thread("signal handlers cannot be installed")) }
}

/// Runs `body(arg)`.
///
/// # Safety
/// `frame` and `arg` are valid for the call; `body` obeys invariant 7, and its caller does not use what
/// `body` may have left half-written after anything but [`Exit::Returned`].
pub(crate) unsafe fn run(
    frame: *mut Frame,
    body: unsafe extern "C" fn(*mut c_void),
    arg: *mut c_void,
) -> Exit {
    // SAFETY: by contract.
    match unsafe { cm_guard_run(frame, body, arg) } {
        0 => Exit::Returned,
        1 => Exit::HardStop,
        code => Exit::Crash { signal: code - 0x100 },
    }
}

/// Marks the time a callback touches state outside the slot: no jump happens meanwhile.
pub(crate) struct HostSection {
    frame: *mut Frame,
}

impl HostSection {
    /// Begins it.
    ///
    /// # Safety
    /// `frame` is the frame of the running turn and outlives this value.
    pub(crate) unsafe fn enter(frame: *mut Frame) -> HostSection {
        // SAFETY: by contract; volatile, because a signal handler on this thread reads it.
        unsafe { ptr::write_volatile(&raw mut (*frame).in_host, 1) };
        compiler_fence(Ordering::SeqCst);
        HostSection { frame }
    }
}

impl Drop for HostSection {
    fn drop(&mut self) {
        compiler_fence(Ordering::SeqCst);
        // SAFETY: as in `enter`.
        unsafe { ptr::write_volatile(&raw mut (*self.frame).in_host, 0) };
    }
}

/// Stops the wall clock of this thread's QuickJS at one instant while a template is built: equal clocks
/// give equal hash seeds, so builds differ only by their addresses.
pub(crate) struct BuildClock(());

impl BuildClock {
    pub(crate) fn stop_at(microseconds: i64) -> BuildClock {
        // SAFETY: writes a thread-local integer.
        unsafe { cm_build_clock(microseconds) };
        BuildClock(())
    }
}

impl Drop for BuildClock {
    fn drop(&mut self) {
        // SAFETY: writes a thread-local integer.
        unsafe { cm_build_clock(0) };
    }
}
