//! How a worker lets go of a cell: it leaves it warm, or makes an image of it and ends the leg.

use crate::cell::{Cell, CellState, Phase, Place, WaitReason};
use crate::core::{Alarm, Core, Ending};
use crate::error::{DetailCode, Failure};
use crate::prelude;
use code_mode_vm::{StopReason, Vm};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Leaves the cell warm in the idle table.
pub(crate) fn rest(core: &Arc<Core>, cell: &Arc<Cell>, vm: Vm) {
    let mut state = cell.state.lock();
    state.worker = None;
    if state.phase == Phase::Ended {
        return;
    }
    match cell.stop.reason() {
        Some(StopReason::Deadline) => return core.end(cell, state, &Ending::Failed(Failure::timeout())),
        Some(_) => return core.end(cell, state, &Ending::Failed(Failure::aborted())),
        None => {}
    }
    state.place = Place::Warm(vm);
    state.phase = Phase::Idle;
    // What arrived while the turn was ending.
    if !state.bridge.inbox.is_empty() {
        core.schedule_warm(cell, &mut state);
    }
}

/// Makes an image of the cell, gives its memory back, and ends the leg as `waiting`.
pub(crate) fn suspend(core: &Arc<Core>, cell: &Arc<Cell>, vm: Vm, reason: WaitReason) {
    let fail = |failure: Failure| core.end(cell, cell.state.lock(), &Ending::Failed(failure));
    let reserved = {
        let mut state = cell.state.lock();
        // The leg ends here whatever the clock says from now on.
        if let Some(leg) = &state.leg {
            core.timers.cancel(leg.timer);
        }
        state.reserved = core.store.reserve_unless(state.reserved);
        state.reserved
    };
    if !reserved {
        return fail(Failure::too_many_suspended());
    }
    let parked = match prelude::template(core.test_hooks).and_then(|template| vm.park(template)) {
        Ok(parked) => parked,
        Err(error) => {
            return fail(Failure::new(
                DetailCode::InternalError,
                format!("code mode snapshot could not be taken: {error}"),
            ));
        }
    };
    let image_bytes = parked.image_bytes();
    let limit = usize::try_from(cell.run.config.max_snapshot_bytes).unwrap_or(usize::MAX);
    if image_bytes > limit {
        return fail(Failure::snapshot(image_bytes, limit));
    }
    let mut state = cell.state.lock();
    state.worker = None;
    if state.phase == Phase::Ended {
        return;
    }
    match cell.stop.reason() {
        Some(StopReason::Deadline) => return core.end(cell, state, &Ending::Failed(Failure::timeout())),
        Some(_) => return core.end(cell, state, &Ending::Failed(Failure::aborted())),
        None => {}
    }
    core.store.image_added(image_bytes);
    state.place = Place::Parked(parked);
    state.phase = Phase::Parked;
    state.suspended_at = Some(Instant::now());
    if let Some(old) = state.run_id.take() {
        core.store.remove(&old);
    }
    let id = core.store.insert(Arc::clone(cell));
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
    core.leave_waiting(cell, &mut state, reason);
    arm_expiry(core, cell, &mut state);
}

/// Starts the idle time of a suspended cell without a leg.
pub(crate) fn arm_expiry(core: &Core, cell: &Arc<Cell>, state: &mut CellState) {
    let ttl = Duration::from_secs(cell.run.config.snapshot_ttl_seconds);
    state.ttl = Some(core.timers.add(Instant::now() + ttl, Alarm::Expire { cell: Arc::clone(cell) }));
}
