//! Engine events as JavaScript takes them; the only place that builds them.

use code_mode_engine::HostEvent;
use napi_derive::napi;

/// One event. Which fields count depends on `kind`.
#[napi(object)]
pub struct NativeEvent {
    /// 0 a leg is done (`id` leg, `body` result JSON); 1 a call for the host (`run`, `id` cell, `request`,
    /// `head`, `body`); 2 a cell has ended (`id` cell); 3 a trace event (`run`, `body`).
    pub kind: u32,
    /// Run key.
    pub run: f64,
    /// Leg or cell.
    pub id: f64,
    /// Request number within the cell.
    pub request: u32,
    /// JSON text.
    pub head: String,
    /// JSON text.
    pub body: String,
}

impl From<HostEvent> for NativeEvent {
    fn from(event: HostEvent) -> Self {
        let none = String::new;
        match event {
            HostEvent::LegDone { leg, result } => {
                Self { kind: 0, run: 0.0, id: number(leg), request: 0, head: none(), body: result }
            }
            HostEvent::Call { run, cell, request, head, body } => {
                Self { kind: 1, run: number(run), id: number(cell), request, head, body }
            }
            HostEvent::CellEnded { cell } => {
                Self { kind: 2, run: 0.0, id: number(cell), request: 0, head: none(), body: none() }
            }
            HostEvent::Trace { run, event } => {
                Self { kind: 3, run: number(run), id: 0.0, request: 0, head: none(), body: event }
            }
        }
    }
}

/// Ids count up from 1, one per cell or run, so they stay exact as doubles.
#[expect(clippy::cast_precision_loss, reason = "2^53 ids are not reached")]
pub(crate) fn number(id: u64) -> f64 {
    id as f64
}
