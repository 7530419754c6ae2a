//! What all threads of one engine share, and the endings of legs and cells.
//!
//! Lock order: a cell's state first, then at most one of the leaf locks (queues, timers, store, outbox,
//! maps). No leaf lock is held while a cell is locked by the same thread later on.

use crate::bridge::Bridge;
use crate::cell::{Cell, CellState, Leg, Phase, Place, WaitReason};
use crate::error::{DetailCode, ErrorCode, Failure};
use crate::protocol::{CellId, HostEvent, LegId, Outbox, RunKey, quote};
use crate::result;
use crate::run::Run;
use crate::scheduler::Scheduler;
use crate::store::Store;
use crate::timers::Timers;
use crate::worker::WorkerState;
use code_mode_vm::{SlotPool, StopReason};
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long a guest may ignore its stop before it is ended from outside.
pub(crate) const HARD_STOP_AFTER: Duration = Duration::from_millis(20);

/// What the timer thread is to do.
pub(crate) enum Alarm {
    /// A leg's deadline.
    Leg { cell: Arc<Cell>, leg: LegId },
    /// A guest timer.
    Guest { cell: Arc<Cell>, id: u32 },
    /// A suspended cell has been idle for its time.
    Expire { cell: Arc<Cell> },
    /// A worker has not come back from a stopped cell.
    Kick { cell: Arc<Cell>, worker: Arc<WorkerState>, turn: u64, since: Instant },
    /// Work lies while every worker is busy.
    Starved,
}

/// Counters since the engine started.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) cells_started: AtomicU64,
    pub(crate) cells_finished: AtomicU64,
    pub(crate) hard_stops: AtomicU64,
    pub(crate) crashes: AtomicU64,
    pub(crate) lost_workers: AtomicU64,
    pub(crate) late_replies: AtomicU64,
}

impl std::fmt::Debug for Core {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Core").finish_non_exhaustive()
    }
}

/// See the module description.
pub(crate) struct Core {
    pub(crate) outbox: Outbox,
    pub(crate) scheduler: Scheduler,
    pub(crate) timers: Timers<Alarm>,
    pub(crate) pool: Arc<SlotPool>,
    pub(crate) store: Store,
    pub(crate) counters: Counters,
    pub(crate) runs: Mutex<HashMap<RunKey, Arc<Run>>>,
    pub(crate) cells: Mutex<HashMap<CellId, Arc<Cell>>>,
    pub(crate) workers: Mutex<Vec<(JoinHandle<()>, Arc<WorkerState>)>>,
    pub(crate) worker_count: AtomicU64,
    pub(crate) base_workers: u64,
    pub(crate) starve_alarm: AtomicBool,
    pub(crate) closed: AtomicBool,
    pub(crate) ids: AtomicU64,
    pub(crate) test_hooks: bool,
}

/// How a cell ends.
pub(crate) enum Ending {
    Completed,
    Failed(Failure),
    Expired,
}

