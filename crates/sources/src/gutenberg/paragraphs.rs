//! From judged blocks to paragraphs: words joined over tags, blanks folded, lines of verse kept,
//! initials joined to their words, and every kept stretch traced back to the page.

use std::ops::Range;

use storymill_core::{ByteSpan, ParagraphKind};

use super::{
    account::shown,
    blocks::{BREAK, Block, Leaves, is_blank},
    emphasis::unmarked,
    joined::{in_one, is_wrapped, lines, run_on},
    marks::Marks,
    structure::Head,
    tags::Tag,
    wrapped::rejoined,
};
use crate::piece::CleanParagraph;

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
        if let Some(head) =
            heads.get(next_head).filter(|head| head.lines.binary_search(&at).is_ok())
        {
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
        rejoined(self.out)
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
            let mut said = lines(self.leaves, block);
            said.retain(|line| !line.is_empty());
            let text = said.join(" ");
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
        self.flush_initial();
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
        for group in lines.split_mut(String::is_empty).filter(|group| !group.is_empty()) {
            if let [line] = group {
                self.push(ParagraphKind::Prose, None, std::mem::take(line), page.clone());
            } else if typed && is_wrapped(group) || run_on(group) {
                self.push(ParagraphKind::Prose, None, in_one(group), page.clone());
            } else if group.iter().any(|line| line.chars().count() > LONGEST_LINE) {
                for line in group {
                    self.push(ParagraphKind::Prose, None, std::mem::take(line), page.clone());
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
        let text = unmarked(text);
        let page = ByteSpan { start: page.start, end: page.end };
        if !self.broken
            && let Some(last) = self.out.last_mut()
            && (last.kind, kind) == (ParagraphKind::Prose, ParagraphKind::Prose)
            && is_cut_short(&last.text)
            && text.starts_with(char::is_lowercase)
            && self.leaves.is_picture_between(last.page.end, page.start)
        {
            last.text.push(' ');
            last.text.push_str(&text);
            last.page.end = page.end;
            return;
        }
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

/// Whether a paragraph ends inside a sentence.
fn is_cut_short(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphabetic() || matches!(c, ',' | ';'))
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
