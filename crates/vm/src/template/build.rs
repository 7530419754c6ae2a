//! Real builds of a template, in slots of their own.

use std::ffi::{CString, c_void};
use std::ptr;

use super::PreludeScript;
use super::mirror;
use super::relocate::{self, Build};
use crate::arena::{HEADER_BYTES, Header};
use crate::current::Turn;
use crate::error::VmError;
use crate::ffi::{RawText, host_text};
use crate::guard::{self, BuildClock, Exit};
use crate::hard_stop;
use crate::pool::Range;
use crate::raw::{self, BuildCall, BuildStep, RawScript};
use crate::rng::Xoshiro;
use crate::stop::StopHandle;

/// Address space and heap of a build.
const BUILD_SLOT_BYTES: usize = 256 << 20;
const BUILD_HEAP_BYTES: usize = 128 << 20;

/// The scripts, ready for C, and the instant all builds take for now.
#[derive(Debug)]
pub(super) struct Program {
    scripts: Vec<OwnedScript>,
    crash_hook: bool,
    seed: u64,
}

#[derive(Debug)]
struct OwnedScript {
    name: CString,
    /// With a NUL at the end.
    source: Vec<u8>,
}

impl Program {
    pub(super) fn new(scripts: &[PreludeScript<'_>], crash_hook: bool) -> Result<Program, VmError> {
        let seed = Xoshiro::from_system().ok_or(VmError::NoEntropy)?.next_u64();
        let scripts = scripts.iter().map(OwnedScript::new).collect::<Result<_, _>>()?;
        Ok(Program { scripts, crash_hook, seed })
    }

    /// Random per program.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Microseconds since 1970, random, never 0: QuickJS takes its hash seed from the clock.
    fn instant(&self) -> i64 {
        i64::try_from(self.seed >> 13).unwrap_or(0) | 1
    }
}

impl OwnedScript {
    fn new(script: &PreludeScript<'_>) -> Result<OwnedScript, VmError> {
        let name = CString::new(script.name).map_err(|_| VmError::Prelude {
            name: script.name.to_owned(),
            message: "its name contains a NUL character".to_owned(),
        })?;
        let mut source = Vec::with_capacity(script.source.len() + 1);
        source.extend_from_slice(script.source.as_bytes());
        source.push(0);
        Ok(OwnedScript { name, source })
    }

