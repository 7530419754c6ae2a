//! The sticky stop of a turn: set once by any thread, read by the guest's thread and by its signal
//! handler.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a turn was asked to end. Sticky: the first reason wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The deadline of the leg passed.
    Deadline,
    /// Somebody gave the cell up: abort signal, run closed, engine closed.
    Abort,
    /// The host refused a message of the guest.
    Host,
}

/// Asks a turn to end. Cheap to clone; all clones are one flag. Any thread may call any method.
#[derive(Debug, Clone, Default)]
pub struct StopHandle {
    flag: Arc<AtomicU8>,
}

impl StopHandle {
    /// A handle that nobody has stopped yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag. Later calls change nothing: the first reason wins.
    pub fn stop(&self, reason: StopReason) {
        // Release/Acquire: whoever sees the flag also sees what the stopping thread did before.
        let _ = self.flag.compare_exchange(0, encode(reason), Ordering::AcqRel, Ordering::Acquire);
    }

    /// The reason of the first [`stop`](Self::stop), if there was one.
    pub fn reason(&self) -> Option<StopReason> {
        decode(self.flag.load(Ordering::Acquire))
    }

    /// Address of the flag byte, for the signal handler. Valid as long as some clone of the handle is.
    pub(crate) fn flag_address(&self) -> *const u8 {
        self.flag.as_ptr()
    }
}

fn encode(reason: StopReason) -> u8 {
    match reason {
        StopReason::Deadline => 1,
        StopReason::Abort => 2,
        StopReason::Host => 3,
    }
}

fn decode(flag: u8) -> Option<StopReason> {
    match flag {
        1 => Some(StopReason::Deadline),
        2 => Some(StopReason::Abort),
        3 => Some(StopReason::Host),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_wins() {
        let stop = StopHandle::new();
        assert_eq!(stop.reason(), None);
        stop.clone().stop(StopReason::Abort);
        stop.stop(StopReason::Deadline);
        assert_eq!(stop.reason(), Some(StopReason::Abort));
    }
}
