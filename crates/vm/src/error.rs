//! Every way this crate refuses. What a guest does is never a [`VmError`]: that is a
//! [`TurnEnd`](crate::TurnEnd).

use std::fmt;

/// Why the crate could not do what was asked. No variant leaves a half-made VM behind: whatever was
/// passed in by value is released, and its slot has gone back to the pool (or to the system).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum VmError {
    /// The system refused address space or memory for a slot. Nothing was reserved.
    OutOfAddressSpace {
        /// Bytes asked for.
        bytes: usize,
    },
    /// The heap limit is larger than a slot can be. Nothing was reserved.
    HeapLimitTooLarge {
        /// The limit asked for, in bytes.
        limit_bytes: usize,
    },
    /// The slot is of a smaller size class than the heap limit needs. The slot went back to the pool.
    SlotTooSmall {
        /// Bytes the slot has for a VM.
        slot_bytes: usize,
        /// Bytes the VM needs.
        needed_bytes: usize,
    },
    /// A prelude script threw, or left no usable `shared.controller`. No template exists.
    Prelude {
        /// Name of the script, or of the part that is missing.
        name: String,
        /// What went wrong, with the frames of the exception.
        message: String,
    },
    /// QuickJS could not be set up in a slot. The slot went back to the pool.
    Setup(&'static str),
    /// The bytes are no image of this crate (magic). The slot went back to the pool.
    NotAnImage,
    /// The image was written by another version of the format. The slot went back to the pool.
    ImageVersion {
        /// Version in the image.
        found: u32,
        /// Version this crate reads.
        expected: u32,
    },
    /// The image belongs to another template. The slot went back to the pool.
    ImageTemplate,
    /// The image belongs to another slot: it holds absolute addresses. The slot went back to the pool.
    ImageSlot,
    /// The image is damaged (length or checksum). The slot went back to the pool.
    ImageDamaged,
    /// The image would be larger than allowed; it was not finished. The slot went back to the pool.
    ImageTooLarge {
        /// The largest size allowed, in bytes.
        max_bytes: usize,
    },
    /// The VM is dead (it was stopped, crashed or ran out of memory), so there is nothing to keep.
    Dead,
    /// A thread could not be prepared for guest code.
    Thread(&'static str),
    /// The operating system gave no random bytes, so no cell may start.
    NoEntropy,
}

impl fmt::Display for VmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfAddressSpace { bytes } => {
                write!(f, "cannot reserve {bytes} bytes of address space for a VM slot")
            }
            Self::HeapLimitTooLarge { limit_bytes } => {
                write!(f, "heap limit of {limit_bytes} bytes is larger than a VM slot can be")
            }
            Self::SlotTooSmall { slot_bytes, needed_bytes } => {
                write!(f, "VM slot of {slot_bytes} bytes is too small: {needed_bytes} bytes are needed")
            }
            Self::Prelude { name, message } => write!(f, "prelude {name} failed: {message}"),
            Self::Setup(what) => write!(f, "cannot set up a VM: {what}"),
            Self::NotAnImage => f.write_str("not a VM image"),
            Self::ImageVersion { found, expected } => {
                write!(f, "VM image has format version {found}, this build reads version {expected}")
            }
            Self::ImageTemplate => f.write_str("VM image belongs to another template"),
            Self::ImageSlot => f.write_str("VM image belongs to another slot"),
            Self::ImageDamaged => f.write_str("VM image is damaged"),
            Self::ImageTooLarge { max_bytes } => write!(f, "VM image is larger than {max_bytes} bytes"),
            Self::Dead => f.write_str("VM has ended"),
            Self::Thread(what) => write!(f, "cannot prepare the thread for guest code: {what}"),
            Self::NoEntropy => f.write_str("the operating system gave no random bytes"),
        }
    }
}

impl std::error::Error for VmError {}
