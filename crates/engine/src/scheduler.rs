//! The ready queue. Workers take cells from it; nobody ever waits in it for the host.
//!
//! Two lists: cells that already hold a VM (replies came, or they are to be suspended), and cells that
//! still need one. The second list moves only while fewer than `max_active` cells hold a VM, so a flood of
//! new cells cannot take the memory from under the ones at work.

use crate::cell::Cell;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
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

/// How long one worker looks for work before it sleeps. Waking a thread costs more than most cells take, and
/// a host that has just got a result mostly asks for the next cell at once.
const SPIN: Duration = Duration::from_micros(60);

/// See the module description.
pub(crate) struct Scheduler {
    queues: Mutex<Queues>,
    ready: Condvar,
    /// Cells that a worker could take; changes under the lock of `queues`.
    available: AtomicUsize,
    /// A worker is awake and looking: at most one at a time.
    spinning: AtomicBool,
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
    fn available(&self) -> usize {
        self.warm.len() + self.cold.len().min(self.max_active.saturating_sub(self.active))
    }

    fn take(&mut self) -> Option<(Arc<Cell>, bool)> {
        if let Some(cell) = self.warm.pop_front() {
            return Some((cell, false));
        }
        if self.active >= self.max_active {
            return None;
        }
        let cell = self.cold.pop_front()?;
        self.active += 1;
        Some((cell, true))
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
            available: AtomicUsize::new(0),
            spinning: AtomicBool::new(false),
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
        let available = queues.available();
        self.available.store(available, Ordering::SeqCst);
        let starved = queues.idle_workers == 0;
        if queues.waiting_since.is_none() {
            queues.waiting_since = Some(Instant::now());
        }
        drop(queues);
        self.rouse(available);
        starved
    }

    /// Wakes a worker unless the one that looks for work is enough. A looking worker that gives up just now
    /// looks once more under the lock, after it has said so: no cell is left lying.
    fn rouse(&self, available: usize) {
        let looking = usize::from(self.spinning.load(Ordering::SeqCst));
        if available > looking {
            self.ready.notify_one();
        }
    }

    /// The next cell; waits up to `patience` for one.
    pub(crate) fn next(&self, patience: Duration) -> Next {
        self.spin();
        let mut queues = self.queues.lock();
        let until = Instant::now() + patience;
        loop {
            if queues.closed {
                return Next::Closed;
            }
            if let Some((cell, cold)) = queues.take() {
                let left = queues.available();
                self.available.store(left, Ordering::SeqCst);
                queues.waiting_since = (left > 0).then(Instant::now);
                let wake = left > 0 && queues.idle_workers > 0;
                drop(queues);
                if wake {
                    self.rouse(left);
                }
                return Next::Cell { cell, cold };
            }
            queues.idle_workers += 1;
            let timed_out = self.ready.wait_until(&mut queues, until).timed_out();
            queues.idle_workers -= 1;
            if timed_out && queues.available() == 0 && !queues.closed {
                return Next::Nothing;
            }
        }
    }

    /// Looks for work a short while; one worker at a time does.
    fn spin(&self) {
        if self.available.load(Ordering::SeqCst) > 0 || self.spinning.swap(true, Ordering::SeqCst) {
            return;
        }
        let until = Instant::now() + SPIN;
        while self.available.load(Ordering::SeqCst) == 0 && Instant::now() < until {
            std::hint::spin_loop();
        }
        self.spinning.store(false, Ordering::SeqCst);
    }

    /// A cell gave its VM back (it ended or was suspended), so a cold one may start.
    pub(crate) fn release_active(&self) {
        let mut queues = self.queues.lock();
        queues.active = queues.active.saturating_sub(1);
        let available = queues.available();
        self.available.store(available, Ordering::SeqCst);
        drop(queues);
        self.rouse(available);
    }

    /// How long work has been lying while every worker was busy.
    pub(crate) fn starving_for(&self) -> Option<Duration> {
        let queues = self.queues.lock();
        if queues.idle_workers > 0 || queues.available() == 0 {
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
        // Not zero: whoever looks for work finds the end.
        self.available.store(1, Ordering::SeqCst);
        drop(queues);
        self.ready.notify_all();
    }
}
