//! Real builds of a template, in slots of their own.

use std::ffi::CString;
use std::ptr;

use super::PreludeScript;
use super::mirror;
use super::relocate::{self, Build, Mismatch};
use crate::arena::{HEADER_BYTES, Header};
use crate::current::Turn;
use crate::error::VmError;
use crate::ffi::{RawText, host_text};
use crate::guard::{self, BuildClock, Exit, Frame};
use crate::hard_stop;
use crate::pool::Range;
use crate::raw::{self, BuildCall, BuildStep, CompileCall, RawCode, RawScript};
use crate::rng::Xoshiro;
use crate::stop::StopHandle;

/// Address space of a build, and the alignment of its base: addresses differ in their upper bits only.
const BUILD_SLOT_BYTES: usize = 256 << 20;
/// Heap of a build.
const BUILD_HEAP_BYTES: usize = 128 << 20;
/// As much native stack as a build may have used.
const STACK_BYTES: u64 = 8 << 20;

/// The compiled scripts, and the instant all builds take for now.
#[derive(Debug)]
pub(crate) struct Program {
    codes: Vec<Code>,
    lazy: Vec<Code>,
    crash_hook: bool,
    seed: u64,
}

/// A compiled script.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl Program {
    /// Compiles the scripts.
    pub(super) fn new(
        scripts: &[PreludeScript<'_>],
        lazy: &[PreludeScript<'_>],
        crash_hook: bool,
    ) -> Result<Program, VmError> {
        let seed = Xoshiro::from_system().ok_or(VmError::NoEntropy)?.next_u64();
        let mut program = Program { codes: Vec::new(), lazy: Vec::new(), crash_hook, seed };
        let all = [scripts, lazy].concat();
        // The first command of a process waits for this: use a second core.
        let (front, back) = all.split_at(middle(&all));
        let (front, back) = std::thread::scope(|scope| {
            let back = scope.spawn(|| program.compile_all(back));
            (program.compile_all(front), back.join().unwrap_or(Err(CRASHED)))
        });
        program.codes = front?;
        program.codes.extend(back?);
        program.lazy = program.codes.split_off(scripts.len());
        Ok(program)
    }

    /// Compiles scripts in a slot of their own.
    fn compile_all(&self, scripts: &[PreludeScript<'_>]) -> Result<Vec<Code>, VmError> {
        if scripts.is_empty() {
            return Ok(Vec::new());
        }
        let mut range = reserve(0)?;
        build_in(self, &mut range)?;
        scripts.iter().map(|script| self.compile(script, &mut range)).collect()
    }

    /// Scripts for `host.load`.
    pub(crate) fn lazy(&self) -> &[Code] {
        &self.lazy
    }

    /// Random per program.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Microseconds since 1970, random, never 0: QuickJS takes its hash seed from the clock.
    fn instant(&self) -> i64 {
        i64::try_from(self.seed >> 13).unwrap_or(0) | 1
    }

    fn compile(&self, script: &PreludeScript<'_>, range: &mut Range) -> Result<Code, VmError> {
        let failed =
            |message: &str| VmError::Prelude { name: script.name.to_owned(), message: message.to_owned() };
        let name = CString::new(script.name).map_err(|_| failed("its name contains a NUL character"))?;
        let mut source = Vec::with_capacity(script.source.len() + 1);
        source.extend_from_slice(script.source.as_bytes());
        source.push(0);
        let mut call = CompileCall {
            header: range.base as *mut Header,
            script: RawScript {
                name: name.as_ptr(),
                source: source.as_ptr(),
                source_bytes: script.source.len(),
                first_line: 1,
            },
            stack_bytes: 0,
            code: RawCode { bytes: ptr::null(), length: 0 },
            error: RawText::NONE,
        };
        let exit = self.run(range, |frame, stack_bytes| {
            call.stack_bytes = stack_bytes;
            // SAFETY: frame and call outlive the run; `compile_body` obeys invariant 7, and after any other
            // exit nothing in the slot is used.
            unsafe { guard::run(frame, raw::compile_body, (&raw mut call).cast()) }
        })?;
        if exit != Exit::Returned {
            return Err(CRASHED);
        }
        if call.code.bytes.is_null() {
            // SAFETY: the text lies in the slot, which is not gone yet.
            return Err(failed(&host_text(unsafe { call.error.bytes() })));
        }
        // SAFETY: `compile_body` leaves the code in the slot, and nothing has run in it since.
        let bytes = unsafe { std::slice::from_raw_parts(call.code.bytes, call.code.length) }.to_vec();
        Ok(Code { name: script.name.to_owned(), bytes })
    }

    /// Runs something in `range` behind the guard, on this program's clock.
    fn run(
        &self,
        range: &mut Range,
        inside: impl FnOnce(*mut Frame, usize) -> Exit,
    ) -> Result<Exit, VmError> {
        let stop = StopHandle::new();
        let mut turn = Turn::new(range, &stop, None, &self.lazy);
        let exit = hard_stop::as_current_turn(&stop, |stack_bytes| {
            let _clock = BuildClock::stop_at(self.instant());
            turn.enter(|frame| inside(frame, stack_bytes))
        })?;
        turn.settle(range);
        range.suspect |= exit != Exit::Returned;
        Ok(exit)
    }
}

/// Where to split scripts into two halves of about equal length.
fn middle(scripts: &[PreludeScript<'_>]) -> usize {
    let total: usize = scripts.iter().map(|script| script.source.len()).sum();
    let mut before = 0;
    let is_behind = |script: &PreludeScript<'_>| {
        before += script.source.len();
        before * 2 > total
    };
    scripts.iter().position(is_behind).map_or(scripts.len(), |index| index + 1)
}

const CRASHED: VmError = VmError::Setup("QuickJS crashed while the template was built");

/// A first build, and the addresses in it if two further builds tell them for sure.
pub(super) fn build_and_compare(program: &Program) -> Result<(Build, Result<Vec<u32>, Mismatch>), VmError> {
    // All ranges live until the end, so that no two builds share a base.
    let mut first = reserve(0)?;
    let Some(mut second) = reserve_unlike(&[first.base])? else {
        return Ok((build_and_read(program, &mut first)?, Err(Mismatch::Bases)));
    };
    let Some(mut third) = reserve_unlike(&[first.base, second.base])? else {
        return Ok((build_and_read(program, &mut first)?, Err(Mismatch::Bases)));
    };
    // The first command of a process waits for this: use a second core.
    let (first, second, third) = std::thread::scope(|scope| {
        let other = scope.spawn(|| build_and_read(program, &mut second));
        let first = build_and_read(program, &mut first)?;
        let third = build_and_read(program, &mut third)?;
        Ok::<_, VmError>((first, other.join().unwrap_or(Err(CRASHED))?, third))
    })?;
    let found = relocate::find_addresses(&first, &second);
    let checked = found.and_then(|addresses| relocate::check(&first, &addresses, &third).map(|()| addresses));
    Ok((first, checked))
}

/// A single build, for templates that are not to be relocated.
pub(super) fn build_once(program: &Program) -> Result<Build, VmError> {
    build_and_read(program, &mut reserve(0)?)
}

fn reserve(hint: usize) -> Result<Range, VmError> {
    Range::reserve_near(BUILD_SLOT_BYTES, BUILD_SLOT_BYTES, hint)
}

/// A range whose base differs from each of `others` in both its halves. Blocks are reused without being
/// wiped, so a 32-bit value may lie beside half of an old address; if bases had a half in common, the two
/// together could look like an address in every build.
fn reserve_unlike(others: &[usize]) -> Result<Option<Range>, VmError> {
    const FAR: usize = (4 << 30) + BUILD_SLOT_BYTES;
    let unlike = |base: usize| others.iter().all(|&other| are_unlike(base as u64, other as u64));
    for step in 1..=16 {
        let range = reserve(others[0].saturating_sub(step * FAR))?;
        if unlike(range.base) {
            return Ok(Some(range));
        }
    }
    Ok(None)
}

fn are_unlike(a: u64, b: u64) -> bool {
    let difference = a ^ b;
    difference >> 32 != 0 && difference & 0xffff_ffff != 0
}

/// Builds, wipes dead memory and reads the words out.
fn build_and_read(program: &Program, range: &mut Range) -> Result<Build, VmError> {
    let here = 0u8;
    let top = &raw const here as u64;
    let used = build_in(program, range)?;
    let header = range.base as *mut Header;
    // SAFETY: the build in this slot just finished, and `range` is this function's alone.
    let hashed = unsafe { mirror::prepare(header, range.base, used) };
    let (chunks, _) = range.bytes(used).as_chunks::<8>();
    let words = chunks.iter().map(|chunk| u64::from_ne_bytes(*chunk)).collect();
    Ok(Build {
        base: range.base,
        align: BUILD_SLOT_BYTES,
        words,
        stack: top.saturating_sub(STACK_BYTES)..top,
        hashed,
    })
}

/// Builds a VM in `range`, which is zero where it is committed. Returns the bytes it takes.
pub(super) fn build_in(program: &Program, range: &mut Range) -> Result<usize, VmError> {
    range.commit(HEADER_BYTES)?;
    range.dirty = range.dirty.max(HEADER_BYTES);
    let heap = BUILD_HEAP_BYTES.min(range.size);
    // SAFETY: the first bytes are committed, and `range` is ours alone.
    let header = unsafe { Header::init(range.base, range.size, heap) };
    let codes: Vec<RawCode> = program
        .codes
        .iter()
        .map(|code| RawCode { bytes: code.bytes.as_ptr(), length: code.bytes.len() })
        .collect();
    let mut call = BuildCall {
        header,
        codes: codes.as_ptr(),
        code_count: codes.len(),
        crash_hook: program.crash_hook,
        stack_bytes: 0,
        failed: BuildStep::Runtime,
        failed_code: 0,
        error: RawText::NONE,
    };
    let exit = program.run(range, |frame, stack_bytes| {
        call.stack_bytes = stack_bytes;
        // SAFETY: frame and call outlive the run; `build_body` obeys invariant 7, and after any other exit
        // nothing in the slot is used.
        unsafe { guard::run(frame, raw::build_body, (&raw mut call).cast()) }
    })?;
    if exit != Exit::Returned {
        return Err(CRASHED);
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

fn build_error(program: &Program, call: &BuildCall) -> VmError {
    match call.failed {
        BuildStep::Script => {
            let name = program.codes.get(call.failed_code).map(|code| code.name.clone());
            // SAFETY: the text lies in the slot of the build, which is not gone yet.
            let message = host_text(unsafe { call.error.bytes() }).into_owned();
            VmError::Prelude { name: name.unwrap_or_default(), message }
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

    #[test]
    fn builds_agree_word_for_word() {
        let source = "(host, shared) => { shared.controller = { begin() {}, settle() {}, finish: String, describe: String };
            const m = new Map([['a', 1], ['b', {}]]); const k = {}; const w = new WeakMap([[k, m]]); const s = new Set([k, m, w]);
            shared.keep = class A { #p = [k, s]; static q = /a+/g; get r() { return this.#p } };
            globalThis.keep = shared.keep; for (let i = 0; i < 200; i++) m.set({ i }, [i]); }";
        let program = Program::new(&[PreludeScript { name: "p", source }], &[], false).expect("program");
        let (_, addresses) = build_and_compare(&program).expect("builds");
        let addresses = addresses.expect("comparable builds");
        assert!(addresses.len() > 1000);
    }

    #[test]
    fn a_word_that_is_neither_constant_nor_address_is_refused() {
        let first_word = HEADER_BYTES / 8;
        let build = |base: usize, extra: u64| {
            let mut words = vec![0; first_word];
            words.extend([1, base as u64 + 8, extra]);
            Build { base, align: 1 << 20, words, stack: 0..0, hashed: Ok(mirror::AddressHashed::default()) }
        };
        let (a, b) = (build(0x10_0000, 5), build(0x20_0000, 6));
        let refused = |second| Err(Mismatch::Word { offset: HEADER_BYTES + 16, first: 5, second });
        let address = u32::try_from(first_word + 1).expect("small");
        assert_eq!(relocate::find_addresses(&a, &b), refused(6).map(|()| vec![]));
        assert_eq!(relocate::find_addresses(&a, &build(0x20_0000, 5)), Ok(vec![address]));
        assert_eq!(relocate::check(&a, &[address], &build(0x30_0000, 7)), refused(7));
    }
}
