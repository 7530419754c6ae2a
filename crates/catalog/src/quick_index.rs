//! The quick index: the ids and types of local tools, in the description of `exec`.
//!
//! It holds ids and type hints only. Whatever authors write in prose stays out, so that hostile catalog text cannot
//! steer a model that never asked for it.

use crate::entry::Entry;
use crate::tool::Source;
use crate::types::quote;

/// UTF-16 units of the whole index, so that it is within the limit however characters are counted.
const LENGTH: usize = 8_000;
/// Longer ids are prose.
const ID_CHARS: usize = 200;

/// One line per tool, those with a declared output first, then by id; lines that do not fit are skipped and counted.
pub(crate) fn quick_index(entries: &[Entry]) -> String {
    let mut local: Vec<&Entry> = entries.iter().filter(|entry| entry.source == Source::Openclaw).collect();
    // Stable: within each group the entries stay sorted by id.
    local.sort_by_key(|entry| entry.output_hint().is_none());
    let lines: Vec<Option<String>> = local.iter().map(|entry| line(entry)).collect();
    let lengths = || lines.iter().flatten().map(|line| utf16_length(line) + 1);
    let everything_fits = lines.iter().all(Option::is_some) && lengths().sum::<usize>() <= LENGTH;
    let mut room = if everything_fits { LENGTH } else { LENGTH - utf16_length(&footer(lines.len())) };
    let mut out = String::new();
    let mut left_out = 0;
    for line in &lines {
        match line {
            Some(line) if utf16_length(line) < room => {
                room -= utf16_length(line) + 1;
                out.push_str(line);
                out.push('\n');
            }
            _ => left_out += 1,
        }
    }
    if left_out > 0 {
        out.push_str(&footer(left_out));
    }
    out
}

/// Length as JavaScript counts it.
pub(crate) fn utf16_length(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char::len_utf16).sum() }
}

fn line(entry: &Entry) -> Option<String> {
    if entry.id.chars().nth(ID_CHARS).is_some() {
        return None;
    }
    Some(format!("{} {} -> {}", quote(&entry.id), entry.input_hint(), entry.output_hint().unwrap_or("?")))
}

fn footer(left_out: usize) -> String {
    let tools = if left_out == 1 { "tool is" } else { "tools are" };
    format!("{left_out} more {tools} not listed here: see ALL_TOOLS or tools.search(query).\n")
}
