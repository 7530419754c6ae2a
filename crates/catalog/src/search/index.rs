//! The inverted index: words of each entry by field, scored with BM25F.

use std::collections::HashMap;

use super::tokenize::{Stem, words};
use crate::entry::EntryData;

/// How one field counts. The order of weights is part of the contract: name, then label and owner, then description,
/// then parameter names.
#[derive(Clone, Copy)]
struct Field {
    weight: f32,
    /// How far long fields are held against an entry (BM25's b).
    length_penalty: f32,
}

const FIELDS: [Field; 6] = [NAME, LABEL, OWNER, SUMMARY, DESCRIPTION, PARAMETERS];
const NAME: Field = Field { weight: 5.0, length_penalty: 0.6 };
const LABEL: Field = Field { weight: 2.0, length_penalty: 0.5 };
const OWNER: Field = Field { weight: 2.0, length_penalty: 0.0 };
/// The first sentence of a description says what the tool does, the rest when and how.
const SUMMARY: Field = Field { weight: 1.8, length_penalty: 0.5 };
const DESCRIPTION: Field = Field { weight: 0.5, length_penalty: 0.6 };
const PARAMETERS: Field = Field { weight: 0.4, length_penalty: 0.5 };

/// Bytes of a description that are indexed.
const DESCRIPTION_BYTES: usize = 4_000;
/// Parameter names that are indexed.
const PARAMETER_NAMES: usize = 64;

/// One entry in which a term occurs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    /// Position among the indexed entries.
    pub(crate) document: u32,
    /// Occurrences over all fields, weighted and corrected for field length.
    pub(crate) frequency: f32,
    /// The term is part of the entry's name.
    pub(crate) in_name: bool,
}

/// A stem with its entries.
#[derive(Debug, Default)]
pub(crate) struct Term {
    pub(crate) postings: Vec<Posting>,
    /// BM25's inverse document frequency.
    pub(crate) rarity: f32,
}

/// A word as it was written, for typo tolerance.
#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) term: usize,
}

/// Terms by stem, and the vocabulary they came from.
#[derive(Debug)]
pub(crate) struct InvertedIndex {
    pub(crate) terms: Vec<Term>,
    by_stem: HashMap<String, usize>,
    pub(crate) vocabulary: Vec<Word>,
    /// Sum of the rarities of each entry's name.
    pub(crate) name_mass: Vec<f32>,
}

impl InvertedIndex {
    pub(crate) fn new<'a>(entries: impl Iterator<Item = &'a EntryData>) -> Self {
        let mut builder = Builder::default();
        for entry in entries {
            builder.add(entry);
        }
        builder.finish()
    }

    pub(crate) fn term(&self, stem: &str) -> Option<usize> {
        self.by_stem.get(stem).copied()
    }
}

/// Occurrences of one term in one entry, by field.
struct Raw {
    document: u32,
    counts: [u16; FIELDS.len()],
}

struct Builder {
    stem: Stem,
    terms: Vec<Vec<Raw>>,
    by_stem: HashMap<String, usize>,
    by_word: HashMap<String, usize>,
    vocabulary: Vec<Word>,
    lengths: Vec<[u16; FIELDS.len()]>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            stem: Stem::new(),
            terms: Vec::new(),
            by_stem: HashMap::new(),
            by_word: HashMap::new(),
            vocabulary: Vec::new(),
            lengths: Vec::new(),
        }
    }
}

impl Builder {
    fn add(&mut self, entry: &EntryData) {
        let document = u32::try_from(self.lengths.len()).unwrap_or(u32::MAX);
        self.lengths.push([0; FIELDS.len()]);
        let (summary, rest) = summary(&entry.description);
        self.field(document, 0, &entry.name);
        self.field(document, 1, entry.label.as_deref().unwrap_or_default());
        self.field(document, 2, entry.source_name.as_deref().unwrap_or_default());
        self.field(document, 3, summary);
        self.field(document, 4, rest);
        for name in parameter_names(entry) {
            self.field(document, 5, name);
        }
    }

    fn field(&mut self, document: u32, field: usize, text: &str) {
        words(text, |word, whole| {
            let term = self.term(word);
            let postings = &mut self.terms[term];
            match postings.last_mut() {
                Some(last) if last.document == document => {
                    last.counts[field] = last.counts[field].saturating_add(1);
                }
                _ => {
                    let mut counts = [0; FIELDS.len()];
                    counts[field] = 1;
                    postings.push(Raw { document, counts });
                }
            }
            if !whole && let Some(lengths) = self.lengths.last_mut() {
                lengths[field] = lengths[field].saturating_add(1);
            }
        });
    }

    fn term(&mut self, word: &str) -> usize {
        if let Some(term) = self.by_word.get(word) {
            return *term;
        }
        let stem = self.stem.of(word);
        let term = *self.by_stem.entry(stem).or_insert_with(|| {
            self.terms.push(Vec::new());
            self.terms.len() - 1
        });
        self.by_word.insert(word.to_owned(), term);
        self.vocabulary.push(Word { text: word.to_owned(), term });
        term
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are far below the precision of f32")]
    fn finish(self) -> InvertedIndex {
        let documents = self.lengths.len() as f32;
        let average: [f32; FIELDS.len()] = std::array::from_fn(|field| {
            let total: u32 = self.lengths.iter().map(|lengths| u32::from(lengths[field])).sum();
            (total as f32 / documents.max(1.0)).max(0.1)
        });
        let mut name_mass = vec![0.0; self.lengths.len()];
        let mut terms = Vec::with_capacity(self.terms.len());
        for raws in self.terms {
            let found = raws.len() as f32;
            let rarity = (1.0 + (documents - found + 0.5) / (found + 0.5)).ln();
            let postings = raws.into_iter().map(|raw| {
                let lengths = self.lengths[raw.document as usize];
                let mut frequency = 0.0;
                for (index, field) in FIELDS.iter().enumerate().filter(|(index, _)| raw.counts[*index] > 0) {
                    let relative = f32::from(lengths[index]) / average[index];
                    let norm = 1.0 - field.length_penalty + field.length_penalty * relative;
                    frequency += field.weight * f32::from(raw.counts[index]) / norm;
                }
                let in_name = raw.counts[0] > 0;
                if in_name {
                    name_mass[raw.document as usize] += rarity;
                }
                Posting { document: raw.document, frequency, in_name }
            });
            terms.push(Term { postings: postings.collect(), rarity });
        }
        InvertedIndex { terms, by_stem: self.by_stem, vocabulary: self.vocabulary, name_mass }
    }
}

/// Splits a description after its first sentence or line.
fn summary(description: &str) -> (&str, &str) {
    let text = description.trim();
    let text = &text[..text.floor_char_boundary(DESCRIPTION_BYTES)];
    let line = text.find('\n').unwrap_or(text.len());
    let sentence = text.find(". ").or_else(|| text.find('。')).unwrap_or(text.len());
    text.split_at(line.min(sentence))
}

fn parameter_names(entry: &EntryData) -> impl Iterator<Item = &String> {
    let properties = entry.parameters.as_ref().and_then(|schema| schema.get("properties")?.as_object());
    properties.into_iter().flat_map(|properties| properties.keys()).take(PARAMETER_NAMES)
}
