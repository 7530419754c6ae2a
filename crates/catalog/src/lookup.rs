//! Finding a tool by what a guest wrote, and the messages when that fails.

use std::collections::HashMap;
use std::fmt;

use crate::entry::Entry;
use crate::search::distance;

/// How many near names a message offers.
const NEAR_NAMES: usize = 3;
/// Characters of the guest's own text that a message repeats.
const ECHO_CHARS: usize = 200;
/// Longer names, and names with control characters, are not worth suggesting.
const NAME_CHARS: usize = 64;

/// Why a guest's id or name leads to no tool. `Display` is the message for the guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupError {
    /// Several tools have this name.
    Ambiguous {
        /// What the guest wrote.
        name: String,
    },
    /// No tool has this id or name.
    Unknown {
        /// What the guest wrote.
        id: String,
        /// Up to three similar names (or ids, where the name alone would be ambiguous), nearest first.
        near: Vec<String>,
    },
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous { name } => write!(f, "Ambiguous tool name: {name}; use an exact tool id."),
            Self::Unknown { id, near } => {
                write!(f, "Unknown tool id: {id}.")?;
                if !near.is_empty() {
                    write!(f, " Did you mean: {}?", near.join(", "))?;
                }
                f.write_str(" Find tools with tools.search(query) or ALL_TOOLS.")
            }
        }
    }
}

impl std::error::Error for LookupError {}

pub(crate) fn ambiguous(name: &str) -> LookupError {
    LookupError::Ambiguous { name: echo(name) }
}

pub(crate) fn unknown(wanted: &str, entries: &[Entry], names: &NameTable) -> LookupError {
    LookupError::Unknown { id: echo(wanted), near: near(wanted, entries, names) }
}

/// Guest-visible entries by exact name.
#[derive(Debug)]
pub(crate) struct NameTable(HashMap<String, Vec<usize>>);

impl NameTable {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let mut table: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| entry.is_guest_visible()) {
            table.entry(entry.name.trim().to_owned()).or_default().push(index);
        }
        Self(table)
    }

    pub(crate) fn get(&self, name: &str) -> &[usize] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

fn echo(text: &str) -> String {
    match text.char_indices().nth(ECHO_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Names at a small edit distance, ignoring case and separators, or that hold the wanted text as a part.
fn near(wanted: &str, entries: &[Entry], names: &NameTable) -> Vec<String> {
    let name = wanted.rsplit(':').next().unwrap_or(wanted);
    let (wanted_key, full_key) = (key(name), key(wanted));
    if wanted_key.is_empty() || wanted_key.len() > NAME_CHARS {
        return Vec::new();
    }
    let mut found: Vec<(usize, &str)> = Vec::new();
    for entry in entries.iter().filter(|entry| entry.is_guest_visible() && presentable(&entry.name)) {
        let entry_key = key(&entry.name);
        let allowed = (wanted_key.chars().count() / 3).clamp(1, 4);
        let plausible = entry_key.len().abs_diff(wanted_key.len()) <= 4 * allowed;
        let by_distance = if plausible { distance(&wanted_key, &entry_key, allowed) } else { None };
        let part = wanted_key.len() >= 3
            && entry_key.len() >= 3
            && (entry_key.contains(&wanted_key) || full_key.contains(&entry_key));
        if let Some(rank) = by_distance.or_else(|| part.then_some(allowed + 1)) {
            let is_unique = names.get(entry.name.trim()).len() == 1;
            found.push((rank, if is_unique { &entry.name } else { &entry.id }));
        }
    }
    found.sort_unstable();
    found.into_iter().take(NEAR_NAMES).map(|(_, name)| name.to_owned()).collect()
}

fn presentable(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= NAME_CHARS && !name.contains(|char: char| char.is_control())
}

fn key(name: &str) -> String {
    name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
