//! The lines of one block: words joined over inner tags, blanks folded, initials joined to words.

use super::{
    blocks::{BREAK, Block, Leaves, is_blank, is_even, is_unseen},
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
        broken: false,
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
        out.glue |= leaves.torn.binary_search(&piece.text.end).is_ok();
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

/// Whether a character stands in a script that parts no words: Chinese, Japanese, and their marks.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{312f}' | '\u{31a0}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether a line that was broken between two texts goes on without a blank: where Chinese or Japanese
/// stands on both sides, marks that every script has aside.
fn is_unparted(before: &str, behind: &str) -> bool {
    let mark = |c: &char| "─—―…“”‘’·•".contains(*c);
    let last = before.chars().rev().find(|c| !mark(c));
    let next = behind.chars().next();
    last.is_some_and(is_wide) && next.is_some_and(|c| is_wide(c) || mark(&c))
}

/// Lines of one paragraph in one.
pub(crate) fn in_one(lines: &[String]) -> String {
    let mut all = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    for line in lines {
        if !all.is_empty() && !is_unparted(&all, line) {
            all.push(' ');
        }
        all.push_str(line);
    }
    all
}

struct Lines {
    done: Vec<String>,
    line: String,
    blank: bool,
    /// Whether the blank is a line break of the page.
    broken: bool,
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
        (self.blank, self.broken) = (false, false);
        if self.glue {
            return;
        }
        self.done.push(std::mem::take(&mut self.line));
    }

    fn add(&mut self, text: &str, typed: bool) {
        if is_even(text) {
            self.add_even(text, typed);
            return;
        }
        let mut rest = text;
        while let Some(end) = word_end(rest) {
            self.word(&rest[..end]);
            let c = rest[end..].chars().next().unwrap_or(' ');
            if typed && c == '\n' {
                self.end_line();
            } else if !is_unseen(c) {
                self.blank = true;
                self.broken |= c == '\n';
            }
            rest = &rest[end + c.len_utf8()..];
        }
        self.word(rest);
    }

    /// The same for a text between whose words stand single blanks: a line of it is taken as one word.
    fn add_even(&mut self, text: &str, typed: bool) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 && typed {
                self.end_line();
            } else if at > 0 {
                (self.blank, self.broken) = (true, true);
            }
            self.blank |= line.starts_with(' ');
            self.word(line.trim_matches(' '));
            self.blank |= line.ends_with(' ');
        }
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let unparted = self.broken && is_unparted(&self.line, word);
        if self.blank && !self.line.is_empty() && !self.glue && !unparted {
            self.line.push(' ');
        }
        (self.blank, self.broken) = (false, false);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn joined(text: &str) -> String {
        let mut lines = Lines {
            done: Vec::new(),
            line: String::new(),
            blank: false,
            broken: false,
            glue: false,
        };
        lines.add(text, false);
        lines.finish().concat()
    }

    #[test]
    fn only_scripts_with_words_have_blanks_at_line_ends() {
        for (text, expected) in [
            ("前面吳兵\n不知多少", "前面吳兵不知多少"),
            ("防他攻我不備 \n。」", "防他攻我不備。」"),
            ("一聲─\n─「好」", "一聲──「好」"),
            ("他說：“\n好", "他說：“好"),
            ("前面 吳兵", "前面 吳兵"),
            ("the dog\nran", "the dog ran"),
            ("the dog—\n“no”", "the dog— “no”"),
            ("叫做GPS\n的", "叫做GPS 的"),
            ("すもも\nも", "すももも"),
            ("김치\n국", "김치 국"),
        ] {
            assert_eq!(joined(text), expected);
            let lines: Vec<String> = text.split('\n').map(|line| line.trim().to_owned()).collect();
            assert_eq!(in_one(&lines), expected);
        }
    }

    proptest! {
        /// Law: where the lines of a Chinese text are broken changes nothing, and in a text of words a
        /// break is a blank.
        #[test]
        fn a_line_break_in_chinese_is_nothing(lines in prop::collection::vec("[山水人，。「」…─]{1,9}", 1..9)) {
            prop_assume!(lines[0].starts_with(is_wide));
            prop_assert_eq!(joined(&lines.join("\n")), lines.concat());
        }

        #[test]
        fn a_line_break_in_words_is_a_blank(lines in prop::collection::vec("[a-z,.“”—]{1,9}", 1..9)) {
            prop_assert_eq!(joined(&lines.join("\n")), lines.join(" "));
        }
    }
}