impl Core {
    pub(crate) fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Ends a cell in any phase: answers its leg, frees its places, tells the host, and hands back what is
    /// to be dropped outside the lock. A cell ends once; a second ending does nothing.
    pub(crate) fn end(&self, cell: &Arc<Cell>, mut state: MutexGuard<'_, CellState>, ending: &Ending) {
        if state.phase == Phase::Ended {
            return;
        }
        state.phase = Phase::Ended;
        let place = std::mem::replace(&mut state.place, Place::Elsewhere);
        let leg = state.leg.take();
        for timer in state.bridge.timers.values() {
            self.timers.cancel(timer.key);
        }
        if let Some(key) = state.ttl.take() {
            self.timers.cancel(key);
        }
        if let Some(id) = state.run_id.take() {
            self.store.remove(&id);
            if matches!(ending, Ending::Expired) {
                self.store.remember_expired(id);
            }
        }
        if std::mem::take(&mut state.reserved) {
            self.store.release();
        }
        if std::mem::take(&mut state.active) {
            self.scheduler.release_active();
        }
        let host_knows = state.bridge.asked_host;
        state.bridge = Bridge::default();
        self.counters.cells_finished.fetch_add(1, Ordering::Relaxed);
        Self::count(cell, ending, matches!(place, Place::Parked(_)));
        // The host first ends the calls it holds, then learns of the cell's end, then gets the result.
        if host_knows || leg.is_none() {
            self.outbox.send(HostEvent::CellEnded { cell: cell.id });
        }
        self.trace_finished(cell, ending);
        if let Some(leg) = leg {
            self.timers.cancel(leg.timer);
            let output = state.output.take_json();
            let telemetry = cell.run.telemetry_json();
            let json = match ending {
                Ending::Completed => {
                    let value = state.value.take().unwrap_or_else(|| "null".to_owned());
                    result::completed(&value, &output, &telemetry, cell.restart_safe)
                }
                Ending::Failed(failure) => result::failed(failure, &output, &telemetry, cell.restart_safe),
                Ending::Expired => {
                    result::failed(&Failure::unavailable(true), &output, &telemetry, cell.restart_safe)
                }
            };
            self.answer(&leg, json);
        }
        drop(state);
        if let Place::Parked(parked) = &place {
            self.store.image_removed(parked.image_bytes());
        }
        drop(place);
        self.cells.lock().remove(&cell.id);
        cell.run.cells.lock().remove(&cell.id);
    }

    fn count(cell: &Cell, ending: &Ending, was_parked: bool) {
        let mut telemetry = cell.run.telemetry.lock();
        match ending {
            Ending::Completed => {}
            Ending::Expired => telemetry.expired += 1,
            Ending::Failed(failure) => {
                match failure.detail {
                    DetailCode::Timeout => telemetry.timeouts += 1,
                    DetailCode::MemoryLimitExceeded => telemetry.memory_failures += 1,
                    DetailCode::SnapshotLimitExceeded => telemetry.snapshot_failures += 1,
                    DetailCode::OutputLimitExceeded => telemetry.output_failures += 1,
                    _ => {}
                }
                if was_parked {
                    telemetry.dropped += 1;
                }
            }
        }
    }

    /// Moves the alarm of a leg to another time.
    pub(crate) fn move_alarm(&self, cell: &Arc<Cell>, leg: &mut Leg, at: Instant) {
        self.timers.cancel(leg.timer);
        leg.timer = self.timers.add(at, Alarm::Leg { cell: Arc::clone(cell), leg: leg.id });
    }

    /// Ends a leg as `waiting`; the cell lives on.
    pub(crate) fn leave_waiting(&self, cell: &Cell, state: &mut CellState, reason: WaitReason) {
        let Some(leg) = state.leg.take() else { return };
        self.timers.cancel(leg.timer);
        let pending = result::pending_calls(state);
        let output = state.output.take_json();
        let id = state.run_id.clone().unwrap_or_default();
        let json =
            result::waiting(&id, reason, &pending, &output, &cell.run.telemetry_json(), cell.restart_safe);
        self.answer(&leg, json);
    }

    pub(crate) fn answer(&self, leg: &Leg, result: String) {
        self.outbox.send(HostEvent::LegDone { leg: leg.id, result });
    }

    /// Stops a cell from outside. Its leg is answered at once unless guest code has to be stopped first.
    pub(crate) fn abort(&self, cell: &Arc<Cell>) {
        cell.stop.stop(StopReason::Abort);
        let state = cell.state.lock();
        if state.phase == Phase::Running {
            self.watch(cell, &state, Instant::now());
        } else {
            self.end(cell, state, &Ending::Failed(Failure::aborted()));
        }
    }

