//! `NativeEngine`: one engine and its way back to JavaScript.

use crate::config::to_json;
use crate::event::{NativeEvent, number};
use code_mode_engine::{Engine, EngineOptions, Reply};
use napi::bindgen_prelude::{AsyncTask, Either, Function};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi::{Env, Error, Result, Task};
use napi_derive::napi;
use std::sync::Arc;

/// An answer to a call event.
#[napi(object)]
pub struct NativeReply {
    /// The cell that asked.
    pub cell: f64,
    /// The request answered.
    pub request: u32,
    /// Whether the call succeeded.
    pub ok: bool,
    /// JSON text of the value, or of `{message, name?, code?, details?}`.
    pub text: String,
}

/// Owns the threads of one engine. Made and used on one JavaScript thread.
#[napi]
pub struct NativeEngine {
    engine: Arc<Engine>,
}

#[napi]
impl NativeEngine {
    /// `options` is JSON text. `wake` is called, without arguments, when events wait; it never keeps the process alive.
    #[napi(constructor)]
    pub fn new(options: String, wake: Function<'_, (), ()>) -> Result<Self> {
        let options: EngineOptions =
            serde_json::from_str(&options).map_err(|error| Error::from_reason(error.to_string()))?;
        let wake = wake.build_threadsafe_function::<()>().weak::<true>().build()?;
        let wake = move || {
            // A closing environment takes no more events; its engine is about to be closed too.
            let _ = wake.call((), ThreadsafeFunctionCallMode::NonBlocking);
        };
        let engine =
            Engine::new(&options, Box::new(wake)).map_err(|error| Error::from_reason(error.to_string()))?;
        Ok(Self { engine: Arc::new(engine) })
    }

    /// Takes the events that wait. With `polling`, `wake` is not called until they are taken without.
    #[napi]
    pub fn take_events(&self, polling: bool) -> Vec<NativeEvent> {
        self.engine.take_events(polling).into_iter().map(NativeEvent::from).collect()
    }

    /// Opens a run from its JSON spec and gives its key.
    #[napi]
    pub fn open_run(&self, spec: String) -> Result<f64> {
        self.engine.open_run(&spec).map(number).map_err(Error::from_reason)
    }

    /// Aborts the run's cells and forgets it.
    #[napi]
    pub fn close_run(&self, run: f64) {
        self.engine.close_run(key(run));
    }

    /// Adds client tools, a JSON array.
    #[napi]
    pub fn add_client_tools(&self, run: f64, tools: String) -> Result<()> {
        self.engine.add_client_tools(key(run), &tools).map_err(Error::from_reason)
    }

    /// What the model reads as the description of `exec`; null after the run was closed.
    #[napi]
    pub fn exec_description(&self, run: f64) -> Option<String> {
        self.engine.exec_description(key(run))
    }

    /// JSON array of the catalog as the host sees it; null after the run was closed.
    #[napi]
    pub fn catalog(&self, run: f64) -> Option<String> {
        self.engine.catalog_json(key(run))
    }

    /// Ids of the plugin namespaces that the run's guests see.
    #[napi]
    pub fn visible_namespaces(&self, run: f64) -> Vec<String> {
        self.engine.visible_namespaces(key(run))
    }

    /// JSON of the run's counters; null after the run was closed.
    #[napi]
    pub fn telemetry(&self, run: f64) -> Option<String> {
        self.engine.telemetry_json(key(run))
    }

    /// Starts a cell. A number: the cell, and an event of kind 0 follows. A string: the result, known at once.
    #[napi]
    pub fn exec(&self, run: f64, leg: f64, call: String) -> Either<f64, String> {
        answer(self.engine.exec(key(run), key(leg), &call))
    }

    /// Resumes a cell; answers as `exec` does.
    #[napi]
    pub fn wait(&self, run: f64, leg: f64, call: String) -> Either<f64, String> {
        answer(self.engine.wait(key(run), key(leg), &call))
    }

    /// Aborts a cell.
    #[napi]
    pub fn abort_cell(&self, cell: f64) {
        self.engine.abort_cell(key(cell));
    }

    /// Takes answers to call events.
    #[napi]
    pub fn reply(&self, replies: Vec<NativeReply>) {
        let reply = |reply: NativeReply| Reply {
            cell: key(reply.cell),
            request: reply.request,
            ok: reply.ok,
            text: reply.text,
        };
        self.engine.reply(replies.into_iter().map(reply).collect());
    }

    /// JSON of the engine's counters and gauges.
    #[napi]
    pub fn stats(&self) -> Result<String> {
        to_json(&self.engine.stats())
    }

    /// Aborts everything and joins the threads.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close(&self) -> AsyncTask<Close> {
        self.engine.shut();
        AsyncTask::new(Close { engine: Arc::clone(&self.engine) })
    }
}

/// Joins the engine's threads on a pool thread.
pub struct Close {
    engine: Arc<Engine>,
}

impl Task for Close {
    type Output = ();
    type JsValue = ();

    fn compute(&mut self) -> Result<()> {
        self.engine.join();
        Ok(())
    }

    fn resolve(&mut self, _env: Env, _output: ()) -> Result<()> {
        Ok(())
    }
}

fn answer(begun: std::result::Result<u64, String>) -> Either<f64, String> {
    match begun {
        Ok(cell) => Either::A(number(cell)),
        Err(result) => Either::B(result),
    }
}

/// Keys come back as the numbers that were given out; anything else names nothing.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casts saturate, and no key is 0"
)]
fn key(number: f64) -> u64 {
    number as u64
}
