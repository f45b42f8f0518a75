//! The lines of one block: words joined over inner tags, blanks folded, initials joined to words.

use super::{
    blocks::{BREAK, Block, Leaves, is_blank, is_unseen},
    marks::Marks,
};

/// Whether lines were broken where the typewriter's line was full.
pub(crate) fn is_wrapped(lines: &[String]) -> bool {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let full = &lines[..lines.len() - 1];
    let long = full.iter().filter(|line| line.chars().count() * 10 >= longest * 7).count();
    longest >= 50 && long * 10 >= full.len() * 8
}

/// Whether lines run on, where nothing says that they are as typed: then most of them go on with a sentence.
pub(crate) fn run_on(lines: &[String]) -> bool {
    let small = lines.iter().skip(1).filter(|line| line.starts_with(char::is_lowercase)).count();
    lines.len() >= 4 && small * 2 >= lines.len() - 1 && is_wrapped(lines)
}

/// The lines of a block, blanks folded, without what is cut; an empty line parts paragraphs.
pub(super) fn lines(leaves: &Leaves, block: &Block) -> Vec<String> {
    let typed = block.marks.any(Marks::PRE) || leaves.plain;
    let mut out = Lines {
        done: Vec::new(),
        line: String::with_capacity(block.text.len()),
        blank: false,
        glue: false,
    };
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    let mut from = block.text.start;
    for piece in pieces {
        // Line breaks lie between pieces.
        out.between(&leaves.scroll[from as usize..piece.text.start as usize]);
        from = piece.text.end;
        leaves.each_kept(piece.text.clone(), |text| out.add(text, typed));
        if piece.marks.any(Marks::INITIAL) {
            out.initial();
        }
    }
    out.finish()
}

/// Where the first character stands that shows nothing.
fn word_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        // Outside ASCII only a few first bytes can begin such a character.
        from += bytes[from..].iter().position(|byte| *byte <= b' ' || *byte >= 0xc2)?;
        let c = text[from..].chars().next()?;
        if is_blank(c) || is_unseen(c) {
            return Some(from);
        }
        from += c.len_utf8();
    }
}

struct Lines {
    done: Vec<String>,
    line: String,
    blank: bool,
    /// Whether the line ends in an initial that its word goes on from.
    glue: bool,
}

impl Lines {
    fn between(&mut self, text: &str) {
        for _ in text.matches(BREAK) {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        self.blank = false;
        if self.glue {
            return;
        }
        self.done.push(std::mem::take(&mut self.line));
    }

    fn add(&mut self, text: &str, typed: bool) {
        let mut rest = text;
        while let Some(end) = word_end(rest) {
            self.word(&rest[..end]);
            let c = rest[end..].chars().next().unwrap_or(' ');
            if typed && c == '\n' {
                self.end_line();
            } else if !is_unseen(c) {
                self.blank = true;
            }
            rest = &rest[end + c.len_utf8()..];
        }
        self.word(rest);
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        if self.blank && !self.line.is_empty() && !self.glue {
            self.line.push(' ');
        }
        self.blank = false;
        self.glue = false;
        self.line.push_str(word);
    }

    fn initial(&mut self) {
        // Behind more than a sign or two of punctuation it begins no paragraph.
        if self.line.len() > 16 {
            return;
        }
        let mut letters = self.line.chars().filter(|c| c.is_alphabetic());
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            // `T` is no word; `A`, `I` and `O` may be, so there a blank counts.
            self.glue = !matches!(letter, 'A' | 'I' | 'O' | 'À' | 'Y' | 'E');
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.glue = false;
        self.end_line();
        let first = self.done.iter().position(|line| !line.is_empty()).unwrap_or(self.done.len());
        self.done.drain(..first);
        while self.done.last().is_some_and(String::is_empty) {
            self.done.pop();
        }
        self.done
    }
}
