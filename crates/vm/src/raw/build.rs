//! Compiling prelude scripts, and building a VM with them.

use std::ffi::c_void;
use std::ptr;

use rquickjs::qjs;

use super::{RawScript, drain, enter_runtime, evaluate};
use crate::arena::{Controller, Header, MALLOC_FUNCTIONS};
use crate::ffi::{self, RawText, c};

/// Bytes of compiled code, for QuickJS to read.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawCode {
    pub(crate) bytes: *const u8,
    pub(crate) length: usize,
}

/// Input and output of [`compile_body`].
#[repr(C)]
pub(crate) struct CompileCall {
    /// A slot with a finished build without scripts.
    pub(crate) header: *mut Header,
    pub(crate) script: RawScript,
    pub(crate) stack_bytes: usize,
    /// The code, in the slot; null if there is an error.
    pub(crate) code: RawCode,
    /// Text of the exception, in the slot.
    pub(crate) error: RawText,
}

/// Compiles one script. Templates are built several times over; parsing happens once.
pub(crate) unsafe extern "C" fn compile_body(call: *mut c_void) {
    // SAFETY: `guard::run` passes the `CompileCall` it was given, and its slot is this thread's alone.
    unsafe {
        let call = &mut *call.cast::<CompileCall>();
        let ctx = (*call.header).ctx;
        enter_runtime((*call.header).rt, call.stack_bytes);
        let function = evaluate(ctx, &call.script, qjs::JS_EVAL_FLAG_COMPILE_ONLY);
        if qjs::JS_IsException(function) {
            call.error = exception_text(ctx);
            return;
        }
        // Without source and line tables the prelude takes less room, and shows as native code.
        let flags =
            qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE | qjs::JS_WRITE_OBJ_STRIP_DEBUG;
        let mut length: qjs::size_t = 0;
        let bytes = qjs::JS_WriteObject(ctx, &raw mut length, function, flags.cast_signed());
        if bytes.is_null() {
            call.error = exception_text(ctx);
        }
        call.code = RawCode { bytes, length: usize::try_from(length).unwrap_or(0) };
    }
}

/// Input and output of [`build_body`].
#[repr(C)]
pub(crate) struct BuildCall {
    pub(crate) header: *mut Header,
    pub(crate) codes: *const RawCode,
    pub(crate) code_count: usize,
    pub(crate) crash_hook: bool,
    pub(crate) stack_bytes: usize,
    /// 0: built. Else what failed.
    pub(crate) failed: BuildStep,
    pub(crate) failed_code: usize,
    /// Text of the exception, in the slot.
    pub(crate) error: RawText,
}

/// How far a build came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub(crate) enum BuildStep {
    Done,
    Runtime,
    Context,
    Classes,
    Script,
    Controller,
}

/// Builds runtime, context, host object and prelude in the slot of `call.header`.
pub(crate) unsafe extern "C" fn build_body(call: *mut c_void) {
    // SAFETY: `guard::run` passes the `BuildCall` it was given, and its slot is this thread's alone.
    unsafe {
        let call = &mut *call.cast::<BuildCall>();
        call.failed = BuildStep::Runtime;
        let header = call.header;
        let functions = MALLOC_FUNCTIONS; // QuickJS keeps a copy
        let rt = qjs::JS_NewRuntime2(&raw const functions, header.cast());
        if rt.is_null() {
            return;
        }
        (*header).rt = rt;
        enter_runtime(rt, call.stack_bytes);
        qjs::JS_SetInterruptHandler(rt, Some(ffi::interrupt), ptr::null_mut());
        qjs::JS_SetHostPromiseRejectionTracker(rt, Some(ffi::reject_tracker), ptr::null_mut());
        // Atomics.wait throws. (There is no module loader either, so import() finds nothing.)
        qjs::JS_SetCanBlock(rt, false);

        call.failed = BuildStep::Context;
        let ctx = new_context(rt);
        if ctx.is_null() {
            return;
        }
        (*header).ctx = ctx;
        qjs::JS_SetContextOpaque(ctx, header.cast());
        ffi::replace_builtins(ctx);

        call.failed = BuildStep::Classes;
        if !ffi::learn_classes(ctx) {
            return;
        }

        if call.code_count > 0 && !run_preludes(ctx, call) {
            return;
        }
        drain(rt, header);
        qjs::JS_RunGC(rt);
        call.failed = BuildStep::Done;
    }
}

