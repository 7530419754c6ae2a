//! A worker: one OS thread that takes a ready cell, runs turns until the cell waits for the host, and lets go.
//!
//! Workers never wait for the host. The thread has a large stack because source is parsed on it.

use crate::bridge::{Outcome, Settled};
use crate::cell::{Cell, CellState, Phase, Place, Scopes, WaitReason};
use crate::config::as_size;
use crate::core::{Core, Ending};
use crate::deliver::{self, Delivery};
use crate::error::{DetailCode, Failure, Location};
use crate::output::Output;
use crate::prelude;
use crate::protocol::{HostEvent, quote};
use crate::release::{rest, suspend};
use crate::report::{self, Surfaced};
use crate::requests;
use crate::scheduler::Next;
use crate::sink::Sink;
use code_mode_transpile::{Options, Rejection, RejectionKind, Script};
use code_mode_vm::{Kicker, Settlement, StopReason, TurnEnd, Vm, Work, WorkerThread};
use once_cell::sync::OnceCell;
use parking_lot::MutexGuard;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Address space of a worker's stack; only what is touched takes memory. The parser's nesting limits assume it.
const STACK_BYTES: usize = 64 << 20;
/// A worker beyond the base number leaves after this long without work.
const PATIENCE: Duration = Duration::from_secs(2);

/// What other threads see of a worker.
#[derive(Debug, Default)]
pub(crate) struct WorkerState {
    kicker: OnceCell<Kicker>,
    /// Counts up at the start and the end of each cell served, so that a late kick finds another number.
    turn: AtomicU64,
    kicked: AtomicBool,
    abandoned: AtomicBool,
}

impl WorkerState {
    pub(crate) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Acquire)
    }

    /// Ends the guest from outside if it is stopped and can be interrupted just now.
    pub(crate) fn kick(&self) {
        if self.kicker.get().is_some_and(Kicker::kick) {
            self.kicked.store(true, Ordering::Release);
        }
    }

    /// Whether it was given up and may never come back.
    pub(crate) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    /// True for the one caller that gives this worker up.
    pub(crate) fn abandon(&self) -> bool {
        !self.abandoned.swap(true, Ordering::AcqRel)
    }
}

