//! Slots: size classes, reuse, counts.

mod common;

use code_mode_vm::{PoolOptions, PoolStats, SlotPool, Vm, VmError};
use common::{MIB, TEMPLATE};

#[test]
fn slots_are_counted_and_reused() {
    let pool = SlotPool::new(PoolOptions { max_warm_slots: 1 });
    assert_eq!(pool.stats(), PoolStats::default());
    let (a, b) = (pool.checkout(MIB).expect("slot"), pool.checkout(MIB).expect("slot"));
    assert_ne!(a.base(), b.base());
    let bytes = a.size_bytes() + b.size_bytes();
    let expected = PoolStats { slots_reserved: 2, slots_warm: 0, slots_in_use: 2, bytes_reserved: bytes };
    assert_eq!(pool.stats(), expected);
    let (base, id) = (a.base(), a.id());
    drop(a);
    drop(b);
    let expected = PoolStats { slots_reserved: 1, slots_warm: 1, slots_in_use: 0, bytes_reserved: bytes / 2 };
    assert_eq!(pool.stats(), expected, "one is kept, one released");
    let again = pool.checkout(MIB).expect("slot");
    assert_eq!(again.base(), base);
    assert_ne!(again.id(), id, "each checkout has its own number");
}

#[test]
fn limits_beyond_the_largest_class_are_refused() {
    let pool = SlotPool::new(PoolOptions::default());
    let error = pool.checkout(usize::MAX).expect_err("too large");
    assert_eq!(error, VmError::HeapLimitTooLarge { limit_bytes: usize::MAX });
    assert_eq!(pool.checkout(1 << 30).expect("1 GiB").size_bytes(), 2 << 30);
}

#[test]
fn a_slot_of_a_smaller_class_is_refused() {
    let slot = SlotPool::new(PoolOptions::default()).checkout(MIB).expect("slot");
    let error = Vm::start(&TEMPLATE, slot, 64 * MIB).expect_err("too small");
    assert!(matches!(error, VmError::SlotTooSmall { slot_bytes: 8_388_608, .. }), "{error}");
}

#[test]
fn a_thousand_parked_cells_hold_their_ranges() {
    let pool = SlotPool::new(PoolOptions { max_warm_slots: 0 });
    let parked: Vec<_> = (0..1000)
        .map(|_| {
            let vm = Vm::start(&TEMPLATE, pool.checkout(64 * MIB).expect("slot"), 64 * MIB).expect("start");
            vm.park(&TEMPLATE).expect("park")
        })
        .collect();
    assert_eq!(pool.stats().slots_in_use, 1000);
    assert!(parked.iter().all(|parked| parked.image_bytes() < 4096));
    for parked in parked {
        parked.resume(&TEMPLATE).expect("resume");
    }
    assert_eq!(pool.stats(), PoolStats::default());
}
