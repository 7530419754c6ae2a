//! What the tests share: a small prelude, a host that records, and a cell that is driven to its end.
#![allow(dead_code, reason = "each test binary uses its own part of this module")]
#![allow(clippy::allow_attributes, reason = "`expect` would fail in binaries that use everything")]

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use code_mode_vm::{
    PoolOptions, PreludeScript, Settlement, Slot, SlotPool, StopHandle, Template, TemplateOptions, TurnEnd,
    TurnHost, Vm, Work,
};

pub(crate) const MIB: usize = 1 << 20;
pub(crate) const PRELUDE: PreludeScript<'static> =
    PreludeScript { name: "prelude.js", source: include_str!("prelude.js") };

pub(crate) static TEMPLATE: LazyLock<Arc<Template>> = LazyLock::new(|| {
    let options = TemplateOptions { crash_hook: true, ..TemplateOptions::default() };
    Template::build_with(&[PRELUDE], options).expect("template")
});
pub(crate) static POOL: LazyLock<Arc<SlotPool>> = LazyLock::new(|| SlotPool::new(PoolOptions::default()));

/// Records what the guest emits.
#[derive(Default)]
pub(crate) struct Host {
    pub(crate) calls: VecDeque<String>,
    pub(crate) texts: Vec<String>,
    pub(crate) refuse: bool,
    pub(crate) panic_at: Option<String>,
}

impl TurnHost for Host {
    fn emit(&mut self, kind: i32, payload: &str) -> bool {
        assert!(self.panic_at.as_deref() != Some(payload), "the host was told to panic");
        if kind == 1 {
            self.calls.push_back(payload.to_owned());
        } else {
            self.texts.push(payload.to_owned());
        }
        !self.refuse
    }

    fn fetch(&mut self, _kind: i32, key: &str) -> Option<String> {
        assert!(self.panic_at.as_deref() != Some(key), "the host was told to panic");
        key.strip_prefix("echo:").map(str::to_owned)
    }
}

pub(crate) struct Cell {
    pub(crate) vm: Vm,
    pub(crate) host: Host,
    pub(crate) stop: StopHandle,
}

pub(crate) fn slot(limit: usize) -> Slot {
    POOL.checkout(limit).expect("slot")
}

impl Cell {
    pub(crate) fn new(limit: usize) -> Cell {
        Cell::of(&TEMPLATE, limit)
    }

    pub(crate) fn of(template: &Arc<Template>, limit: usize) -> Cell {
        let vm = Vm::start(template, slot(limit), limit).expect("start");
        Cell { vm, host: Host::default(), stop: StopHandle::new() }
    }

    pub(crate) fn turn(&mut self, work: Work<'_>) -> TurnEnd {
        self.vm.turn(work, &mut self.host, &self.stop)
    }

    /// Starts the body of an async function.
    pub(crate) fn start(&mut self, body: &str) -> TurnEnd {
        let source = format!("(async () => {{\n{body}\n}})");
        self.turn(Work::Start { source: &source, file_name: "cell.js", first_line: 0, setup: None })
    }

    pub(crate) fn settle(&mut self, id: u32, text: &str) -> TurnEnd {
        self.turn(Work::Settle(&[Settlement { id, kind: 0, text }]))
    }

    pub(crate) fn finish(&mut self) -> TurnEnd {
        self.turn(Work::Finish)
    }

    pub(crate) fn park_and_resume(self, template: &Template) -> Cell {
        let Cell { vm, host, stop } = self;
        let vm = vm.park(template).expect("park").resume(template).expect("resume");
        Cell { vm, host, stop }
    }

    /// Answers every call with its own input until the main promise is settled.
    pub(crate) fn drive(&mut self, mut end: TurnEnd) -> TurnEnd {
        loop {
            match end {
                TurnEnd::Pending => {
                    let Some(call) = self.host.calls.pop_front() else { return end };
                    let (id, input) = split_call(&call);
                    end = self.settle(id, input);
                }
                TurnEnd::Fulfilled => end = self.finish(),
                other => return other,
            }
        }
    }
}

/// `[7,{"a":1}]` -> `(7, {"a":1})`.
pub(crate) fn split_call(call: &str) -> (u32, &str) {
    let inner = &call[1..call.len() - 1];
    let (id, input) = inner.split_once(',').expect("a call is a pair");
    (id.parse().expect("a number"), input)
}

/// Runs a body in a fresh cell, echoing calls, to its end.
pub(crate) fn run(body: &str) -> TurnEnd {
    run_with(MIB * 64, body)
}

pub(crate) fn run_with(limit: usize, body: &str) -> TurnEnd {
    let mut cell = Cell::new(limit);
    let end = cell.start(body);
    cell.drive(end)
}

pub(crate) fn finished(json: &str) -> TurnEnd {
    TurnEnd::Finished(json.to_owned())
}

/// A number of /proc/self/status, in bytes.
pub(crate) fn process_status(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with(field)).expect("the field");
    line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok()).expect("a number") * 1024
}
