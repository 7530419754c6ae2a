//! Parked VMs: a slot's bytes as a compressed difference to its template.
//!
//! ```text
//!  ┌────────────┬──────────────────────────────────────────────────────────┐
//!  │ fixed head │ zstd( block map, then the 64-byte blocks that differ )    │
//!  └────────────┴──────────────────────────────────────────────────────────┘
//!   magic, version, template, slot, base, used, limit, raw length, checksum
//! ```
//!
//! Invariant 2: an image holds absolute addresses. It is valid in this process, in the slot it was taken
//! from and under its template only; the head says which, and all of it is checked before a byte is
//! written. Invariant 4: an image and its slot travel together, so nobody else can be in the slot.

use std::cell::RefCell;
use std::fmt;

use crate::arena::{HEADER_BYTES, Header};
use crate::error::VmError;
use crate::pool::Slot;
use crate::template::Template;
use crate::vm::Vm;

const MAGIC: [u8; 8] = *b"cm-image";
const VERSION: u32 = 1;
const BLOCK: usize = 64;
const LEVEL: i32 = 1;
const HEAD_BYTES: usize = 8 + 4 + 4 + 7 * 8;

/// A VM put away: image and slot. The slot's memory is given back, its address range kept; both go when
/// this is dropped.
pub struct Parked {
    slot: Slot,
    image: Vec<u8>,
}

impl fmt::Debug for Parked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parked")
            .field("slot", &self.slot.id())
            .field("image_bytes", &self.image.len())
            .finish()
    }
}

impl Parked {
    /// Bytes the image takes.
    pub fn image_bytes(&self) -> usize {
        self.image.len()
    }

    /// Makes it a VM again, on any thread. If the image is refused, the slot goes back to its pool.
    pub fn resume(self, template: &Template) -> Result<Vm, VmError> {
        let Parked { mut slot, image } = self;
        let head = Head::read(&image)?;
        head.check(&slot, template)?;
        let heap_limit_bytes = head.heap_limit;
        restore(&mut slot, &head, &image[HEAD_BYTES..], template)?;
        Ok(Vm::restored(slot, heap_limit_bytes, template))
    }

    /// Image and slot apart, for tests that damage or mix them up.
    pub fn into_parts(self) -> (Slot, Vec<u8>) {
        (self.slot, self.image)
    }

    /// The reverse of [`into_parts`](Self::into_parts). Any bytes are safe: `resume` checks them.
    pub fn from_parts(slot: Slot, image: Vec<u8>) -> Parked {
        Parked { slot, image }
    }

    /// Reads a live VM's state out of its slot and gives the memory back.
    pub(crate) fn capture(
        mut slot: Slot,
        heap_limit: usize,
        template: &Template,
        max_image_bytes: usize,
    ) -> Result<Parked, VmError> {
        let range = slot.range();
        // SAFETY: the caller has a live VM, so there is a valid header, and no turn runs now.
        let used = unsafe { &*(range.base as *const Header) }.used();
        let bytes = range.bytes(used);
        if bytes.len() != used || !used.is_multiple_of(BLOCK) {
            return Err(VmError::Setup("the heap's bounds are wrong"));
        }
        let (mut image, raw_length) = SCRATCH.with_borrow_mut(|scratch| {
            template.image_at(range.base, &mut scratch.template);
            encode_difference(bytes, &scratch.template, &mut scratch.difference);
            let image = scratch.compress_behind_head(max_image_bytes);
            let raw_length = scratch.difference.len();
            scratch.shrink();
            Ok::<_, VmError>((image?, raw_length))
        })?;
        let head = Head {
            template: template.fingerprint(),
            slot: slot.id(),
            base: range.base,
            used,
            heap_limit,
            raw_length,
            payload_length: image.len() - HEAD_BYTES,
        };
        head.write(&mut image);
        if !slot.range_mut().decommit() {
            return Err(VmError::Setup("the slot's memory cannot be given back"));
        }
        Ok(Parked { slot, image })
    }
}

