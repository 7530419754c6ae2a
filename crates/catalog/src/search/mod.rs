//! Ranked search over the guest-visible entries: BM25F with stems, synonyms and forgiveness for typos.

mod index;
mod synonyms;
mod tokenize;
mod typo;

use std::cmp::Ordering;

use index::InvertedIndex;
use synonyms::Synonyms;
use tokenize::Stem;
use typo::TypoIndex;
pub(crate) use typo::distance;

use crate::entry::Entry;

/// Words of a query that count; the rest is dropped.
const QUERY_WORDS: usize = 24;
/// Characters of a query that are read.
const QUERY_BYTES: usize = 1_000;
/// How soon repetitions of a word stop counting (BM25's k1).
const SATURATION: f32 = 1.6;
/// What a fully matched name adds to the score, relative to it.
const NAME_BONUS: f32 = 0.5;
/// How hard a query word without a match weighs: score × (matched share)^this.
const COVERAGE: f32 = 0.6;
/// Share of the weight that a forgiven typo keeps, per edit.
const TYPO_WEIGHT: f32 = 0.85;

/// Words that say nothing about a tool, unless the query has no others.
const STOP_WORDS: [&str; 62] = [
    "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "my", "me",
    "i", "we", "our", "you", "your", "is", "are", "was", "be", "do", "does", "did", "has", "have", "had",
    "this", "that", "these", "it", "its", "their", "them", "they", "his", "her", "into", "as", "which",
    "what", "who", "when", "where", "how", "can", "could", "would", "should", "please", "want", "need",
    "some", "any", "there", "if", "between", "through",
];

/// The search index of one catalog version.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    inverted: InvertedIndex,
    typos: TypoIndex,
    /// Per indexed entry: its place in the catalog and what counts as naming it exactly.
    documents: Vec<Document>,
}

#[derive(Debug)]
struct Document {
    entry: usize,
    id: String,
    name: String,
    /// The name without case and separators.
    key: String,
}

/// One word of the query with everything that may stand for it: term and weight.
type Alternatives = Vec<(usize, f32)>;

impl SearchIndex {
    pub(crate) fn new(entries: &[Entry]) -> Self {
        let visible = || entries.iter().enumerate().filter(|(_, entry)| entry.is_guest_visible());
        let inverted = InvertedIndex::new(visible().map(|(_, entry)| &**entry));
        let documents = visible().map(|(entry, data)| Document {
            entry,
            id: data.id.to_lowercase(),
            name: data.name.to_lowercase(),
            key: key(&data.name),
        });
        Self { typos: TypoIndex::new(&inverted.vocabulary), documents: documents.collect(), inverted }
    }