    /// Makes sure that a stopped cell's worker comes back.
    pub(crate) fn watch(&self, cell: &Arc<Cell>, state: &CellState, since: Instant) {
        if let Some((worker, turn)) = &state.worker {
            let alarm =
                Alarm::Kick { cell: Arc::clone(cell), worker: Arc::clone(worker), turn: *turn, since };
            self.timers.add(since + HARD_STOP_AFTER, alarm);
        }
    }

    /// Queues a cell that has a VM (or an image of one) for a worker.
    pub(crate) fn schedule_warm(&self, cell: &Arc<Cell>, state: &mut CellState) {
        state.phase = Phase::Queued;
        if self.scheduler.push_warm(Arc::clone(cell)) {
            self.arm_starvation();
        }
    }

    /// Queues a cell that needs a VM.
    pub(crate) fn schedule_cold(&self, cell: &Arc<Cell>, state: &mut CellState) {
        state.phase = Phase::Queued;
        if self.scheduler.push_cold(Arc::clone(cell)) {
            self.arm_starvation();
        }
    }

    pub(crate) fn arm_starvation(&self) {
        if !self.starve_alarm.swap(true, Ordering::AcqRel) {
            self.timers.add(Instant::now() + crate::watchdog::STARVATION, Alarm::Starved);
        }
    }

    /// Something for the guest has arrived: put it to work if it is not at work already.
    pub(crate) fn inbox_changed(&self, cell: &Arc<Cell>, state: &mut CellState) {
        match state.phase {
            Phase::Idle => self.schedule_warm(cell, state),
            // A suspended cell runs on only under a leg.
            Phase::Parked if state.leg.is_some() => self.schedule_cold(cell, state),
            Phase::Parked | Phase::Queued | Phase::Restoring | Phase::Running | Phase::Ended => {}
        }
    }

    /// Sends an event of a run to its listener.
    pub(crate) fn trace(&self, cell: &Cell, kind: &str, fields: &str) {
        if !cell.run.trace {
            return;
        }
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        #[expect(clippy::cast_precision_loss, reason = "microseconds since the epoch fit 53 bits until 2255")]
        let at_ms = at as f64 / 1000.0;
        let event = format!(
            r#"{{"type":"{kind}","at":{at_ms},"cellId":"{}","toolCallId":{}{fields}}}"#,
            cell.id,
            quote(&cell.tool_call_id),
        );
        self.outbox.send(HostEvent::Trace { run: cell.run.key, event });
    }

    fn trace_finished(&self, cell: &Cell, ending: &Ending) {
        if !cell.run.trace {
            return;
        }
        let duration = cell.started.elapsed().as_secs_f64() * 1000.0;
        let fields = match ending {
            Ending::Completed => r#","state":"completed""#.to_owned(),
            Ending::Expired => r#","state":"expired""#.to_owned(),
            Ending::Failed(failure) => {
                if let Some(limit) = limit_name(failure) {
                    self.trace(
                        cell,
                        "limit_hit",
                        &format!(r#","limit":"{limit}","message":{}"#, quote(&failure.message)),
                    );
                }
                let code = failure.detail.code();
                let state = if code == ErrorCode::Aborted { "aborted" } else { "failed" };
                format!(
                    r#","state":"{state}","code":"{}","detailCode":"{}""#,
                    result::word(&code),
                    result::word(&failure.detail)
                )
            }
        };
        self.trace(cell, "cell_finished", &format!(r#"{fields},"durationMs":{duration:.3}"#));
    }
}

fn limit_name(failure: &Failure) -> Option<&'static str> {
    Some(match failure.detail {
        DetailCode::Timeout => "timeout",
        DetailCode::MemoryLimitExceeded => "memory",
        DetailCode::SnapshotLimitExceeded => "snapshot",
        DetailCode::OutputLimitExceeded => "output",
        DetailCode::TooManyPendingToolCalls => "pending_tool_calls",
        DetailCode::InvalidInput if failure.message == Failure::too_many_suspended().message => {
            "suspended_runs"
        }
        _ => return None,
    })
}
