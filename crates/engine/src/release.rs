//! How a worker lets go of a cell: it leaves it warm, or makes an image of it and ends the leg.

use crate::cell::{Cell, CellState, Phase, Place, WaitReason};
use crate::config::as_size;
use crate::core::{Alarm, Core, Ending};
use crate::error::{DetailCode, Failure};
use crate::prelude;
use crate::worker::stopped;
use code_mode_vm::{Vm, VmError};
use parking_lot::MutexGuard;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Heaps from this size on are put away ahead of the deadline.
const LARGE_HEAP_BYTES: usize = 8 << 20;
/// A careful guess of how fast a heap becomes an image.
const PARKED_BYTES_PER_MICROSECOND: u64 = 150;

/// Leaves the cell warm in the idle table.
pub(crate) fn rest(core: &Arc<Core>, cell: &Arc<Cell>, vm: Vm) {
    let Some(mut state) = hand_back(core, cell) else { return };
    park_in_time(core, cell, &mut state, vm.heap_used_bytes());
    state.place = Place::Warm(vm);
    state.phase = Phase::Idle;
    // What arrived while the turn was ending.
    if !state.bridge.inbox.is_empty() {
        core.schedule_warm(cell, &mut state);
    }
}

/// The state of a cell its worker is done with; `None` if the cell has ended meanwhile, or ends here because it was
/// stopped.
fn hand_back<'a>(core: &Core, cell: &'a Arc<Cell>) -> Option<MutexGuard<'a, CellState>> {
    let mut state = cell.state.lock();
    state.worker = None;
    if state.phase == Phase::Ended {
        return None;
    }
    match stopped(cell) {
        Some(failure) => {
            core.end(cell, state, &Ending::Failed(failure));
            None
        }
        None => Some(state),
    }
}

/// A heap that takes long to put away is put away before the deadline, so that the leg ends in time.
fn park_in_time(core: &Core, cell: &Arc<Cell>, state: &mut CellState, heap_bytes: usize) {
    let Some(leg) = &mut state.leg else { return };
    if heap_bytes < LARGE_HEAP_BYTES {
        return;
    }
    let takes = Duration::from_micros(heap_bytes as u64 / PARKED_BYTES_PER_MICROSECOND);
    let latest = leg.deadline.saturating_duration_since(leg.started) / 2;
    leg.parks_at = leg.deadline.checked_sub(takes.min(latest)).unwrap_or(leg.deadline);
    core.move_alarm(cell, leg, leg.parks_at);
}

/// Makes an image of the cell, gives its memory back, and ends the leg as `waiting`.
pub(crate) fn suspend(core: &Arc<Core>, cell: &Arc<Cell>, vm: Vm, reason: WaitReason) {
    let fail = |failure: Failure| core.end(cell, cell.state.lock(), &Ending::Failed(failure));
    let reserved = {
        let mut state = cell.state.lock();
        // The leg ends here whatever the clock says from now on.
        if let Some(leg) = state.leg.as_ref().filter(|_| !state.reparking) {
            core.timers.cancel(leg.timer);
        }
        state.reserved = core.store.reserve_unless(state.reserved);
        state.reserved
    };
    if !reserved {
        return fail(Failure::too_many_suspended());
    }
    let limit = as_size(cell.run.config.max_snapshot_bytes);
    let parked = match prelude::template(core.test_hooks).and_then(|template| vm.park_within(template, limit))
    {
        Ok(parked) => parked,
        Err(VmError::ImageTooLarge { .. }) => return fail(Failure::snapshot_over(limit)),
        Err(error) => {
            return fail(Failure::new(
                DetailCode::InternalError,
                format!("code mode snapshot could not be taken: {error}"),
            ));
        }
    };
    let image_bytes = parked.image_bytes();
    if image_bytes > limit {
        return fail(Failure::snapshot(image_bytes, limit));
    }
    let Some(mut state) = hand_back(core, cell) else { return };
    core.store.image_added(image_bytes);
    state.place = Place::Parked(parked);
    state.phase = Phase::Parked;
    state.suspended_at = Some(Instant::now());
    let reparked = std::mem::take(&mut state.reparking);
    let id = match state.run_id.take() {
        // A leg has been answered with it already.
        Some(kept) if reparked => kept,
        old => {
            if let Some(old) = old {
                core.store.remove(&old);
            }
            core.store.insert(Arc::clone(cell))
        }
    };
    state.run_id = Some(id.clone());
    if std::mem::take(&mut state.active) {
        core.scheduler.release_active();
    }
    cell.run.telemetry.lock().taken += 1;
    if cell.run.trace {
        let took = state.leg.as_ref().map_or(0.0, |leg| leg.started.elapsed().as_secs_f64() * 1000.0);
        let calls: Vec<&str> = state.bridge.open().map(|(_, open)| open.nested_id.as_str()).collect();
        let fields = format!(
            r#","runId":"{id}","reason":"{}","imageBytes":{image_bytes},"durationMs":{took:.3},"pendingCallIds":{}"#,
            reason.as_str(),
            serde_json::Value::from(calls)
        );
        core.trace(cell, "cell_suspended", &fields);
    }
    if reparked && state.leg.is_some() {
        // A wait came meanwhile; what it waits for may be here.
        if !state.bridge.inbox.is_empty() {
            core.schedule_cold(cell, &mut state);
        }
        return;
    }
    core.leave_waiting(cell, &mut state, reason);
    arm_expiry(core, cell, &mut state);
}

/// Starts the idle time of a suspended cell without a leg.
pub(crate) fn arm_expiry(core: &Core, cell: &Arc<Cell>, state: &mut CellState) {
    let ttl = Duration::from_secs(cell.run.config.snapshot_ttl_seconds);
    state.ttl = Some(core.timers.add(Instant::now() + ttl, Alarm::Expire { cell: Arc::clone(cell) }));
}
