//! The bodies that run behind the guard: building a template and running a turn. `extern "C"` functions
//! over plain structs (invariant 7): they own nothing, and what they leave half-done dies with the slot.

use std::ffi::{c_char, c_void};
use std::ptr;

use rquickjs::qjs;

use crate::arena::{Controller, Header, MALLOC_FUNCTIONS};
use crate::current;
use crate::ffi::{self, RawText, c};
use crate::turn::Phase;

/// A script as the C side needs it: NUL behind the last byte, which `source_bytes` does not count.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct RawScript {
    pub(crate) name: *const c_char,
    pub(crate) source: *const u8,
    pub(crate) source_bytes: usize,
    pub(crate) first_line: i32,
}

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
        // Without its source the prelude takes less room, and shows as native code.
        let flags = qjs::JS_WRITE_OBJ_BYTECODE | qjs::JS_WRITE_OBJ_STRIP_SOURCE;
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
        drain(rt);
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
        let flags = qjs::JS_READ_OBJ_BYTECODE.cast_signed();
        let script = qjs::JS_ReadObject(ctx, code.bytes, code.length as qjs::size_t, flags);
        if qjs::JS_IsException(script) {
            return script;
        }
        let function = qjs::JS_EvalFunction(ctx, script); // takes the script over
        if qjs::JS_IsException(function) {
            return function;
        }
        let mut arguments = [host, shared];
        let result = qjs::JS_Call(ctx, function, qjs::JS_UNDEFINED, 2, arguments.as_mut_ptr());
        qjs::JS_FreeValue(ctx, function);
        result
    }
}

unsafe fn evaluate(ctx: *mut qjs::JSContext, script: &RawScript, flags: u32) -> qjs::JSValue {
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

/// What a turn does first; mirrors [`crate::Work`].
#[derive(Clone, Copy)]
pub(crate) enum RawWork {
    Start { script: RawScript, setup: Option<(*const u8, usize)> },
    Settle { items: *const RawSettlement, count: usize },
    Finish,
}

/// Mirrors [`crate::Settlement`].
#[derive(Clone, Copy)]
pub(crate) struct RawSettlement {
    pub(crate) id: u32,
    pub(crate) kind: i32,
    pub(crate) text: *const u8,
    pub(crate) text_bytes: usize,
}

/// What a turn came to, as far as the guest's side knows.
#[derive(Clone, Copy)]
pub(crate) enum RawEnd {
    /// The body did not come to its end.
    None,
    Pending,
    Fulfilled,
    Finished(RawText),
    Rejected(RawText),
    Unhandled(RawText),
}

/// Input and output of [`turn_body`].
pub(crate) struct TurnCall {
    pub(crate) header: *mut Header,
    pub(crate) work: RawWork,
    pub(crate) stack_bytes: usize,
    pub(crate) end: RawEnd,
}

/// Runs one turn. The header is used by raw pointer only: callbacks inside QuickJS change it, too.
pub(crate) unsafe extern "C" fn turn_body(call: *mut c_void) {
    // SAFETY: `guard::run` passes the `TurnCall` it was given, and its slot is this thread's alone.
    unsafe {
        let call = &mut *call.cast::<TurnCall>();
        let header = call.header;
        let rt = (*header).rt;
        enter_runtime(rt, call.stack_bytes);
        let outcome = match call.work {
            RawWork::Start { script, setup } => start(header, &script, setup),
            RawWork::Settle { items, count } => settle(header, items, count),
            RawWork::Finish => finish(header),
        };
        let end = match outcome {
            Err(phase) => RawEnd::Rejected(describe_pending(header, phase)),
            Ok(answer) => {
                drain(rt);
                conclude(header, answer)
            }
        };
        call.end = end;
    }
}

/// The stack is this thread's from now on.
unsafe fn enter_runtime(rt: *mut qjs::JSRuntime, stack_bytes: usize) {
    // SAFETY: called with the runtime of the running slot, on the thread that runs it.
    unsafe {
        qjs::JS_UpdateStackTop(rt);
        qjs::JS_SetMaxStackSize(rt, stack_bytes as qjs::size_t);
    }
}

unsafe fn start(
    header: *mut Header,
    script: &RawScript,
    setup: Option<(*const u8, usize)>,
) -> Result<Option<RawText>, Phase> {
    // SAFETY: called by `turn_body` with the running slot's header; copies.
    let (ctx, controller) = unsafe { ((*header).ctx, (*header).controller) };
    // SAFETY: called by `turn_body`; values are live and the script's text is the caller's.
    unsafe {
        if let Some((text, bytes)) = setup {
            let mut setup = qjs::JS_NewStringLen(ctx, text.cast(), bytes as qjs::size_t);
            if qjs::JS_IsException(setup) {
                return Err(Phase::Main);
            }
            let result = qjs::JS_Call(ctx, controller.begin, controller.this, 1, &raw mut setup);
            qjs::JS_FreeValue(ctx, setup);
            if qjs::JS_IsException(result) {
                return Err(Phase::Main);
            }
            qjs::JS_FreeValue(ctx, result);
        }
        let function = evaluate(ctx, script, 0);
        if qjs::JS_IsException(function) {
            return Err(Phase::Compile);
        }
        let mut result = qjs::JS_Call(ctx, function, qjs::JS_UNDEFINED, 0, ptr::null_mut());
        qjs::JS_FreeValue(ctx, function);
        if qjs::JS_IsException(result) {
            return Err(Phase::Main);
        }
        if !qjs::JS_IsPromise(result) {
            result = wrap_in_promise(ctx, result).ok_or(Phase::Main)?;
        }
        (*header).main = result;
        Ok(None)
    }
}

/// A promise resolved with `value`, made without a look at what the guest did to `Promise`.
unsafe fn wrap_in_promise(ctx: *mut qjs::JSContext, mut value: qjs::JSValue) -> Option<qjs::JSValue> {
    // SAFETY: called by `start`; takes `value` over.
    unsafe {
        let mut functions = [qjs::JS_UNDEFINED; 2];
        let promise = qjs::JS_NewPromiseCapability(ctx, functions.as_mut_ptr());
        if qjs::JS_IsException(promise) {
            return None;
        }
        let done = qjs::JS_Call(ctx, functions[0], qjs::JS_UNDEFINED, 1, &raw mut value);
        qjs::JS_FreeValue(ctx, done);
        qjs::JS_FreeValue(ctx, functions[0]);
        qjs::JS_FreeValue(ctx, functions[1]);
        qjs::JS_FreeValue(ctx, value);
        Some(promise)
    }
}

unsafe fn settle(
    header: *mut Header,
    items: *const RawSettlement,
    count: usize,
) -> Result<Option<RawText>, Phase> {
    // SAFETY: called by `turn_body` with the running slot's header; copies.
    let (ctx, controller) = unsafe { ((*header).ctx, (*header).controller) };
    for index in 0..count {
        if current::must_end() {
            break;
        }
        // SAFETY: called by `turn_body`; the array has `count` items whose texts are the caller's.
        unsafe {
            let item = *items.add(index);
            let id = if let Ok(id) = i32::try_from(item.id) {
                qjs::JS_MKVAL(qjs::JS_TAG_INT, id)
            } else {
                qjs::JS_NewFloat64(f64::from(item.id))
            };
            let text = qjs::JS_NewStringLen(ctx, item.text.cast(), item.text_bytes as qjs::size_t);
            if qjs::JS_IsException(text) {
                return Err(Phase::Main);
            }
            let mut arguments = [id, qjs::JS_MKVAL(qjs::JS_TAG_INT, item.kind), text];
            let result = qjs::JS_Call(ctx, controller.settle, controller.this, 3, arguments.as_mut_ptr());
            qjs::JS_FreeValue(ctx, text);
            if qjs::JS_IsException(result) {
                return Err(Phase::Main);
            }
            qjs::JS_FreeValue(ctx, result);
        }
    }
    Ok(None)
}

unsafe fn finish(header: *mut Header) -> Result<Option<RawText>, Phase> {
    // SAFETY: called by `turn_body` with the running slot's header; copies.
    let (ctx, controller) = unsafe { ((*header).ctx, (*header).controller) };
    // SAFETY: called by `turn_body`; values are live.
    unsafe {
        let mut value = qjs::JS_PromiseResult(ctx, (*header).main);
        let answer = qjs::JS_Call(ctx, controller.finish, controller.this, 1, &raw mut value);
        qjs::JS_FreeValue(ctx, value);
        if qjs::JS_IsException(answer) {
            return Err(Phase::Finish);
        }
        if let Some(text) = RawText::of(ctx, answer) {
            // A flat string may be its own text: `answer` stays alive until the slot dies.
            return Ok(Some(text));
        }
        if !qjs::JS_HasException(ctx) {
            qjs::JS_ThrowTypeError(ctx, c(c"controller.finish did not return a string"));
        }
        Err(Phase::Finish)
    }
}

/// Runs jobs until none is left or the guest must end. An exception of a job concerns nobody: what is the
/// guest's is in promises, what is ours is in flags.
unsafe fn drain(rt: *mut qjs::JSRuntime) {
    let mut ctx = ptr::null_mut();
    // SAFETY: called with the runtime of the running slot.
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
        }
    }
}