    /// Catalog positions of the best `limit` entries.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let query = query.trim();
        let query = &query[..query.floor_char_boundary(QUERY_BYTES)];
        if query.is_empty() {
            return self.documents.iter().take(limit).map(|document| document.entry).collect();
        }
        let scores = self.score(&self.alternatives(query));
        let (lower, key) = (query.to_lowercase(), key(query));
        let mut found: Vec<(u8, f32, usize)> = Vec::new();
        for (index, document) in self.documents.iter().enumerate() {
            let exact = document.exactness(&lower, &key);
            if exact > 0 || scores[index] > 0.0 {
                found.push((exact, scores[index], document.entry));
            }
        }
        let best_first = |a: &(u8, f32, usize), b: &(u8, f32, usize)| {
            b.0.cmp(&a.0).then(b.1.partial_cmp(&a.1).unwrap_or(Ordering::Equal)).then(a.2.cmp(&b.2))
        };
        if found.len() > limit && limit > 0 {
            found.select_nth_unstable_by(limit - 1, best_first);
            found.truncate(limit);
        }
        found.sort_unstable_by(best_first);
        found.into_iter().take(limit).map(|(_, _, entry)| entry).collect()
    }

    fn score(&self, words: &[Alternatives]) -> Vec<f32> {
        let count = self.documents.len();
        let (mut scores, mut matched, mut named) =
            (vec![0.0_f32; count], vec![0.0_f32; count], vec![0.0_f32; count]);
        let mut best: Vec<(f32, f32)> = vec![(0.0, 0.0); count];
        let mut touched: Vec<u32> = Vec::new();
        let mut total = 0.0;
        for alternatives in words {
            let Some(importance) = self.importance(alternatives) else { continue };
            total += importance;
            for (term, weight) in alternatives {
                let term = &self.inverted.terms[*term];
                let rarity = term.rarity.min(importance);
                for posting in &term.postings {
                    let slot = &mut best[posting.document as usize];
                    if slot.0 == 0.0 {
                        touched.push(posting.document);
                    }
                    let saturated = posting.frequency / (SATURATION + posting.frequency) * (SATURATION + 1.0);
                    slot.0 = slot.0.max(weight * rarity * saturated);
                    if posting.in_name {
                        slot.1 = slot.1.max(weight * term.rarity);
                    }
                }
            }
            for document in touched.drain(..) {
                let document = document as usize;
                let (score, name) = std::mem::take(&mut best[document]);
                scores[document] += score;
                named[document] += name;
                matched[document] += importance;
            }
        }
        for (document, score) in scores.iter_mut().enumerate().filter(|(_, score)| **score > 0.0) {
            let name = (named[document] / self.inverted.name_mass[document].max(f32::EPSILON)).min(1.0);
            *score *= (1.0 + NAME_BONUS * name) * (matched[document] / total).powf(COVERAGE);
        }
        scores
    }

    /// A word is as rare as its own term, or as the most common stand-in when it has none.
    fn importance(&self, alternatives: &Alternatives) -> Option<f32> {
        let (first, rest) = alternatives.split_first()?;
        let own = self.inverted.terms[first.0].rarity;
        if first.1 >= 1.0 {
            return Some(own);
        }
        Some(rest.iter().map(|(term, _)| self.inverted.terms[*term].rarity).fold(own, f32::max))
    }

    fn alternatives(&self, query: &str) -> Vec<Alternatives> {
        let stem = Stem::new();
        let words = self.query_words(query);
        let stems: Vec<String> = words.iter().map(|word| stem.of(word)).collect();
        let only_stop_words = words.iter().all(|word| STOP_WORDS.contains(&word.as_str()));
        let mut alternatives = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if let Some(next) = stems.get(at + 1) {
                let phrase = self.known(Synonyms::get().of_phrase(&stems[at], next), 1.0);
                if !phrase.is_empty() {
                    alternatives.push(phrase);
                }
            }
            if only_stop_words || !STOP_WORDS.contains(&word.as_str()) {
                alternatives.push(self.word(word, &stems[at]));
            }
        }
        alternatives
    }

    /// The query's words; of `YouTube` the whole if some entry has it, else the parts.
    fn query_words(&self, query: &str) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for chunk in query.split(|char: char| !char.is_alphanumeric()) {
            let (from, lower) = (out.len(), chunk.to_lowercase());
            tokenize::words(chunk, |word, whole| {
                if !whole {
                    out.push(word.to_owned());
                } else if word == lower && self.inverted.term(word).is_some() {
                    out.truncate(from);
                    out.push(word.to_owned());
                }
            });
        }
        out.truncate(QUERY_WORDS);
        out
    }

    fn word(&self, word: &str, stem: &str) -> Alternatives {
        let mut out = Alternatives::new();
        let own = self.inverted.term(stem);
        out.extend(own.map(|term| (term, 1.0)));
        out.extend(self.known(Synonyms::get().of(stem), 1.0));
        if out.is_empty() {
            let near = self.typos.near(word, &self.inverted.vocabulary);
            out.extend(near.into_iter().map(|(term, edits)| (term, TYPO_WEIGHT.powi(i32::from(edits)))));
        }
        out
    }

    fn known(&self, related: &[(String, f32)], weight: f32) -> Alternatives {
        related.iter().filter_map(|(stem, near)| Some((self.inverted.term(stem)?, near * weight))).collect()
    }
}

impl Document {
    fn exactness(&self, lower: &str, key: &str) -> u8 {
        if self.id == lower || self.name == lower { 2 } else { u8::from(!key.is_empty() && self.key == key) }
    }
}

fn key(text: &str) -> String {
    text.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
