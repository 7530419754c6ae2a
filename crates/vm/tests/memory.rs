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
