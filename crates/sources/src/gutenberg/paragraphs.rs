//! From judged blocks to paragraphs: words joined over tags, blanks folded, lines of verse kept,
//! initials joined to their words, and every kept stretch traced back to the page.

use std::ops::Range;

use storymill_core::{ByteSpan, ParagraphKind};

use super::{
    blocks::{BREAK, Block, Leaves, is_blank, is_unseen},
    structure::Head,
    tags::{Marks, Tag},
};
use crate::{
    clean::{CleanParagraph, Cut},
    cut::Why,
};

/// How a thought break is printed.
pub(crate) const THOUGHT_BREAK: &str = "* * *";

/// Lines longer than this are paragraphs, whatever stands between them.
const LONGEST_LINE: usize = 110;

/// The paragraphs of the kept blocks.
pub(crate) fn paragraphs(leaves: &Leaves, heads: &[Head]) -> Vec<CleanParagraph> {
    let mut writer = Writer { leaves, out: Vec::new(), initial: None, broken: false };
    let mut next_head = 0;
    let mut at = 0;
    while at < leaves.blocks.len() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            at += 1;
            continue;
        }
        while next_head < heads.len() && heads[next_head].end() <= at {
            next_head += 1;
        }
        if let Some(head) = heads.get(next_head).filter(|head| head.lines.contains(&at)) {
            writer.heading(head);
            at = head.end();
            next_head += 1;
            continue;
        }
        let end = run(leaves, at);
        writer.run(at..end);
        at = end;
    }
    writer.finish()
}

/// Blocks that are lines of one stanza, or cells of one row.
fn run(leaves: &Leaves, at: usize) -> usize {
    let block = &leaves.blocks[at];
    let lines = block.marks.any(Marks::LINE)
        || block.tag == Tag::Cell
        || block.marks.any(Marks::VERSE)
            && matches!(block.tag, Tag::P | Tag::Div)
            && one_line(leaves, block);
    if !lines || block.parent == 0 {
        return at + 1;
    }
    let mut end = at + 1;
    while end < leaves.blocks.len() {
        let next = &leaves.blocks[end];
        let alike = next.parent == block.parent && next.tag == block.tag && next.fate.is_none();
        let line = block.tag == Tag::Cell
            || block.marks.any(Marks::LINE) == next.marks.any(Marks::LINE)
                && one_line(leaves, next);
        if !alike || !line || next.rule || next.gap > 2 {
            break;
        }
        end += 1;
    }
    end
}

fn one_line(leaves: &Leaves, block: &Block) -> bool {
    block.letters < 80 && !leaves.text(block).trim_matches(is_blank).contains(BREAK)
}

struct Writer<'l> {
    leaves: &'l Leaves,
    out: Vec<CleanParagraph>,
    /// An initial in a block of its own, and where it stands.
    initial: Option<(String, Range<u32>)>,
    /// Whether a thought break stands before the next paragraph.
    broken: bool,
}

