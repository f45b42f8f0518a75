//! Walking one file of a log and believing none of it: what is sound, what is lost, what is merely torn.
//!
//! A writer that is killed leaves the first bytes of a record, and nobody was told that this record
//! is safe. Whatever else does not have its checksum was safe once, and is damage.

use std::collections::BTreeSet;

use super::{
    file::{FIRST, Role},
    frame::{Frame, HEAD, Kind, MARK, Scan, length_at},
    index::{Entry, short_tag},
    pack,
};

/// What tells an answer from all others: its key, and the first bytes of its digest.
pub(crate) type Name = ([u8; 32], u64);

/// What a file holds.
#[derive(Debug, Default)]
pub(crate) struct Walk<'a> {
    /// The sound frames, in order.
    pub(crate) frames: Vec<Frame<'a>>,
    /// The answers that are not sound any more, as far as it can be read which these are.
    pub(crate) lost: Vec<Option<Name>>,
    /// Whether there may have been more of them: the file was cut.
    pub(crate) and_more: bool,
    /// Bytes that are damaged.
    pub(crate) damaged: u64,
    /// Bytes behind the last record of a segment: a write that was cut off, or a writer still at work.
    pub(crate) torn: u64,
    /// Whether its first bytes are not those of such a file, so that nothing of it is read: it is damaged
    /// there, or a newer version wrote it.
    pub(crate) strange: bool,
}

/// Walks the bytes of a file.
pub(crate) fn walk(role: Role, bytes: &[u8]) -> Walk<'_> {
    let magic = role.magic();
    let mut walk = Walk::default();
    let length = bytes.len() as u64;
    if role == Role::Segment && bytes.len() < FIRST && magic.starts_with(bytes) {
        return Walk { torn: length, ..walk };
    }
    if !bytes.starts_with(magic) {
        let answers = Scan::new(bytes, FIRST).filter(|frame| frame.kind == Kind::Answer);
        let mut lost: Vec<_> = answers.map(|frame| Some(name(&frame))).collect();
        // A pack holds answers, though nothing tells how many: it was emptied or replaced.
        let and_more = role == Role::Pack && lost.is_empty();
        lost.extend(and_more.then_some(None));
        return Walk { lost, and_more, damaged: length, strange: true, ..walk };
    }
    match role {
        Role::Pack => walk.pack(bytes),
        _ => walk.frames(bytes, role == Role::Segment),
    }
    walk
}

fn name(frame: &Frame<'_>) -> Name {
    (frame.key(), short_tag(&frame.tag()))
}

impl<'a> Walk<'a> {
    /// Whether anything of the file is not as it was written. Of what was cut off no byte is left to count.
    pub(crate) fn is_damaged(&self) -> bool {
        self.damaged > 0 || !self.lost.is_empty() || self.strange || self.and_more
    }

    fn pack(&mut self, bytes: &'a [u8]) {
        if let Some((start, rows)) = pack::rows_of(bytes) {
            self.frames(&bytes[..start], false);
            let sound: BTreeSet<_> =
                self.frames.iter().map(|frame| (frame.start, name(frame))).collect();
            let row = |row: &Entry| (row.at as usize, (row.key, row.tag));
            let lost = rows.iter().map(row).filter(|row| !sound.contains(row));
            self.lost = lost.map(|(_, name)| Some(name)).collect();
            self.damaged = self.damaged.max(self.lost.len() as u64);
            return;
        }
        // Where the index begins may still be known, and so how many answers there were.
        let last = Scan::new(bytes, FIRST).last();
        let last = last.map_or(FIRST, |frame| frame.start + frame.bytes.len());
        let known = pack::index_at(bytes).filter(|start| *start >= last);
        let start = known.unwrap_or(last);
        self.frames(&bytes[..start], false);
        let found = self.frames.len() + self.lost.len();
        let rows = pack::rows_from(bytes, start).filter(|rows| known.is_some() || *rows == found);
        self.and_more = rows.is_none();
        let rows = rows.unwrap_or(found + 1);
        self.lost.extend((found..rows).map(|_| None));
        self.damaged += (bytes.len() - start) as u64;
    }

