//! The `host` object of prelude scripts, and the built-ins that are replaced for every cell.

use std::ffi::CStr;

use rquickjs::qjs;

use super::text::{RawText, host_text, new_string};
use super::{argument, bytes, c, classes, header_of, throw_uncatchable};
use crate::current;
use crate::stop::StopReason;

type NativeFunction =
    unsafe extern "C" fn(*mut qjs::JSContext, qjs::JSValue, i32, *mut qjs::JSValue) -> qjs::JSValue;

const FUNCTIONS: &[(&CStr, i32, NativeFunction)] = &[
    (c"emit", 2, emit),
    (c"fetch", 2, fetch),
    (c"classOf", 1, classes::class_of),
    (c"load", 1, load),
    (c"random", 0, random),
    (c"fillRandom", 1, bytes::fill_random),
    (c"monotonicMs", 0, monotonic_ms),
    (c"utf8Encode", 1, bytes::utf8_encode),
    (c"utf8Decode", 3, bytes::utf8_decode),
    (c"utf8Incomplete", 1, bytes::utf8_incomplete),
];

/// Makes the object: null prototype, one property per function.
///
/// # Safety
/// `ctx` is the running context.
pub(crate) unsafe fn make_host(ctx: *mut qjs::JSContext, crash_hook: bool) -> qjs::JSValue {
    // SAFETY: plain calls into QuickJS with values it just made.
    unsafe {
        let host = qjs::JS_NewObjectProto(ctx, qjs::JS_NULL);
        for &(name, length, function) in FUNCTIONS {
            define(ctx, host, name, length, function);
        }
        if crash_hook {
            define(ctx, host, c"crash", 0, crash);
        }
        host
    }
}

/// Replaces what must not be QuickJS's own, on the global object:
/// `Math.random` (its state would be the template's, so all cells would draw the same numbers), and
/// `Atomics.notify` (it takes a process-wide lock in which a hard stop could hit it; nobody can ever wait).
///
/// # Safety
/// `ctx` is the running context.
pub(crate) unsafe fn replace_builtins(ctx: *mut qjs::JSContext) {
    // SAFETY: plain calls into QuickJS with values it just made.
    unsafe {
        let global = qjs::JS_GetGlobalObject(ctx);
        let math = qjs::JS_GetPropertyStr(ctx, global, c(c"Math"));
        define(ctx, math, c"random", 0, random);
        qjs::JS_FreeValue(ctx, math);
        let atomics = qjs::JS_GetPropertyStr(ctx, global, c(c"Atomics"));
        define(ctx, atomics, c"notify", 3, atomics_notify);
        qjs::JS_FreeValue(ctx, atomics);
        qjs::JS_FreeValue(ctx, global);
    }
}

unsafe fn define(
    ctx: *mut qjs::JSContext,
    on: qjs::JSValue,
    name: &CStr,
    length: i32,
    function: NativeFunction,
) {
    // SAFETY: by the callers' contract; the property takes the function value over.
    unsafe {
        let kind = qjs::JSCFunctionEnum_JS_CFUNC_generic;
        let value = qjs::JS_NewCFunction2(ctx, Some(function), name.as_ptr(), length, kind, 0);
        let flags = (qjs::JS_PROP_WRITABLE | qjs::JS_PROP_CONFIGURABLE).cast_signed();
        qjs::JS_DefinePropertyValueStr(ctx, on, name.as_ptr(), value, flags);
    }
}

