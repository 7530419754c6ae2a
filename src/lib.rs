//! The Node.js binding of code-mode: JSON text in, tagged events out.
//!
//! ```text
//!   ts/ (Node's thread) ── NativeEngine ──► crates/engine (its own threads)
//!        ▲                                        │
//!        └── wake() ◄── one unref'd threadsafe function, once per batch
//! ```
//!
//! No policy and no unsafe code of our own in here. Every export returns at once, except `close`, whose
//! joining runs on a pool thread.
#![cfg_attr(
    not(test),
    expect(
        clippy::needless_pass_by_value,
        unreachable_pub,
        reason = "exports take what napi converts, and only its macros reach them"
    )
)]
#![deny(unsafe_code)] // `forbid` would refuse the glue that napi-derive generates

// napi registers exports outside tests only; the package's own tests are in __test__/.
#[cfg(not(test))]
mod config;
#[cfg(not(test))]
mod engine;
#[cfg(not(test))]
mod event;
