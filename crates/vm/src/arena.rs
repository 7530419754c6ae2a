//! The heap inside a slot: its header, and the allocator callbacks QuickJS is given.
//!
//! Invariant 1: everything of a runtime lies in `[base, base + used)`, the allocator's own state included.
//! Invariant 3: a callback never panics and never unwinds. Over the limit it returns null and sets the
//! sticky out-of-memory flag, which ends the cell even if the guest catches the error.
//!
//! ```text
//!  base                                                        base + top
//!  ┌────────┬─────────────────────────────────────────────────┬──────────
//!  │ Header │ dlmalloc chunks: [size, 16 bytes][payload] …     │ zero
//!  └────────┴─────────────────────────────────────────────────┴──────────
//! ```

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;

use rquickjs::qjs;

use crate::current;

/// Bytes before each allocation: its size, padded to keep 16-byte alignment.
const PREFIX: usize = 16;
/// Bytes the heap starts behind the base.
pub(crate) const HEADER_BYTES: usize = 4096;
/// Steps in which dlmalloc asks for more while a template is built: small, so that the image is.
const BUILD_STEP: usize = 4096;
/// Steps in which it asks for more in a cell.
const CELL_STEP: usize = 16 << 10;
/// Bytes that are zeroed between two looks at the stop flag.
const ZERO_STEP: usize = 1 << 20;
/// Number of class ids `classOf` knows about.
pub(crate) const CLASS_TABLE: usize = 128;

/// First bytes of every slot in use. Plain data and pointers into the slot only (invariant 1).
#[repr(C)]
pub(crate) struct Header {
    pub(crate) rt: *mut qjs::JSRuntime,
    pub(crate) ctx: *mut qjs::JSContext,
    heap: dlmalloc::Dlmalloc<Source>,
    /// Bytes handed out and not freed, prefixes included.
    pub(crate) live: usize,
    /// `live` may not exceed this.
    pub(crate) live_limit: usize,
    /// `live` of the template, the zero of the cell's own count.
    pub(crate) template_live: usize,
    /// Above this a collection is asked for every `collect_step` bytes, so that garbage in cycles does
    /// not count as being over the limit.
    collect_above: usize,
    collect_step: usize,
    collect_mark: usize,
    /// The allocator refused at least once.
    pub(crate) out_of_memory: bool,
    /// Zero what is freed and handed out: builds of a template must not differ by stale bytes.
    scrub: bool,
    pub(crate) controller: Controller,
    pub(crate) main: qjs::JSValue,
    pub(crate) rejections: crate::ffi::Rejections,
    pub(crate) random: crate::rng::Xoshiro,
    /// Start of the cell on the process's monotonic clock, in nanoseconds.
    pub(crate) started_ns: u64,
    /// Answer of `host.classOf` by class id.
    pub(crate) class_codes: [u8; CLASS_TABLE],
}

const _: () = assert!(size_of::<Header>() <= HEADER_BYTES);

/// The controller's methods, fetched when the template is built so that the guest cannot replace them.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Controller {
    pub(crate) this: qjs::JSValue,
    pub(crate) begin: qjs::JSValue,
    pub(crate) settle: qjs::JSValue,
    pub(crate) finish: qjs::JSValue,
    pub(crate) describe: qjs::JSValue,
}

impl Controller {
    const NONE: Controller = Controller {
        this: qjs::JS_UNDEFINED,
        begin: qjs::JS_UNDEFINED,
        settle: qjs::JS_UNDEFINED,
        finish: qjs::JS_UNDEFINED,
        describe: qjs::JS_UNDEFINED,
    };
}

/// Where dlmalloc gets memory: the next bytes of the slot.
pub(crate) struct Source {
    base: usize,
    top: Cell<usize>,
    size: usize,
}

// SAFETY: `alloc` returns each part of the slot once, in order, and never anything outside it. Nothing is
// ever given back, so `remap`, `free_part` and `free` refuse.
unsafe impl dlmalloc::Allocator for Source {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        let refused = (ptr::null_mut(), 0, 0);
        let start = self.top.get();
        let Some(end) = start.checked_add(size) else { return refused };
        if end > self.size || !current::grow(self.base, end) {
            return refused;
        }
        self.top.set(end);
        ((self.base + start) as *mut u8, size, 0)
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        false
    }

    fn page_size(&self) -> usize {
        4096
    }
}

impl Header {
    /// Whether the cell holds more than a quarter of what it may.
    pub(crate) fn is_filling(&self) -> bool {
        let limit = self.live_limit.saturating_sub(self.template_live);
        self.live.saturating_sub(self.template_live) > limit / 4
    }

