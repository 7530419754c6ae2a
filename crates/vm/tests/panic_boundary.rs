//! A panic of the host stays on the host's side of QuickJS and ends the cell.

mod common;

use code_mode_vm::TurnEnd;
use common::{Cell, MIB, finished};

fn panicking(body: &str) -> TurnEnd {
    let mut cell = Cell::new(MIB);
    cell.host.panic_at = Some("boom".to_owned());
    let end = cell.start(body);
    let end = cell.drive(end);
    if end == TurnEnd::HostPanicked {
        assert_eq!(cell.settle(1, "1"), TurnEnd::HostPanicked, "the VM is dead");
    }
    end
}

#[test]
fn a_panic_ends_the_cell_whatever_the_guest_does() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let bodies = [
        "text('boom')",
        "data('boom')",
        "try { text('boom') } catch { return 'caught' }",
        "try { data('boom') } finally { for (;;); }",
        "return { toJSON() { text('boom'); return 1 } }",
        "throw { toString() { text('boom'); return 1 } }",
    ];
    let ends: Vec<_> = bodies.iter().map(|body| panicking(body)).collect();
    std::panic::set_hook(hook);
    assert!(ends.iter().all(|end| *end == TurnEnd::HostPanicked), "{ends:?}");
    assert_eq!(panicking("text('fine'); return 1"), finished("1"));
}
