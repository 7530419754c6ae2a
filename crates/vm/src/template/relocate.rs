//! Which words of a template are addresses: found by comparing builds at unlike bases. Pure functions over
//! words, no unsafe code.
//!
//! A word is an address if it differs between two builds by exactly the distance of their bases and points
//! into its own slot. Everything else must be equal, but for the shape table, which is hashed by address
//! and is known by name (`mirror`). No other difference is accepted: then there is no relocation at all,
//! so a wrong one cannot happen silently. (QuickJS also hashes object keys of Map and Set by address, but
//! by the low bits only, in which all bases agree: see `layout::SLOT_ALIGN`.)

use std::fmt;
use std::ops::Range;

use super::mirror::AddressHashed;

/// One finished build, as words.
pub(super) struct Build {
    pub(super) base: usize,
    /// What `base` is a multiple of, and more than the build takes.
    pub(super) align: usize,
    pub(super) words: Vec<u64>,
    /// Addresses of the native stack it was made on.
    pub(super) stack: Range<u64>,
    /// `Err`: the private structs are not what the mirror expects.
    pub(super) hashed: Result<AddressHashed, &'static str>,
}

const WORD: usize = size_of::<u64>();

impl Build {
    fn points_inside(&self, word: u64) -> bool {
        let base = self.base as u64;
        word >= base && word <= base + (self.words.len() * WORD) as u64
    }
}

/// Indices of the words of `first` that are addresses. `Err` tells the first word that is neither.
pub(super) fn find_addresses(first: &Build, second: &Build) -> Result<Vec<u32>, Mismatch> {
    let hashed = same_layout(first, second)?;
    let distance = (second.base as u64).wrapping_sub(first.base as u64);
    let mut addresses = Vec::new();
    for (index, (&a, &b)) in first.words.iter().zip(&second.words).enumerate() {
        let offset = index * WORD;
        let is_address = if a == b {
            false
        } else if b.wrapping_sub(a) == distance && first.points_inside(a) {
            true
        } else if hashed.links.contains(&offset) {
            // A chain may be linked differently in each build; it only has to stay consistent.
            if a != 0 && !first.points_inside(a) || b != 0 && !second.points_inside(b) {
                return Err(Mismatch::Word { offset, first: a, second: b });
            }
            a != 0
        } else if hashed.hashes.contains(&offset) && low(a) == low(b) {
            // Stale after relocation, and harmless: a shape is looked up by the new hash, not found, and
            // made anew; it is unlinked by the stored hash, which still names its bucket.
            false
        } else if is_harmless((first, a), (second, b)) {
            false
        } else {
            return Err(Mismatch::Word { offset, first: a, second: b });
        };
        if is_address {
            addresses.push(u32::try_from(index).map_err(|_| Mismatch::Layout)?);
        }
    }
    Ok(addresses)
}

/// The places hashed by address, which must be the same in both.
fn same_layout<'a>(first: &'a Build, second: &Build) -> Result<&'a AddressHashed, Mismatch> {
    match (&first.hashed, &second.hashed) {
        (Err(what), _) | (_, Err(what)) => Err(Mismatch::Unknown(what)),
        (Ok(a), Ok(b)) if a == b && first.words.len() == second.words.len() => Ok(a),
        _ => Err(Mismatch::Layout),
    }
}

/// Differences that are no addresses, and that nothing reads as one:
/// - the native stack of the build, which a suspended function remembers until it is resumed;
/// - single bytes of an old address in a block that was reused: behind the end of shorter data, or in
///   padding. They are recognised by being exactly the bytes of the base. (QuickJS stores no truncated
///   address anywhere; look again when it is updated.)
fn is_harmless((first, a): (&Build, u64), (second, b): (&Build, u64)) -> bool {
    if first.stack.contains(&a) && second.stack.contains(&b) {
        return true;
    }
    let of_base = !(first.align as u64 - 1);
    let same_byte = |shift: u32, x: u64, y: u64, mask: u64| (x ^ y) & mask & (0xff << shift) == 0;
    (0..u64::BITS).step_by(8).all(|shift| {
        same_byte(shift, a, b, u64::MAX)
            || same_byte(shift, a, first.base as u64, of_base)
                && same_byte(shift, b, second.base as u64, of_base)
                && same_byte(shift, a, b, !of_base)
    })
}

/// The lower half of a word.
fn low(word: u64) -> u64 {
    word & 0xffff_ffff
}

/// Moves `words`, a copy of a build at `from`, to `to`.
pub(super) fn relocate(words: &mut [u64], addresses: &[u32], from: usize, to: usize) {
    let distance = (to as u64).wrapping_sub(from as u64);
    for &index in addresses {
        if let Some(word) = words.get_mut(index as usize) {
            *word = word.wrapping_add(distance);
        }
    }
}

/// Whether `first`, moved to the base of `real`, is what a build there is.
pub(super) fn check(first: &Build, addresses: &[u32], real: &Build) -> Result<(), Mismatch> {
    let hashed = same_layout(first, real)?;
    let mut moved = first.words.clone();
    relocate(&mut moved, addresses, first.base, real.base);
    for (index, (&a, &b)) in moved.iter().zip(&real.words).enumerate() {
        if a == b {
            continue;
        }
        let offset = index * WORD;
        let may_differ = hashed.links.contains(&offset)
            || hashed.hashes.contains(&offset) && low(a) == low(b)
            || is_harmless((first, first.words[index]), (real, b));
        if !may_differ {
            return Err(Mismatch::Word { offset, first: a, second: b });
        }
    }
    Ok(())
}

/// Why builds do not agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// The private structs are not what the mirror expects.
    Unknown(&'static str),
    /// No address space for builds at bases that are unlike enough.
    Bases,
    /// Not even their layout is the same.
    Layout,
    /// A word that is neither constant nor an address.
    Word { offset: usize, first: u64, second: u64 },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(what) => write!(f, "unknown QuickJS structs: {what}"),
            Self::Bases => f.write_str("no address space for builds at unlike bases"),
            Self::Layout => f.write_str("builds differ in layout"),
            Self::Word { offset, first, second } => {
                write!(f, "builds differ at offset {offset:#x}: {first:#x} and {second:#x}")
            }
        }
    }
}