    /// What every build starts with. A constant, so that its padding is the same each time: headers are
    /// compared word for word, too.
    #[expect(clippy::declare_interior_mutable_const, reason = "each use is a fresh copy")]
    const EMPTY: Header = {
        let mut heap =
            dlmalloc::Dlmalloc::new_with_allocator(Source { base: 0, top: Cell::new(HEADER_BYTES), size: 0 });
        heap.set_max_release_check_rate(0);
        heap.set_granularity(BUILD_STEP);
        Header {
            rt: ptr::null_mut(),
            ctx: ptr::null_mut(),
            heap,
            live: 0,
            live_limit: 0,
            template_live: 0,
            collect_above: usize::MAX,
            collect_step: usize::MAX,
            collect_mark: 0,
            out_of_memory: false,
            scrub: true,
            controller: Controller::NONE,
            main: qjs::JS_UNDEFINED,
            rejections: crate::ffi::Rejections::EMPTY,
            random: crate::rng::Xoshiro::ZERO,
            started_ns: 0,
            class_codes: [0; CLASS_TABLE],
        }
    };

    /// Writes a fresh header for a build in the slot at `base`.
    ///
    /// # Safety
    /// `[base, base + HEADER_BYTES)` is committed and zero, and nobody uses it.
    pub(crate) unsafe fn init(base: usize, size: usize, live_limit: usize) -> *mut Header {
        let header = base as *mut Header;
        // SAFETY: by contract; the reference ends before anybody else sees the header.
        unsafe {
            ptr::write(header, Header::EMPTY);
            let header = &mut *header;
            let source = header.heap.allocator_mut();
            (source.base, source.size) = (base, size);
            header.live_limit = live_limit;
        }
        header
    }

    /// Bytes of the slot that hold anything.
    pub(crate) fn used(&self) -> usize {
        self.heap.allocator().top.get()
    }

    /// Turns the copy of a template into a cell's own heap.
    pub(crate) fn open_for_cell(&mut self, size: usize, heap_limit_bytes: usize) {
        let source = self.heap.allocator_mut();
        source.size = size;
        self.heap.set_granularity(CELL_STEP);
        self.template_live = self.live;
        self.live_limit = self.live.saturating_add(heap_limit_bytes);
        self.collect_above = self.live.saturating_add(heap_limit_bytes / 4 * 3);
        self.collect_step = (heap_limit_bytes / 32).max(16 << 10);
        self.collect_mark = 0;
        self.scrub = false;
        self.out_of_memory = false;
    }

    /// # Safety
    /// `self` is the header of a slot in use; called by QuickJS on the thread that runs it.
    unsafe fn allocate(&mut self, size: usize) -> *mut u8 {
        let Some(total) = size.checked_add(PREFIX) else { return self.refuse() };
        if total > self.live_limit.saturating_sub(self.live) {
            return self.refuse();
        }
        // SAFETY: the heap's state is this header's.
        let chunk = unsafe { self.heap.c_malloc(total) };
        if chunk.is_null() {
            return self.refuse();
        }
        self.live += total;
        self.collect_if_near_limit();
        // SAFETY: the chunk has `total` bytes, aligned to 16.
        unsafe {
            if self.scrub {
                ptr::write_bytes(chunk, 0, total);
            }
            write_prefix(chunk, size)
        }
    }

    /// # Safety
    /// `payload` came from `allocate` or `resize` of this header and was not freed.
    unsafe fn release(&mut self, payload: *mut u8) {
        // SAFETY: every payload has its prefix before it.
        unsafe {
            let size = size_of_allocation(payload);
            let chunk = payload.sub(PREFIX);
            self.live = self.live.saturating_sub(size.saturating_add(PREFIX));
            if self.scrub {
                ptr::write_bytes(chunk, 0, size + PREFIX);
            }
            self.heap.c_free(chunk);
        }
    }

    /// # Safety
    /// As `release`; on null the payload stays valid.
    unsafe fn resize(&mut self, payload: *mut u8, size: usize) -> *mut u8 {
        // SAFETY: every payload has its prefix before it.
        let old = unsafe { size_of_allocation(payload) };
        if self.scrub {
            // Through allocate and release, which leave nothing stale behind.
            // SAFETY: by contract; the copy stays within both.
            unsafe {
                let new = self.allocate(size);
                if !new.is_null() {
                    ptr::copy_nonoverlapping(payload, new, old.min(size));
                    self.release(payload);
                }
                return new;
            }
        }
        let Some(total) = size.checked_add(PREFIX) else { return self.refuse() };
        if size > old && size - old > self.live_limit.saturating_sub(self.live) {
            return self.refuse();
        }
        // SAFETY: by contract.
        let chunk = unsafe { self.heap.c_realloc(payload.sub(PREFIX), total) };
        if chunk.is_null() {
            return self.refuse();
        }
        self.live = self.live.saturating_sub(old).saturating_add(size);
        self.collect_if_near_limit();
        // SAFETY: the chunk has `total` bytes.
        unsafe { write_prefix(chunk, size) }
    }