/// The kind and the text of `emit(kind, text)` and `fetch(kind, key)`; an exception is pending if `None`.
unsafe fn kind_and_text(
    ctx: *mut qjs::JSContext,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> Option<(i32, RawText)> {
    // SAFETY: called with what QuickJS passed.
    unsafe {
        let kind = argument(count, arguments, 0);
        let text = argument(count, arguments, 1);
        if kind.tag != i64::from(qjs::JS_TAG_INT) || !super::text::is_string(text) {
            qjs::JS_ThrowTypeError(ctx, c(c"expected an integer and a string"));
            return None;
        }
        Some((kind.u.int32, RawText::of(ctx, text)?))
    }
}

unsafe extern "C" fn emit(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: called by QuickJS with its own context and arguments; the text lives until it is freed.
    unsafe {
        if current::must_end() {
            return throw_uncatchable(ctx);
        }
        let Some((kind, text)) = kind_and_text(ctx, count, arguments) else { return qjs::JS_EXCEPTION };
        let accepted = current::with_host(|host| host.emit(kind, &host_text(text.bytes())));
        text.free(ctx);
        if accepted == Some(false) {
            current::stop(StopReason::Host);
        }
        if accepted == Some(true) && !current::must_end() {
            qjs::JS_UNDEFINED
        } else {
            throw_uncatchable(ctx)
        }
    }
}

unsafe extern "C" fn fetch(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as `emit`. The answer is owned by this frame while QuickJS copies it; a jump in that time
    // would leak it, so the copy is made inside the marked section, too.
    unsafe {
        if current::must_end() {
            return throw_uncatchable(ctx);
        }
        let Some((kind, key)) = kind_and_text(ctx, count, arguments) else { return qjs::JS_EXCEPTION };
        let value = current::with_host(|host| {
            let answer = host.fetch(kind, &host_text(key.bytes()));
            answer.map_or(qjs::JS_UNDEFINED, |text| new_string(ctx, text.as_bytes()))
        });
        key.free(ctx);
        value.unwrap_or_else(|| throw_uncatchable(ctx))
    }
}

/// The function of a lazy script, made anew from its bytecode; undefined for an unknown name.
unsafe extern "C" fn load(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: called by QuickJS with its own context and arguments. The code is `compile_body`'s, outlives
    // the turn, and QuickJS copies what it keeps of it into the slot.
    unsafe {
        let name = argument(count, arguments, 0);
        if !super::text::is_string(name) {
            return qjs::JS_ThrowTypeError(ctx, c(c"expected a string"));
        }
        let Some(text) = RawText::of(ctx, name) else { return qjs::JS_EXCEPTION };
        let code = current::lazy_code(text.bytes());
        text.free(ctx);
        let Some((bytes, length)) = code else { return qjs::JS_UNDEFINED };
        crate::raw::load(ctx, crate::raw::RawCode { bytes, length })
    }
}

unsafe extern "C" fn random(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    _argc: i32,
    _argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the header is in the running slot.
    qjs::JS_NewFloat64(unsafe { (*header_of(ctx)).random.next_f64() })
}

unsafe extern "C" fn monotonic_ms(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    _argc: i32,
    _argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the header is in the running slot.
    let started = unsafe { (*header_of(ctx)).started_ns };
    #[expect(clippy::cast_precision_loss, reason = "exact for a hundred days, and then off by a nanosecond")]
    let elapsed = crate::clock::now_ns().saturating_sub(started) as f64;
    qjs::JS_NewFloat64(elapsed / 1e6)
}

/// Nobody can wait, so nobody is ever woken.
unsafe extern "C" fn atomics_notify(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: called by QuickJS with its own context and arguments.
    unsafe {
        let kind = qjs::JS_GetTypedArrayType(argument(count, arguments, 0));
        let waitable =
            [qjs::JSTypedArrayEnum_JS_TYPED_ARRAY_INT32, qjs::JSTypedArrayEnum_JS_TYPED_ARRAY_BIG_INT64];
        if u32::try_from(kind).is_ok_and(|kind| waitable.contains(&kind)) {
            qjs::JS_MKVAL(qjs::JS_TAG_INT, 0)
        } else {
            qjs::JS_ThrowTypeError(ctx, c(c"integer TypedArray expected"))
        }
    }
}

/// Only with `TemplateOptions::crash_hook`: crashes in the way that is asked for.
unsafe extern "C" fn crash(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: none; these are the faults the containment of crashes is tested with.
    unsafe {
        let kind = argument(count, arguments, 0);
        match if kind.tag == i64::from(qjs::JS_TAG_INT) { kind.u.int32 } else { 0 } {
            1 => std::process::abort(),
            2 => overflow(ctx, 0),
            _ => {}
        }
        let nowhere = std::ptr::without_provenance_mut(64);
        qjs::JS_GetPropertyStr(ctx, qjs::JS_MKPTR(qjs::JS_TAG_OBJECT, nowhere), c(c"x"))
    }
}

/// Calls itself until the native stack ends.
#[inline(never)]
fn overflow(ctx: *mut qjs::JSContext, depth: u64) {
    let frame = std::hint::black_box([depth; 64]);
    if !ctx.is_null() {
        overflow(ctx, depth + 1);
    }
    std::hint::black_box(frame);
}
