//! What a cell costs. `cargo bench -p code-mode-vm`; figures are medians of one machine, for comparison.
#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use code_mode_vm::{PoolOptions, PreludeScript, SlotPool, StopHandle, Template, TurnEnd, Vm, Work};
use common::{Host, MIB, PRELUDE, TEMPLATE};

const LIMIT: usize = 64 * MIB;

fn main() {
    median("template build, small prelude", 20, || {
        black_box(Template::build(&[PRELUDE]).expect("template"));
    });
    let filler = large_prelude();
    let large = PreludeScript { name: "large.js", source: &filler };
    median(&format!("template build, {} KB more", filler.len() >> 10), 20, || {
        black_box(Template::build(&[large, PRELUDE]).expect("template"));
    });
    let with_large = Template::build(&[large, PRELUDE]).expect("template");
    println!("template image: {} / {} bytes", TEMPLATE.image_bytes(), with_large.image_bytes());

    let pool = SlotPool::new(PoolOptions { max_warm_slots: 4 });
    for (name, template) in [("small", &*TEMPLATE), ("large", &with_large)] {
        median(&format!("start, {name} prelude"), 2000, || {
            black_box(Vm::start(template, pool.checkout(LIMIT).expect("slot"), LIMIT).expect("start"));
        });
        median(&format!("start + `return 1+1` + drop, {name} prelude"), 2000, || {
            let mut vm = Vm::start(template, pool.checkout(LIMIT).expect("slot"), LIMIT).expect("start");
            assert_eq!(begin(&mut vm, "(async () => 1 + 1)"), TurnEnd::Fulfilled);
            let end = vm.turn(Work::Finish, &mut Host::default(), &StopHandle::new());
            assert_eq!(end, TurnEnd::Finished("2".to_owned()));
        });
        let mut vm = Vm::start(template, pool.checkout(LIMIT).expect("slot"), LIMIT).expect("start");
        begin(
            &mut vm,
            "(async () => { const r = []; for (let i = 0; i < 3; i++) r.push(await call({ i })); return r })",
        );
        let mut vm = Some(vm);
        let mut bytes = 0;
        median(&format!("park + resume, {name} prelude"), 1000, || {
            let parked = vm.take().expect("vm").park(template).expect("park");
            bytes = parked.image_bytes();
            vm = Some(parked.resume(template).expect("resume"));
        });
        println!("image: {bytes} bytes");
    }
}

fn begin(vm: &mut Vm, source: &str) -> TurnEnd {
    let work = Work::Start { source, file_name: "cell.js", first_line: 1, setup: None };
    vm.turn(work, &mut Host::default(), &StopHandle::new())
}

fn median(name: &str, rounds: usize, mut round: impl FnMut()) {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed()
        })
        .collect();
    times.sort();
    println!("{name}: {:?} (least {:?}, 90% {:?})", times[rounds / 2], times[0], times[rounds * 9 / 10]);
}

/// About 80 KB of functions, like a real prelude.
fn large_prelude() -> String {
    let mut source = "(host, shared) => {\n".to_owned();
    for i in 0..300 {
        let function = format!(
            "  globalThis.f{i} = function helper{i}(value, options) {{
    if (typeof value !== 'object' || value === null) return String(value) + ': {i}';
    const entries = Object.entries(value).filter(([key]) => key.length > {i});
    return entries.map(([key, item]) => ({{ key, item, index: {i}, nested: {{ ok: true }} }}));
  }};\n"
        );
        source.push_str(&function);
    }
    source.push('}');
    source
}