/// Starts a worker thread. A thread that cannot be started leaves the others to do the work.
pub(crate) fn spawn(core: &Arc<Core>) {
    let shared = Arc::clone(core);
    let state = Arc::new(WorkerState::default());
    let me = Arc::clone(&state);
    core.worker_count.fetch_add(1, Ordering::AcqRel);
    let thread = std::thread::Builder::new()
        .name("code-mode-worker".into())
        .stack_size(STACK_BYTES)
        .spawn(move || run(&shared, &me));
    match thread {
        Ok(handle) => core.workers.lock().push((handle, state)),
        Err(_) => {
            core.worker_count.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

fn run(core: &Arc<Core>, me: &Arc<WorkerState>) {
    let thread = WorkerThread::register();
    if let Ok(thread) = &thread {
        let _ = me.kicker.set(thread.kicker());
    }
    // Built here, off the host's thread, before the first cell needs it.
    let _ = prelude::template(core.test_hooks);
    loop {
        match core.scheduler.next(PATIENCE) {
            Next::Closed => break,
            Next::Nothing => {
                let retire = core.worker_count.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| {
                    (n > core.base_workers).then_some(n - 1)
                });
                if retire.is_ok() {
                    return;
                }
            }
            Next::Cell { cell, cold } => {
                if let Err(error) = &thread {
                    let failure = Failure::unavailable_engine(error);
                    core.end(&cell, cell.state.lock(), &Ending::Failed(failure));
                    continue;
                }
                me.turn.fetch_add(1, Ordering::AcqRel);
                serve(core, me, &cell, cold);
                me.turn.fetch_add(1, Ordering::AcqRel);
                if me.kicked.swap(false, Ordering::AcqRel) {
                    core.counters.hard_stops.fetch_add(1, Ordering::Relaxed);
                }
                if me.is_abandoned() {
                    break;
                }
            }
        }
    }
    core.worker_count.fetch_sub(1, Ordering::AcqRel);
}

/// What a worker does next with the cell it holds.
enum Step {
    /// Deliver these answers.
    Settle(Vec<Settled>),
    /// Ask for the final value.
    Finish,
    /// Leave it warm until something arrives.
    Rest,
    /// Make an image and end the leg as `waiting`.
    Suspend(WaitReason),
    End(Ending),
}

fn serve(core: &Arc<Core>, me: &Arc<WorkerState>, cell: &Arc<Cell>, cold: bool) {
    let mut state = cell.state.lock();
    if state.phase != Phase::Queued {
        drop(state);
        if cold {
            core.scheduler.release_active();
        }
        return;
    }
    state.phase = Phase::Running;
    state.active |= cold;
    state.worker = Some((Arc::clone(me), me.turn()));
    let expired = state.leg.as_ref().is_some_and(|leg| Instant::now() >= leg.parks_at);
    if let Some(leg) = state.leg.as_mut().filter(|leg| !expired && leg.parks_at != leg.deadline) {
        // It runs on: the guest has until the deadline again.
        leg.parks_at = leg.deadline;
        core.move_alarm(cell, leg, leg.deadline);
    }
    let place = std::mem::replace(&mut state.place, Place::Elsewhere);
    match place {
        Place::Source(_) | Place::Accepted(_) if expired => {
            core.end(cell, state, &Ending::Failed(Failure::timeout()));
        }
        Place::Source(source) => {
            drop(state);
            match accept(cell, &source) {
                Ok(script) => start(core, cell, Arc::new(script)),
                Err(failure) => core.end(cell, cell.state.lock(), &Ending::Failed(failure)),
            }
        }
        Place::Accepted(script) => {
            drop(state);
            start(core, cell, script);
        }
        Place::Warm(vm) if expired => {
            drop(state);
            suspend(core, cell, vm, WaitReason::PendingTools);
        }
        Place::Warm(vm) => {
            let inbox = std::mem::take(&mut state.bridge.inbox);
            drop(state);
            drive(core, cell, vm, Step::Settle(inbox));
        }
        Place::Parked(parked) => {
            state.phase = Phase::Restoring;
            let run_id = state.run_id.clone().unwrap_or_default();
            let slept = state.suspended_at.map_or(0.0, |at| at.elapsed().as_secs_f64() * 1000.0);
            let wait_id = state.leg.as_ref().map(|leg| leg.tool_call_id.clone()).unwrap_or_default();
            drop(state);
            core.store.image_removed(parked.image_bytes());
            match prelude::template(core.test_hooks).and_then(|template| parked.resume(template)) {
                Ok(vm) => {
                    cell.run.telemetry.lock().restored += 1;
                    if cell.run.trace {
                        let fields = format!(
                            r#","runId":"{run_id}","waitToolCallId":{},"durationMs":{slept:.3}"#,
                            quote(&wait_id)
                        );
                        core.trace(cell, "cell_resumed", &fields);
                    }
                    go_on(core, cell, vm);
                }
                Err(error) => {
                    core.end(cell, cell.state.lock(), &Ending::Failed(Failure::restore(&error)));
                }
            }
        }
        Place::Elsewhere => {
            let failure = Failure::new(DetailCode::InternalError, "the state of the cell was lost");
            core.end(cell, state, &Ending::Failed(failure));
        }
    }
}

/// Runs a restored cell, unless bringing it back has used up the leg: then it is put away again as it was.
fn go_on(core: &Arc<Core>, cell: &Arc<Cell>, vm: Vm) {
    let mut state = cell.state.lock();
    if state.phase == Phase::Ended {
        return;
    }
    state.phase = Phase::Running;
    state.reparking = state.leg.is_none();
    if state.leg.as_ref().is_none_or(|leg| Instant::now() >= leg.deadline) {
        drop(state);
        return suspend(core, cell, vm, WaitReason::PendingTools);
    }
    let inbox = std::mem::take(&mut state.bridge.inbox);
    drop(state);
    drive(core, cell, vm, Step::Settle(inbox));
}

/// Parses and checks the source; nothing has run yet.
fn accept(cell: &Cell, source: &str) -> Result<Script, Failure> {
    let options = Options { language: cell.language, implicit_return: cell.run.config.implicit_return };
    code_mode_transpile::prepare(source, &options).map_err(rejected)
}

fn rejected(rejection: Rejection) -> Failure {
    let detail = match rejection.kind {
        RejectionKind::ModuleAccess => DetailCode::ModuleAccessDenied,
        RejectionKind::TypeScript => DetailCode::TypescriptTransformFailed,
        RejectionKind::ShellText | RejectionKind::Syntax | RejectionKind::TooDeep => DetailCode::InvalidInput,
    };
    let message = match &rejection.code_frame {
        Some(frame) if detail != DetailCode::ModuleAccessDenied => format!("{}\n{frame}", rejection.message),
        _ => rejection.message,
    };
    let location = rejection.line.zip(rejection.column).map(|(line, column)| Location { line, column });
    Failure { detail, message, location }
}

/// Gives an accepted program its VM; first asks the host for namespace scopes when the run has namespaces.
fn start(core: &Arc<Core>, cell: &Arc<Cell>, script: Arc<Script>) {
    let mut state = cell.state.lock();
    // Nothing may have stopped it while it was parsed: no further alarm would come.
    if let Some(failure) = stopped(cell) {
        return core.end(cell, state, &Ending::Failed(failure));
    }
    if !cell.run.namespaces.is_empty() && matches!(state.scopes, Scopes::None) {
        state.scopes = Scopes::Asked;
        state.bridge.asked_host = true;
        state.place = Place::Accepted(script);
        state.phase = Phase::Idle;
        state.worker = None;
        let ids: Vec<&str> = cell.run.namespaces.iter().map(|namespace| namespace.id.as_str()).collect();
        let head = serde_json::json!({ "method": "scopes", "namespaces": ids, "parent": cell.tool_call_id });
        core.outbox.send(HostEvent::Call {
            run: cell.run.key,
            cell: cell.id,
            request: 0,
            head: head.to_string(),
            body: "null".into(),
        });
        return;
    }
    state.script = Some(Arc::clone(&script));
    drop(state);
    let limit = as_size(cell.run.config.memory_limit_bytes);
    let vm = prelude::template(core.test_hooks).and_then(|template| {
        let slot = core.pool.checkout(limit)?;
        Vm::start(template, slot, limit)
    });
    let mut vm = match vm {
        Ok(vm) => vm,
        Err(error) => {
            let failure = Failure::unavailable_engine(error);
            return core.end(cell, cell.state.lock(), &Ending::Failed(failure));
        }
    };
    let setup = setup(core, cell);
    let work = Work::Start {
        source: &script.code,
        file_name: prelude::USER_FILE,
        first_line: script.first_line,
        setup: setup.as_deref(),
    };
    let step = turn(core, cell, &mut vm, work);
    drive(core, cell, vm, step);
}

/// Names of the prelude's optional parts that this run has; `None` when it has none.
fn setup(core: &Core, cell: &Cell) -> Option<String> {
    let run = &cell.run;
    let parts: Vec<&str> = [
        ("mcp", cell.catalog.counts().mcp > 0),
        ("scopes", !run.namespaces.is_empty()),
        ("swarm", run.swarm),
        ("crash", core.test_hooks),
    ]
    .iter()
    .filter_map(|(name, wanted)| wanted.then_some(*name))
    .collect();
    (!parts.is_empty()).then(|| serde_json::Value::from(parts).to_string())
}

/// Runs turns until the cell rests, is suspended or has ended.
fn drive(core: &Arc<Core>, cell: &Arc<Cell>, mut vm: Vm, mut step: Step) {
    loop {
        step = match step {
            Step::Settle(inbox) => {
                let deliveries: Vec<Delivery> =
                    inbox.into_iter().map(|settled| deliver::shape(cell, &vm, settled)).collect();
                let settlements: Vec<Settlement<'_>> = deliveries
                    .iter()
                    .map(|delivery| Settlement { id: delivery.id, kind: delivery.kind, text: &delivery.text })
                    .collect();
                turn(core, cell, &mut vm, Work::Settle(&settlements))
            }
            Step::Finish => turn(core, cell, &mut vm, Work::Finish),
            Step::Rest => return rest(core, cell, vm),
            Step::Suspend(reason) => return suspend(core, cell, vm, reason),
            Step::End(ending) => {
                core.end(cell, cell.state.lock(), &ending);
                return;
            }
        };
    }
}

/// One turn, and what it brought.
fn turn(core: &Arc<Core>, cell: &Arc<Cell>, vm: &mut Vm, work: Work<'_>) -> Step {
    let (output, scopes, script) = {
        let mut state = cell.state.lock();
        state.turn_started = Instant::now();
        let config = &cell.run.config;
        let empty = Output::new(0, config.output_overflow);
        let scopes = match &state.scopes {
            Scopes::Ready(table) => Some(Arc::clone(table)),
            Scopes::None | Scopes::Asked => None,
        };
        (std::mem::replace(&mut state.output, empty), scopes, state.script.clone())
    };
    let mut sink = Sink::new(cell, output, scopes, script);
    let end = vm.turn(work, &mut sink, &cell.stop);
    let Sink { output, requests, timers, notes, overflowed, .. } = sink;
    let mut state = cell.state.lock();
    state.output = output;
    if let Some(failure) = fatal(core, cell, &state, &end, overflowed) {
        return Step::End(Ending::Failed(failure));
    }
    match &end {
        TurnEnd::Rejected(text) => return thrown(&mut state, text, Surfaced::Thrown),
        TurnEnd::UnhandledRejection(text) => return thrown(&mut state, text, Surfaced::Unhandled),
        TurnEnd::Finished(json) => match state.output.value(json.clone()) {
            Some(value) => state.value = Some(value),
            None => return Step::End(Ending::Failed(Failure::output())),
        },
        _ => {}
    }
    requests::apply_timers(core, cell, &mut state, &timers);
    requests::apply(core, cell, &mut state, requests);
    requests::notes(core, cell, notes);
    next(cell, &mut state, &end)
}

/// Ends that leave no VM behind.
fn fatal(
    core: &Core,
    cell: &Cell,
    state: &MutexGuard<'_, CellState>,
    end: &TurnEnd,
    overflowed: bool,
) -> Option<Failure> {
    if overflowed || state.output.exceeded() {
        return Some(Failure::output());
    }
    match end {
        TurnEnd::Stopped(StopReason::Deadline) => Some(Failure::timeout()),
        TurnEnd::Stopped(StopReason::Abort) => Some(Failure::aborted()),
        TurnEnd::Stopped(StopReason::Host) => {
            Some(Failure::new(DetailCode::InternalError, "the guest sent a message the engine does not know"))
        }
        TurnEnd::OutOfMemory => Some(Failure::memory(as_size(cell.run.config.memory_limit_bytes))),
        TurnEnd::Crashed { signal } => {
            core.counters.crashes.fetch_add(1, Ordering::Relaxed);
            Some(Failure::crashed(*signal))
        }
        TurnEnd::HostPanicked => Some(Failure::unavailable_engine("an internal fault ended the cell")),
        // The stop came after the guest had let go.
        _ => stopped(cell),
    }
}

/// The failure of a cell that was stopped from outside.
pub(crate) fn stopped(cell: &Cell) -> Option<Failure> {
    Some(match cell.stop.reason()? {
        StopReason::Deadline => Failure::timeout(),
        StopReason::Abort | StopReason::Host => Failure::aborted(),
    })
}

fn thrown(state: &mut CellState, text: &str, surfaced: Surfaced) -> Step {
    let failure = report::failure(text, surfaced);
    let Failure { detail, message, location } = failure;
    let failure = match state.output.error(message) {
        Some(message) => Failure { detail, message, location },
        None => Failure::output(),
    };
    Step::End(Ending::Failed(failure))
}

fn next(cell: &Cell, state: &mut CellState, end: &TurnEnd) -> Step {
    if !state.bridge.yields.is_empty() {
        return Step::Suspend(WaitReason::Yield);
    }
    // A refusal is no work to wait for: the guest hears of it in the same leg.
    let refused = state.bridge.inbox.iter().any(|settled| matches!(settled.outcome, Outcome::Error(_)));
    if cell.restart_safe && !refused && !state.bridge.is_quiet() {
        return Step::Suspend(WaitReason::PendingTools);
    }
    let late = state.leg.as_ref().is_some_and(|leg| Instant::now() >= leg.deadline);
    if !state.bridge.inbox.is_empty() {
        if late {
            return Step::Suspend(WaitReason::PendingTools);
        }
        return Step::Settle(std::mem::take(&mut state.bridge.inbox));
    }
    // A finished program does not wait for background timers, an unfinished one may.
    let waits = match end {
        TurnEnd::Pending => state.bridge.could_settle(),
        _ => state.bridge.awaits_host(),
    };
    if waits {
        return if late { Step::Suspend(WaitReason::PendingTools) } else { Step::Rest };
    }
    match end {
        TurnEnd::Finished(_) => Step::End(Ending::Completed),
        TurnEnd::Fulfilled if state.value.is_some() => Step::End(Ending::Completed),
        TurnEnd::Fulfilled => Step::Finish,
        _ => Step::End(Ending::Failed(Failure::pending_without_work())),
    }
}

/// Turns an answer for request 0 into scopes, or ends the cell.
pub(crate) fn scopes_arrived(core: &Arc<Core>, cell: &Arc<Cell>, ok: bool, text: &str) {
    let mut state = cell.state.lock();
    if !matches!(state.scopes, Scopes::Asked) || state.phase != Phase::Idle {
        return;
    }
    if let Some(failure) = stopped(cell) {
        return core.end(cell, state, &Ending::Failed(failure));
    }
    let table = if ok {
        crate::namespace::ScopeTable::parse(text, &cell.run, &cell.catalog)
    } else {
        Err(deliver::message_of(text))
    };
    match table {
        Ok(table) => {
            state.scopes = Scopes::Ready(Arc::new(table));
            core.schedule_warm(cell, &mut state);
        }
        Err(message) => {
            let failure = Failure::new(DetailCode::InternalError, message);
            core.end(cell, state, &Ending::Failed(failure));
        }
    }
}
