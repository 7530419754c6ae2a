//! A coarse, iterative tokenizer: just enough of the lexical grammar to count nesting before parsing.
//!
//! It must see every bracket and operator the parser will see. Where a `/` may begin a regular expression
//! or divide, it decides by the token before, as the parser does by its state; where that is not enough
//! it says so ([`Scan::unsure_slash`]) instead of guessing.

/// A token, as far as nesting is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// An identifier, literal or other whole operand; two in a row end a statement.
    Operand,
    /// A reserved word that begins a statement (`if`, `return`, `let`).
    Statement,
    /// The reserved word `else`: it continues the statement before it.
    Else,
    /// A word that begins an operand and cannot follow one (`typeof`, `await`, `async`).
    Prefix,
    /// Any other word with a meaning of its own (`extends`, `as`, `keyof`).
    Word,
    /// `(`, `[`, `{`, or a template up to and including `${`.
    Open,
    /// `)`, `]`, `}`, or the rest of a template behind `}`.
    Close,
    /// The piece of a template between `}` and the next `${`.
    Reopen,
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `<`
    Less,
    /// `>`, so many in a row.
    Greater(u8),
    /// `?` of a conditional.
    Question,
    /// `=>`
    Arrow,
    /// `=`
    Assign,
    /// Any other punctuation, and a template without `${`.
    Operator,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// `(` of an `if`, `while`, `for`, `with`: a statement follows its `)`.
    Header,
    Paren,
    Square,
    /// `{` of a block for certain.
    Block,
    /// `{` of an object literal for certain.
    Object,
    /// `{` that may be either.
    Brace,
    /// `${`
    Template,
}

/// What a `/` would mean behind the last token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slash {
    Divides,
    BeginsRegex,
    Unsure,
}

/// The tokens of a source text, in one linear pass without recursion.
pub(crate) struct Scan<'a> {
    text: &'a [u8],
    at: usize,
    open: Vec<Bracket>,
    slash: Slash,
    last: Last,
    /// Whether the token just returned stood behind an operand.
    pub(crate) after_operand: bool,
    operand_end: bool,
    line_break: bool,
    /// Byte offset of the first closing bracket that closes nothing.
    pub(crate) unmatched: Option<usize>,
    /// Byte offset of the first `/` that may begin a regular expression or divide, where it matters.
    pub(crate) unsure_slash: Option<usize>,
    /// Byte offset of a merge conflict marker; the scan ends there.
    pub(crate) conflict: Option<usize>,
}

/// The facts about the last token that decide what the next bracket or word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    /// `if`, `while`, `for`, `with`, and `await` (of `for await`).
    HeaderWord,
    /// `)` of a header, `else`, `do`, `try`, `finally`, `;`: a statement follows.
    StatementNext,
    /// `.` or `?.`: a property name follows.
    Dot,
    /// An operator or `(`, `[`, `,`, `return`: an operand follows.
    OperandNext,
    Other,
}

impl<'a> Scan<'a> {
    /// Scans a text from its start.
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            at: 0,
            open: Vec::new(),
            slash: Slash::BeginsRegex,
            last: Last::Start,
            after_operand: false,
            operand_end: false,
            line_break: true,
            unmatched: None,
            unsure_slash: None,
            conflict: None,
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn starts_with(&self, prefix: &[u8]) -> bool {
        self.text[self.at..].starts_with(prefix)
    }

    fn is_unicode_line_end(&self) -> bool {
        self.starts_with("\u{2028}".as_bytes()) || self.starts_with("\u{2029}".as_bytes())
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && !matches!(self.text[self.at], b'\n' | b'\r') {
            if self.is_unicode_line_end() {
                return;
            }
            self.at += 1;
        }
    }

    fn skip_block_comment(&mut self) {
        self.at += 2;
        while self.at < self.text.len() && !self.starts_with(b"*/") {
            self.line_break |= matches!(self.text[self.at], b'\n' | b'\r') || self.is_unicode_line_end();
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.text.len());
    }

