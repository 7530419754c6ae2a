//! Threads that run guest code, and the way to end code on them that never polls.
//!
//! The race to think through: the timer sees that turn N is stopped and sends a signal; meanwhile turn N
//! ends by itself and turn N + 1 begins on the same thread; the signal arrives in turn N + 1. So the
//! decision is not the sender's: the handler runs on the worker itself and jumps only if the stop flag of
//! the turn *that is running at this moment* is set (`frame.stop` in guard.c). A late signal finds a turn
//! that is not stopped, or no turn, and does nothing. The sender looks at the flag only to save signals.
//!
//! It also needs the thread to exist: sending holds the lock under which the thread says goodbye.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::error::VmError;
use crate::guard;
use crate::stop::StopHandle;
use crate::sys;

/// Native stack left to QuickJS's callers and callees that do not check for its end.
const STACK_RESERVE: usize = 1 << 20;
/// Native stack of a guest at most: some ten thousand calls deep, like other engines.
const MOST_STACK: usize = 8 << 20;
/// Stack of guest code when the thread's own cannot be told.
const FALLBACK_STACK: usize = 256 << 10;

/// A thread that is prepared for guest code: crash handlers, a signal stack, a handle to kick it. Belongs
/// to the thread that made it; [`Vm::turn`](crate::Vm::turn) registers a thread that forgot to.
#[derive(Debug)]
pub struct WorkerThread {
    shared: Arc<Shared>,
    _alt_stack: Option<sys::AltStack>,
    _this_thread: PhantomData<*const ()>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Lowest address of the thread's stack, if the system tells.
    stack_low: Option<usize>,
}

#[derive(Debug)]
struct State {
    /// `None` once the thread said goodbye.
    thread: Option<ThreadId>,
    /// Stop of the turn that runs, if one does.
    stop: Option<StopHandle>,
}

/// `pthread_t`, which is a pointer on some systems; only ever passed to `pthread_kill`.
#[cfg(unix)]
#[derive(Debug, Clone, Copy)]
struct ThreadId(libc::pthread_t);
#[cfg(not(unix))]
#[derive(Debug, Clone, Copy)]
struct ThreadId;

// SAFETY: the id of a thread means the same on every thread.
#[cfg(unix)]
unsafe impl Send for ThreadId {}

thread_local! {
    static WORKER: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
    static IMPLICIT: RefCell<Option<WorkerThread>> = const { RefCell::new(None) };
}

impl WorkerThread {
    /// Prepares the calling thread. Keep the value as long as the thread runs turns.
    pub fn register() -> Result<WorkerThread, VmError> {
        guard::install()?;
        let alt_stack = sys::AltStack::install().ok_or(VmError::Thread("no signal stack"))?;
        unblock_signals();
        let stack_low = sys::stack_bounds().map(|(low, _)| low);
        let shared = Arc::new(Shared {
            state: Mutex::new(State { thread: Some(this_thread()), stop: None }),
            stack_low,
        });
        WORKER.with_borrow_mut(|worker| *worker = Some(Arc::clone(&shared)));
        Ok(WorkerThread { shared, _alt_stack: Some(alt_stack), _this_thread: PhantomData })
    }

    /// The handle by which other threads end guest code on this one.
    pub fn kicker(&self) -> Kicker {
        Kicker { shared: Arc::clone(&self.shared) }
    }
}

impl Drop for WorkerThread {
    fn drop(&mut self) {
        self.shared.state.lock().thread = None;
        // Fails only while the thread's locals are being destroyed: then nobody looks any more.
        let _ = WORKER.try_with(|worker| {
            if let Ok(mut worker) = worker.try_borrow_mut()
                && worker.as_ref().is_some_and(|current| Arc::ptr_eq(current, &self.shared))
            {
                *worker = None;
            }
        });
    }
}

/// Ends guest code that never polls: see [`kick`](Self::kick). Any thread may use it, also after the
/// worker thread has ended.
#[derive(Debug, Clone)]
pub struct Kicker {
    shared: Arc<Shared>,
}

impl Kicker {
    /// Sends the stop signal if the thread runs a turn whose [`StopHandle`] is stopped. True if one was
    /// sent: the turn ends unless it is at a place where it must not be left (libc, a host callback), so
    /// call again after a millisecond until the turn has ended. Never hits a later turn.
    pub fn kick(&self) -> bool {
        let state = self.shared.state.lock();
        let stopped = state.stop.as_ref().is_some_and(|stop| stop.reason().is_some());
        match state.thread {
            Some(thread) if stopped => send_stop_signal(thread),
            _ => false,
        }
    }
}

/// Runs `turn` as the turn that kicks of this thread are about; it is given the stack it may use.
pub(crate) fn as_current_turn<R>(stop: &StopHandle, turn: impl FnOnce(usize) -> R) -> Result<R, VmError> {
    let shared = match WORKER.with_borrow(Clone::clone) {
        Some(shared) => shared,
        None => register_implicitly()?,
    };
    shared.state.lock().stop = Some(stop.clone());
    let result = turn(shared.stack_low.map_or(FALLBACK_STACK, usable_stack));
    shared.state.lock().stop = None;
    Ok(result)
}

fn register_implicitly() -> Result<Arc<Shared>, VmError> {
    let worker = WorkerThread::register()?;
    let shared = Arc::clone(&worker.shared);
    IMPLICIT.with_borrow_mut(|implicit| *implicit = Some(worker));
    Ok(shared)
}

/// Bytes from here down to the reserve above the lowest address.
fn usable_stack(low: usize) -> usize {
    let here = 0u8;
    let left = (&raw const here as usize).saturating_sub(low);
    // A small stack (a test thread) keeps half of itself for the rest. A large one is not all the guest's:
    // runaway recursion would touch every page of it before it ends.
    left.saturating_sub(STACK_RESERVE).max(left / 2).min(MOST_STACK)
}

#[cfg(unix)]
fn this_thread() -> ThreadId {
    // SAFETY: a plain query.
    ThreadId(unsafe { libc::pthread_self() })
}

#[cfg(unix)]
fn send_stop_signal(thread: ThreadId) -> bool {
    // SAFETY: the thread exists: it takes its id out of the state, under the lock we hold, before it ends.
    unsafe { libc::pthread_kill(thread.0, libc::SIGURG) == 0 }
}

/// A thread made while signals were blocked would never get them.
#[cfg(unix)]
fn unblock_signals() {
    // SAFETY: changes the signal mask of this thread only.
    unsafe {
        let mut set = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut set);
        for signal in [
            libc::SIGURG,
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGFPE,
            libc::SIGABRT,
            libc::SIGILL,
            libc::SIGTRAP,
        ] {
            libc::sigaddset(&raw mut set, signal);
        }
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, std::ptr::null_mut());
    }
}

#[cfg(not(unix))]
fn this_thread() -> ThreadId {
    ThreadId
}

/// No hard stop here: the engine's last line (abandoning the thread) takes over.
#[cfg(not(unix))]
fn send_stop_signal(_: ThreadId) -> bool {
    false
}

#[cfg(not(unix))]
fn unblock_signals() {}
