//! How the builder takes events: what each tag opens and closes, where text goes.

use std::ops::Range;

use storymill_core::Reason;

use super::{
    blocks::{BREAK, PARAGRAPHS, small, too_many},
    builder::{Builder, Open},
    events::{Attributes, Sink},
    marks::Marks,
    parted::Parting,
    tags::Tag,
};

/// Open elements at one time; real pages stay below 40.
const DEEPEST: usize = 2_000;

impl Sink for Builder {
    fn open(
        &mut self,
        tag: Tag,
        attributes: &Attributes,
        span: Range<usize>,
    ) -> Result<(), Reason> {
        if tag.parts_blocks() {
            self.end_block();
            self.close_implied(tag);
        }
        if self.leaves.blocks.len() >= PARAGRAPHS {
            return Err(too_many());
        }
        if tag == Tag::Title && self.leaves.title.is_empty() {
            self.in_title = true;
        }
        self.note_anchor(&attributes.id);
        if tag == Tag::A && attributes.name != attributes.id {
            self.note_anchor(&attributes.name);
        }
        match tag {
            Tag::Br => {
                if self.break_parts() {
                    self.part();
                } else {
                    if self.all == 0 {
                        self.gap += 1;
                    }
                    self.breaks += 1;
                    self.leaves.scroll.push(BREAK);
                }
            }
            Tag::Hr => {
                self.rule = true;
                if Marks::of_class(&attributes.class, tag).any(Marks::THOUGHT_BREAK) {
                    self.gap += 2;
                }
            }
            Tag::Img => self.image(attributes, span),
            Tag::Body => {}
            _ => {
                if tag == Tag::A
                    && self.open_of[Tag::A as usize] > 0
                    && let Some(at) = self.open.iter().rposition(|open| open.tag == Tag::A)
                    && self.open[at..].iter().all(|open| !open.tag.parts_blocks())
                {
                    self.close_from(at);
                }
                if self.open.len() >= DEEPEST {
                    let detail =
                        format!("more than {DEEPEST} tags are open at byte {}", span.start);
                    return Err(Reason::new("nested-too-deep", detail));
                }
                let own = self.own_marks(tag, attributes);
                self.serial += 1;
                let marks = self.marks() | own;
                let holder = if tag.parts_blocks() {
                    Some(self.open.len())
                } else {
                    self.open.last().and_then(|open| open.holder)
                };
                let at = small(span.start);
                self.open.push(Open { tag, own, marks, serial: self.serial, at, holder });
                self.open_of[tag as usize] += 1;
                if tag == Tag::P {
                    self.gap += 1;
                }
            }
        }
        Ok(())
    }

    fn close(&mut self, tag: Tag) {
        if tag == Tag::Title {
            self.in_title = false;
        }
        if tag.parts_blocks() {
            self.end_block();
        }
        if self.open_of[tag as usize] == 0 {
            return;
        }
        let Some(at) = self.open.iter().rposition(|open| {
            open.tag == tag || tag.heading().is_some() && open.tag.heading().is_some()
        }) else {
            return;
        };
        let crosses = self.open[at + 1..].iter().any(|open| open.tag.parts_blocks());
        if tag.parts_blocks() || !crosses {
            self.close_from(at);
            return;
        }
        // An inline tag that ends inside a block it does not hold: its marks end, the block stays.
        self.open[at].own = Marks::NONE;
        self.open[at].tag = Tag::Other;
        self.open_of[tag as usize] -= 1;
        self.open_of[Tag::Other as usize] += 1;
        let mut marks = if at == 0 { Marks::NONE } else { self.open[at - 1].marks };
        for open in &mut self.open[at..] {
            marks |= open.own;
            open.marks = marks;
        }
    }

    fn text(&mut self, text: &str, span: Range<usize>) {
        let marks = self.marks();
        if marks.any(Marks::HIDDEN) {
            if self.in_title {
                self.leaves.title.push_str(text);
            } else if self.open.last().is_none_or(|open| open.tag != Tag::Title) {
                self.hidden(text, span);
            }
            return;
        }
        let holder = self.holder().map_or(Tag::Body, |open| open.tag);
        let splits = !matches!(
            holder,
            Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Cell
        ) || self.parting_here() == Some(Parting::Blanks);
        if !splits {
            self.push(text, span, marks);
            return;
        }
        // Text that stands in no paragraph, or is set as typed, is separated by its blank lines.
        let whole = span.len() == text.len();
        let mut from = 0;
        while self.leaves.blocks.len() < PARAGRAPHS
            && let Some((end, next)) = blank_line(&text[from..])
        {
            let (end, next) = (from + end, from + next);
            if whole {
                self.push(&text[from..end], span.start + from..span.start + end, marks);
                self.end_block();
                let lines = text[end..next].bytes().filter(|b| *b == b'\n').count();
                self.gap += u32::try_from(lines).unwrap_or(u32::MAX) - 1;
                from = next;
            } else {
                break;
            }
        }
        self.push(&text[from..], span.start + if whole { from } else { 0 }..span.end, marks);
    }
}

/// Where the first blank line begins and what stands behind it.
fn blank_line(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let first = from + bytes[from..].iter().position(|b| *b == b'\n')?;
        let mut next = first + 1;
        let mut lines = 1;
        for (at, byte) in bytes[first + 1..].iter().enumerate() {
            match byte {
                b'\n' => {
                    lines += 1;
                    next = first + 1 + at + 1;
                }
                b' ' | b'\t' | b'\x0c' => {}
                _ => break,
            }
        }
        if lines > 1 {
            return Some((first, next));
        }
        from = first + 1;
    }
}
