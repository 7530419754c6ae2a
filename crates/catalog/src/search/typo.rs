//! Forgiving typos: near words of the vocabulary, by bounded edit distance.

use super::index::Word;

/// Shorter words are too easily mistaken for each other.
const SHORTEST: usize = 4;
/// From this length on two edits are forgiven.
const TWO_EDITS: usize = 7;
/// Near words that are considered.
const MOST: usize = 6;

/// A cheap necessary condition per vocabulary word, so that few words need the real distance.
#[derive(Debug)]
pub(crate) struct TypoIndex(Vec<Sketch>);

#[derive(Debug, Clone, Copy)]
struct Sketch {
    /// Which letters occur (a hash of each onto 32 bits).
    letters: u32,
    length: u8,
}

impl Sketch {
    fn of(word: &str) -> Self {
        let letters = word.chars().fold(0, |letters, char| letters | 1 << (u32::from(char) % 32));
        Self { letters, length: u8::try_from(word.chars().count()).unwrap_or(u8::MAX) }
    }
}

impl TypoIndex {
    pub(crate) fn new(vocabulary: &[Word]) -> Self {
        Self(vocabulary.iter().map(|word| Sketch::of(&word.text)).collect())
    }

    /// Terms of the nearest words, with the number of edits; only those at the least distance found.
    pub(crate) fn near(&self, word: &str, vocabulary: &[Word]) -> Vec<(usize, u8)> {
        let wanted = Sketch::of(word);
        let length = usize::from(wanted.length);
        if length < SHORTEST {
            return Vec::new();
        }
        let mut allowed = if length < TWO_EDITS { 1 } else { 2 };
        let mut found: Vec<(usize, u8)> = Vec::new();
        for (sketch, known) in self.0.iter().zip(vocabulary) {
            // One edit changes at most two letters of the set: one goes, one comes.
            let plausible = sketch.length.abs_diff(wanted.length) <= allowed
                && (sketch.letters ^ wanted.letters).count_ones() <= 2 * u32::from(allowed)
                && usize::from(sketch.length) + 1 >= SHORTEST;
            if !plausible {
                continue;
            }
            let Some(edits) = distance(word, &known.text, usize::from(allowed)) else { continue };
            let edits = u8::try_from(edits).unwrap_or(u8::MAX);
            if edits < allowed {
                allowed = edits.max(1);
                found.retain(|(_, others)| *others <= allowed);
            }
            found.push((known.term, edits));
        }
        found.sort_unstable_by_key(|(term, edits)| (*edits, *term));
        found.dedup_by_key(|(term, _)| *term);
        found.truncate(MOST);
        found
    }
}

/// The optimal string alignment distance (insert, delete, replace, swap neighbours) of two words, when at most `most`.
pub(crate) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.chars().count().abs_diff(b.chars().count()) > most {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let width = b.len() + 1;
    let (mut before, mut last) = (vec![0; width], (0..width).collect::<Vec<usize>>());
    let mut row = vec![0; width];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..width {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().min().is_none_or(|least| *least > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn counts_single_edits_and_swaps() {
        assert_eq!(distance("serch", "search", 2), Some(1));
        assert_eq!(distance("chrat", "chart", 1), Some(1));
        assert_eq!(distance("emial", "email", 1), Some(1));
        assert_eq!(distance("", "ab", 2), Some(2));
        assert_eq!(distance("abc", "xyz", 2), None);
        assert_eq!(distance("größe", "grösse", 2), Some(2));
    }
}
