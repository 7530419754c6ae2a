//! Takes the Markdown fence off code that a model wrapped in one.

/// The part of the submitted text that is code.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fenced<'a> {
    /// The code.
    pub(crate) body: &'a str,
    /// Where it starts in the submitted text, in bytes.
    pub(crate) start: usize,
}

/// Finds the code inside a fence of backticks or tildes around everything; other text is all code.
pub(crate) fn unwrap(source: &str) -> Fenced<'_> {
    fenced(source).unwrap_or(Fenced { body: source, start: 0 })
}

fn fenced(source: &str) -> Option<Fenced<'_>> {
    let opening = source.trim_start();
    let indent = source.len() - opening.len();
    let mark = opening.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let width = opening.len() - opening.trim_start_matches(mark).len();
    if width < 3 {
        return None;
    }
    let line_end = opening.find('\n')?;
    let info = opening[width..line_end].trim();
    let is_info = |c: char| c.is_ascii_alphanumeric() || " .+#-_={}\":,/".contains(c);
    if !info.chars().all(is_info) {
        return None;
    }
    let start = indent + line_end + 1;
    let rest = source[start..].trim_end();
    let body = rest.trim_end_matches(mark);
    let closed = rest.len() - body.len() >= width;
    let alone = body.is_empty() || body.trim_end_matches([' ', '\t']).ends_with('\n');
    if !(closed && alone) {
        return None;
    }
    let body = body.trim_end_matches([' ', '\t']);
    let body = body.strip_suffix('\n').unwrap_or(body);
    Some(Fenced { body: body.strip_suffix('\r').unwrap_or(body), start })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_around_everything_comes_off() {
        for (source, body, start) in [
            ("```js\nreturn 1\n```", "return 1", 6),
            ("\n\n```\na\nb\n```\n\n", "a\nb", 6),
            ("```typescript\r\nreturn 1\r\n```", "return 1", 15),
            ("~~~\nx\n~~~", "x", 4),
            ("````ts title=\"a.ts\"\n`a`\n````", "`a`", 20),
            ("```js\n```", "", 6),
        ] {
            let fenced = unwrap(source);
            assert_eq!((fenced.body, fenced.start), (body, start), "{source:?}");
        }
    }

    #[test]
    fn other_backticks_stay() {
        for source in
            ["`a`", "return 1", "``\n``", "```js\nreturn 1", "```js\na\n``", "```js\na ```", "", "```"]
        {
            assert_eq!(unwrap(source).body, source);
        }
    }
}
