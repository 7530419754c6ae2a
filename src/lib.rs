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
#![deny(unsafe_code)] // `forbid` would refuse the glue that napi-derive generates

mod config;
mod engine;
mod event;
