//! Every C function QuickJS calls, besides the allocator. None has state of its own: they use the slot
//! header (the runtime's malloc opaque) and the thread's current turn.

mod bytes;
mod classes;
mod host;
mod promises;
mod text;

use std::ffi::c_void;

use rquickjs::qjs;

pub(crate) use classes::learn_classes;
pub(crate) use host::{make_host, replace_builtins};
pub(crate) use promises::{Rejections, reject_tracker};
pub(crate) use text::{RawText, host_text};

use crate::arena::Header;
use crate::current;

/// A name or message for C, checked at compile time to end in NUL.
pub(crate) const fn c(text: &'static std::ffi::CStr) -> *const std::ffi::c_char {
    text.as_ptr()
}

/// The header of the slot a context lives in.
///
/// # Safety
/// `ctx` is the context of a slot in use.
pub(crate) unsafe fn header_of(ctx: *mut qjs::JSContext) -> *mut Header {
    // SAFETY: `raw::create` stores it. The pointer is inside the slot, so captures may hold it.
    unsafe { qjs::JS_GetContextOpaque(ctx).cast() }
}

/// Polled by QuickJS every ten thousand operations or so.
pub(crate) unsafe extern "C" fn interrupt(_: *mut qjs::JSRuntime, _: *mut c_void) -> i32 {
    i32::from(current::must_end())
}

/// Throws an error no guest code can catch. What ends the cell is the flag that is set besides.
///
/// # Safety
/// `ctx` is the running context.
pub(crate) unsafe fn throw_uncatchable(ctx: *mut qjs::JSContext) -> qjs::JSValue {
    // SAFETY: plain calls into QuickJS with values it just made.
    unsafe {
        qjs::JS_ThrowInternalError(ctx, c(c"interrupted"));
        let error = qjs::JS_GetException(ctx);
        qjs::JS_SetUncatchableError(ctx, error);
        qjs::JS_Throw(ctx, error)
    }
}

/// Argument `index`, or undefined.
///
/// # Safety
/// `arguments` has `count` values.
pub(crate) unsafe fn argument(count: i32, arguments: *const qjs::JSValue, index: usize) -> qjs::JSValue {
    if usize::try_from(count).is_ok_and(|count| index < count) {
        // SAFETY: within the count.
        unsafe { *arguments.add(index) }
    } else {
        qjs::JS_UNDEFINED
    }
}
