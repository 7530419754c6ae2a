//! The functions of `host` that work on bytes: UTF-8 both ways, randomness.

use std::ffi::CStr;
use std::str::Utf8Chunks;

use rquickjs::qjs;

use super::text::{RawText, new_string, replace_surrogates};
use super::{argument, c, throw_uncatchable};
use crate::current;

/// Random bytes asked of the system at once.
const FILL_STEP: usize = 64 << 10;

pub(super) unsafe extern "C" fn fill_random(
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

pub(super) unsafe extern "C" fn utf8_encode(
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

pub(super) unsafe extern "C" fn utf8_decode(
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
pub(super) unsafe extern "C" fn utf8_incomplete(
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
