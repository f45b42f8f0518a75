//! From a decoded page to events: a tag opens, a tag closes, text stands here.
//!
//! The tokenizer is `html5gum`, driven through an emitter of our own: its callback emitter folds
//! all text between two tags into one string, so that a character reference would make the place
//! of every word after it a guess. Here each run of plain text and each reference is an event with
//! its own span. No tree is built and nothing recurses; what the events mean is left to
//! [`blocks`](super::blocks).

use std::ops::Range;

use html5gum::{Emitter, Error, State, Tokenizer, emitters::naive_next_state};
use storymill_core::Reason;

pub(crate) use super::attributes::Attributes;
use super::{
    bounds::{Bounded, TagAtHand},
    tags::Tag,
};

/// What takes the events. A reason ends the walk.
pub(crate) trait Sink {
    /// A tag opens.
    fn open(&mut self, tag: Tag, attributes: &Attributes, span: Range<usize>)
    -> Result<(), Reason>;
    /// A tag closes.
    fn close(&mut self, tag: Tag);
    /// Text, and where in the page it stands.
    fn text(&mut self, text: &str, span: Range<usize>);
}

/// Walks over a page whose line ends are `\n`.
pub(crate) fn walk(page: &str, sink: &mut impl Sink) -> Result<(), Reason> {
    start(page, sink, false)
}

/// The same for XHTML, in which `<a id="x"/>` is closed where it opens.
pub(crate) fn walk_xml(page: &str, sink: &mut impl Sink) -> Result<(), Reason> {
    start(page, sink, true)
}

fn start(page: &str, sink: &mut impl Sink, xml: bool) -> Result<(), Reason> {
    let at_hand = TagAtHand::default();
    let walker = Walker {
        page: page.as_bytes(),
        at_hand: &at_hand,
        sink,
        at: 0,
        text_start: 0,
        text_end: 0,
        tag_start: 0,
        form: Form::Start,
        xml,
        seen: false,
        name: Vec::new(),
        last_start: Vec::new(),
        attributes: Attributes::default(),
        attribute: Vec::new(),
        value: Vec::new(),
        split: Vec::new(),
        stopped: None,
    };
    // The only token there can be is the reason to stop.
    match Tokenizer::new_with_emitter(Bounded::new(page, &at_hand), walker).next() {
        None => Ok(()),
        Some(Ok(reason)) => Err(reason),
        Some(Err(too_many)) => Err(too_many.into()),
    }
}

/// How a tag is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Start,
    /// `<br/>`
    Empty,
    End,
}

struct Walker<'p, S> {
    page: &'p [u8],
    at_hand: &'p TagAtHand,
    sink: &'p mut S,
    /// Where the tokenizer stands.
    at: usize,
    text_start: usize,
    text_end: usize,
    tag_start: usize,
    form: Form,
    xml: bool,
    /// Whether a tag has begun that is not yet handed on.
    seen: bool,
    name: Vec<u8>,
    last_start: Vec<u8>,
    attributes: Attributes,
    attribute: Vec<u8>,
    value: Vec<u8>,
    /// Bytes of a symbol whose rest has not come yet.
    split: Vec<u8>,
    stopped: Option<Reason>,
}

impl<S: Sink> Walker<'_, S> {
    fn keep_attribute(&mut self) {
        if let Some(slot) = self.attributes.slot(&self.attribute)
            && slot.is_empty()
        {
            slot.push_str(&String::from_utf8_lossy(&self.value));
        }
        self.attribute.clear();
        self.value.clear();
    }

    /// Where a piece of text ends: plain text stands in the page as it is, a reference does not.
    fn span_of(&mut self, text: &[u8]) -> Range<usize> {
        let start = self.text_start.max(self.text_end).min(self.page.len());
        let rest = &self.page[start..];
        let plain = rest.starts_with(text) && !rest.starts_with(b"&amp");
        let end = if plain { start + text.len() } else { self.at.clamp(start, self.page.len()) };
        self.text_end = end;
        self.text_start = end;
        start..end
    }
}

