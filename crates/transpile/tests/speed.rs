//! How long preparing takes; run with `--ignored --nocapture`.

use std::time::Instant;

use code_mode_transpile::{Language, Options, prepare};

const FIVE_LINES: &str = "const files = await tools.list_files({ path: \"src\" });
const names = files.map((file) => file.name).filter((name) => name.endsWith(\".ts\"));
for (const name of names) text(`found ${name}`);
const total = names.length;
return { total, names };
";

/// Ten lines of every-day code without types; five of them make the 50-line cell.
const TEN_LINES: &str = "const hits$ = await tools.search(\"read file\", { limit: 5 });
const parts$ = [];
for (const hit of hits$) {
  const found = await tools.call(hit.id, { path: `/tmp/${hit.name}`, depth: 3 });
  if (found?.result?.details) {
    parts$.push({ id: hit.id, size: found.result.details.size ?? 0, ok: true });
  }
}
const sum$ = parts$.reduce((total, part) => total + part.size, 0);
json({ sum: sum$, parts: parts$ });
";

const TEN_TYPED_LINES: &str = "interface Part$ { id: string; size: number; ok?: boolean }
const hits$: Array<{ id: string; name: string }> = await tools.search(\"read file\", { limit: 5 });
const parts$: Part$[] = [];
for (const hit of hits$) {
  const found = await tools.call(hit.id, { path: `/tmp/${hit.name}` }) as { result: any } | undefined;
  if (found?.result?.details) {
    parts$.push({ id: hit.id, size: found!.result.details.size as number, ok: true } satisfies Part$);
  }
}
const sum$ = parts$.reduce<number>((total: number, part: Part$): number => total + part.size, 0);
";

fn fifty(ten: &str) -> String {
    (0..5).map(|block| ten.replace('$', &block.to_string())).collect()
}

#[test]
#[ignore = "measures"]
#[expect(clippy::print_stdout, reason = "its result is what it prints")]
fn speed() {
    let cells = [
        ("return 1 + 1", "return 1 + 1".to_owned(), Language::JavaScript),
        ("5 lines JavaScript", FIVE_LINES.to_owned(), Language::JavaScript),
        ("50 lines JavaScript", fifty(TEN_LINES), Language::JavaScript),
        ("return 1 + 1 as TypeScript", "return 1 + 1".to_owned(), Language::TypeScript),
        ("50 lines TypeScript", fifty(TEN_TYPED_LINES), Language::TypeScript),
        (
            "50 lines TypeScript with an enum",
            format!("enum E {{ A }}\n{}", fifty(TEN_TYPED_LINES)),
            Language::TypeScript,
        ),
    ];
    for (name, source, language) in cells {
        let options = Options { language, implicit_return: true };
        let mut times: Vec<_> = (0..500)
            .map(|_| {
                let start = Instant::now();
                prepare(&source, &options).expect("it is prepared");
                start.elapsed()
            })
            .collect();
        times.sort();
        println!("{name}: median {:?}, 95% {:?}", times[250], times[475]);
    }
}
