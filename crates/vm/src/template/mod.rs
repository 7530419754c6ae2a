//! The prebuilt VM every cell starts as: built once, copied to any slot, its addresses moved.

mod build;
mod mirror;
mod relocate;

use std::sync::Arc;

use crate::arena::Header;
use crate::error::VmError;
use crate::pool::Range;

pub(crate) use build::{Code, Program};

/// A prelude script. `source` is one expression that evaluates to a function; it is called as
/// `f(host, shared)` when the template is built, in order. `shared` is one null-prototype object common to
/// all scripts; afterwards `shared.controller` must be an object with the methods `begin`, `settle`,
/// `finish` and `describe`. `host` is out of the guest's reach unless a script leaks it.
#[derive(Debug, Clone, Copy)]
pub struct PreludeScript<'a> {
    /// File name in stack frames.
    pub name: &'a str,
    /// The expression.
    pub source: &'a str,
}

/// Options of a template.
#[derive(Debug, Clone, Copy, Default)]
pub struct TemplateOptions<'a> {
    /// Scripts that are compiled with the prelude but kept out of the VM: `host.load(name)` gives the
    /// function of one, made from its bytecode. For bulky parts that most cells never touch; what is in the
    /// template is copied at every start.
    pub lazy: &'a [PreludeScript<'a>],
    /// Adds `host.crash(kind)`, for tests of what happens then. Kind 0 or none: QuickJS reads an invalid
    /// address. 1: abort. 2: the native stack overflows.
    pub crash_hook: bool,
    /// Builds each cell in its slot, as if relocation had failed its check. For tests of that path.
    pub per_slot_builds: bool,
}

const BUILD_STACK_BYTES: usize = 8 << 20;

/// A VM with the prelude evaluated, ready to be copied into slots. Any thread may use it.
#[derive(Debug)]
pub struct Template {
    /// Shared with the VMs, which load lazy scripts from it.
    program: Arc<Program>,
    /// Distinguishes templates within a process: an image only fits the one it was made against.
    fingerprint: u64,
    /// `Err`: not relocatable, and why; cells are built from the program.
    image: Result<Image, String>,
    /// Bytes of a built VM.
    used: usize,
}

#[derive(Debug)]
struct Image {
    base: usize,
    words: Vec<u64>,
    addresses: Vec<u32>,
}

impl Template {
    /// Builds a template. Its image is checked against a real build at a further base; if the check fails,
    /// cells are built in their slots one by one, which is slower (milliseconds) but never wrong.
    pub fn build(scripts: &[PreludeScript<'_>]) -> Result<Arc<Template>, VmError> {
        Self::build_with(scripts, TemplateOptions::default())
    }

    /// As [`build`](Self::build), with options.
    pub fn build_with(
        scripts: &[PreludeScript<'_>],
        options: TemplateOptions<'_>,
    ) -> Result<Arc<Template>, VmError> {
        crate::clock::now_ns(); // its origin is before every cell's start
        // On a thread of its own: the caller may be Node's, whose signal stack is none of our business.
        std::thread::scope(|scope| {
            let builder =
                std::thread::Builder::new().name("code-mode-build".to_owned()).stack_size(BUILD_STACK_BYTES);
            let built = builder.spawn_scoped(scope, || Self::build_here(scripts, options));
            let built = built.map_err(|_| VmError::Thread("it cannot be started"))?;
            built.join().unwrap_or(Err(VmError::Setup("the build panicked")))
        })
    }

    fn build_here(
        scripts: &[PreludeScript<'_>],
        options: TemplateOptions<'_>,
    ) -> Result<Arc<Template>, VmError> {
        let program = Arc::new(Program::new(scripts, options.lazy, options.crash_hook)?);
        let fingerprint = program.seed();
        let (first, addresses) = if options.per_slot_builds {
            (build::build_once(&program)?, Err("asked for".to_owned()))
        } else {
            let (first, addresses) = build::build_and_compare(&program)?;
            (first, addresses.map_err(|mismatch| mismatch.to_string()))
        };
        let used = first.words.len() * size_of::<u64>();
        let image = addresses.map(|addresses| Image { base: first.base, words: first.words, addresses });
        Ok(Arc::new(Template { program, fingerprint, image, used }))
    }

    /// Whether one image serves all slots. False only with another QuickJS than the one mirrored, or with a
    /// prelude whose state depends on addresses.
    pub fn is_relocatable(&self) -> bool {
        self.image.is_ok()
    }

    /// Why it is not relocatable, for diagnosis.
    pub fn relocation_problem(&self) -> Option<&str> {
        self.image.as_ref().err().map(String::as_str)
    }

    /// Bytes a fresh VM takes, before any cell runs in it.
    pub fn image_bytes(&self) -> usize {
        self.used
    }

    pub(crate) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Makes the slot a fresh VM, zero behind it.
    pub(crate) fn instantiate(&self, range: &mut Range) -> Result<*mut Header, VmError> {
        let Ok(image) = &self.image else { return self.build_in_place(range) };
        range.commit_to_fill(self.used)?;
        let base = range.base;
        let dirty = range.dirty;
        let target = range.bytes_mut(self.used);
        copy_words(&image.words, target);
        image.relocate(target, base);
        range.zero(self.used, dirty);
        (range.dirty, range.template) = (self.used, self.used);
        Ok(base as *mut Header)
    }

    fn build_in_place(&self, range: &mut Range) -> Result<*mut Header, VmError> {
        let dirty = range.dirty;
        range.zero(0, dirty);
        let used = build::build_in(&self.program, range)?;
        (range.dirty, range.template) = (used, 0);
        Ok(range.base as *mut Header)
    }

    /// The template as it would lie at `base`, for differences; empty if it is not relocatable.
    pub(crate) fn image_at(&self, base: usize, out: &mut Vec<u8>) {
        out.clear();
        if let Ok(image) = &self.image {
            out.resize(self.used, 0);
            copy_words(&image.words, out);
            image.relocate(out, base);
        }
    }
}

impl Image {
    fn relocate(&self, bytes: &mut [u8], to: usize) {
        let distance = (to as u64).wrapping_sub(self.base as u64);
        let (words, _) = bytes.as_chunks_mut::<8>();
        for &index in &self.addresses {
            let word = &mut words[index as usize];
            *word = u64::from_ne_bytes(*word).wrapping_add(distance).to_ne_bytes();
        }
    }
}

fn copy_words(words: &[u64], target: &mut [u8]) {
    let (chunks, _) = target.as_chunks_mut::<8>();
    for (chunk, word) in chunks.iter_mut().zip(words) {
        *chunk = word.to_ne_bytes();
    }
}