struct Head {
    template: u64,
    slot: u64,
    base: usize,
    used: usize,
    heap_limit: usize,
    raw_length: usize,
    payload_length: usize,
}

impl Head {
    /// Fills the head of `image`; the payload is already behind it.
    fn write(&self, image: &mut [u8]) {
        let numbers = [
            self.template,
            self.slot,
            self.base as u64,
            self.used as u64,
            self.heap_limit as u64,
            self.raw_length as u64,
            self.payload_length as u64,
        ];
        image[..8].copy_from_slice(&MAGIC);
        image[8..12].copy_from_slice(&VERSION.to_le_bytes());
        for (place, number) in image[16..HEAD_BYTES].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = checksum(image);
        image[12..16].copy_from_slice(&sum.to_le_bytes());
    }

    /// Reads and checks what can be checked without slot and template.
    fn read(image: &[u8]) -> Result<Head, VmError> {
        if image.get(..8) != Some(MAGIC.as_slice()) {
            return Err(VmError::NotAnImage);
        }
        let four =
            |at: usize| image.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let found = four(8).ok_or(VmError::ImageDamaged)?;
        if found != VERSION {
            return Err(VmError::ImageVersion { found, expected: VERSION });
        }
        if image.len() < HEAD_BYTES || four(12) != Some(checksum(image)) {
            return Err(VmError::ImageDamaged);
        }
        let mut numbers = [0u64; 7];
        for (number, bytes) in numbers.iter_mut().zip(image[16..HEAD_BYTES].as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        let size = |index: usize| usize::try_from(numbers[index]).map_err(|_| VmError::ImageDamaged);
        let head = Head {
            template: numbers[0],
            slot: numbers[1],
            base: size(2)?,
            used: size(3)?,
            heap_limit: size(4)?,
            raw_length: size(5)?,
            payload_length: size(6)?,
        };
        if head.payload_length != image.len() - HEAD_BYTES {
            return Err(VmError::ImageDamaged);
        }
        Ok(head)
    }

    fn check(&self, slot: &Slot, template: &Template) -> Result<(), VmError> {
        if self.template != template.fingerprint() {
            return Err(VmError::ImageTemplate);
        }
        if self.slot != slot.id() || self.base != slot.base() {
            return Err(VmError::ImageSlot);
        }
        let longest = map_bytes(self.used) + self.used;
        let sound = (HEADER_BYTES..=slot.size_bytes()).contains(&self.used)
            && self.used.is_multiple_of(BLOCK)
            && self.raw_length <= longest;
        if sound { Ok(()) } else { Err(VmError::ImageDamaged) }
    }
}

/// Over everything but the checksum itself.
fn checksum(image: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&image[..12.min(image.len())]);
    hasher.update(image.get(16..).unwrap_or_default());
    hasher.finalize()
}

fn restore(slot: &mut Slot, head: &Head, payload: &[u8], template: &Template) -> Result<(), VmError> {
    let range = slot.range_mut();
    let dirty = range.dirty;
    range.zero(0, dirty);
    range.commit_to_fill(head.used)?;
    range.dirty = head.used;
    let base = range.base;
    let target = range.bytes_mut(head.used);
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.decompress(payload, head.raw_length)?;
        template.image_at(base, &mut scratch.template);
        decode_difference(&scratch.difference, &scratch.template, target)?;
        scratch.shrink();
        Ok::<_, VmError>(())
    })?;
    range.template = template.image_bytes().min(head.used);
    Ok(())
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Buffers and zstd contexts that a thread reuses.
#[derive(Default)]
struct Scratch {
    template: Vec<u8>,
    difference: Vec<u8>,
    compressed: Vec<u8>,
    compressor: Option<zstd::bulk::Compressor<'static>>,
    decompressor: Option<zstd::bulk::Decompressor<'static>>,
}

/// Differences up to this are compressed whole, whatever comes out.
const WHOLE_BYTES: usize = 4 << 20;
/// Buffers of one large heap are not kept.
const KEEP_SCRATCH_BYTES: usize = 4 << 20;

