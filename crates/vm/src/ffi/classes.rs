//! `host.classOf`: what a value is by its internal class, which guest code cannot fake.

use rquickjs::qjs;

use super::{argument, c, header_of};
use crate::arena::CLASS_TABLE;

const NOT_OBJECT: u8 = 0;
const OTHER: u8 = 1;
const FUNCTION: u8 = 3;
const SYMBOL: u8 = 14;

/// One value of each class, and the code of the class. QuickJS's header has no constants for class ids;
/// they are learnt from samples when a template is built.
const SAMPLES: &[(&std::ffi::CStr, u8)] = &[
    (c"[]", 2),
    (c"new Date(0)", 4),
    (c"new Map", 5),
    (c"new Set", 6),
    (c"new Error", 7),
    (c"new DOMException", 7),
    (c"Promise.resolve()", 8),
    (c"new ArrayBuffer(1)", 9),
    (c"new SharedArrayBuffer(1)", 9),
    (c"new DataView(new ArrayBuffer(1))", 9),
    (c"new Uint8ClampedArray(1)", 9),
    (c"new Int8Array(1)", 9),
    (c"new Uint8Array(1)", 9),
    (c"new Int16Array(1)", 9),
    (c"new Uint16Array(1)", 9),
    (c"new Int32Array(1)", 9),
    (c"new Uint32Array(1)", 9),
    (c"new BigInt64Array(1)", 9),
    (c"new BigUint64Array(1)", 9),
    (c"new Float16Array(1)", 9),
    (c"new Float32Array(1)", 9),
    (c"new Float64Array(1)", 9),
    (c"/a/", 10),
    (c"new Proxy({}, {})", 11),
    (c"Object(1)", 12),
    (c"Object('')", 12),
    (c"Object(true)", 12),
    (c"Object(1n)", 12),
    (c"Object(Symbol.iterator)", 12),
    (c"new WeakMap", 13),
    (c"new WeakSet", 13),
    (c"new WeakRef({})", 13),
];

/// Fills the header's table. False: a sample could not be made, so the runtime is not what we know.
///
/// # Safety
/// `ctx` is a fresh running context.
pub(crate) unsafe fn learn_classes(ctx: *mut qjs::JSContext) -> bool {
    // SAFETY: evaluates constants of this file in the running context; each value is freed.
    unsafe {
        let header = header_of(ctx);
        for &(source, code) in SAMPLES {
            let length = source.to_bytes().len() as qjs::size_t;
            let flags = qjs::JS_EVAL_TYPE_GLOBAL.cast_signed();
            let value = qjs::JS_Eval(ctx, source.as_ptr(), length, c(c"classes"), flags);
            let class = qjs::JS_GetClassID(value) as usize;
            qjs::JS_FreeValue(ctx, value);
            if class == 0 || class >= CLASS_TABLE {
                return false;
            }
            (*header).class_codes[class] = code;
        }
        true
    }
}

/// `classOf(value) -> int`.
pub(super) unsafe extern "C" fn class_of(
    ctx: *mut qjs::JSContext,
    _this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: called by QuickJS with its own context and arguments.
    unsafe {
        let value = argument(count, arguments, 0);
        let code = if value.tag == i64::from(qjs::JS_TAG_SYMBOL) {
            SYMBOL
        } else if value.tag != i64::from(qjs::JS_TAG_OBJECT) {
            NOT_OBJECT
        } else {
            let class = qjs::JS_GetClassID(value) as usize;
            let known = (*header_of(ctx)).class_codes.get(class).copied().unwrap_or(0);
            // A proxy is in the table, so a callable proxy is a proxy.
            if known != 0 {
                known
            } else if qjs::JS_IsFunction(ctx, value) {
                FUNCTION
            } else {
                OTHER
            }
        };
        qjs::JS_MKVAL(qjs::JS_TAG_INT, i32::from(code))
    }
}
