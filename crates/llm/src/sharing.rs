//! What requests begin with alike, and the order in which they are asked so that servers have it in their caches.
//!
//! A text that is shared is cut at places that depend on nothing behind them, so the blocks of a shorter text are the
//! first blocks of a longer one. A request waits for the one that sends what they share for the first time, its
//! *parent*: one request alone first, then all that go on from there. Where a text grows, they follow each other.

use std::collections::HashMap;

use storymill_core::{Asked, Digest};

/// About how long a block is, in bytes.
const BLOCK: usize = 8 << 10;
/// What is shorter no cache keeps: 1,024 tokens.
pub(crate) const SHORTEST: usize = 4 << 10;
/// How many marks a request may have.
const MARKS: usize = 4;

/// The places at which a text of which so much is shared is cut, the end of what is shared last. They depend on the
/// text before them alone.
pub(crate) fn borders(text: &str, shared: usize) -> Vec<usize> {
    let Some(shared) = text.get(..shared).map(str::len).filter(|shared| *shared >= SHORTEST) else {
        return Vec::new();
    };
    let mut borders = Vec::new();
    let mut last = 0;
    for upto in (1..).map(|count| count * BLOCK).take_while(|upto| *upto <= shared) {
        let whole = &text[last..text.floor_char_boundary(upto)];
        // A paragraph is not torn, if one ends here.
        last += whole.rfind('\n').map_or(whole.len(), |at| at + 1);
        borders.push(last);
    }
    if last < shared {
        borders.push(shared);
    }
    borders
}

/// A beginning that others may have too: where it ends, and its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beginning {
    end: usize,
    digest: Digest,
}

fn beginnings(asked: &Asked) -> Vec<Beginning> {
    let Some(chat) = asked.request.chat() else { return Vec::new() };
    let Some(turn) = chat.turns.first() else { return Vec::new() };
    let system = chat.system.as_deref().unwrap_or_default();
    let start = [asked.request.model.as_str(), system].map(str::as_bytes);
    let mut digest = Digest::of_parts("storymill 2026 beginning v1", start);
    let mut from = 0;
    let next = |end: usize| {
        let parts = [digest.as_bytes(), &turn.text.as_bytes()[from..end]];
        digest = Digest::of_parts("storymill 2026 beginning v1", parts);
        from = end;
        Beginning { end, digest }
    };
    borders(&turn.text, chat.shared).into_iter().map(next).collect()
}

/// A request among those that it shares its text with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The request that has to be answered first, by its place in the order: it sends what they share.
    pub(crate) parent: Option<usize>,
    /// How many bytes of the first turn it shares with that.
    pub(crate) known: usize,
    /// What it is part of: a number for each text.
    pub(crate) text: usize,
    /// Where marks for caching are set: behind what is there, and behind what others will want.
    pub(crate) marks: Vec<usize>,
}

/// A request in its place.
#[derive(Debug)]
pub(crate) struct Row<'a> {
    pub(crate) asked: &'a Asked,
    pub(crate) place: Place,
    beginnings: Vec<Beginning>,
}

impl Row<'_> {
    /// The beginnings that a server has once it has answered: all, or where it wants marks those that are marked.
    pub(crate) fn sends(&self, marked: bool) -> impl Iterator<Item = Digest> {
        let is_kept = move |one: &&Beginning| !marked || self.place.marks.contains(&one.end);
        self.beginnings.iter().filter(is_kept).map(|one| one.digest)
    }

    /// Whether it may share anything.
    pub(crate) fn shares(&self) -> bool {
        !self.beginnings.is_empty()
    }
}

/// Puts requests in order: text by text as they come, of each text the shortest part first; and says of each where
/// it stands. Beginnings that were sent before this wave are there already.
pub(crate) fn order<'a>(
    wave: impl IntoIterator<Item = &'a Asked>,
    sent: impl Fn(&Digest) -> bool,
) -> Vec<Row<'a>> {
    let mut texts: HashMap<Digest, usize> = HashMap::new();
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (at, asked) in wave.into_iter().enumerate() {
        let beginnings = beginnings(asked);
        let text = match beginnings.first() {
            Some(first) => *texts.entry(first.digest).or_insert(at),
            None => at,
        };
        rows.push(Row { asked, place: Place { text, ..Place::default() }, beginnings });
    }
    rows.sort_by_key(|row| (row.place.text, row.beginnings.last().map(|last| last.end)));
    let mut holders: HashMap<Digest, usize> = HashMap::new();
    for at in 0..rows.len() {
        let beginnings = rows[at].beginnings.clone();
        let mut longest = beginnings.iter().rev();
        let before = longest.clone().find(|one| sent(&one.digest)).map_or(0, |one| one.end);
        let shared = longest.find_map(|one| Some((one.end, *holders.get(&one.digest)?)));
        // What was sent before the wave need not be waited for.
        let shared = shared.filter(|(end, _)| *end > before);
        let (end, parent) = shared.map_or((0, None), |(end, parent)| (end, Some(parent)));
        let place = &mut rows[at].place;
        place.parent = parent;
        place.known = end.max(before);
        place.marks.extend([end, before].into_iter().filter(|end| *end > 0));
        if let Some(parent) = parent {
            rows[parent].place.marks.push(end);
        }
        for one in beginnings {
            holders.entry(one.digest).or_insert(at);
        }
    }
    for row in &mut rows {
        let marks = &mut row.place.marks;
        marks.sort_unstable();
        marks.dedup();
        marks.drain(..marks.len().saturating_sub(MARKS));
    }
    rows
}

/// What of a request a server has in its cache, in bytes of the first turn: what it shares with its parent, as far as
/// that goes.
pub(crate) fn common(rows: &[Row<'_>], at: usize) -> usize {
    let Place { parent, known, .. } = rows[at].place;
    let Some(parent) = parent else { return known };
    let both = first_turn(&rows[at]).iter().zip(first_turn(&rows[parent]));
    both.take_while(|(a, b)| a == b).count().max(known)
}

fn first_turn<'r>(row: &'r Row<'_>) -> &'r [u8] {
    let turn = row.asked.request.chat().and_then(|chat| chat.turns.first());
    turn.map_or(&[], |turn| turn.text.as_bytes())
}
