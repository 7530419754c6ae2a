//! The `host` object of prelude scripts, and the built-ins that are replaced for every cell.

use std::ffi::CStr;
use std::str::Utf8Chunks;

use rquickjs::qjs;

use super::text::{RawText, host_text, new_string, replace_surrogates};
use super::{argument, c, classes, header_of, throw_uncatchable};
use crate::current;
use crate::stop::StopReason;

type NativeFunction =
    unsafe extern "C" fn(*mut qjs::JSContext, qjs::JSValue, i32, *mut qjs::JSValue) -> qjs::JSValue;

const FUNCTIONS: &[(&CStr, i32, NativeFunction)] = &[
    (c"emit", 2, emit),
    (c"fetch", 2, fetch),
    (c"classOf", 1, classes::class_of),
    (c"random", 0, random),
    (c"fillRandom", 1, fill_random),
    (c"monotonicMs", 0, monotonic_ms),
    (c"utf8Encode", 1, utf8_encode),
    (c"utf8Decode", 3, utf8_decode),
    (c"utf8Incomplete", 1, utf8_incomplete),
];

/// Random bytes asked of the system at once.
const FILL_STEP: usize = 64 << 10;

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

unsafe extern "C" fn random(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    _argc: i32,
    _argv: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the header is in the running slot.
    qjs::JS_NewFloat64(unsafe { (*header_of(ctx)).random.next_f64() })
}

unsafe extern "C" fn fill_random(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the bytes belong to the argument, which the caller holds; nothing runs in between.
    unsafe {
        let array = argument(count, arguments, 0);
        let Some(bytes) = bytes_of(ctx, array) else { return qjs::JS_EXCEPTION };
        // In parts: inside the marked section no stop can hit.
        for part in bytes.chunks_mut(FILL_STEP) {
            if current::must_end() {
                return throw_uncatchable(ctx);
            }
            if current::outside_slot(|| getrandom::fill(part)).is_err() {
                return qjs::JS_ThrowInternalError(ctx, c(c"no random bytes are available"));
            }
        }
        qjs::JS_DupValue(ctx, array)
    }
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

unsafe extern "C" fn utf8_encode(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as `emit`; the buffer is fresh, so its bytes are nobody else's.
    unsafe {
        let Some(text) = RawText::of(ctx, argument(count, arguments, 0)) else {
            return type_error_unless_pending(ctx, c"expected a string");
        };
        let source = text.bytes();
        let mut buffer = qjs::JS_NewArrayBufferCopy(ctx, source.as_ptr(), source.len() as qjs::size_t);
        text.free(ctx);
        if qjs::JS_IsException(buffer) {
            return buffer;
        }
        let mut length = 0;
        let start = qjs::JS_GetArrayBuffer(ctx, &raw mut length, buffer);
        if !start.is_null() && length > 0 {
            replace_surrogates(std::slice::from_raw_parts_mut(start, usize::try_from(length).unwrap_or(0)));
        }
        let kind = qjs::JSTypedArrayEnum_JS_TYPED_ARRAY_UINT8;
        let array = qjs::JS_NewTypedArray(ctx, 1, &raw mut buffer, kind);
        qjs::JS_FreeValue(ctx, buffer);
        array
    }
}

unsafe extern "C" fn utf8_decode(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as `fill_random`; scratch memory is the guest's own, so a jump leaks nothing.
    unsafe {
        let Some(bytes) = bytes_of(ctx, argument(count, arguments, 0)) else { return qjs::JS_EXCEPTION };
        let fatal = qjs::JS_ToBool(ctx, argument(count, arguments, 1)) > 0;
        let keep_mark = qjs::JS_ToBool(ctx, argument(count, arguments, 2)) > 0;
        let bytes: &[u8] =
            if keep_mark { bytes } else { bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes) };
        if std::str::from_utf8(bytes).is_ok() {
            return new_string(ctx, bytes);
        }
        if fatal {
            return qjs::JS_ThrowTypeError(ctx, c(c"The encoded data was not valid for encoding utf-8"));
        }
        decode_lossy(ctx, bytes)
    }
}