impl<S: Sink> Emitter for Walker<'_, S> {
    type Token = Reason;

    fn move_position(&mut self, offset: isize) {
        self.at = self.at.saturating_add_signed(offset);
    }

    fn set_last_start_tag(&mut self, last_start_tag: Option<&[u8]>) {
        self.last_start.clear();
        self.last_start.extend(last_start_tag.unwrap_or_default());
    }

    fn emit_eof(&mut self) {}

    fn emit_error(&mut self, _: Error) {}

    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn pop_token(&mut self) -> Option<Reason> {
        self.stopped.take()
    }

    fn init_string(&mut self) {
        if self.split.is_empty() {
            self.text_start = self.at;
        }
    }

    fn emit_string(&mut self, bytes: &[u8]) {
        if self.split.is_empty()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            let span = self.span_of(bytes);
            self.sink.text(text, span);
            return;
        }
        self.split.extend(bytes);
        let whole = std::mem::take(&mut self.split);
        match std::str::from_utf8(&whole) {
            Ok(text) => {
                let span = self.span_of(&whole);
                self.sink.text(text, span);
            }
            Err(error) if error.error_len().is_none() && whole.len() < 4 => self.split = whole,
            Err(_) => {
                let span = self.span_of(&whole);
                self.sink.text(&String::from_utf8_lossy(&whole), span);
            }
        }
    }

    fn init_start_tag(&mut self) {
        self.name.clear();
        self.attributes.clear();
        self.form = Form::Start;
        self.seen = true;
        self.at_hand.begin(self.tag_start);
    }

    fn init_end_tag(&mut self) {
        self.init_start_tag();
        self.form = Form::End;
    }

    fn init_comment(&mut self) {}

    fn emit_current_tag(&mut self) -> Option<State> {
        self.keep_attribute();
        self.text_end = self.text_end.max(self.at);
        if !std::mem::take(&mut self.seen) {
            return None;
        }
        let tag = Tag::of(&self.name);
        if self.form == Form::End {
            self.sink.close(tag);
            return None;
        }
        self.last_start.clear();
        self.last_start.extend_from_slice(&self.name);
        if let Err(reason) = self.sink.open(tag, &self.attributes, self.tag_start..self.at) {
            self.stopped = Some(reason);
        }
        if self.xml && self.form == Form::Empty {
            if !matches!(tag, Tag::Br | Tag::Hr | Tag::Img) {
                self.sink.close(tag);
            }
            return None;
        }
        naive_next_state(&self.name)
    }

    fn emit_current_comment(&mut self) {
        self.text_end = self.text_end.max(self.at);
    }

    fn emit_current_doctype(&mut self) {
        self.text_end = self.text_end.max(self.at);
    }

    fn set_self_closing(&mut self) {
        if self.form == Form::Start {
            self.form = Form::Empty;
        }
    }

    fn set_force_quirks(&mut self) {}

    fn push_tag_name(&mut self, bytes: &[u8]) {
        self.name.extend_from_slice(bytes);
    }

    fn push_comment(&mut self, _: &[u8]) {}

    fn push_doctype_name(&mut self, _: &[u8]) {}

    fn init_doctype(&mut self) {}

    fn init_attribute(&mut self) {
        self.at_hand.count();
        self.keep_attribute();
    }

    fn push_attribute_name(&mut self, bytes: &[u8]) {
        self.attribute.extend_from_slice(bytes);
    }

    fn push_attribute_value(&mut self, bytes: &[u8]) {
        self.value.extend_from_slice(bytes);
    }

    fn set_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn set_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_public_identifier(&mut self, _: &[u8]) {}

    fn push_doctype_system_identifier(&mut self, _: &[u8]) {}

    fn start_open_tag(&mut self) {
        self.tag_start = self.at.saturating_sub(1);
    }

    fn current_is_appropriate_end_tag_token(&mut self) -> bool {
        self.form == Form::End && !self.name.is_empty() && self.name == self.last_start
    }
}
