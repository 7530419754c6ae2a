//! Memory of the process: one test, so that nothing else runs beside it.
#![cfg(target_os = "linux")]

mod common;

use code_mode_vm::{StopHandle, TurnEnd};
use common::{Cell, Host, MIB, TEMPLATE, finished, process_status};

#[test]
fn memory_goes_back_to_the_system() {
    twenty_thousand_cells_keep_memory_flat();
    parked_memory_is_given_back();
}

fn twenty_thousand_cells_keep_memory_flat() {
    let one = |index: usize| {
        let mut cell = Cell::new(4 * MIB);
        let body = match index % 5 {
            0 => "return 1 + 1",
            1 => "const a = []; for (let i = 0; i < 3000; i++) a.push({ i }); return await call(1)",
            2 => "await call(1); throw new Error('x')",
            3 => "new Uint8Array(2 ** 30)",
            _ => "crash()",
        };
        let end = cell.start(body);
        if index.is_multiple_of(7) && end == TurnEnd::Pending {
            cell = cell.park_and_resume(&TEMPLATE);
        }
        cell.drive(end);
    };
    (0..2000).for_each(one);
    let before = process_status("VmRSS");
    (0..20_000).for_each(one);
    let grown = process_status("VmRSS").saturating_sub(before);
    assert!(grown < 4 * MIB, "{grown} bytes");
}

fn parked_memory_is_given_back() {
    let body = "globalThis.keep = []; for (let i = 0; i < 20000; i++) keep.push({ i, s: 'x' + i }); await call(0); return keep.length";
    let mut parked = Vec::new();
    let mut images = 0;
    let before = process_status("VmRSS");
    for _ in 0..40 {
        let mut cell = Cell::new(64 * MIB);
        cell.start(body);
        let image = cell.vm.park(&TEMPLATE).expect("park");
        images += image.image_bytes();
        parked.push(image);
    }
    let grown = process_status("VmRSS").saturating_sub(before);
    assert!(grown < images + 24 * MIB, "{grown} bytes for images of {images}");
    for image in parked {
        let mut cell = Cell {
            vm: image.resume(&TEMPLATE).expect("resume"),
            host: Host::default(),
            stop: StopHandle::new(),
        };
        let end = cell.settle(1, "0");
        assert_eq!(cell.drive(end), finished("20000"));
    }
}

#[test]
fn an_image_over_its_size_is_given_up_or_made_whole_when_small() {
    let fill = |megabytes: usize| {
        format!(
            "const keep = new Float64Array({}); for (let i = 0; i < keep.length; i++) keep[i] = Math.random(); await call(1); return keep.length",
            megabytes << 17
        )
    };
    let mut large = Cell::new(64 * MIB);
    assert_eq!(large.start(&fill(16)), TurnEnd::Pending);
    let refused = large.vm.park_within(&TEMPLATE, MIB).expect_err("too large");
    assert_eq!(refused.to_string(), format!("VM image is larger than {MIB} bytes"));
    let mut small = Cell::new(64 * MIB);
    assert_eq!(small.start(&fill(2)), TurnEnd::Pending);
    assert!(small.vm.park_within(&TEMPLATE, 1000).expect("whole").image_bytes() > MIB);
}
