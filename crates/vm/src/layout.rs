//! Pure arithmetic of slots: size classes, alignment, guards. No memory is touched here.
//!
//! ```text
//!   guard    base                                              base + size    guard
//!  ┌───────┬────────┬───────────────────┬───────────────────────┬───────┐
//!  │ none  │ header │ heap, committed   │ reserved, no access   │ none  │
//!  └───────┴────────┴───────────────────┴───────────────────────┴───────┘
//!           ▲ aligned to SLOT_ALIGN      ▲ grows by COMMIT_STEP
//! ```

/// Alignment of every slot base. QuickJS picks the bucket of an object key in a Map by the low bits of its
/// address, so bases that agree in their low 22 bits keep the maps of a relocated template valid.
pub(crate) const SLOT_ALIGN: usize = 4 << 20;

/// A multiple of the page size of every system we run on.
pub(crate) const PAGE_BYTES: usize = 16 << 10;

/// Unmapped bytes before and behind a slot.
pub(crate) const GUARD_BYTES: usize = 64 << 10;

/// Memory is committed in steps of this size, below `SMALL_PAGES_BYTES`.
pub(crate) const COMMIT_STEP: usize = 64 << 10;

/// The first part of a slot uses pages of the ordinary size, the rest huge ones.
pub(crate) const SMALL_PAGES_BYTES: usize = 4 << 20;
const HUGE_STEP: usize = 2 << 20;

/// How far to commit so that `[0, used)` is usable: ever larger steps keep system calls few, and above the
/// small pages they are whole huge pages.
pub(crate) fn commit_target(committed: usize, used: usize, size: usize) -> usize {
    let wanted = used.max(committed.saturating_add(committed / 8));
    let step = if wanted > SMALL_PAGES_BYTES { HUGE_STEP } else { COMMIT_STEP };
    align_up(wanted, step).min(size)
}

/// A slot that used more than this gives all of its memory back when its cell ends.
pub(crate) const WARM_BYTES: usize = 2 << 20;

/// Largest heap limit a slot is made for.
pub(crate) const MAX_HEAP_LIMIT: usize = 4 << 30;

/// Room for the template and for the waste of the allocator.
const OVERHEAD_BYTES: usize = 6 << 20;

/// Bytes of address space for a cell with this heap limit: half as much again for fragmentation, rounded
/// up to a power of two so that few classes exist. `None` if no slot can be that large.
pub(crate) fn size_class(heap_limit_bytes: usize) -> Option<usize> {
    if heap_limit_bytes > MAX_HEAP_LIMIT {
        return None;
    }
    let wanted = heap_limit_bytes + heap_limit_bytes / 2 + OVERHEAD_BYTES;
    wanted.checked_next_power_of_two()
}

/// `value` rounded up to a multiple of `step`, a power of two.
pub(crate) fn align_up(value: usize, step: usize) -> usize {
    debug_assert!(step.is_power_of_two());
    value.saturating_add(step - 1) & !(step - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_class_holds_its_limit_with_room_to_spare(limit in 0..=MAX_HEAP_LIMIT) {
            let class = size_class(limit).expect("within the maximum");
            prop_assert!(class >= limit + OVERHEAD_BYTES);
            prop_assert!(class.is_power_of_two() && class.is_multiple_of(SLOT_ALIGN));
        }

        #[test]
        fn a_commit_covers_what_is_used(committed in 0usize..64, used in 0usize..1 << 28) {
            let (size, committed) = (256 << 20, committed * COMMIT_STEP);
            let to = commit_target(committed, used, size);
            prop_assert!(to >= used && to >= committed && to <= size && to.is_multiple_of(COMMIT_STEP));
        }

        #[test]
        fn rounding_up_is_the_least_multiple(value in 0usize..1 << 40, shift in 0u32..24) {
            let step = 1usize << shift;
            let up = align_up(value, step);
            prop_assert!(up >= value && up - value < step && up.is_multiple_of(step));
        }
    }

    #[test]
    fn limits_beyond_the_maximum_have_no_class() {
        assert_eq!(size_class(MAX_HEAP_LIMIT + 1), None);
        assert_eq!(size_class(usize::MAX), None);
    }
}
