//! The safe handle of a VM in a slot: start, turns, park.

use std::cell::Cell;
use std::ffi::{CString, c_void};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Arc;

use crate::arena::Header;
use crate::clock;
use crate::current::Turn;
use crate::error::VmError;
use crate::ffi::{RawText, host_text};
use crate::guard::{self, Exit};
use crate::hard_stop;
use crate::image::Parked;
use crate::pool::Slot;
use crate::raw::{self, RawEnd, RawScript, RawSettlement, RawWork, TurnCall};
use crate::rng::Xoshiro;
use crate::stop::StopHandle;
use crate::template::{Program, Template};
use crate::turn::{TurnEnd, TurnHost, Work};

/// What `Rejected` carries when `controller.describe` itself failed.
const UNDESCRIBED: &str = r#"{"name":"Error","message":"the error could not be described"}"#;

/// A cell's VM. Runs on one thread at a time, which may change between turns.
pub struct Vm {
    slot: Slot,
    program: Arc<Program>,
    heap_limit_bytes: usize,
    dead: Option<TurnEnd>,
    _one_thread_at_a_time: PhantomData<Cell<()>>,
}

impl fmt::Debug for Vm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vm").field("slot", &self.slot.id()).field("dead", &self.dead).finish_non_exhaustive()
    }
}

impl Vm {
    /// A fresh VM in `slot`: copy of the template, new random state, clock at zero. The limit is what the
    /// guest may allocate on top of the template.
    pub fn start(template: &Arc<Template>, mut slot: Slot, heap_limit_bytes: usize) -> Result<Vm, VmError> {
        let needed_bytes = template.image_bytes().saturating_add(heap_limit_bytes);
        let slot_bytes = slot.size_bytes();
        if needed_bytes > slot_bytes {
            return Err(VmError::SlotTooSmall { slot_bytes, needed_bytes });
        }
        let random = Xoshiro::from_system().ok_or(VmError::NoEntropy)?;
        let header = template.instantiate(slot.range_mut())?;
        // SAFETY: `instantiate` made a valid header at the base of this slot, which is ours alone.
        let header = unsafe { &mut *header };
        header.open_for_cell(slot_bytes, heap_limit_bytes);
        header.random = random;
        header.started_ns = clock::now_ns();
        let program = Arc::clone(template.program());
        Ok(Vm { slot, program, heap_limit_bytes, dead: None, _one_thread_at_a_time: PhantomData })
    }

    /// Runs one turn on the calling thread: the work, then jobs until none is left.
    pub fn turn(&mut self, work: Work<'_>, host: &mut dyn TurnHost, stop: &StopHandle) -> TurnEnd {
        if let Some(end) = &self.dead {
            return end.clone();
        }
        // Everything owned is prepared here, before the guard (invariant 7).
        let prepared = Prepared::new(work);
        let mut call = TurnCall {
            header: self.slot.base() as *mut Header,
            work: prepared.raw(),
            stack_bytes: 0,
            end: RawEnd::None,
        };
        let mut turn = Turn::new(self.slot.range(), stop, Some(host), self.program.lazy());
        let exit = hard_stop::as_current_turn(stop, |stack_bytes| {
            if stop.reason().is_some() {
                return Exit::Returned; // no guest code after a stop
            }
            call.stack_bytes = stack_bytes;
            // SAFETY: frame and call outlive the run; `turn_body` obeys invariant 7; after any other exit
            // only the flags outside the slot are read, and the VM is dead.
            turn.enter(|frame| unsafe {
                guard::run(frame, raw::turn_body, ptr::from_mut(&mut call).cast::<c_void>())
            })
        });
        turn.settle(self.slot.range_mut());
        let end = match exit {
            Err(_) => TurnEnd::Crashed { signal: 0 },
            Ok(exit) => self.decide(exit, &turn, call.end),
        };
        if end.is_fatal() {
            self.slot.range_mut().suspect = true;
            self.dead = Some(end.clone());
        }
        end
    }

    /// The flags decide, not what the guest reports: a swallowed interrupt or out-of-memory error changes
    /// nothing.
    fn decide(&self, exit: Exit, turn: &Turn<'_>, end: RawEnd) -> TurnEnd {
        if turn.host_panicked.get() {
            return TurnEnd::HostPanicked;
        }
        if let Some(reason) = turn.stop.reason() {
            return TurnEnd::Stopped(reason);
        }
        if turn.out_of_memory.get() {
            return TurnEnd::OutOfMemory;
        }
        match exit {
            Exit::Crash { signal } => TurnEnd::Crashed { signal },
            // A hard stop without a reason cannot be: the handler looks at the flag.
            Exit::HardStop => TurnEnd::Crashed { signal: 0 },
            Exit::Returned => match end {
                RawEnd::None => TurnEnd::Crashed { signal: 0 },
                RawEnd::Pending => TurnEnd::Pending,
                RawEnd::Fulfilled => TurnEnd::Fulfilled,
                RawEnd::Finished(text) => TurnEnd::Finished(self.copy_out(text).unwrap_or_default()),
                RawEnd::Rejected(text) => TurnEnd::Rejected(self.described(text)),
                RawEnd::Unhandled(text) => TurnEnd::UnhandledRejection(self.described(text)),
            },
        }
    }

    fn described(&self, text: RawText) -> String {
        self.copy_out(text).unwrap_or_else(|| UNDESCRIBED.to_owned())
    }

    /// Text of the slot as a string of the host; `None` if there is none.
    fn copy_out(&self, text: RawText) -> Option<String> {
        let (start, length) = text.span();
        let offset = start.checked_sub(self.slot.base())?;
        let bytes = self.slot.range().bytes(usize::MAX).get(offset..offset.checked_add(length)?)?;
        Some(host_text(bytes).into_owned())
    }

