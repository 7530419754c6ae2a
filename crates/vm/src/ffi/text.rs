//! Text across the border. Guest strings are UTF-16 with possible lone surrogates; QuickJS writes them as
//! UTF-8 with three-byte surrogates. The host only ever sees valid UTF-8, lone surrogates as U+FFFD.

use std::borrow::Cow;
use std::ptr;

use rquickjs::qjs;

/// Text inside the slot: where a turn's answer lies until it is copied out.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawText {
    start: *const u8,
    length: usize,
}

impl RawText {
    pub(crate) const NONE: RawText = RawText { start: ptr::null(), length: 0 };

    /// The text of a string value. `None` if it is no string or there is no memory for the conversion (an
    /// exception is pending then). The bytes stay valid until `free`.
    ///
    /// # Safety
    /// `ctx` is the running context, `value` a live value.
    pub(crate) unsafe fn of(ctx: *mut qjs::JSContext, value: qjs::JSValue) -> Option<RawText> {
        // SAFETY: by contract; a string value converts without running guest code.
        unsafe {
            if !is_string(value) {
                return None;
            }
            let mut length: qjs::size_t = 0;
            let start = qjs::JS_ToCStringLen2(ctx, &raw mut length, value, false);
            (!start.is_null())
                .then(|| RawText { start: start.cast(), length: usize::try_from(length).unwrap_or(0) })
        }
    }

    /// # Safety
    /// `self` came from `of` with this context and is not used any more.
    pub(crate) unsafe fn free(self, ctx: *mut qjs::JSContext) {
        // SAFETY: by contract.
        unsafe { qjs::JS_FreeCString(ctx, self.start.cast()) }
    }

    /// The bytes, as QuickJS wrote them.
    ///
    /// # Safety
    /// The text was not freed, and lives at least for `'a`.
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.start.is_null() {
            return &[];
        }
        // SAFETY: by contract.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }

    /// Address and length, to check them against the slot.
    pub(crate) fn span(self) -> (usize, usize) {
        (self.start as usize, self.length)
    }
}

/// Whether a value is a string (flat or rope).
pub(crate) fn is_string(value: qjs::JSValue) -> bool {
    let tag = value.tag;
    tag == i64::from(qjs::JS_TAG_STRING) || tag == i64::from(qjs::JS_TAG_STRING_ROPE)
}

/// Valid UTF-8 from what QuickJS wrote.
pub(crate) fn host_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut repaired = bytes.to_vec();
    replace_surrogates(&mut repaired);
    // Nothing else can be wrong with QuickJS's output; if it were, it is replaced as well.
    Cow::Owned(match String::from_utf8(repaired) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    })
}

/// Replaces three-byte surrogates (ED A0..BF xx) by U+FFFD, which has three bytes too.
pub(crate) fn replace_surrogates(bytes: &mut [u8]) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == 0xED) {
        let (_, tail) = rest.split_at_mut(at);
        if tail.len() >= 3 && tail[1] >= 0xA0 {
            tail[..3].copy_from_slice("\u{FFFD}".as_bytes());
        }
        let step = tail.len().min(3);
        rest = &mut tail[step..];
    }
}

/// A string value from host text. An exception is pending if it is one.
///
/// # Safety
/// `ctx` is the running context.
pub(crate) unsafe fn new_string(ctx: *mut qjs::JSContext, text: &[u8]) -> qjs::JSValue {
    // SAFETY: by contract; QuickJS copies the bytes.
    unsafe { qjs::JS_NewStringLen(ctx, text.as_ptr().cast(), text.len() as qjs::size_t) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        assert_eq!(host_text(b"a\xED\xA0\x80b\xED\xBF\xBF"), "a\u{FFFD}b\u{FFFD}");
        assert_eq!(host_text("\u{D7FF}é".as_bytes()), "\u{D7FF}é");
        assert_eq!(host_text(b"\xED\xA0"), "\u{FFFD}\u{FFFD}");
    }
}