    /// Walks frames. What is behind the last of them may be torn.
    fn frames(&mut self, bytes: &'a [u8], may_be_torn: bool) {
        let mut before = FIRST;
        for frame in Scan::new(bytes, FIRST) {
            self.gap(&bytes[before..frame.start], false);
            before = frame.start + frame.bytes.len();
            self.frames.push(frame);
        }
        self.gap(&bytes[before..], may_be_torn);
    }

    /// Bytes between sound frames, or behind the last: damaged frames, one after another.
    fn gap(&mut self, gap: &[u8], may_be_torn: bool) {
        let mut at = 0;
        while at < gap.len() {
            let rest = &gap[at..];
            let next = rest[1..].windows(MARK.len()).position(|window| window == MARK);
            let next = next.map(|next| next + 1);
            let whole = length_at(rest).filter(|length| *length <= rest.len());
            // It ends where it says, if that is where another one begins or nothing follows.
            let said = whole.filter(|length| {
                let behind = &rest[*length..];
                behind.is_empty() || behind.starts_with(&MARK[..behind.len().min(MARK.len())])
            });
            if may_be_torn && said.is_none() && next.is_none() {
                self.torn += rest.len() as u64;
                return;
            }
            if rest.get(8) != Some(&(Kind::Note as u8)) {
                self.lost.push(name_at(rest));
            }
            let length = said.or(next).unwrap_or(rest.len());
            self.damaged += length as u64;
            at += length;
        }
    }
}

/// Which answer a damaged frame held, by its own word.
fn name_at(frame: &[u8]) -> Option<Name> {
    let (key, rest) = frame.get(HEAD..)?.split_first_chunk()?;
    Some((*key, u64::from_be_bytes(*rest.first_chunk()?)))
}

#[cfg(test)]
mod tests {
    use storymill_core::Digest;

    use super::*;
    use crate::log::frame;

    /// A segment of answers, each with its note; where each record ends.
    fn segment(records: u8) -> (Vec<u8>, Vec<usize>) {
        let mut bytes = Role::Segment.magic().to_vec();
        let mut ends = vec![FIRST];
        for number in 0..records {
            let (key, tag) = ([number; 32], Digest::of(&[number]));
            frame::write(&mut bytes, Kind::Answer, &key, &tag, b"an answer").unwrap();
            frame::write(&mut bytes, Kind::Note, &key, &tag, b"its note").unwrap();
            ends.push(bytes.len());
        }
        (bytes, ends)
    }

    #[test]
    fn what_a_kill_leaves_is_torn_and_nothing_else_is() {
        let (bytes, ends) = segment(3);
        for length in 0..bytes.len() {
            let walk = walk(Role::Segment, &bytes[..length]);
            assert_eq!((walk.lost.len(), walk.damaged), (0, 0), "cut at {length}");
            assert!(walk.torn == 0 || !ends.contains(&length), "cut at {length}");
        }
    }

    #[test]
    fn a_flipped_bit_costs_at_most_its_own_answer_and_is_never_torn() {
        let (bytes, ends) = segment(3);
        let length = (ends[1] - ends[0]) / 2;
        for at in FIRST..bytes.len() {
            for bit in 0..8 {
                let mut bytes = bytes.clone();
                bytes[at] ^= 1 << bit;
                let walk = walk(Role::Segment, &bytes);
                assert_eq!(walk.frames.len(), 5, "byte {at}, bit {bit}");
                let hit = ends.iter().position(|end| at < *end).unwrap() - 1;
                let in_note = at > ends[hit] + length;
                // The length of the very last record makes it look cut off: that is a note's, which costs nothing.
                if hit < 2 || walk.torn == 0 {
                    assert_eq!(walk.torn, 0, "byte {at}, bit {bit}");
                    assert!(walk.damaged > 0);
                }
                if !in_note {
                    assert_eq!(walk.lost.len(), 1, "byte {at}, bit {bit}: {walk:?}");
                }
                assert!(walk.lost.len() <= 1);
            }
        }
    }
}