    /// Bytes the cell has allocated above the template.
    pub fn heap_used_bytes(&self) -> usize {
        if self.dead.is_some() {
            return 0;
        }
        // SAFETY: a live VM has a valid header at the base of its slot, and no turn runs now.
        let header = unsafe { &*(self.slot.base() as *const Header) };
        header.live.saturating_sub(header.template_live)
    }

    /// Bytes the cell may allocate above the template.
    pub fn heap_limit_bytes(&self) -> usize {
        self.heap_limit_bytes
    }

    /// Puts the VM away: its state becomes a compressed image, its memory goes back to the system, its
    /// address range is kept. Fails for a dead VM.
    pub fn park(self, template: &Template) -> Result<Parked, VmError> {
        self.park_within(template, usize::MAX)
    }

    /// As [`park`](Self::park). An image that turns out larger than `max_image_bytes` may be given up while
    /// it is made ([`VmError::ImageTooLarge`]), which spares the time for a large heap; a small one is made
    /// whole, and its size is for the caller to judge.
    pub fn park_within(self, template: &Template, max_image_bytes: usize) -> Result<Parked, VmError> {
        if self.dead.is_some() {
            return Err(VmError::Dead);
        }
        Parked::capture(self.slot, self.heap_limit_bytes, template, max_image_bytes)
    }

    /// A VM whose state was just restored in `slot`.
    pub(crate) fn restored(slot: Slot, heap_limit_bytes: usize, template: &Template) -> Vm {
        let program = Arc::clone(template.program());
        Vm { slot, program, heap_limit_bytes, dead: None, _one_thread_at_a_time: PhantomData }
    }
}

/// Owner of everything a turn's C side points to.
enum Prepared<'a> {
    Start { source: Vec<u8>, file_name: CString, first_line: i32, setup: Option<&'a str> },
    Settle(Vec<RawSettlement>),
    Finish,
}

impl<'a> Prepared<'a> {
    fn new(work: Work<'a>) -> Prepared<'a> {
        match work {
            Work::Start { source, file_name, first_line, setup } => {
                let mut text = Vec::with_capacity(source.len() + 1);
                text.extend_from_slice(source.as_bytes());
                text.push(0);
                // A name that C cannot hold loses its end, nothing else.
                let name = file_name.split('\0').next().unwrap_or_default();
                Prepared::Start {
                    source: text,
                    file_name: CString::new(name).unwrap_or_default(),
                    first_line,
                    setup,
                }
            }
            Work::Settle(items) => Prepared::Settle(
                items
                    .iter()
                    .map(|item| RawSettlement {
                        id: item.id,
                        kind: item.kind,
                        text: item.text.as_ptr(),
                        text_bytes: item.text.len(),
                    })
                    .collect(),
            ),
            Work::Finish => Prepared::Finish,
        }
    }

    fn raw(&self) -> RawWork {
        match self {
            Prepared::Start { source, file_name, first_line, setup } => RawWork::Start {
                script: RawScript {
                    name: file_name.as_ptr(),
                    source: source.as_ptr(),
                    source_bytes: source.len() - 1,
                    first_line: *first_line,
                },
                setup: setup.map(|text| (text.as_ptr(), text.len())),
            },
            Prepared::Settle(items) => RawWork::Settle { items: items.as_ptr(), count: items.len() },
            Prepared::Finish => RawWork::Finish,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::HEADER_BYTES;
    use crate::pool::{PoolOptions, SlotPool};
    use crate::template::PreludeScript;

    struct Silent;

    impl TurnHost for Silent {
        fn emit(&mut self, _: i32, _: &str) -> bool {
            true
        }

        fn fetch(&mut self, _: i32, _: &str) -> Option<String> {
            None
        }
    }

    /// Invariant 6, looked at from outside the guest.
    #[test]
    fn a_warm_slot_is_zero_above_the_template_and_the_template_below() {
        let source = "(host, shared) => { shared.controller = { begin() {}, settle() {}, finish: String, describe: String } }";
        let template = Template::build(&[PreludeScript { name: "p", source }]).expect("template");
        let pool = SlotPool::new(PoolOptions { max_warm_slots: 1 });
        let limit = 32 << 20;
        // Small enough to stay warm, and large enough to be given back.
        for strings in [3_000, 100_000] {
            let mut vm = Vm::start(&template, pool.checkout(limit).expect("slot"), limit).expect("start");
            let base = vm.slot.base();
            let source = format!(
                "() => {{ globalThis.keep = Array.from({{ length: {strings} }}, (_, i) => 'secret' + i) }}"
            );
            let work = Work::Start { source: &source, file_name: "cell.js", first_line: 1, setup: None };
            assert_eq!(vm.turn(work, &mut Silent, &StopHandle::new()), TurnEnd::Fulfilled);
            drop(vm);

            let slot = pool.checkout(limit).expect("slot");
            assert_eq!(slot.base(), base, "the slot was kept");
            let used = template.image_bytes();
            assert!(slot.range().bytes(usize::MAX).iter().skip(used).all(|byte| *byte == 0));
            let vm = Vm::start(&template, slot, limit).expect("start");
            let mut image = Vec::new();
            template.image_at(base, &mut image);
            let bytes = vm.slot.range().bytes(usize::MAX);
            assert_eq!(bytes[HEADER_BYTES..used], image[HEADER_BYTES..], "{strings} strings");
            assert!(bytes[used..].iter().all(|byte| *byte == 0));
        }
    }
}