    fn refuse(&mut self) -> *mut u8 {
        self.out_of_memory = true;
        current::note_out_of_memory();
        ptr::null_mut()
    }

    /// Lets QuickJS collect at its next object creation, once per `collect_step` of growth.
    fn collect_if_near_limit(&mut self) {
        self.collect_mark = self.collect_mark.min(self.live);
        if self.live > self.collect_above && self.live - self.collect_mark >= self.collect_step {
            self.collect_mark = self.live;
            // SAFETY: only stores a number in the runtime; `rt` is set once cells run.
            unsafe { qjs::JS_SetGCThreshold(self.rt, 0) };
        }
    }
}

/// Notes the size of an allocation and returns its payload.
///
/// # Safety
/// `chunk` has at least `PREFIX` bytes.
#[expect(clippy::cast_ptr_alignment, reason = "chunks are aligned to 16")]
unsafe fn write_prefix(chunk: *mut u8, size: usize) -> *mut u8 {
    // SAFETY: by contract.
    unsafe {
        chunk.cast::<usize>().write(size);
        chunk.add(PREFIX)
    }
}

/// # Safety
/// `payload` is an allocation of this module.
#[expect(clippy::cast_ptr_alignment, reason = "payloads are aligned to 16, like their prefix")]
unsafe fn size_of_allocation(payload: *const u8) -> usize {
    // SAFETY: the prefix is before it.
    unsafe { payload.sub(PREFIX).cast::<usize>().read() }
}

/// What `JS_NewRuntime2` is given; the opaque pointer is the header.
pub(crate) const MALLOC_FUNCTIONS: qjs::JSMallocFunctions = qjs::JSMallocFunctions {
    js_calloc: Some(calloc),
    js_malloc: Some(malloc),
    js_free: Some(free),
    js_realloc: Some(realloc),
    js_malloc_usable_size: Some(usable_size),
};

#[expect(clippy::cast_possible_truncation, reason = "size_t and usize are equal on 64-bit systems")]
const fn to_usize(size: qjs::size_t) -> usize {
    size as usize
}

unsafe extern "C" fn malloc(header: *mut c_void, size: qjs::size_t) -> *mut c_void {
    // SAFETY: QuickJS passes the opaque pointer it was given: the header of the running slot.
    unsafe { (*header.cast::<Header>()).allocate(to_usize(size)).cast() }
}

unsafe extern "C" fn calloc(header: *mut c_void, count: qjs::size_t, size: qjs::size_t) -> *mut c_void {
    // SAFETY: as `malloc`; the payload has `total` bytes.
    unsafe {
        let header = &mut *header.cast::<Header>();
        let Some(total) = to_usize(count).checked_mul(to_usize(size)) else { return header.refuse().cast() };
        let payload = header.allocate(total);
        if payload.is_null() {
            return payload.cast();
        }
        // In parts: a hard stop cannot leave memset (it is libc's), but a stop is seen between parts.
        for at in (0..total).step_by(ZERO_STEP) {
            if at > 0 && current::must_end() {
                header.release(payload);
                return ptr::null_mut();
            }
            ptr::write_bytes(payload.add(at), 0, ZERO_STEP.min(total - at));
        }
        payload.cast()
    }
}

unsafe extern "C" fn free(header: *mut c_void, payload: *mut c_void) {
    if !payload.is_null() {
        // SAFETY: as `malloc`; QuickJS frees what it was given.
        unsafe { (*header.cast::<Header>()).release(payload.cast()) }
    }
}

unsafe extern "C" fn realloc(header: *mut c_void, payload: *mut c_void, size: qjs::size_t) -> *mut c_void {
    // SAFETY: as `malloc`.
    unsafe {
        let header = &mut *header.cast::<Header>();
        if payload.is_null() {
            return header.allocate(to_usize(size)).cast();
        }
        if size == 0 {
            header.release(payload.cast());
            return ptr::null_mut();
        }
        header.resize(payload.cast(), to_usize(size)).cast()
    }
}

unsafe extern "C" fn usable_size(payload: *const c_void) -> qjs::size_t {
    if payload.is_null() {
        return 0;
    }
    // SAFETY: as `free`.
    unsafe { size_of_allocation(payload.cast()) as qjs::size_t }
}