    fn raw(&self) -> RawScript {
        RawScript {
            name: self.name.as_ptr(),
            source: self.source.as_ptr(),
            source_bytes: self.source.len() - 1,
            first_line: 1,
        }
    }
}

/// The first build, and the addresses in it if two further builds tell them for sure.
pub(super) fn build_and_compare(
    program: &Program,
    compare: bool,
) -> Result<(Build, Option<Vec<u32>>), VmError> {
    // All ranges live until the end, so that no two builds share a base.
    let mut first_range = Range::reserve(BUILD_SLOT_BYTES)?;
    let (first, known) = build_and_read(program, &mut first_range)?;
    if !compare || !known {
        return Ok((first, None));
    }
    let mut second_range = Range::reserve(BUILD_SLOT_BYTES)?;
    let (second, known_second) = build_and_read(program, &mut second_range)?;
    let mut third_range = Range::reserve(BUILD_SLOT_BYTES)?;
    let (third, known_third) = build_and_read(program, &mut third_range)?;
    if !known_second || !known_third {
        return Ok((first, None));
    }
    let found = relocate::find_addresses(&first, &second);
    let checked = found.and_then(|addresses| relocate::check(&first, &addresses, &third).map(|()| addresses));
    Ok((first, checked.ok()))
}

/// The build, and whether its private structs were what the mirror expects.
fn build_and_read(program: &Program, range: &mut Range) -> Result<(Build, bool), VmError> {
    let used = build_in(program, range)?;
    let header = range.base as *mut Header;
    // SAFETY: the build in this slot just finished, and `range` is this function's alone.
    let hashed = unsafe { mirror::prepare(header, range.base, used) };
    let known = hashed.is_ok();
    let (chunks, _) = range.bytes(used).as_chunks::<8>();
    let words = chunks.iter().map(|chunk| u64::from_ne_bytes(*chunk)).collect();
    Ok((Build { base: range.base, words, hashed: hashed.unwrap_or_default() }, known))
}

/// Builds a VM in `range`, which is zero where it is committed. Returns the bytes it takes.
pub(super) fn build_in(program: &Program, range: &mut Range) -> Result<usize, VmError> {
    range.commit(HEADER_BYTES)?;
    range.dirty = range.dirty.max(HEADER_BYTES);
    let heap = BUILD_HEAP_BYTES.min(range.size);
    // SAFETY: the first bytes are committed, and `range` is ours alone.
    let header = unsafe { Header::init(range.base, range.size, heap) };
    let scripts: Vec<RawScript> = program.scripts.iter().map(OwnedScript::raw).collect();
    let mut call = BuildCall {
        header,
        scripts: scripts.as_ptr(),
        script_count: scripts.len(),
        crash_hook: program.crash_hook,
        stack_bytes: 0,
        failed: BuildStep::Runtime,
        failed_script: 0,
        error: RawText::NONE,
    };
    let exit = run_build(program, range, &mut call)?;
    if exit != Exit::Returned {
        range.suspect = true;
        return Err(VmError::Setup("QuickJS crashed while the template was built"));
    }
    if call.failed != BuildStep::Done {
        return Err(build_error(program, &call));
    }
    // SAFETY: the header was initialised above and the build has returned.
    let header = unsafe { &*header };
    if header.out_of_memory {
        return Err(VmError::Setup("the prelude needs too much memory"));
    }
    Ok(header.used())
}

fn run_build(program: &Program, range: &mut Range, call: &mut BuildCall) -> Result<Exit, VmError> {
    let stop = StopHandle::new();
    let mut turn = Turn::new(range, &stop, None);
    let exit = hard_stop::as_current_turn(&stop, |stack_bytes| {
        call.stack_bytes = stack_bytes;
        let _clock = BuildClock::stop_at(program.instant());
        // SAFETY: frame and call outlive the run; `build_body` obeys invariant 7, and after any other exit
        // nothing in the slot is used.
        turn.enter(|frame| unsafe {
            guard::run(frame, raw::build_body, ptr::from_mut(call).cast::<c_void>())
        })
    });
    turn.settle(range);
    exit
}

fn build_error(program: &Program, call: &BuildCall) -> VmError {
    match call.failed {
        BuildStep::Script => {
            let name = program.scripts.get(call.failed_script).map(|script| script.name.to_string_lossy());
            // SAFETY: the text lies in the slot of the build, which is not gone yet.
            let message = host_text(unsafe { call.error.bytes() }).into_owned();
            VmError::Prelude { name: name.unwrap_or_default().into_owned(), message }
        }
        BuildStep::Controller => VmError::Prelude {
            name: "shared.controller".to_owned(),
            message: "it must be an object with the methods begin, settle, finish and describe".to_owned(),
        },
        BuildStep::Classes => VmError::Setup("unknown class ids"),
        BuildStep::Context => VmError::Setup("no context"),
        BuildStep::Runtime | BuildStep::Done => VmError::Setup("no runtime"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::relocate::Mismatch;

    /// Shows where builds differ when relocation stops working: run with `--nocapture`.
    #[test]
    fn builds_agree_word_for_word() {
        let source = "(host, shared) => { shared.controller = { begin() {}, settle() {}, finish: String, describe: String };
            const m = new Map([['a', 1], ['b', {}]]); const k = {}; const w = new WeakMap([[k, m]]); const s = new Set([k, m, w]);
            shared.keep = class A { #p = [k, s]; static q = /a+/g; get r() { return this.#p } };
            globalThis.keep = shared.keep; for (let i = 0; i < 200; i++) m.set({ i }, [i]); }";
        let program = Program::new(&[PreludeScript { name: "p", source }], false).expect("program");
        let mut ranges: Vec<_> = (0..3).map(|_| Range::reserve(BUILD_SLOT_BYTES).expect("slot")).collect();
        let builds: Vec<_> = ranges
            .iter_mut()
            .map(|range| {
                let used = build_in(&program, range).expect("build");
                // SAFETY: as in `build_and_read`.
                let hashed = unsafe { mirror::prepare(range.base as *mut Header, range.base, used) };
                let hashed = hashed.expect("the mirror knows this QuickJS");
                let (chunks, _) = range.bytes(used).as_chunks::<8>();
                let words = chunks.iter().map(|chunk| u64::from_ne_bytes(*chunk)).collect();
                Build { base: range.base, words, hashed }
            })
            .collect();
        let addresses = relocate::find_addresses(&builds[0], &builds[1]).expect("comparable builds");
        assert_eq!(relocate::check(&builds[0], &addresses, &builds[2]), Ok(()));
        assert!(addresses.len() > 1000);
    }

    #[test]
    fn a_word_that_is_neither_constant_nor_address_is_refused() {
        let first_word = HEADER_BYTES / 8;
        let build = |base: usize, extra: u64| {
            let mut words = vec![0; first_word];
            words.extend([1, base as u64 + 8, extra]);
            Build { base, words, hashed: mirror::AddressHashed::default() }
        };
        let (a, b) = (build(0x10_0000, 5), build(0x20_0000, 6));
        let refused = |second| Err(Mismatch::Word { offset: HEADER_BYTES + 16, first: 5, second });
        let address = u32::try_from(first_word + 1).expect("small");
        assert_eq!(relocate::find_addresses(&a, &b), refused(6).map(|()| vec![]));
        assert_eq!(relocate::find_addresses(&a, &build(0x20_0000, 5)), Ok(vec![address]));
        assert_eq!(relocate::check(&a, &[address], &build(0x30_0000, 7)), refused(7));
    }
}