impl Writer<'_> {
    fn finish(mut self) -> Vec<CleanParagraph> {
        self.flush_initial();
        while self.out.last().is_some_and(|last| last.kind == ParagraphKind::Break) {
            self.out.pop();
        }
        self.out
    }

    fn flush_initial(&mut self) {
        if let Some((text, page)) = self.initial.take() {
            self.push(ParagraphKind::Prose, None, text, page);
        }
    }

    fn heading(&mut self, head: &Head) {
        self.flush_initial();
        let mut words = String::new();
        let mut page: Option<Range<u32>> = None;
        for at in &head.lines {
            let block = &self.leaves.blocks[*at];
            let text = lines(self.leaves, block).join(" ");
            if block.fate.is_some() || text.is_empty() {
                continue;
            }
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(&text);
            let here = shown(self.leaves, block);
            page = Some(page.map_or(here.start, |page| page.start)..here.end);
        }
        self.broken = false;
        while self.out.last().is_some_and(|last| last.kind == ParagraphKind::Break) {
            self.out.pop();
        }
        if let Some(page) = page {
            self.push(ParagraphKind::Heading, Some(head.level), words, page);
        }
    }

    fn run(&mut self, blocks: Range<usize>) {
        let first = &self.leaves.blocks[blocks.start];
        if first.rule || first.marks.any(Marks::THOUGHT_BREAK) {
            self.broken = true;
        }
        if blocks.len() == 1 {
            self.block(first);
            return;
        }
        let mut all = Vec::new();
        for at in blocks.clone() {
            all.extend(lines(self.leaves, &self.leaves.blocks[at]));
        }
        all.retain(|line| !line.is_empty());
        let page = shown(self.leaves, first).start
            ..shown(self.leaves, &self.leaves.blocks[blocks.end - 1]).end;
        if first.tag == Tag::Cell {
            self.push(ParagraphKind::Prose, None, all.join(" "), page);
        } else {
            self.push(ParagraphKind::Verse, None, all.join("\n"), page);
        }
    }

    fn block(&mut self, block: &Block) {
        let page = shown(self.leaves, block);
        if block.letters == 0 {
            let text = lines(self.leaves, block).concat();
            if is_ornament(&text) {
                self.broken = true;
                return;
            }
        }
        if block.all.any(Marks::INITIAL) && block.letters == 1 {
            self.flush_initial();
            self.initial = Some((lines(self.leaves, block).concat(), page));
            return;
        }
        let mut lines = lines(self.leaves, block);
        let mut page = page;
        if let Some((text, at)) = self.initial.take() {
            match lines.iter_mut().find(|line| !line.is_empty()) {
                Some(line) if goes_on(line) => {
                    line.insert_str(0, &text);
                    page.start = at.start;
                }
                _ => self.push(ParagraphKind::Prose, None, text, at),
            }
        }
        let typed = block.marks.any(Marks::PRE) || self.leaves.plain;
        for group in lines.split(String::is_empty).filter(|group| !group.is_empty()) {
            if group.len() == 1 {
                self.push(ParagraphKind::Prose, None, group[0].clone(), page.clone());
            } else if typed && is_wrapped(group) {
                self.push(ParagraphKind::Prose, None, group.join(" "), page.clone());
            } else if group.iter().any(|line| line.chars().count() > LONGEST_LINE) {
                for line in group {
                    self.push(ParagraphKind::Prose, None, line.clone(), page.clone());
                }
            } else {
                self.push(ParagraphKind::Verse, None, group.join("\n"), page.clone());
            }
        }
    }

    fn push(&mut self, kind: ParagraphKind, level: Option<u8>, text: String, page: Range<u32>) {
        if text.is_empty() {
            return;
        }
        let page = ByteSpan { start: page.start, end: page.end };
        let opens = self.out.last().is_none_or(|last| last.kind == ParagraphKind::Heading);
        if std::mem::take(&mut self.broken) && kind != ParagraphKind::Heading && !opens {
            let at = ByteSpan { start: page.start, end: page.start };
            let text = THOUGHT_BREAK.to_owned();
            self.out.push(CleanParagraph {
                kind: ParagraphKind::Break,
                level: None,
                text,
                page: at,
            });
        }
        self.out.push(CleanParagraph { kind, level, text, page });
    }
}

/// Whether a line goes on a word that its initial began: `nce upon a time`, `NCE upon a time`.
fn goes_on(line: &str) -> bool {
    let mut word = line.chars().take_while(|c| c.is_alphanumeric() || "’'.".contains(*c));
    word.next().is_some_and(|first| {
        first.is_lowercase()
            || first.is_uppercase() && word.next().is_none_or(|next| !next.is_lowercase())
    })
}

/// Signs that part paragraphs and say nothing.
fn is_ornament(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_whitespace() || "*•·.⁂~-–—_=+#◦○●§†❦❧✽✻☙×^|/\\<>o".contains(c))
}

