//! What a model sees of a context that is too long for it: the beginning and the end.

use std::ops::Range;

/// What is cut out of the middle of a text so that so many tokens are left, half of them from either
/// end; the odd one from the beginning. `ends` are the bytes where tokens end, ascending. Nothing is
/// cut where the text has no more.
///
/// Laws: what is left is whole characters and has no more tokens than the window; a text that fits is
/// left as it is.
///
/// ```
/// use storymill_mixing::middle;
/// let text = "ab cd ef gh";
/// assert_eq!(middle(text, &[2, 5, 8, 11], 3), 5..8);
/// assert_eq!(middle(text, &[2, 5, 8, 11], 4), 11..11);
/// // A token may end inside a character: then the character goes.
/// assert_eq!(middle("né!", &[1, 2, 3, 4], 3), 1..3);
/// ```
pub fn middle(text: &str, ends: &[usize], window: usize) -> Range<usize> {
    if ends.len() <= window {
        return text.len()..text.len();
    }
    let last = window / 2;
    let end_of = |tokens: usize| match tokens {
        0 => 0,
        _ => ends[tokens - 1].min(text.len()),
    };
    let from = text.floor_char_boundary(end_of(window - last));
    let upto = if last == 0 { text.len() } else { end_of(ends.len() - last) };
    from..text.ceil_char_boundary(upto).max(from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whole_characters_are_left(
            text in "[a-c山é😀 ]{0,40}",
            steps in prop::collection::vec(1_usize..6, 1..80),
            window in 0_usize..30,
        ) {
            let mut ends: Vec<usize> = steps
                .iter()
                .scan(0, |end, step| {
                    *end += step;
                    Some(*end)
                })
                .take_while(|end| *end < text.len())
                .collect();
            ends.push(text.len());
            let cut = middle(&text, &ends, window);
            let (first, last) = (&text[..cut.start], &text[cut.end..]);
            let left = ends.iter().filter(|end| **end <= cut.start).count()
                + ends.iter().filter(|end| **end > cut.end).count();
            let most = if cut.is_empty() { ends.len() } else { window };
            prop_assert!(left <= most);
            if ends.len() <= window {
                prop_assert_eq!(first, &text);
                prop_assert_eq!(last, "");
            } else {
                // Nothing is cut that could have stayed whole.
                let lost = text.chars().map(char::len_utf8).max().unwrap_or(0);
                let wanted = if window == 0 { 0 } else { ends[window - window / 2 - 1] };
                prop_assert!(cut.start + lost > wanted || wanted == 0);
            }
        }
    }
}
