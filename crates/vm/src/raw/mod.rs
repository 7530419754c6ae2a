//! The bodies that run behind the guard: building a template and running a turn. `extern "C"` functions
//! over plain structs (invariant 7): they own nothing, and what they leave half-done dies with the slot.

mod build;
mod turn;

use std::ffi::c_char;
use std::ptr;

use rquickjs::qjs;

use crate::arena::Header;
use crate::current;

pub(crate) use build::{BuildCall, BuildStep, CompileCall, RawCode, build_body, compile_body, load};
pub(crate) use turn::{RawEnd, RawSettlement, RawWork, TurnCall, turn_body};

/// A script as the C side needs it: NUL behind the last byte, which `source_bytes` does not count.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawScript {
    pub(crate) name: *const c_char,
    pub(crate) source: *const u8,
    pub(crate) source_bytes: usize,
    pub(crate) first_line: i32,
}

/// The stack is this thread's from now on.
pub(super) unsafe fn enter_runtime(rt: *mut qjs::JSRuntime, stack_bytes: usize) {
    // SAFETY: called with the runtime of the running slot, on the thread that runs it.
    unsafe {
        qjs::JS_UpdateStackTop(rt);
        qjs::JS_SetMaxStackSize(rt, stack_bytes as qjs::size_t);
    }
}

pub(super) unsafe fn evaluate(ctx: *mut qjs::JSContext, script: &RawScript, flags: u32) -> qjs::JSValue {
    let mut options = qjs::JSEvalOptions {
        version: qjs::JS_EVAL_OPTIONS_VERSION.cast_signed(),
        eval_flags: (qjs::JS_EVAL_TYPE_GLOBAL | flags).cast_signed(),
        filename: script.name,
        line_num: script.first_line,
    };
    // SAFETY: the source is followed by a NUL, as QuickJS wants it.
    unsafe {
        let length = script.source_bytes as qjs::size_t;
        qjs::JS_Eval2(ctx, script.source.cast(), length, &raw mut options)
    }
}

/// Jobs of one drain that run at full speed whatever they do.
const FREE_JOBS: u32 = 8192;
/// Then, while the cell holds more than a quarter of its heap, a pause after this many.
const PACED_JOBS: u32 = 64;
const PAUSE: std::time::Duration = std::time::Duration::from_millis(1);

/// Runs jobs until none is left or the guest must end. An exception of a job concerns nobody: what is the
/// guest's is in promises, what is ours is in flags.
///
/// A storm of jobs that keeps filling the heap (promises that wait for promises without end) is slowed
/// down: it leaves the core to its neighbours and ends by its deadline, not by who is faster, the loop or
/// the clock. Programs that await much but hold little never pause.
pub(super) unsafe fn drain(rt: *mut qjs::JSRuntime, header: *const Header) {
    let mut ctx = ptr::null_mut();
    let mut jobs = 0u32;
    // SAFETY: called with runtime and header of the running slot.
    unsafe {
        while !current::must_end() {
            match qjs::JS_ExecutePendingJob(rt, &raw mut ctx) {
                0 => break,
                1.. => {}
                _ => {
                    let error = qjs::JS_GetException(ctx);
                    qjs::JS_FreeValue(ctx, error);
                }
            }
            jobs = jobs.wrapping_add(1);
            if jobs > FREE_JOBS && jobs.is_multiple_of(PACED_JOBS) && (*header).is_filling() {
                current::outside_slot(|| std::thread::sleep(PAUSE));
            }
        }
    }
}
