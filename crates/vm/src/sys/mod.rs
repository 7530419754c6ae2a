//! The operating system's side of slots: reserve, commit, give back. Same names on every system.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{
    AltStack, advise_pages, commit, decommit_all, populate, release, reserve, stack_bounds,
};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{
    AltStack, advise_pages, commit, decommit_all, populate, release, reserve, stack_bounds,
};
