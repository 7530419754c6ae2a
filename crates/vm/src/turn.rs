//! The vocabulary of a turn: what goes in, what the guest may ask for, how it ends.

use crate::stop::StopReason;

/// What a turn needs of the outside. Called on the worker thread, from inside host functions of the
/// guest. A panic is caught and ends the cell as [`TurnEnd::HostPanicked`].
pub trait TurnHost {
    /// The guest emitted a message. Returning false sets the turn's stop ([`StopReason::Host`]) and the
    /// guest does not go on.
    fn emit(&mut self, kind: i32, payload: &str) -> bool;

    /// Synchronous read of run data. `None` is `undefined` in the guest.
    fn fetch(&mut self, kind: i32, key: &str) -> Option<String>;
}

/// A settled host request, for [`Work::Settle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement<'a> {
    /// The number the guest's controller gave the request.
    pub id: u32,
    /// What the controller shall do with it; its meaning is the prelude's.
    pub kind: i32,
    /// The payload, usually JSON.
    pub text: &'a str,
}

/// What a turn does first. After it, pending jobs are drained.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    /// Evaluates `source`, one expression that gives an (async) function, as a sloppy global script and
    /// calls the function without arguments. Its result is the cell's main promise; anything but a
    /// promise is wrapped in one.
    Start {
        /// The expression.
        source: &'a str,
        /// File name in stack frames.
        file_name: &'a str,
        /// Line number of the first line of `source` in stack frames, from 1 (0 counts as 1).
        first_line: i32,
        /// If given, `controller.begin(setup)` is called before.
        setup: Option<&'a str>,
    },
    /// Calls `controller.settle(id, kind, text)` for each, in order.
    Settle(&'a [Settlement<'a>]),
    /// The main promise is fulfilled: encodes its value with `controller.finish(value)`.
    Finish,
}

/// How a turn ended.
///
/// After `Stopped`, `OutOfMemory`, `Crashed` and `HostPanicked` the VM is dead (also if the stop was set
/// before the turn began, and nothing ran): further turns return the
/// same end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnEnd {
    /// The jobs are drained, the main promise is pending.
    Pending,
    /// The jobs are drained, the main promise is fulfilled. Ask for the value with [`Work::Finish`].
    Fulfilled,
    /// The answer of [`Work::Finish`].
    Finished(String),
    /// The main promise was rejected, or evaluation threw, or `controller.finish` threw: the text that
    /// `controller.describe(error, phase)` made of the error.
    Rejected(String),
    /// A promise other than the main one was rejected and unhandled when the jobs were drained;
    /// described in the same way.
    UnhandledRejection(String),
    /// The stop was set, whatever the guest did about it.
    Stopped(StopReason),
    /// The guest's heap reached its limit at least once, even if the guest caught the error.
    OutOfMemory,
    /// A signal was raised inside guest code (SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP).
    Crashed {
        /// Number of the signal.
        signal: i32,
    },
    /// The [`TurnHost`] panicked.
    HostPanicked,
}

impl TurnEnd {
    /// Whether the VM is dead after this end.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Stopped(_) | Self::OutOfMemory | Self::Crashed { .. } | Self::HostPanicked)
    }
}

/// Second argument of `controller.describe(error, phase)`: where the error came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Phase {
    /// The main promise was rejected, or the function threw when called.
    Main = 0,
    /// A promise that nobody handled.
    Unhandled = 1,
    /// Evaluating the source (a syntax error, mostly).
    Compile = 2,
    /// `controller.finish` threw.
    Finish = 3,
}
