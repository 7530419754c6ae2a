//! Everyday synonyms of tool verbs and nouns, from `synonyms.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tokenize::Stem;

const TABLE: &str = include_str!("synonyms.txt");

/// Stems that stand in for another, with how far they do (0 to 1).
pub(crate) type Related = Vec<(String, f32)>;

/// The synonym table, by stem; parsed once per process.
pub(crate) struct Synonyms {
    words: HashMap<String, Related>,
    phrases: HashMap<(String, String), Related>,
}

impl Synonyms {
    pub(crate) fn get() -> &'static Self {
        static PARSED: LazyLock<Synonyms> = LazyLock::new(|| Synonyms::parse(TABLE));
        &PARSED
    }

    /// Stems related to one stem.
    pub(crate) fn of(&self, stem: &str) -> &[(String, f32)] {
        self.words.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Stems that two neighbouring stems stand for together.
    pub(crate) fn of_phrase(&self, first: &str, second: &str) -> &[(String, f32)] {
        self.phrases.get(&(first.to_owned(), second.to_owned())).map_or(&[], Vec::as_slice)
    }

    fn parse(table: &str) -> Self {
        let mut parsed = Self { words: HashMap::new(), phrases: HashMap::new() };
        let stem = Stem::new();
        for line in table.lines() {
            let Some((mark, rest)) = line.split_at_checked(2) else { continue };
            let weight = match mark {
                "= " => STRONG,
                "~ " => LOOSE,
                "> " => {
                    parsed.one_way(rest, &stem);
                    continue;
                }
                _ => continue,
            };
            let group: Vec<String> = rest.split_whitespace().map(|word| stem.of(word)).collect();
            for word in &group {
                for other in group.iter().filter(|other| *other != word) {
                    relate(parsed.words.entry(word.clone()).or_default(), other, weight);
                }
            }
        }
        parsed
    }

    /// `> spin up : create start`, `> grep : search find`.
    fn one_way(&mut self, rest: &str, stem: &Stem) {
        let Some((from, to)) = rest.split_once(':') else { return };
        let from: Vec<String> = from.split_whitespace().map(|word| stem.of(word)).collect();
        let related = match from.as_slice() {
            [word] => self.words.entry(word.clone()).or_default(),
            [first, second] => self.phrases.entry((first.clone(), second.clone())).or_default(),
            _ => return,
        };
        for word in to.split_whitespace() {
            relate(related, &stem.of(word), STRONG);
        }
    }
}

const STRONG: f32 = 0.7;
const LOOSE: f32 = 0.4;

/// The strongest relation counts when several lines relate the same two words.
fn relate(related: &mut Related, word: &str, weight: f32) {
    match related.iter_mut().find(|(known, _)| known == word) {
        Some((_, known)) => *known = known.max(weight),
        None => related.push((word.to_owned(), weight)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mark = line.get(..2).unwrap_or_default();
            assert!(["= ", "~ ", "> "].contains(&mark), "{line}");
            assert_eq!(mark == "> ", line.contains(':'), "{line}");
            assert!(
                line[2..].bytes().all(|byte| byte.is_ascii_lowercase() || b" :0123456789".contains(&byte)),
                "{line}"
            );
        }
    }

    #[test]
    fn relations_go_both_ways_in_groups_and_one_way_in_arrows() {
        let table = Synonyms::parse("= delete removing\n> grep : search\n> spin up : create");
        assert_eq!(table.of("remov"), [("delet".to_owned(), STRONG)]);
        assert_eq!(table.of("grep"), [("search".to_owned(), STRONG)]);
        assert!(table.of("search").is_empty());
        assert_eq!(table.of_phrase("spin", "up"), [("creat".to_owned(), STRONG)]);
    }
}