/// Whether lines were broken where the typewriter's line was full.
pub(crate) fn is_wrapped(lines: &[String]) -> bool {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let full = &lines[..lines.len() - 1];
    let long = full.iter().filter(|line| line.chars().count() * 10 >= longest * 7).count();
    longest >= 50 && long * 10 >= full.len() * 8
}

/// The lines of a block, blanks folded, without what is cut; an empty line parts paragraphs.
fn lines(leaves: &Leaves, block: &Block) -> Vec<String> {
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
        for range in leaves.cuts.kept(piece.text.clone()) {
            out.add(&leaves.scroll[range.start as usize..range.end as usize], typed);
        }
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

/// Where a block's kept letters stand in the page.
fn shown(leaves: &Leaves, block: &Block) -> Range<u32> {
    let mut page: Option<Range<u32>> = None;
    for span in kept_spans(leaves, block) {
        page = Some(page.map_or(span.start, |page: Range<u32>| page.start)..span.end);
    }
    page.unwrap_or(0..0)
}

/// The kept stretches of a block, in the page.
fn kept_spans(leaves: &Leaves, block: &Block) -> Vec<Range<u32>> {
    leaves
        .cuts
        .kept(block.text.clone())
        .filter_map(|range| to_page(leaves, block, &range))
        .collect()
}

/// A range of the scroll in the page, from its first letter to its last.
fn to_page(leaves: &Leaves, block: &Block, range: &Range<u32>) -> Option<Range<u32>> {
    let text = &leaves.scroll[range.start as usize..range.end as usize];
    let blank = |c: char| is_blank(c) || is_unseen(c);
    let inner = text.trim_start_matches(blank);
    if inner.is_empty() {
        return None;
    }
    let start = range.end - u32::try_from(inner.len()).ok()?;
    let end = start + u32::try_from(inner.trim_end_matches(blank).len()).ok()?;
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    let first = &pieces[pieces.partition_point(|piece| piece.text.end <= start)];
    let last = &pieces[pieces.partition_point(|piece| piece.text.end < end)];
    let plain = |piece: &super::blocks::Piece| piece.text.len() == piece.page.len();
    let from =
        if plain(first) { first.page.start + start - first.text.start } else { first.page.start };
    let to = if plain(last) { last.page.start + end - last.text.start } else { last.page.end };
    Some(from..to)
}

/// What was kept and what was cut, in the order of the page: together all that it shows.
pub(crate) fn account(leaves: &Leaves) -> (Vec<ByteSpan>, Vec<Cut>) {
    let mut kept = Vec::new();
    let mut cuts: Vec<Cut> = Vec::new();
    let span = |range: Range<u32>| ByteSpan { start: range.start, end: range.end };
    for block in &leaves.blocks {
        if let Some(why) = block.fate {
            if let Some(page) = to_page(leaves, block, &block.text) {
                let text = one_line_of(leaves, &block.text);
                cuts.push(Cut { page: span(page), why, text });
            }
            continue;
        }
        kept.extend(kept_spans(leaves, block).into_iter().map(span));
        for (range, why) in leaves.cuts.inside(block.text.clone()) {
            if let Some(page) = to_page(leaves, block, range) {
                cuts.push(Cut { page: span(page), why: *why, text: one_line_of(leaves, range) });
            }
        }
    }
    (kept, cuts)
}

fn one_line_of(leaves: &Leaves, range: &Range<u32>) -> String {
    let text = &leaves.scroll[range.start as usize..range.end as usize];
    text.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Letters kept, and letters shown outside boilerplate.
pub(crate) fn shares(leaves: &Leaves) -> (u64, u64) {
    let (mut kept, mut all) = (0, 0);
    for block in &leaves.blocks {
        let letters = u64::from(block.letters);
        match block.fate {
            None => {
                kept += letters;
                all += letters;
            }
            Some(why) if why.is_boilerplate() => {}
            Some(Why::Contents | Why::Footnote | Why::PageNumber) => {}
            Some(_) => all += letters,
        }
    }
    (kept, all)
}
