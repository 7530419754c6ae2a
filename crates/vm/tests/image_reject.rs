//! Images that are not what they should be are refused, each in its own way, and never half-restored.

mod common;

use code_mode_vm::{Parked, Template, VmError};
use common::{Cell, MIB, TEMPLATE, slot};
use proptest::prelude::*;

fn image() -> Parked {
    let mut cell = Cell::new(MIB);
    cell.start("await call(1); return 5");
    cell.vm.park(&TEMPLATE).expect("park")
}

/// The refusal of an image after `damage`.
fn refusal(damage: impl FnOnce(&mut Vec<u8>)) -> VmError {
    let (slot, mut bytes) = image().into_parts();
    damage(&mut bytes);
    Parked::from_parts(slot, bytes).resume(&TEMPLATE).expect_err("a damaged image")
}

#[test]
fn an_untouched_image_is_accepted() {
    let (slot, bytes) = image().into_parts();
    assert!(Parked::from_parts(slot, bytes).resume(&TEMPLATE).is_ok());
}

#[test]
fn foreign_bytes_are_no_image() {
    assert_eq!(refusal(Vec::clear), VmError::NotAnImage);
    assert_eq!(refusal(|bytes| bytes[0] ^= 1), VmError::NotAnImage);
    assert_eq!(refusal(|bytes| *bytes = vec![0; 4096]), VmError::NotAnImage);
}

#[test]
fn another_version_is_told() {
    let error = refusal(|bytes| bytes[8] = 9);
    assert_eq!(error, VmError::ImageVersion { found: 9, expected: 1 });
    assert_eq!(error.to_string(), "VM image has format version 9, this build reads version 1");
}

#[test]
fn damage_is_told() {
    assert_eq!(refusal(|bytes| bytes.truncate(8)), VmError::ImageDamaged);
    assert_eq!(refusal(|bytes| bytes.truncate(60)), VmError::ImageDamaged);
    assert_eq!(refusal(|bytes| bytes.truncate(bytes.len() - 1)), VmError::ImageDamaged);
    assert_eq!(refusal(|bytes| bytes.push(0)), VmError::ImageDamaged);
    assert_eq!(refusal(|bytes| bytes[12] ^= 1), VmError::ImageDamaged);
    assert_eq!(refusal(|bytes| *bytes.last_mut().expect("payload") ^= 1), VmError::ImageDamaged);
}

#[test]
fn another_slot_is_refused() {
    let (_own, bytes) = image().into_parts();
    let error = Parked::from_parts(slot(MIB), bytes).resume(&TEMPLATE).expect_err("another slot");
    assert_eq!(error, VmError::ImageSlot);
}

#[test]
fn a_later_user_of_the_same_range_is_refused() {
    let (own, bytes) = image().into_parts();
    let base = own.base();
    drop(own);
    // The pool hands the same range out again: other checkout, other slot.
    let again = (0..64).map(|_| slot(MIB)).find(|slot| slot.base() == base);
    if let Some(again) = again {
        let error = Parked::from_parts(again, bytes).resume(&TEMPLATE).expect_err("a later user");
        assert_eq!(error, VmError::ImageSlot);
    }
}

#[test]
fn another_template_is_refused() {
    let other = Template::build(&[common::PRELUDE]).expect("template");
    assert_eq!(image().resume(&other).expect_err("another template"), VmError::ImageTemplate);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_flipped_bit_is_refused(position in any::<prop::sample::Index>(), bit in 0u8..8) {
        let error = refusal(|bytes| {
            let at = position.index(bytes.len());
            bytes[at] ^= 1 << bit;
        });
        let expected = matches!(error, VmError::NotAnImage | VmError::ImageVersion { .. } | VmError::ImageDamaged);
        prop_assert!(expected, "{:?}", error);
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Parked::from_parts(slot(MIB), bytes).resume(&TEMPLATE).is_err());
    }
}
