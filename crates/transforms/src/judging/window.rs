//! The source of a retelling, cut where scenes end into pieces that a judge has room for.

use std::ops::Range;

use storymill_core::{Encoding, Fault, Retold};

use crate::evaluation::counting::{count, no_tokens};

/// The pieces of a source, each of neighbouring scenes and of at most `room` tokens; none if some scene alone has
/// more. Joined, they are the source. Without a limit the source is one piece.
pub(super) fn pieces(
    retold: &Retold,
    room: Option<u32>,
    encoding: Encoding,
) -> Result<Option<Vec<&str>>, Fault> {
    let source = retold.source.as_str();
    let Some(room) = room else { return Ok(Some(vec![source])) };
    let fits = |range: Range<usize>| {
        let tokens = count(&source[range], encoding).ok_or_else(no_tokens)?;
        Ok::<_, Fault>(tokens <= room)
    };
    if fits(0..source.len())? {
        return Ok(Some(vec![source]));
    }
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for end in scene_ends(retold) {
        let joined = match pieces.last() {
            Some(last) if fits(last.start..end)? => true,
            _ if fits(from..end)? => false,
            _ => return Ok(None),
        };
        match pieces.last_mut().filter(|_| joined) {
            Some(last) => last.end = end,
            None => pieces.push(from..end),
        }
        from = end;
    }
    Ok(Some(pieces.into_iter().map(|piece| &source[piece]).collect()))
}

/// The bytes at which scenes end; the last is the end of the source.
fn scene_ends(retold: &Retold) -> Vec<usize> {
    let source = retold.source.as_str();
    let mut ends: Vec<usize> = Vec::new();
    let mut symbols = source.char_indices().map(|(at, _)| at).zip(0_u32..).peekable();
    for end in &retold.ends {
        while symbols.next_if(|(_, symbol)| symbol < end).is_some() {}
        let at = symbols.peek().map_or(source.len(), |(at, _)| *at);
        if at > ends.last().copied().unwrap_or(0) && at < source.len() {
            ends.push(at);
        }
    }
    ends.push(source.len());
    ends
}
