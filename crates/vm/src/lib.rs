//! QuickJS cells in memory slots: start one in microseconds, stop it whatever it does, put it away as a few
//! kilobytes and bring it back on another thread. The only crate of the workspace with unsafe code.
//!
//! # The picture
//!
//! ```text
//!            SlotPool                       Template (built once)
//!               │ checkout                     │ words + which of them are addresses
//!               ▼                              ▼
//!  guard ┌─ base ────────────────────────────────────────────────────── base + size ─┐ guard
//!  no    │ Header │ heap of one JSRuntime: the template's part │ the cell's │ no     │ no
//!  access│        │ (copied, addresses moved)                  │ own part   │ access │ access
//!        └───────────────────────────────────────────────────────────────────────────┘
//!               │ Vm::turn ── guard.c (sigsetjmp) ── QuickJS ── host functions ── TurnHost
//!               │ Vm::park                                    ▲
//!               ▼                                             │ StopHandle, Kicker (SIGURG)
//!        Parked: the difference to the template, compressed   timer thread
//! ```
//!
//! One slot is one VM: every allocation of its `JSRuntime` lies in it, the allocator's own state included.
//! So a VM is a range of bytes. Starting one is copying the template and moving its addresses; parking it
//! is reading the bytes out; ending it is forgetting them.
//!
//! # Invariants
//!
//! Each is named where it is upheld, and has a test that would catch its breach.
//!
//! 1. **A slot is closed.** Between turns nothing in `[base, base + used)` points outside it, except to code
//!    and constants of this library and to the native stack of an earlier call, which nobody reads. No Rust
//!    `Box`, `Arc` or closure is reachable from a VM. (`arena.rs`; `tests/image_roundtrip.rs`)
//! 2. **An image fits its slot only.** It holds absolute addresses; magic, version, template, slot, length
//!    and checksum are checked before a byte is restored. (`image.rs`; `tests/image_reject.rs`)
//! 3. **Allocator callbacks neither panic nor unwind.** Over the limit they return null and set a sticky flag
//!    that ends the cell, whatever the guest does about the error. (`arena.rs`; `tests/limits.rs`)
//! 4. **A VM runs on one thread at a time.** [`Vm`] is `Send` and not `Sync`, and a turn needs `&mut`. An
//!    image travels with its slot. (`vm.rs`, `image.rs`)
//! 5. **No two cells share randomness.** The generator in the header is seeded from the system at every
//!    start. (`rng.rs`; `tests/random.rs`)
//! 6. **No bytes of a former cell are seen.** What a cell wrote above the template is zeroed when its slot
//!    goes back, what it wrote below is overwritten before the next guest runs. (`pool.rs`;
//!    `tests/isolation.rs`)
//! 7. **What a jump drops owns nothing.** Frames between the guard and QuickJS are plain; input is prepared
//!    before, output copied after. Callbacks that touch anything outside the slot do so in a marked section
//!    in which no jump happens. (`guard.rs`, `raw.rs`, `current.rs`; `tests/hard_stop.rs`, `tests/crash.rs`)
//! 8. **A panic of the host never crosses C.** It is caught in the callback and ends the cell. (`current.rs`;
//!    `tests/panic_boundary.rs`)
//! 9. **Flags decide how a turn ended, not the guest.** Panic, then stop, then out of memory, then crash, then
//!    what the guest reports. (`vm.rs`; `tests/interrupt.rs`)
//! 10. **A wrong relocation cannot happen silently.** Three builds at unlike bases are compared word for word;
//!     a difference that is not understood means no relocation. (`template/`; `tests/relocation.rs`)
//!
//! # What ends a turn that will not end
//!
//! 1. QuickJS polls the stop flag every ten thousand operations or so; jobs are preceded by a look at it.
//! 2. Built-ins that never poll: [`Kicker::kick`], again each millisecond until the turn has ended.
//! 3. Crashes (SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP) inside guest code end the cell; anywhere
//!    else they go to the handler that was installed before.
//!
//! On Windows 2 and 3 do not exist yet: a kick does nothing, a crash is a crash.
//!
//! # Guest surroundings
//!
//! All of ECMAScript as quickjs-ng has it, `eval` included; no modules, no `performance` (its origin would be
//! the template's), local time is UTC (`guard.c` answers `localtime_r`), `Math.random` is ours, `Atomics.wait`
//! throws and `Atomics.notify` finds nobody.
//!
//! The `host` object of prelude scripts:
//!
//! | function | |
//! |---|---|
//! | `emit(kind, text)` | [`TurnHost::emit`]; does not return if the host refuses |
//! | `fetch(kind, key)` | [`TurnHost::fetch`]; a string or undefined |
//! | `classOf(value)` | 0 not an object, 1 other object, 2 array, 3 function, 4 Date, 5 Map, 6 Set, 7 Error or `DOMException`, 8 Promise, 9 buffer or view, 10 `RegExp`, 11 Proxy, 12 boxed primitive, 13 weak collection or reference, 14 symbol |
//! | `random()` | in `[0, 1)` |
//! | `fillRandom(view)` | fills a typed array or buffer from the system, returns it |
//! | `monotonicMs()` | since the cell's start, across parking |
//! | `utf8Encode(string)` | a `Uint8Array`; lone surrogates become U+FFFD |
//! | `utf8Decode(view, fatal, ignoreBOM)` | of a typed array or buffer, as the encoding standard has it |
//! | `utf8Incomplete(view)` | how many bytes at its end begin an unfinished sequence |
//! | `load(name)` | function of a lazy script ([`TemplateOptions::lazy`]); undefined for an unknown name |
//! | `crash(kind)` | only with [`TemplateOptions::crash_hook`] |

mod arena;
mod clock;
mod current;
mod error;
mod ffi;
mod guard;
mod hard_stop;
mod image;
mod layout;
mod pool;
mod raw;
mod rng;
mod stop;
mod sys;
mod template;
mod turn;
mod vm;

pub use error::VmError;
pub use hard_stop::{Kicker, WorkerThread};
pub use image::Parked;
pub use pool::{PoolOptions, PoolStats, Slot, SlotPool};
pub use stop::{StopHandle, StopReason};
pub use template::{PreludeScript, Template, TemplateOptions};
pub use turn::{Phase, Settlement, TurnEnd, TurnHost, Work};
pub use vm::Vm;
