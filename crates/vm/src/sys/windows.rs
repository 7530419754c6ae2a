//! `VirtualAlloc` and friends. Compiled, but not yet tested: crashes are not contained and there is no
//! hard stop on Windows.

use windows_sys::Win32::System::Memory::{
    MEM_COMMIT, MEM_DECOMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_NOACCESS, PAGE_READWRITE, VirtualAlloc,
    VirtualFree,
};

use crate::layout::{GUARD_BYTES, align_up};

/// Reserves `size` bytes without access, aligned to `align`, with a guard before and behind. The
/// range cannot be trimmed, so the address to release is found by asking for the exact place again.
pub(crate) fn reserve(size: usize, align: usize, hint: usize) -> Option<usize> {
    let total = size.checked_add(2 * GUARD_BYTES)?.checked_add(align)?;
    for _ in 0..16 {
        // SAFETY: reservations at addresses of the system's choice touch nothing of ours.
        unsafe {
            let probe = VirtualAlloc(hint as *const core::ffi::c_void, total, MEM_RESERVE, PAGE_NOACCESS);
            if probe.is_null() {
                // Windows takes an address as an order, not as a hint.
                return if hint == 0 { None } else { reserve(size, align, 0) };
            }
            let base = align_up(probe as usize + GUARD_BYTES, align);
            VirtualFree(probe, 0, MEM_RELEASE);
            let wanted = (base - GUARD_BYTES) as *const core::ffi::c_void;
            // Another thread may have taken the place in between: then try again.
            if !VirtualAlloc(wanted, size + 2 * GUARD_BYTES, MEM_RESERVE, PAGE_NOACCESS).is_null() {
                return Some(base);
            }
        }
    }
    None
}

/// Undoes [`reserve`].
///
/// # Safety
/// `base` and `size` are of one `reserve`, and nobody uses the range any more.
pub(crate) unsafe fn release(base: usize, _size: usize) {
    // SAFETY: the reservation starts one guard before the base.
    unsafe { VirtualFree((base - GUARD_BYTES) as *mut core::ffi::c_void, 0, MEM_RELEASE) };
}

/// Makes `[from, to)` of a reserved range readable and writable.
///
/// # Safety
/// The range lies inside one reserved slot; both ends are page-aligned.
pub(crate) unsafe fn commit(from: usize, to: usize) -> bool {
    // SAFETY: by contract the range is ours.
    unsafe {
        !VirtualAlloc(from as *const core::ffi::c_void, to - from, MEM_COMMIT, PAGE_READWRITE).is_null()
    }
}

/// Gives all memory of a slot back and keeps the address range.
///
/// # Safety
/// The range is one reserved slot and nobody refers to its contents any more.
pub(crate) unsafe fn decommit_all(base: usize, size: usize) -> bool {
    // SAFETY: by contract the range is ours.
    unsafe { VirtualFree(base as *mut core::ffi::c_void, size, MEM_DECOMMIT) != 0 }
}

/// Nothing to advise here.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn advise_pages(_: usize, _: usize, _: bool) {}

/// Nothing to do here.
///
/// # Safety
/// None is needed.
pub(crate) unsafe fn populate(_: usize, _: usize) {}

/// The calling thread's stack: unknown here, so the caller falls back to a small one.
pub(crate) fn stack_bounds() -> Option<(usize, usize)> {
    None
}

/// There are no signal stacks on Windows.
#[derive(Debug)]
pub(crate) struct AltStack;

impl AltStack {
    /// Nothing to install.
    #[expect(clippy::unnecessary_wraps, reason = "same signature as on unix")]
    pub(crate) fn install() -> Option<AltStack> {
        Some(AltStack)
    }
}
