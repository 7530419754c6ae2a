//! The one timer thread: leg deadlines, hard stops, guest timers, idle times of suspended cells.
//!
//! Entries live in an ordered map and are really removed when cancelled, so that a hundred thousand
//! short legs leave nothing behind. The thread is woken only when a new entry is earlier than the one it
//! sleeps for; a stream of legs with equal time limits therefore never wakes it.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::time::Instant;
use tokio::sync::Notify;

/// Names one entry, for cancelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TimerKey(Instant, u64);

/// Entries of type `T` by their time.
#[derive(Debug)]
pub(crate) struct Timers<T> {
    inner: Mutex<Inner<T>>,
    changed: Notify,
}

#[derive(Debug)]
struct Inner<T> {
    entries: BTreeMap<TimerKey, T>,
    sequence: u64,
    /// When the thread wakes by itself; `None` while it sleeps without an end.
    sleeps_until: Option<Instant>,
    closed: bool,
}

impl<T> Timers<T> {
    pub(crate) fn new() -> Self {
        Self {
            inner: Mutex::new(Inner {
                entries: BTreeMap::new(),
                sequence: 0,
                sleeps_until: None,
                closed: false,
            }),
            changed: Notify::new(),
        }
    }

    /// Adds an entry that fires at `at`, or at once when that has passed.
    pub(crate) fn add(&self, at: Instant, entry: T) -> TimerKey {
        let mut inner = self.inner.lock();
        inner.sequence += 1;
        let key = TimerKey(at, inner.sequence);
        inner.entries.insert(key, entry);
        let earlier = inner.sleeps_until.is_none_or(|until| at < until);
        if earlier {
            inner.sleeps_until = Some(at);
        }
        drop(inner);
        if earlier {
            self.changed.notify_one();
        }
        key
    }

    /// Removes an entry; `None` if it has fired or was cancelled.
    pub(crate) fn cancel(&self, key: TimerKey) -> Option<T> {
        self.inner.lock().entries.remove(&key)
    }

    /// Ends [`Timers::run`]; entries left are dropped.
    pub(crate) fn close(&self) {
        let mut inner = self.inner.lock();
        inner.closed = true;
        inner.entries.clear();
        drop(inner);
        self.changed.notify_one();
    }

    /// Fires entries until closed. Runs on the timer thread; `fire` may add and cancel.
    pub(crate) fn run(&self, mut fire: impl FnMut(T)) -> std::io::Result<()> {
        let clock = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        clock.block_on(async {
            loop {
                match self.due() {
                    Due::Closed => return,
                    Due::Now(entry) => fire(entry),
                    // Whichever comes first; the loop looks at the entries again either way.
                    Due::At(at) => {
                        let _ = tokio::time::timeout_at(at.into(), self.changed.notified()).await;
                    }
                    Due::Never => self.changed.notified().await,
                }
            }
        });
        Ok(())
    }

    /// What the thread is to do next; notes how long it is going to sleep.
    fn due(&self) -> Due<T> {
        let mut inner = self.inner.lock();
        if inner.closed {
            return Due::Closed;
        }
        let first = inner.entries.first_key_value().map(|(key, _)| key.0);
        if first.is_some_and(|at| at <= Instant::now()) {
            return inner.entries.pop_first().map_or(Due::Never, |(_, entry)| Due::Now(entry));
        }
        inner.sleeps_until = first;
        first.map_or(Due::Never, Due::At)
    }
}

enum Due<T> {
    Now(T),
    At(Instant),
    Never,
    Closed,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn entries_fire_in_order_and_cancelled_ones_never() {
        let timers = std::sync::Arc::new(Timers::new());
        let now = Instant::now();
        let at = |ms| now + Duration::from_millis(ms);
        timers.add(at(30), "c");
        let cancelled = timers.add(at(10), "b");
        timers.add(at(5), "a");
        assert_eq!(timers.cancel(cancelled), Some("b"));
        assert_eq!(timers.cancel(cancelled), None);
        let (sender, fired) = std::sync::mpsc::channel();
        let running = std::sync::Arc::clone(&timers);
        let thread = std::thread::spawn(move || running.run(|entry| sender.send(entry).unwrap_or_default()));
        assert_eq!(fired.recv(), Ok("a"));
        // Earlier than what the thread sleeps for by now.
        timers.add(Instant::now(), "early");
        assert_eq!(fired.recv(), Ok("early"));
        assert_eq!(fired.recv(), Ok("c"));
        timers.close();
        thread.join().expect("ends").expect("has a clock");
        assert!(fired.recv().is_err());
    }
}
