//! What happens when time is up: legs, guests that do not stop, guest timers, idle cells, busy workers.
//! Everything here runs on the timer thread and returns quickly.

use crate::bridge::{Outcome, Settled};
use crate::cell::{Cell, CellState, Phase, Place, WaitReason};
use crate::core::{Alarm, Core, Ending};
use crate::error::Failure;
use crate::protocol::LegId;
use crate::release;
use crate::worker::{self, WorkerState};
use code_mode_vm::StopReason;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Work that lies this long while every worker is busy gets a further worker.
pub(crate) const STARVATION: Duration = Duration::from_millis(10);
/// Workers at most. They are for fairness among guests that compute for long, not for speed.
const MOST_WORKERS: u64 = 16;
/// A guest that was resumed less than this before its deadline may finish its turn within as much after it.
const GRACE: Duration = Duration::from_millis(20);
/// Between two attempts to end a guest from outside.
const KICK_INTERVAL: Duration = Duration::from_millis(1);
/// After this, the leg is answered without the worker, whatever holds it up.
const ANSWER_AFTER: Duration = Duration::from_millis(75);
/// After this, the worker is given up and replaced.
const GIVE_UP_AFTER: Duration = Duration::from_secs(1);
/// A worker that was given up is still kicked this long, so that it does not burn a core.
const KICK_AT_MOST: Duration = Duration::from_secs(10);

/// Handles one alarm.
pub(crate) fn fire(core: &Arc<Core>, alarm: Alarm) {
    match alarm {
        Alarm::Leg { cell, leg } => leg_deadline(core, &cell, leg),
        Alarm::Guest { cell, id } => guest_timer(core, &cell, id),
        Alarm::Expire { cell } => expire(core, &cell),
        Alarm::Kick { cell, worker, turn, since } => kick(core, cell, worker, turn, since),
        Alarm::Starved => starved(core),
    }
}

fn leg_deadline(core: &Arc<Core>, cell: &Arc<Cell>, leg: LegId) {
    let mut state = cell.state.lock();
    if state.leg.as_ref().is_none_or(|current| current.id != leg) {
        return;
    }
    match state.phase {
        Phase::Running if state.reparking => core.leave_waiting(cell, &mut state, WaitReason::PendingTools),
        // It has only just got its reply: a moment to go on to its next call, or to its end.
        Phase::Running if may_go_on(&state) => {
            if let Some(current) = &mut state.leg {
                current.graced = true;
                core.move_alarm(cell, current, Instant::now() + GRACE);
            }
        }
        Phase::Running => {
            cell.stop.stop(StopReason::Deadline);
            core.watch(cell, &state, Instant::now());
        }
        // Not started yet, for want of a worker, a slot or its namespaces.
        Phase::Queued | Phase::Idle if matches!(state.place, Place::Source(_) | Place::Accepted(_)) => {
            core.end(cell, state, &Ending::Failed(Failure::timeout()));
        }
        // Calls are open: a worker suspends it.
        Phase::Idle => core.schedule_warm(cell, &mut state),
        // A worker will find the deadline passed. Suspended already: the guest stays as it is.
        Phase::Queued if matches!(state.place, Place::Parked(_)) => {
            state.phase = Phase::Parked;
            core.leave_waiting(cell, &mut state, WaitReason::PendingTools);
            release::arm_expiry(core, cell, &mut state);
        }
        Phase::Parked => {
            core.leave_waiting(cell, &mut state, WaitReason::PendingTools);
            release::arm_expiry(core, cell, &mut state);
        }
        // The guest is still as it was: the leg ends in time, and the worker puts it away again under the same id.
        Phase::Restoring => core.leave_waiting(cell, &mut state, WaitReason::PendingTools),
        Phase::Queued | Phase::Ended => {}
    }
}

fn may_go_on(state: &CellState) -> bool {
    state.leg.as_ref().is_some_and(|leg| !leg.graced) && state.turn_started.elapsed() < GRACE
}

fn guest_timer(core: &Arc<Core>, cell: &Arc<Cell>, id: u32) {
    let mut state = cell.state.lock();
    if state.bridge.timers.remove(&id).is_some() {
        state.bridge.inbox.push(Settled { id, outcome: Outcome::Timer });
        core.inbox_changed(cell, &mut state);
    }
}

fn expire(core: &Arc<Core>, cell: &Arc<Cell>) {
    let state = cell.state.lock();
    if state.phase == Phase::Parked && state.leg.is_none() {
        core.end(cell, state, &Ending::Expired);
    }
}

fn kick(core: &Arc<Core>, cell: Arc<Cell>, worker: Arc<WorkerState>, turn: u64, since: Instant) {
    if worker.turn() != turn {
        return;
    }
    worker.kick();
    let waited = since.elapsed();
    if waited >= ANSWER_AFTER {
        let failure = match cell.stop.reason() {
            Some(StopReason::Abort) => Failure::aborted(),
            _ => Failure::timeout(),
        };
        core.end(&cell, cell.state.lock(), &Ending::Failed(failure));
    }
    if waited >= GIVE_UP_AFTER && worker.abandon() {
        core.counters.lost_workers.fetch_add(1, Ordering::Relaxed);
        worker::spawn(core);
    }
    if waited < KICK_AT_MOST {
        core.timers.add(Instant::now() + KICK_INTERVAL, Alarm::Kick { cell, worker, turn, since });
    }
}

fn starved(core: &Arc<Core>) {
    core.starve_alarm.store(false, Ordering::Release);
    let Some(waited) = core.scheduler.starving_for() else { return };
    if waited + Duration::from_millis(1) >= STARVATION
        && core.worker_count.load(Ordering::Acquire) < MOST_WORKERS
        && !core.closed.load(Ordering::Acquire)
    {
        worker::spawn(core);
    }
    core.arm_starvation();
}
