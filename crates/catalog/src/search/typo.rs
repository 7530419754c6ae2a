//! Edit distance, bounded.

/// The optimal string alignment distance (insert, delete, replace, swap neighbours) of two words, when at most `most`.
pub(crate) fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
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