    /// Skips blanks and comments, HTML-like ones included.
    fn skip_blank(&mut self) {
        while self.at < self.text.len() {
            match self.text[self.at] {
                b' ' | b'\t' | 0x0B | 0x0C => self.at += 1,
                b'\n' | b'\r' => {
                    self.line_break = true;
                    self.at += 1;
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_block_comment(),
                b'<' if self.starts_with(b"<!--") => self.skip_line(),
                b'-' if self.line_break && self.starts_with(b"-->") => self.skip_line(),
                0xE2 if self.is_unicode_line_end() => {
                    self.line_break = true;
                    self.at += 3;
                }
                0xC2 if self.peek(1) == 0xA0 => self.at += 2,
                0xEF if self.starts_with("\u{FEFF}".as_bytes()) => self.at += 3,
                _ => return,
            }
        }
    }

    fn at_conflict_marker(&self) -> bool {
        self.line_break
            && [&b"<<<<<<< "[..], b"=======", b">>>>>>> ", b"||||||| "].iter().any(|m| self.starts_with(m))
    }

    /// Notes what the token just read means for the next one.
    fn set(&mut self, token: Token, slash: Slash, last: Last, operand_end: bool) -> Token {
        self.slash = slash;
        self.last = last;
        self.operand_end = operand_end;
        token
    }

    fn operand(&mut self) -> Token {
        self.set(Token::Operand, Slash::Divides, Last::Other, true)
    }

    fn operator(&mut self, length: usize) -> Token {
        self.at += length;
        self.set(Token::Operator, Slash::BeginsRegex, Last::OperandNext, false)
    }

    fn string(&mut self, quote: u8) -> Token {
        self.at += 1;
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => self.at += 3,
                b'\\' => self.at += 2,
                b'\n' | b'\r' => break,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.at = self.at.min(self.text.len());
        self.operand()
    }

    /// Reads template text up to its end or the next `${`; whether it is the latter.
    fn template_text(&mut self) -> bool {
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'\\' => self.at += 2,
                b'`' => {
                    self.at += 1;
                    return false;
                }
                b'$' if self.peek(1) == b'{' => {
                    self.at += 2;
                    return true;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
        false
    }

    fn number(&mut self) -> Token {
        let radix = self.text[self.at] == b'0' && matches!(self.peek(1) | 0x20, b'x' | b'b' | b'o');
        let mut dot = radix;
        self.at += 1;
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            let exponent = !radix && matches!(self.text[self.at - 1], b'e' | b'E');
            match byte {
                b'.' if !dot && self.peek(1) != b'.' => dot = true,
                b'+' | b'-' if exponent => {}
                _ if byte.is_ascii_alphanumeric() || byte == b'_' => {}
                _ => break,
            }
            self.at += 1;
        }
        self.operand()
    }

    /// The end of a regular expression that begins here, if there is one on this line.
    fn regex_end(&self) -> Option<usize> {
        let mut class = false;
        let mut at = self.at + 1;
        while at < self.text.len() {
            match self.text[at] {
                b'\n' | b'\r' => return None,
                b'\\' if !matches!(self.text.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn slash(&mut self) -> Token {
        let end = self.regex_end();
        let begins = match (self.slash, end) {
            (Slash::BeginsRegex, _) => true,
            (Slash::Divides, _) | (Slash::Unsure, None) => false,
            (Slash::Unsure, Some(end)) => {
                let telling = |b: &u8| b"()[]{}'\"`".contains(b);
                if self.text[self.at..end].iter().any(telling) {
                    self.unsure_slash.get_or_insert(self.at);
                }
                true
            }
        };
        match (begins, end) {
            (true, Some(end)) => {
                self.at = end;
                while self.at < self.text.len() && is_word_byte(self.text[self.at]) {
                    self.at += 1;
                }
                self.operand()
            }
            (true, None) => {
                // Not a program; the parser stops here.
                self.skip_line();
                self.operand()
            }
            (false, _) => self.operator(1),
        }
    }

    fn open(&mut self, bracket: Bracket, length: usize) -> Token {
        self.at += length;
        self.open.push(bracket);
        let last = if bracket == Bracket::Block { Last::StatementNext } else { Last::OperandNext };
        self.set(Token::Open, Slash::BeginsRegex, last, false)
    }

    fn brace(&mut self) -> Token {
        let kind = match self.last {
            Last::Start | Last::StatementNext => Bracket::Block,
            Last::OperandNext => Bracket::Object,
            Last::HeaderWord | Last::Dot | Last::Other => Bracket::Brace,
        };
        self.open(kind, 1)
    }

    fn close(&mut self) -> Token {
        let position = self.at;
        self.at += 1;
        let Some(bracket) = self.open.pop() else {
            self.unmatched.get_or_insert(position);
            return self.set(Token::Operator, Slash::Unsure, Last::Other, true);
        };
        let expected: &[Bracket] = match self.text[position] {
            b')' => &[Bracket::Paren, Bracket::Header],
            b']' => &[Bracket::Square],
            _ => &[Bracket::Block, Bracket::Object, Bracket::Brace, Bracket::Template],
        };
        if !expected.contains(&bracket) {
            self.unmatched.get_or_insert(position);
        }
        let (slash, last, operand_end) = match bracket {
            Bracket::Header => (Slash::BeginsRegex, Last::StatementNext, false),
            Bracket::Paren | Bracket::Square | Bracket::Object => (Slash::Divides, Last::Other, true),
            Bracket::Block => (Slash::BeginsRegex, Last::StatementNext, true),
            Bracket::Template if self.text[position] == b'}' => {
                if self.template_text() {
                    self.open.push(Bracket::Template);
                    return self.set(Token::Reopen, Slash::BeginsRegex, Last::OperandNext, false);
                }
                (Slash::Divides, Last::Other, true)
            }
            Bracket::Brace | Bracket::Template => (Slash::Unsure, Last::Other, true),
        };
        self.set(Token::Close, slash, last, operand_end)
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        while self.at < self.text.len() && is_word_byte(self.text[self.at]) {
            // A Unicode escape `\u{...}` has braces of its own.
            if self.starts_with(b"\\u{") {
                self.at += 3;
                while self.at < self.text.len() && self.text[self.at].is_ascii_hexdigit() {
                    self.at += 1;
                }
                if self.peek(0) != b'}' {
                    continue;
                }
            } else if self.is_unicode_line_end() || (self.text[self.at] == b'\\' && self.peek(1) != b'u') {
                break;
            }
            self.at += 1;
        }
        if self.at == start {
            return self.operator(1);
        }
        let is_property = self.last == Last::Dot || self.text[start] == b'#';
        if is_property {
            return self.operand();
        }
        let previous = self.last;
        match &self.text[start..self.at] {
            b"if" | b"while" | b"for" | b"with" => {
                self.set(Token::Statement, Slash::BeginsRegex, Last::HeaderWord, false)
            }
            b"else" => self.set(Token::Else, Slash::BeginsRegex, Last::StatementNext, false),
            b"do" | b"try" | b"finally" => {
                self.set(Token::Statement, Slash::BeginsRegex, Last::StatementNext, false)
            }
            b"return" | b"throw" | b"var" | b"const" | b"let" | b"break" | b"continue" | b"debugger"
            | b"switch" | b"function" | b"class" => {
                self.set(Token::Statement, Slash::BeginsRegex, Last::Other, false)
            }
            b"typeof" | b"void" | b"delete" | b"new" | b"case" => {
                self.set(Token::Prefix, Slash::BeginsRegex, Last::OperandNext, false)
            }
            b"in" | b"instanceof" => self.set(Token::Word, Slash::BeginsRegex, Last::OperandNext, false),
            b"extends" | b"default" => self.set(Token::Word, Slash::BeginsRegex, Last::Other, false),
            b"await" if previous == Last::HeaderWord => {
                self.set(Token::Word, Slash::BeginsRegex, Last::HeaderWord, false)
            }
            b"await" | b"yield" | b"async" | b"import" | b"export" => {
                self.set(Token::Prefix, Slash::Unsure, Last::Other, false)
            }
            b"of" | b"catch" | b"as" | b"satisfies" | b"is" | b"keyof" | b"infer" | b"readonly"
            | b"unique" | b"asserts" | b"abstract" | b"declare" | b"namespace" | b"module" | b"global"
            | b"type" | b"interface" | b"enum" | b"static" | b"get" | b"set" | b"implements" | b"public"
            | b"private" | b"protected" | b"override" | b"out" | b"accessor" | b"using" | b"from"
            | b"assert" => self.set(Token::Word, Slash::Unsure, Last::Other, false),
            _ => self.operand(),
        }
    }

    fn punctuation(&mut self) -> Token {
        let postfix = self.operand_end && !self.line_break;
        match (self.text[self.at], self.peek(1)) {
            (b'(', _) => {
                let header = self.last == Last::HeaderWord;
                self.open(if header { Bracket::Header } else { Bracket::Paren }, 1)
            }
            (b'[', _) => self.open(Bracket::Square, 1),
            (b'{', _) => self.brace(),
            (b')' | b']' | b'}', _) => self.close(),
            (b';', _) => {
                self.at += 1;
                self.set(Token::Semicolon, Slash::BeginsRegex, Last::StatementNext, false)
            }
            (b',', _) => {
                self.operator(1);
                Token::Comma
            }
            (b'=', b'>') => {
                self.at += 2;
                self.set(Token::Arrow, Slash::BeginsRegex, Last::Other, false)
            }
            (b'?', b'?') | (b'=', b'=') => self.operator(2),
            (b'=', _) => {
                self.operator(1);
                Token::Assign
            }
            (b'?', b'.') if !self.peek(2).is_ascii_digit() => {
                self.operator(2);
                self.last = Last::Dot;
                Token::Operator
            }
            (b'?', _) => {
                self.operator(1);
                Token::Question
            }
            (b'.', b'.') => self.operator(if self.peek(2) == b'.' { 3 } else { 1 }),
            (b'.', _) => {
                self.operator(1);
                self.last = Last::Dot;
                Token::Operator
            }
            (b':', _) => {
                self.at += 1;
                self.set(Token::Operator, Slash::BeginsRegex, Last::Other, false)
            }
            (b'+', b'+') | (b'-', b'-') if postfix => {
                self.at += 2;
                self.set(Token::Operator, Slash::Divides, Last::Other, true)
            }
            (b'+', b'+') | (b'-', b'-') => self.operator(2),
            (b'!', next) if postfix && next != b'=' => {
                // TypeScript's assertion that a value is present.
                self.at += 1;
                let slash = if self.slash == Slash::Divides { Slash::Divides } else { Slash::Unsure };
                self.set(Token::Operator, slash, Last::Other, true)
            }
            (b'<', next) if next != b'<' && next != b'=' => {
                self.operator(1);
                Token::Less
            }
            (b'>', _) => {
                let length = self.text[self.at..].iter().take(3).take_while(|byte| **byte == b'>').count();
                self.at += length;
                let count = u8::try_from(length).unwrap_or(3);
                // `f<T> / 2` divides in TypeScript.
                self.set(Token::Greater(count), Slash::Unsure, Last::OperandNext, false)
            }
            _ => self.operator(1),
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.line_break = self.at == 0;
        self.skip_blank();
        if self.at >= self.text.len() {
            return None;
        }
        if self.at_conflict_marker() {
            self.conflict = Some(self.at);
            return None;
        }
        self.after_operand = self.operand_end;
        let byte = self.text[self.at];
        Some(match byte {
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.at += 1;
                if self.template_text() {
                    self.open(Bracket::Template, 0)
                } else {
                    self.set(Token::Operator, Slash::Divides, Last::Other, true)
                }
            }
            b'/' => self.slash(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ if is_word_byte(byte) => self.word(),
            _ => self.punctuation(),
        })
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'\\') || byte >= 0x80
}