/// `JS_NewContext` without `performance`, whose origin would be the template's.
unsafe fn new_context(rt: *mut qjs::JSRuntime) -> *mut qjs::JSContext {
    // SAFETY: called with a fresh runtime; a half-made context dies with the slot.
    unsafe {
        let ctx = qjs::JS_NewContextRaw(rt);
        if ctx.is_null() {
            return ctx;
        }
        let failed = qjs::JS_AddIntrinsicBaseObjects(ctx) != 0
            || qjs::JS_AddIntrinsicDate(ctx) != 0
            || qjs::JS_AddIntrinsicEval(ctx) != 0
            || qjs::JS_AddIntrinsicRegExp(ctx) != 0
            || qjs::JS_AddIntrinsicJSON(ctx) != 0
            || qjs::JS_AddIntrinsicProxy(ctx) != 0
            || qjs::JS_AddIntrinsicMapSet(ctx) != 0
            || qjs::JS_AddIntrinsicTypedArrays(ctx) != 0
            || qjs::JS_AddIntrinsicPromise(ctx) != 0
            || qjs::JS_AddIntrinsicWeakRef(ctx) != 0
            || qjs::JS_AddIntrinsicDOMException(ctx) != 0
            || qjs::JS_AddIntrinsicAToB(ctx) != 0;
        if failed { ptr::null_mut() } else { ctx }
    }
}

/// False: `call` says what failed.
unsafe fn run_preludes(ctx: *mut qjs::JSContext, call: &mut BuildCall) -> bool {
    // SAFETY: called by `build_body` with the running context.
    unsafe {
        call.failed = BuildStep::Script;
        let host = ffi::make_host(ctx, call.crash_hook);
        let shared = qjs::JS_NewObjectProto(ctx, qjs::JS_NULL);
        for index in 0..call.code_count {
            call.failed_code = index;
            let result = run_prelude(ctx, *call.codes.add(index), host, shared);
            if qjs::JS_IsException(result) {
                call.error = exception_text(ctx);
                return false;
            }
            qjs::JS_FreeValue(ctx, result);
        }

        call.failed = BuildStep::Controller;
        let Some(controller) = fetch_controller(ctx, shared) else { return false };
        (*call.header).controller = controller;
        qjs::JS_FreeValue(ctx, shared);
        qjs::JS_FreeValue(ctx, host);
        true
    }
}

unsafe fn run_prelude(
    ctx: *mut qjs::JSContext,
    code: RawCode,
    host: qjs::JSValue,
    shared: qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: called with the running context and live values; the code is `compile_body`'s.
    unsafe {
        let function = load(ctx, code);
        if qjs::JS_IsException(function) {
            return function;
        }
        let mut arguments = [host, shared];
        let result = qjs::JS_Call(ctx, function, qjs::JS_UNDEFINED, 2, arguments.as_mut_ptr());
        qjs::JS_FreeValue(ctx, function);
        result
    }
}

/// What a compiled script evaluates to, or an exception.
///
/// # Safety
/// `ctx` is the running context, and the code is `compile_body`'s.
pub(crate) unsafe fn load(ctx: *mut qjs::JSContext, code: RawCode) -> qjs::JSValue {
    // SAFETY: by the contract.
    unsafe {
        let flags = qjs::JS_READ_OBJ_BYTECODE.cast_signed();
        let script = qjs::JS_ReadObject(ctx, code.bytes, code.length as qjs::size_t, flags);
        if qjs::JS_IsException(script) { script } else { qjs::JS_EvalFunction(ctx, script) } // takes the script over
    }
}

/// The controller and its methods; `None` if one is missing.
unsafe fn fetch_controller(ctx: *mut qjs::JSContext, shared: qjs::JSValue) -> Option<Controller> {
    // SAFETY: called with the running context; the values are kept by the header for good.
    unsafe {
        let this = qjs::JS_GetPropertyStr(ctx, shared, c(c"controller"));
        if this.tag != i64::from(qjs::JS_TAG_OBJECT) {
            return None;
        }
        let method = |name| {
            let value = qjs::JS_GetPropertyStr(ctx, this, c(name));
            qjs::JS_IsFunction(ctx, value).then_some(value)
        };
        Some(Controller {
            this,
            begin: method(c"begin")?,
            settle: method(c"settle")?,
            finish: method(c"finish")?,
            describe: method(c"describe")?,
        })
    }
}

/// `String(error)` and the stack of the pending exception, for prelude failures only.
unsafe fn exception_text(ctx: *mut qjs::JSContext) -> RawText {
    // SAFETY: called with the running context.
    unsafe {
        let error = qjs::JS_GetException(ctx);
        let text = qjs::JS_ToString(ctx, error);
        RawText::of(ctx, text).unwrap_or(RawText::NONE)
    }
}
