//! What a cell emits: items in order, and the byte limit over all its legs.

use crate::config::OutputOverflow;
use crate::protocol::quote;

/// What an item takes around its text: `{"type":"text","text":""}`.
const ITEM_BYTES: usize = 26;

/// Items since the last result, and bytes over the cell's whole life.
#[derive(Debug)]
pub(crate) struct Output {
    items: Vec<String>,
    used_bytes: usize,
    limit_bytes: usize,
    overflow: OutputOverflow,
    /// Truncation: a marker has been written, later items only count.
    cut: bool,
    exceeded: bool,
}

impl Output {
    pub(crate) fn new(limit_bytes: usize, overflow: OutputOverflow) -> Self {
        Self { items: Vec::new(), used_bytes: 0, limit_bytes, overflow, cut: false, exceeded: false }
    }

    /// Adds a text item. False: the limit is exceeded and the cell is to end.
    pub(crate) fn text(&mut self, text: &str) -> bool {
        let quoted = quote(text);
        let item = format!("{{\"type\":\"text\",\"text\":{quoted}}}");
        if self.fits(item.len()) {
            self.keep(item);
            return true;
        }
        if self.overflow == OutputOverflow::Fail {
            self.exceeded = true;
            return false;
        }
        if !self.cut {
            self.cut = true;
            let room = self.limit_bytes.saturating_sub(self.used_bytes + self.reserve() + ITEM_BYTES);
            let shown = cut_text(text, room);
            self.keep(format!("{{\"type\":\"text\",\"text\":{}}}", quote(&shown)));
        }
        true
    }

    /// Adds a JSON item. False as for [`Output::text`].
    pub(crate) fn json(&mut self, json: &str) -> bool {
        let item = format!("{{\"type\":\"json\",\"value\":{json}}}");
        if self.fits(item.len()) {
            self.keep(item);
            true
        } else if self.overflow == OutputOverflow::Fail {
            self.exceeded = true;
            false
        } else {
            // Half a JSON value is not JSON, so what is left of it becomes text.
            self.text(json)
        }
    }

    /// Counts the final value. `None`: over the limit and the cell is to fail; otherwise the JSON to report.
    pub(crate) fn value(&mut self, json: String) -> Option<String> {
        let room = self.limit_bytes.saturating_sub(self.used_bytes);
        if json.len() <= room {
            self.used_bytes += json.len();
            return Some(json);
        }
        match self.overflow {
            OutputOverflow::Fail => {
                self.exceeded = true;
                None
            }
            OutputOverflow::Truncate => Some(quote(&cut_text(&json, room))),
        }
    }

    /// Counts an error text. `None`: over the limit and the cell is to say so instead; otherwise the text to report.
    pub(crate) fn error(&mut self, text: String) -> Option<String> {
        let room = self.limit_bytes.saturating_sub(self.used_bytes);
        if quote(&text).len() <= room {
            return Some(text);
        }
        match self.overflow {
            OutputOverflow::Fail => None,
            OutputOverflow::Truncate => Some(cut_text(&text, room)),
        }
    }

    /// Whether an item was refused.
    pub(crate) fn exceeded(&self) -> bool {
        self.exceeded
    }

    /// The JSON array of items since the last call.
    pub(crate) fn take_json(&mut self) -> String {
        let items = std::mem::take(&mut self.items);
        format!("[{}]", items.join(","))
    }

    fn fits(&self, bytes: usize) -> bool {
        !self.cut && self.used_bytes + bytes + self.reserve() <= self.limit_bytes
    }

    /// Truncated output leaves room for the final value or the error.
    fn reserve(&self) -> usize {
        match self.overflow {
            OutputOverflow::Fail => 0,
            OutputOverflow::Truncate => (self.limit_bytes / 4).min(1024),
        }
    }

    fn keep(&mut self, item: String) {
        self.used_bytes += item.len();
        self.items.push(item);
    }
}

/// As much of `text` as fits `room` bytes beside the marker, cut on a code point.
fn cut_text(text: &str, room: usize) -> String {
    const MARKER_ROOM: usize = 64; // quotes included
    // Quoting at most doubles common text; control characters take six bytes and are rare enough to cut early.
    let mut budget = room.saturating_sub(MARKER_ROOM);
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let cost = match character {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            '\0'..='\u{1f}' => 6,
            other => other.len_utf8(),
        };
        if cost > budget {
            break;
        }
        budget -= cost;
        end = at + character.len_utf8();
    }
    format!("{}[… {} bytes omitted: output limit]", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_every_item_and_the_value() {
        let mut output = Output::new(100, OutputOverflow::Fail);
        assert!(output.text("a")); // {"type":"text","text":"a"} is 26 bytes
        assert!(output.json("[1,2]")); // {"type":"json","value":[1,2]} is 29
        assert_eq!(output.take_json(), r#"[{"type":"text","text":"a"},{"type":"json","value":[1,2]}]"#);
        assert_eq!(output.value("1".repeat(46)), None);
        assert_eq!(output.value("1".repeat(45)), Some("1".repeat(45)));
        assert!(!output.text("a"));
        assert!(output.exceeded());
    }

    #[test]
    fn truncation_cuts_on_a_code_point_and_says_how_much() {
        let mut output = Output::new(200, OutputOverflow::Truncate);
        let long = "é".repeat(500);
        assert!(output.text(&long));
        assert!(output.text("more"));
        let json = output.take_json();
        assert!(json.len() <= 152, "{}", json.len());
        let items: Vec<serde_json::Value> = serde_json::from_str(&json).expect("valid JSON");
        let text = items[0]["text"].as_str().expect("text");
        let kept = text.matches('é').count();
        assert!(kept > 10);
        assert!(text.ends_with(&format!("[… {} bytes omitted: output limit]", 1000 - kept * 2)), "{text}");
        assert_eq!(items.len(), 1);
    }

    #[test]
    fn truncated_text_leaves_room_for_a_small_value_and_the_total_holds() {
        let mut output = Output::new(1024, OutputOverflow::Truncate);
        assert!(output.text(&"x".repeat(5000)));
        let items = output.take_json();
        assert_eq!(output.value("42".into()), Some("42".into()));
        assert!(items.len() - 2 + 2 <= 1024, "{}", items.len());
        let mut output = Output::new(1024, OutputOverflow::Truncate);
        assert!(output.text(&"x".repeat(5000)));
        let items = output.take_json();
        let error = output.error("e".repeat(7000)).expect("cut");
        assert!(items.len() - 2 + quote(&error).len() <= 1024);
        assert!(error.ends_with(" bytes omitted: output limit]"));
        assert_eq!(Output::new(1024, OutputOverflow::Fail).error("e".repeat(7000)), None);
    }

    #[test]
    fn a_truncated_value_is_a_string() {
        let mut output = Output::new(1024, OutputOverflow::Truncate);
        let value = output.value(format!("[{}1]", "1,".repeat(2000))).expect("truncated");
        assert!(value.starts_with("\"[1,1,") && value.ends_with(" bytes omitted: output limit]\""));
        assert!(value.len() <= 1024);
    }
}