impl Scratch {
    /// Room for the head, then the compressed difference; allocated to size.
    fn compress_behind_head(&mut self, max_image_bytes: usize) -> Result<Vec<u8>, VmError> {
        let broken = |_| VmError::Setup("zstd refuses");
        if self.compressor.is_none() {
            self.compressor = Some(zstd::bulk::Compressor::new(LEVEL).map_err(broken)?);
        }
        let Some(compressor) = &mut self.compressor else { return Err(VmError::Setup("zstd refuses")) };
        let bound = zstd::zstd_safe::compress_bound(self.difference.len());
        // zstd stops where its room ends, so a large heap is not compressed to its end in vain.
        let room = if self.difference.len() > WHOLE_BYTES { bound.min(max_image_bytes) } else { bound };
        if room < bound {
            self.compressed = Vec::with_capacity(room);
        } else {
            self.compressed.clear();
            self.compressed.reserve(bound);
        }
        let written = compressor.compress_to_buffer(&self.difference, &mut self.compressed);
        if room < bound && written.is_err() {
            return Err(VmError::ImageTooLarge { max_bytes: max_image_bytes });
        }
        written.map_err(broken)?;
        let mut image = Vec::with_capacity(HEAD_BYTES + self.compressed.len());
        image.resize(HEAD_BYTES, 0);
        image.extend_from_slice(&self.compressed);
        Ok(image)
    }

    fn decompress(&mut self, payload: &[u8], raw_length: usize) -> Result<(), VmError> {
        if self.decompressor.is_none() {
            let made = zstd::bulk::Decompressor::new().map_err(|_| VmError::Setup("zstd refuses"))?;
            self.decompressor = Some(made);
        }
        let Some(decompressor) = &mut self.decompressor else { return Err(VmError::Setup("zstd refuses")) };
        self.difference.clear();
        self.difference.reserve(raw_length);
        let written = decompressor.decompress_to_buffer(payload, &mut self.difference);
        if written.ok() == Some(raw_length) { Ok(()) } else { Err(VmError::ImageDamaged) }
    }

    fn shrink(&mut self) {
        for buffer in [&mut self.template, &mut self.difference, &mut self.compressed] {
            if buffer.capacity() > KEEP_SCRATCH_BYTES {
                *buffer = Vec::new();
            }
        }
    }
}

fn map_bytes(used: usize) -> usize {
    (used / BLOCK).div_ceil(8)
}

/// `out` = one bit per block (set: it differs), then the differing blocks, each xored with the template's.
/// Behind the template's end the template counts as zero.
fn encode_difference(bytes: &[u8], template: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.resize(map_bytes(bytes.len()), 0);
    let zero = [0u8; BLOCK];
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    for (index, block) in blocks.iter().enumerate() {
        let known = template.get(index * BLOCK..).and_then(<[u8]>::first_chunk::<BLOCK>).unwrap_or(&zero);
        if block != known {
            out[index / 8] |= 1 << (index % 8);
            let mut difference = *block;
            difference.iter_mut().zip(known).for_each(|(byte, known)| *byte ^= known);
            out.extend_from_slice(&difference);
        }
    }
}

/// The reverse: `target` is zero on entry.
fn decode_difference(difference: &[u8], template: &[u8], target: &mut [u8]) -> Result<(), VmError> {
    let split = difference.split_at_checked(map_bytes(target.len()));
    let Some((map, differing)) = split else { return Err(VmError::ImageDamaged) };
    let shared = template.len().min(target.len());
    target[..shared].copy_from_slice(&template[..shared]);
    let (differing, rest) = differing.as_chunks::<BLOCK>();
    let mut differing = differing.iter();
    let (blocks, _) = target.as_chunks_mut::<BLOCK>();
    for (index, block) in blocks.iter_mut().enumerate() {
        if map[index / 8] & 1 << (index % 8) != 0 {
            let Some(difference) = differing.next() else { return Err(VmError::ImageDamaged) };
            block.iter_mut().zip(difference).for_each(|(byte, difference)| *byte ^= difference);
        }
    }
    if differing.next().is_some() || !rest.is_empty() { Err(VmError::ImageDamaged) } else { Ok(()) }
}