unsafe fn conclude(header: *mut Header, answer: Option<RawText>) -> RawEnd {
    // SAFETY: called by `turn_body` with the running slot's header.
    let ctx = unsafe { (*header).ctx };
    // SAFETY: called by `turn_body`; values are live.
    unsafe {
        let state = qjs::JS_PromiseState(ctx, (*header).main);
        if state == qjs::JSPromiseStateEnum_JS_PROMISE_REJECTED {
            let error = qjs::JS_PromiseResult(ctx, (*header).main);
            return RawEnd::Rejected(describe(header, error, Phase::Main));
        }
        if let Some(promise) = (*header).rejections.first_other_than((*header).main) {
            let error = qjs::JS_PromiseResult(ctx, promise);
            return RawEnd::Unhandled(describe(header, error, Phase::Unhandled));
        }
        match answer {
            Some(text) => RawEnd::Finished(text),
            None if state == qjs::JSPromiseStateEnum_JS_PROMISE_FULFILLED => RawEnd::Fulfilled,
            None => RawEnd::Pending,
        }
    }
}

unsafe fn describe_pending(header: *mut Header, phase: Phase) -> RawText {
    // SAFETY: called by `turn_body` with an exception pending.
    unsafe {
        let error = qjs::JS_GetException((*header).ctx);
        describe(header, error, phase)
    }
}

/// `controller.describe(error, phase)`, or no text if it fails.
unsafe fn describe(header: *mut Header, error: qjs::JSValue, phase: Phase) -> RawText {
    // SAFETY: called by `turn_body` with the running slot's header; copies.
    let (ctx, controller) = unsafe { ((*header).ctx, (*header).controller) };
    // SAFETY: called by `turn_body`; takes `error` over. The text stays alive until the slot dies.
    unsafe {
        let mut arguments = [error, qjs::JS_MKVAL(qjs::JS_TAG_INT, phase as i32)];
        let text = qjs::JS_Call(ctx, controller.describe, controller.this, 2, arguments.as_mut_ptr());
        qjs::JS_FreeValue(ctx, error);
        RawText::of(ctx, text).unwrap_or(RawText::NONE)
    }
}
