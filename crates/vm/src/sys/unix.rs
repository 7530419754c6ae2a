//! mmap and friends, for Linux and macOS.

use std::ptr;

use crate::layout::GUARD_BYTES;

const RESERVED: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// Reserves `size` bytes (a multiple of the page size) without access, aligned to `align` (a power of two),
/// with a guard before and behind, near `hint` if that is free (0: anywhere). `None` if the system has no
/// such range left.
pub(crate) fn reserve(size: usize, align: usize, hint: usize) -> Option<usize> {
    let total = size.checked_add(2 * GUARD_BYTES)?.checked_add(align)?;
    let hint = hint as *mut libc::c_void;
    // SAFETY: a new private mapping at an address of the kernel's choice touches nothing of ours.
    let start = unsafe { libc::mmap(hint, total, libc::PROT_NONE, RESERVED, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let start = start as usize;
    let base = crate::layout::align_up(start + GUARD_BYTES, align);
    let (first, last) = (base - GUARD_BYTES, base + size + GUARD_BYTES);
    unmap(start, first - start);
    unmap(last, start + total - last);
    Some(base)
}

/// Undoes [`reserve`].
///
/// # Safety
/// `base` and `size` are of one `reserve`, and nobody uses the range any more.
pub(crate) unsafe fn release(base: usize, size: usize) {
    unmap(base - GUARD_BYTES, size + 2 * GUARD_BYTES);
}

/// Makes `[from, to)` of a reserved range readable and writable. Async-signal-safe.
///
/// # Safety
/// The range lies inside one reserved slot; both ends are page-aligned.
pub(crate) unsafe fn commit(from: usize, to: usize) -> bool {
    // SAFETY: by contract the range is ours, and wider access breaks no reference.
    unsafe { libc::mprotect(from as *mut libc::c_void, to - from, libc::PROT_READ | libc::PROT_WRITE) == 0 }
}

/// Gives all memory of a slot back, page tables included, and keeps the address range without access. The
/// new mapping replaces the old one in one step, so no other thread can get the range in between.
///
/// # Safety
/// The range is one reserved slot and nobody refers to its contents any more.
pub(crate) unsafe fn decommit_all(base: usize, size: usize) -> bool {
    // SAFETY: MAP_FIXED over a range that is ours by contract.
    let again = unsafe {
        libc::mmap(base as *mut libc::c_void, size, libc::PROT_NONE, RESERVED | libc::MAP_FIXED, -1, 0)
    };
    again != libc::MAP_FAILED
}

/// Advises on page sizes. A small heap uses few pages: a huge one would cost 2 MiB for its first byte. A
/// large heap is filled much faster in huge pages, and a long memset cannot be left by a hard stop.
/// Async-signal-safe.
///
/// # Safety
/// The range lies inside one reserved slot; both ends are page-aligned.
pub(crate) unsafe fn advise_pages(from: usize, to: usize, huge: bool) {
    #[cfg(target_os = "linux")]
    // SAFETY: advice about a mapping of ours; a kernel that does not know it changes nothing.
    unsafe {
        let advice = if huge { libc::MADV_HUGEPAGE } else { libc::MADV_NOHUGEPAGE };
        libc::madvise(from as *mut libc::c_void, to - from, advice);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (from, to, huge);
}

/// Backs committed memory that is about to be written as a whole: one call instead of a fault per page.
///
/// # Safety
/// The range lies inside the committed part of one slot; both ends are page-aligned.
pub(crate) unsafe fn populate(from: usize, to: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: advice about a mapping of ours; a kernel that does not know it changes nothing.
    unsafe {
        libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_POPULATE_WRITE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (from, to);
}

fn unmap(start: usize, length: usize) {
    if length > 0 {
        // SAFETY: only called for ranges of a mapping made above that nobody uses.
        unsafe { libc::munmap(start as *mut libc::c_void, length) };
    }
}

/// The calling thread's stack: lowest address and size in bytes.
pub(crate) fn stack_bounds() -> Option<(usize, usize)> {
    // SAFETY: plain queries about the calling thread; the attribute object is destroyed after use.
    unsafe {
        #[cfg(target_os = "linux")]
        {
            let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
            if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
                return None;
            }
            let (mut low, mut size) = (ptr::null_mut(), 0);
            let failed = libc::pthread_attr_getstack(&raw const attributes, &raw mut low, &raw mut size);
            libc::pthread_attr_destroy(&raw mut attributes);
            (failed == 0 && size > 0).then_some((low as usize, size))
        }
        #[cfg(not(target_os = "linux"))]
        {
            let me = libc::pthread_self();
            let high = libc::pthread_get_stackaddr_np(me) as usize;
            let size = libc::pthread_get_stacksize_np(me);
            Some((high - size, size))
        }
    }
}

/// The alternate signal stack of the calling thread, for the time this value lives: a guest that
/// exhausted the native stack must still be able to run the crash handler.
#[derive(Debug)]
pub(crate) struct AltStack {
    memory: usize,
    previous: libc::stack_t,
}

const ALT_STACK_BYTES: usize = 128 << 10;
const ALT_STACK_GUARD: usize = 16 << 10;

impl AltStack {
    /// Installs one. `None` if the system refuses.
    pub(crate) fn install() -> Option<AltStack> {
        let total = ALT_STACK_BYTES + ALT_STACK_GUARD;
        // SAFETY: a new private mapping; its first bytes stay without access as the guard.
        unsafe {
            let memory = libc::mmap(ptr::null_mut(), total, libc::PROT_NONE, RESERVED, -1, 0);
            if memory == libc::MAP_FAILED {
                return None;
            }
            let memory = memory as usize;
            let usable = memory + ALT_STACK_GUARD;
            let stack =
                libc::stack_t { ss_sp: usable as *mut libc::c_void, ss_flags: 0, ss_size: ALT_STACK_BYTES };
            let mut previous = std::mem::zeroed::<libc::stack_t>();
            if !commit(usable, memory + total) || libc::sigaltstack(&raw const stack, &raw mut previous) != 0
            {
                unmap(memory, total);
                return None;
            }
            Some(AltStack { memory, previous })
        }
    }
}

impl Drop for AltStack {
    fn drop(&mut self) {
        // SAFETY: runs on the thread that installed it (the value never leaves its thread), outside any
        // handler. If somebody replaced ours meanwhile, the previous one may be gone: leave theirs.
        unsafe {
            let mut current = std::mem::zeroed::<libc::stack_t>();
            let known = libc::sigaltstack(ptr::null(), &raw mut current) == 0;
            if known && current.ss_sp as usize == self.memory + ALT_STACK_GUARD {
                libc::sigaltstack(&raw const self.previous, ptr::null_mut());
            }
        }
        unmap(self.memory, ALT_STACK_BYTES + ALT_STACK_GUARD);
    }
}
