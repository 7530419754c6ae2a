//! Running a turn.

use std::ffi::c_void;
use std::ptr;

use rquickjs::qjs;

use super::{RawScript, drain, enter_runtime, evaluate};
use crate::arena::Header;
use crate::current;
use crate::ffi::{RawText, c};
use crate::turn::Phase;

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
                drain(rt, header);
                conclude(header, answer)
            }
        };
        call.end = end;
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
