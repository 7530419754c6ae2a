//! The ready queue. Workers take cells from it; nobody ever waits in it for the host.
//!
//! Two lists: cells that already hold a VM (replies came, or they are to be suspended), and cells that
//! still need one. The second list moves only while fewer than `max_active` cells hold a VM, so a flood of
//! new cells cannot take the memory from under the ones at work.

use crate::cell::Cell;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a worker is told.
pub(crate) enum Next {
    /// Serve this cell. `cold`: it has just been counted as active.
    Cell { cell: Arc<Cell>, cold: bool },
    /// Nothing came for a while.
    Nothing,
    /// The engine is closing.
    Closed,
}

/// See the module description.
pub(crate) struct Scheduler {
    queues: Mutex<Queues>,
    ready: Condvar,
}

struct Queues {
    warm: VecDeque<Arc<Cell>>,
    cold: VecDeque<Arc<Cell>>,
    active: usize,
    max_active: usize,
    idle_workers: usize,
    /// Since when there has been work that no worker took.
    waiting_since: Option<Instant>,
    closed: bool,
}

impl Queues {
    fn has_work(&self) -> bool {
        !self.warm.is_empty() || (!self.cold.is_empty() && self.active < self.max_active)
    }
}

impl Scheduler {
    pub(crate) fn new(max_active: usize) -> Self {
        Self {
            queues: Mutex::new(Queues {
                warm: VecDeque::new(),
                cold: VecDeque::new(),
                active: 0,
                max_active,
                idle_workers: 0,
                waiting_since: None,
                closed: false,
            }),
            ready: Condvar::new(),
        }
    }

    /// Queues a cell that holds a VM. True when no worker was free to take it at once.
    pub(crate) fn push_warm(&self, cell: Arc<Cell>) -> bool {
        self.push(|queues| queues.warm.push_back(cell))
    }

    /// Queues a cell that needs a VM. True when no worker was free to take it at once.
    pub(crate) fn push_cold(&self, cell: Arc<Cell>) -> bool {
        self.push(|queues| queues.cold.push_back(cell))
    }

    fn push(&self, add: impl FnOnce(&mut Queues)) -> bool {
        let mut queues = self.queues.lock();
        add(&mut queues);
        let starved = queues.idle_workers == 0;
        if queues.waiting_since.is_none() {
            queues.waiting_since = Some(Instant::now());
        }
        drop(queues);
        self.ready.notify_one();
        starved
    }

    /// The next cell; waits up to `patience` for one.
    pub(crate) fn next(&self, patience: Duration) -> Next {
        let mut queues = self.queues.lock();
        let until = Instant::now() + patience;
        loop {
            if queues.closed {
                return Next::Closed;
            }
            if let Some((cell, cold)) = Self::take(&mut queues) {
                queues.waiting_since = queues.has_work().then(Instant::now);
                return Next::Cell { cell, cold };
            }
            queues.idle_workers += 1;
            let timed_out = self.ready.wait_until(&mut queues, until).timed_out();
            queues.idle_workers -= 1;
            if timed_out && !queues.has_work() && !queues.closed {
                return Next::Nothing;
            }
        }
    }

    fn take(queues: &mut Queues) -> Option<(Arc<Cell>, bool)> {
        if let Some(cell) = queues.warm.pop_front() {
            return Some((cell, false));
        }
        if queues.active >= queues.max_active {
            return None;
        }
        let cell = queues.cold.pop_front()?;
        queues.active += 1;
        Some((cell, true))
    }

    /// A cell gave its VM back (it ended or was suspended), so a cold one may start.
    pub(crate) fn release_active(&self) {
        let mut queues = self.queues.lock();
        queues.active = queues.active.saturating_sub(1);
        let more = !queues.cold.is_empty();
        drop(queues);
        if more {
            self.ready.notify_one();
        }
    }

    /// How long work has been lying while every worker was busy.
    pub(crate) fn starving_for(&self) -> Option<Duration> {
        let queues = self.queues.lock();
        if queues.idle_workers > 0 || !queues.has_work() {
            return None;
        }
        queues.waiting_since.map(|since| since.elapsed())
    }

    /// (cells that hold a VM, cells queued for a worker or a slot)
    pub(crate) fn counts(&self) -> (usize, usize) {
        let queues = self.queues.lock();
        (queues.active, queues.warm.len() + queues.cold.len())
    }

    /// Wakes all workers to leave; queued cells are dropped.
    pub(crate) fn close(&self) {
        let mut queues = self.queues.lock();
        queues.closed = true;
        queues.warm.clear();
        queues.cold.clear();
        drop(queues);
        self.ready.notify_all();
    }
}
