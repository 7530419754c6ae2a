//! Rejected promises that nobody has handled yet. The list lies in the slot, so it is captured with it.

use std::ffi::c_void;
use std::ptr;

use rquickjs::qjs;

use super::header_of;

/// A growable array of promises, in the order of their rejection; holes are null.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Rejections {
    items: *mut *mut c_void,
    length: usize,
    capacity: usize,
}

impl Rejections {
    pub(crate) const EMPTY: Rejections = Rejections { items: ptr::null_mut(), length: 0, capacity: 0 };

    /// # Safety
    /// `ctx` is the running context and `self` is in its slot.
    unsafe fn push(&mut self, ctx: *mut qjs::JSContext, promise: qjs::JSValue) {
        // SAFETY: the array has `capacity` items; QuickJS moves it within the slot.
        unsafe {
            if self.length == self.capacity {
                let capacity = (self.capacity * 2).max(8);
                let bytes = capacity * size_of::<*mut c_void>();
                let items =
                    qjs::js_realloc_rt(qjs::JS_GetRuntime(ctx), self.items.cast(), bytes as qjs::size_t);
                if items.is_null() {
                    return; // the allocator has set the flag that ends the cell
                }
                self.items = items.cast();
                self.capacity = capacity;
            }
            let held = qjs::JS_DupValue(ctx, promise);
            self.items.add(self.length).write(held.u.ptr);
            self.length += 1;
        }
    }

    /// # Safety
    /// As `push`.
    unsafe fn remove(&mut self, ctx: *mut qjs::JSContext, promise: *mut c_void) {
        // SAFETY: reads and writes below `length`.
        unsafe {
            // Most rejections are handled soon: look from the end.
            let found = (0..self.length).rev().find(|&index| self.items.add(index).read() == promise);
            let Some(index) = found else { return };
            self.items.add(index).write(ptr::null_mut());
            while self.length > 0 && self.items.add(self.length - 1).read().is_null() {
                self.length -= 1;
            }
            qjs::JS_FreeValue(ctx, object(promise));
        }
    }

    /// The first promise in the list that is not `main`. The list keeps holding it.
    ///
    /// # Safety
    /// As `push`.
    pub(crate) unsafe fn first_other_than(&self, main: qjs::JSValue) -> Option<qjs::JSValue> {
        // SAFETY: reads below `length`; `main` is an object or its pointer equals none in the list.
        unsafe {
            (0..self.length)
                .map(|index| self.items.add(index).read())
                .find(|&item| !item.is_null() && item != main.u.ptr)
                .map(object)
        }
    }
}

fn object(pointer: *mut c_void) -> qjs::JSValue {
    qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, pointer)
}

/// QuickJS's host hook.
pub(crate) unsafe extern "C" fn reject_tracker(
    ctx: *mut qjs::JSContext,
    promise: qjs::JSValue,
    _reason: qjs::JSValue,
    is_handled: bool,
    _opaque: *mut c_void,
) {
    // SAFETY: the context's header is in the running slot; QuickJS holds no reference into it.
    unsafe {
        let list = &raw mut (*header_of(ctx)).rejections;
        if is_handled {
            (*list).remove(ctx, promise.u.ptr);
        } else {
            (*list).push(ctx, promise);
        }
    }
}
