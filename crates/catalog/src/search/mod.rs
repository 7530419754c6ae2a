//! Ranked search over the guest-visible entries.

mod typo;

pub(crate) use typo::distance;

use crate::entry::Entry;

#[derive(Debug)]
pub(crate) struct SearchIndex {
    texts: Vec<(usize, String)>,
}

impl SearchIndex {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let visible = entries.iter().enumerate().filter(|(_, entry)| entry.is_guest_visible());
        Self { texts: visible.map(|(index, entry)| (index, entry.name.to_lowercase())).collect() }
    }

    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let query = query.trim().to_lowercase();
        self.texts
            .iter()
            .filter(|(_, text)| text.contains(&query))
            .take(limit)
            .map(|(index, _)| *index)
            .collect()
    }
}