/// Each maximal ill-formed part becomes one U+FFFD, as the encoding standard has it.
unsafe fn decode_lossy(ctx: *mut qjs::JSContext, bytes: &[u8]) -> qjs::JSValue {
    const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();
    let chunks = || bytes.utf8_chunks();
    let length: usize =
        chunks().map(|chunk| chunk.valid().len() + if chunk.invalid().is_empty() { 0 } else { 3 }).sum();
    // SAFETY: the scratch block has `length` bytes and is freed.
    unsafe {
        let scratch = qjs::js_malloc(ctx, length.max(1) as qjs::size_t).cast::<u8>();
        if scratch.is_null() {
            return qjs::JS_EXCEPTION;
        }
        let out = std::slice::from_raw_parts_mut(scratch, length);
        write_lossy(chunks(), REPLACEMENT, out);
        let value = new_string(ctx, out);
        qjs::js_free(ctx, scratch.cast());
        value
    }
}

fn write_lossy(chunks: Utf8Chunks<'_>, replacement: &[u8], out: &mut [u8]) {
    let mut at = 0;
    let mut put = |part: &[u8]| {
        if let Some(place) = out.get_mut(at..at + part.len()) {
            place.copy_from_slice(part);
        }
        at += part.len();
    };
    for chunk in chunks {
        put(chunk.valid().as_bytes());
        if !chunk.invalid().is_empty() {
            put(replacement);
        }
    }
}

/// How many bytes at the end begin a sequence that more bytes could complete: for decoding in parts.
unsafe extern "C" fn utf8_incomplete(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: as `fill_random`.
    let Some(bytes) = (unsafe { bytes_of(ctx, argument(count, arguments, 0)) }) else {
        return qjs::JS_EXCEPTION;
    };
    let tail = &bytes[bytes.len().saturating_sub(3)..];
    let incomplete = (1..=tail.len())
        .rev()
        .find(|&count| {
            let end = &tail[tail.len() - count..];
            std::str::from_utf8(end)
                .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        })
        .unwrap_or(0);
    qjs::JS_MKVAL(qjs::JS_TAG_INT, i32::try_from(incomplete).unwrap_or(0))
}

/// The bytes of a typed array, `DataView` or (shared) array buffer; an exception is pending if `None`.
///
/// # Safety
/// The caller holds `value`, and neither runs guest code nor allocates in the slot through it while it uses
/// the bytes.
unsafe fn bytes_of<'a>(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Option<&'a mut [u8]> {
    // SAFETY: QuickJS checks the class of the value; a view's offset and length are within its buffer.
    unsafe {
        let (mut offset, mut length, mut element) = (0, 0, 0);
        let is_view = qjs::JS_GetTypedArrayType(value) >= 0;
        let (start, buffer_length) = {
            let mut buffer_length = 0;
            let buffer = if is_view {
                qjs::JS_GetTypedArrayBuffer(ctx, value, &raw mut offset, &raw mut length, &raw mut element)
            } else {
                qjs::JS_DupValue(ctx, value)
            };
            if qjs::JS_IsException(buffer) {
                return None;
            }
            let start = qjs::JS_GetArrayBuffer(ctx, &raw mut buffer_length, buffer);
            qjs::JS_FreeValue(ctx, buffer); // the view or the caller still holds it
            if start.is_null() {
                return None;
            }
            (start, buffer_length)
        };
        if !is_view {
            length = buffer_length;
        }
        let (offset, length) = (usize::try_from(offset).ok()?, usize::try_from(length).ok()?);
        let end = offset.checked_add(length)?;
        if end > usize::try_from(buffer_length).ok()? {
            qjs::JS_ThrowTypeError(ctx, c(c"view is out of bounds"));
            return None;
        }
        Some(std::slice::from_raw_parts_mut(start.add(offset), length))
    }
}

unsafe fn type_error_unless_pending(ctx: *mut qjs::JSContext, message: &'static CStr) -> qjs::JSValue {
    // SAFETY: called with the running context.
    unsafe {
        if qjs::JS_HasException(ctx) { qjs::JS_EXCEPTION } else { qjs::JS_ThrowTypeError(ctx, c(message)) }
    }
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
