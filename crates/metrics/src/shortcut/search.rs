//! Many sentences searched in one book.

use crate::ids::Map;

/// A piece is at least so long, in bytes; a shorter sentence is joined to the one before.
const SHORTEST: usize = 20;
/// Bytes of a piece that are hashed.
const WINDOW: usize = 10;

/// The sentences of a text whose white space is single spaces: cut behind `.`, `!` and `?` (with the quotation marks
/// and brackets that close there) where a space follows, and behind their Chinese forms.
///
/// Law: joined they are the text, but for spaces between them.
///
/// ```
/// use storymill_metrics::shortcut::pieces;
/// let text = "\"Is the gate open?\" he asked. The miller shook his head, slowly.";
/// assert_eq!(pieces(text), ["\"Is the gate open?\" he asked.", "The miller shook his head, slowly."]);
/// ```
pub fn pieces(text: &str) -> Vec<&str> {
    let mut ends = Vec::new();
    let mut symbols = text.char_indices().peekable();
    let mut ended = false;
    while let Some((at, symbol)) = symbols.next() {
        let closes = matches!(symbol, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '」' | '』');
        let wide = matches!(symbol, '。' | '！' | '？');
        ended = matches!(symbol, '.' | '!' | '?') || wide || (ended && closes);
        let next = symbols.peek().map_or(' ', |(_, next)| *next);
        if ended && (next == ' ' || wide) {
            ends.push(at + symbol.len_utf8());
        }
    }
    ends.push(text.len());
    let (mut found, mut start): (Vec<&str>, usize) = (Vec::new(), 0);
    let mut from = 0;
    for end in ends {
        let piece = text[from..end].trim();
        if piece.len() >= SHORTEST {
            found.push(piece);
            start = from;
        } else if !piece.is_empty() {
            found.pop();
            // What is too short is one with what stands before it.
            found.push(text[start..end].trim());
        }
        from = end;
    }
    found
}

/// Where each piece first ends in a text, in bytes; none where it is not there.
///
/// The text is gone through once, however many pieces there are (Karp and Rabin 1987).
pub fn first_ends(text: &str, pieces: &[&str]) -> Vec<Option<usize>> {
    let mut ends = vec![None; pieces.len()];
    let mut wanted: Map<u64, Vec<usize>> = Map::default();
    for (at, piece) in pieces.iter().enumerate() {
        match piece.as_bytes().get(..WINDOW) {
            Some(head) => wanted.entry(hash(head)).or_default().push(at),
            None => ends[at] = text.find(piece).map(|start| start + piece.len()),
        }
    }
    let bytes = text.as_bytes();
    let Some(head) = bytes.get(..WINDOW) else { return ends };
    // A bit for each hash, so that nearly no other place of the text is looked up.
    let mut sieve = vec![0_u64; 1 << 13];
    let bit = |hash: u64| (hash.wrapping_mul(SPREAD) >> 45) as usize;
    for at in pieces.iter().filter_map(|piece| piece.as_bytes().get(..WINDOW)).map(hash) {
        sieve[bit(at) / 64] |= 1 << (bit(at) % 64);
    }
    let top = (1..WINDOW).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut rolling = hash(head);
    for start in 0..=bytes.len() - WINDOW {
        let place = bit(rolling);
        if (sieve[place / 64] >> (place % 64)) & 1 == 1
            && let Some(waiting) = wanted.get_mut(&rolling)
        {
            waiting.retain(|at| {
                let found = bytes[start..].starts_with(pieces[*at].as_bytes());
                if found {
                    ends[*at] = Some(start + pieces[*at].len());
                }
                !found
            });
        }
        if let Some(next) = bytes.get(start + WINDOW) {
            let out = top.wrapping_mul(u64::from(bytes[start]) + 1);
            rolling =
                rolling.wrapping_sub(out).wrapping_mul(BASE).wrapping_add(u64::from(*next) + 1);
        }
    }
    ends
}

const BASE: u64 = 0x0000_0100_0000_01b3;
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash(bytes: &[u8]) -> u64 {
    let add = |sum: u64, byte: &u8| sum.wrapping_mul(BASE).wrapping_add(u64::from(*byte) + 1);
    bytes.iter().fold(0, add)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// As if each piece were searched by itself.
        #[test]
        fn found_where_it_stands(text in "[ab é]{0,400}", cuts in prop::collection::vec((0_usize..400, 1_usize..60), 0..20)) {
            let at = |mut at: usize| { at = at.min(text.len()); while !text.is_char_boundary(at) { at -= 1; } at };
            let mut pieces: Vec<&str> = cuts.iter().map(|(from, length)| &text[at(*from)..at(from + length)])
                .filter(|piece| !piece.is_empty()).collect();
            pieces.push("a piece that is not in there");
            pieces.push("ab");
            let expected: Vec<_> = pieces.iter().map(|piece| text.find(piece).map(|start| start + piece.len())).collect();
            prop_assert_eq!(first_ends(&text, &pieces), expected);
        }

        #[test]
        fn nothing_is_lost(text in "[a-c\"][a-c.!?\" 。]{0,120}[a-c.]") {
            let text = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            let joined: String = pieces(&text).concat();
            prop_assert_eq!(joined.replace(' ', ""), text.replace(' ', ""));
            let short = pieces(&text).iter().filter(|piece| piece.len() < SHORTEST).count();
            prop_assert!(short <= 1, "{:?}", pieces(&text));
        }
    }
}
