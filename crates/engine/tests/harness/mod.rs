//! A host for tests: runs cells to their end, answering calls with a function.
#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    missing_docs,
    unreachable_pub,
    reason = "test support"
)]

use code_mode_engine::{Engine, EngineOptions, HostEvent, Reply};
use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Answers a call: `(tool name, input) -> Ok(value) | Err(message)`; `None` never answers.
pub type Tools = dyn Fn(&str, &Value) -> Option<Result<Value, String>>;

pub struct Host {
    pub engine: Engine,
    woken: Arc<(Mutex<bool>, Condvar)>,
    done: Mutex<HashMap<u64, Value>>,
    pub open: Mutex<Vec<(u64, u32, Value)>>,
    pub traces: Mutex<Vec<Value>>,
    legs: Mutex<u64>,
}

impl Host {
    pub fn new() -> Self {
        Self::with(&EngineOptions { worker_threads: Some(2), ..EngineOptions::default() })
    }

    pub fn with(options: &EngineOptions) -> Self {
        let woken = Arc::new((Mutex::new(false), Condvar::new()));
        let wake = Arc::clone(&woken);
        let engine = Engine::new(
            options,
            Box::new(move || {
                *wake.0.lock() = true;
                wake.1.notify_all();
            }),
        )
        .unwrap();
        Self {
            engine,
            woken,
            done: Mutex::default(),
            open: Mutex::default(),
            traces: Mutex::default(),
            legs: Mutex::new(0),
        }
    }

    pub fn run(&self, config: Value, tools: &[&str]) -> u64 {
        self.run_with(json!({ "config": config, "tools": specs(tools) }))
    }

    pub fn run_with(&self, spec: Value) -> u64 {
        self.engine.open_run(&spec.to_string()).unwrap()
    }

    pub fn exec(&self, run: u64, code: &str, tools: &Tools) -> Value {
        let leg = self.start(run, json!({ "code": code }));
        self.finish(leg, tools)
    }

    pub fn start(&self, run: u64, input: Value) -> u64 {
        let leg = self.next_leg();
        let call = json!({ "input": input, "toolCallId": "exec-1" }).to_string();
        if let Err(known) = self.engine.exec(run, leg, &call) {
            self.done.lock().insert(leg, serde_json::from_str(&known).unwrap());
        }
        leg
    }

    pub fn wait(&self, run: u64, input: Value, tools: &Tools) -> Value {
        let leg = self.next_leg();
        let call = json!({ "input": input, "toolCallId": "wait-1" }).to_string();
        if let Err(known) = self.engine.wait(run, leg, &call) {
            return serde_json::from_str(&known).unwrap();
        }
        self.finish(leg, tools)
    }

    /// Serves events until the leg is done.
    pub fn finish(&self, leg: u64, tools: &Tools) -> Value {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(result) = self.done.lock().remove(&leg) {
                return result;
            }
            assert!(Instant::now() < until, "the leg never ended");
            self.pump(tools);
        }
    }

    /// Waits a little for events and serves them.
    pub fn pump(&self, tools: &Tools) {
        {
            let mut woken = self.woken.0.lock();
            if !*woken {
                self.woken.1.wait_for(&mut woken, Duration::from_millis(50));
            }
            *woken = false;
        }
        let mut replies = Vec::new();
        for event in self.engine.take_events(false) {
            match event {
                HostEvent::LegDone { leg, result } => {
                    self.done.lock().insert(leg, serde_json::from_str(&result).unwrap());
                }
                HostEvent::Call { cell, request, head, body, .. } => {
                    let head: Value = serde_json::from_str(&head).unwrap();
                    let body: Value = serde_json::from_str(&body).unwrap();
                    match tools(head["toolName"].as_str().unwrap_or_default(), &body) {
                        Some(Ok(value)) => {
                            replies.push(Reply { cell, request, ok: true, text: value.to_string() });
                        }
                        Some(Err(message)) => replies.push(Reply {
                            cell,
                            request,
                            ok: false,
                            text: json!({ "message": message }).to_string(),
                        }),
                        None => self.open.lock().push((cell, request, head)),
                    }
                }
                HostEvent::CellEnded { .. } => {}
                HostEvent::Trace { event, .. } => {
                    self.traces.lock().push(serde_json::from_str(&event).unwrap());
                }
            }
        }
        self.engine.reply(replies);
    }

    /// Answers calls that were left open.
    pub fn answer_open(&self, value: &Value) {
        let open = std::mem::take(&mut *self.open.lock());
        let reply = |(cell, request, _)| Reply { cell, request, ok: true, text: value.to_string() };
        self.engine.reply(open.into_iter().map(reply).collect());
    }

    fn next_leg(&self) -> u64 {
        let mut legs = self.legs.lock();
        *legs += 1;
        *legs
    }
}

pub fn specs(tools: &[&str]) -> Value {
    tools
        .iter()
        .enumerate()
        .map(|(index, name)| json!({ "name": name, "description": format!("The tool {name}."), "hostIndex": index }))
        .collect()
}

/// Echoes its input.
pub fn echo(_: &str, input: &Value) -> Option<Result<Value, String>> {
    Some(Ok(input.clone()))
}

/// Never answers.
pub fn silent(_: &str, _: &Value) -> Option<Result<Value, String>> {
    None
}
