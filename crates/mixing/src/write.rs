//! A recipe written out as text, and the text taken apart again.

use std::ops::Range;

use storymill_core::{Context, Heading, Insertion};
use storymill_text::Language;

use crate::{Replacer, language::heading};

/// Where everything stands in a written context, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The passages in order, without their headings.
    pub passages: Vec<Range<usize>>,
    /// The insertions in order.
    pub insertions: Vec<Range<usize>>,
}

/// What stands between two passages.
const BETWEEN: &str = "\n\n";

/// Writes the context of a recipe behind `out`. `text_of` gives the passages by number, `replacer`
/// holds the recipe's rules.
///
/// Law: [`unmix`] gives the passages back, byte for byte, where every passage is clean
/// ([`Replacer::is_clean`]).
pub fn write<'p>(
    recipe: &Context,
    replacer: &Replacer,
    text_of: impl Fn(u32) -> &'p str,
    out: &mut String,
) -> Places {
    let mut places = Places::default();
    let mut waiting = recipe.insertions.iter().peekable();
    for (place, number) in recipe.passages.iter().enumerate() {
        if place > 0 {
            out.push_str(BETWEEN);
        }
        if recipe.heading != Heading::Plain {
            out.push_str(&heading(recipe.heading, place + 1));
            out.push('\n');
        }
        let start = out.len();
        let text = text_of(*number);
        let mut done = 0;
        while let Some(insertion) = waiting.next_if(|one| one.place as usize == place) {
            let at = (insertion.at as usize).clamp(done, text.len());
            replacer.apply(&text[done..at], out, |_, _, _| ());
            done = at;
            let [before, behind] = glue(insertion, text, &recipe.language);
            out.push_str(before);
            let begin = out.len();
            replacer.apply(&insertion.text, out, |_, _, _| ());
            places.insertions.push(begin..out.len());
            out.push_str(behind);
        }
        replacer.apply(&text[done..], out, |_, _, _| ());
        places.passages.push(start..out.len());
    }
    places
}

/// The blanks around an inserted sentence: one towards the rest of the passage, none in Chinese.
fn glue(insertion: &Insertion, text: &str, language: &str) -> [&'static str; 2] {
    if language == Language::Chinese.tag() {
        ["", ""]
    } else if insertion.at as usize >= text.len() {
        [" ", ""]
    } else {
        ["", " "]
    }
}

/// Why a text cannot be taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmixed {
    /// The passage, by its place from 0.
    pub place: usize,
    /// What is missing there.
    pub missing: String,
}

impl std::fmt::Display for Unmixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "passage {}: `{}` is missing", self.place + 1, self.missing)
    }
}

impl std::error::Error for Unmixed {}

/// The passages of a context, with what was put into them taken out and what was replaced put back.
/// A context without headings is one piece, and cannot be taken apart.
pub fn unmix(recipe: &Context, replacer: &Replacer, text: &str) -> Result<Vec<String>, Unmixed> {
    let mut passages = Vec::with_capacity(recipe.passages.len());
    let mut rest = text;
    for place in 0..recipe.passages.len() {
        let missing = |what: &str| Unmixed { place, missing: what.to_owned() };
        if recipe.heading == Heading::Plain {
            return Err(missing("a heading"));
        }
        let head = format!("{}\n", heading(recipe.heading, place + 1));
        rest = rest.strip_prefix(&head[..]).ok_or_else(|| missing(head.trim_end()))?;
        let body = if place + 1 == recipe.passages.len() {
            rest
        } else {
            let next = format!("{BETWEEN}{}\n", heading(recipe.heading, place + 2));
            let end = rest.find(&next).ok_or_else(|| missing(next.trim()))?;
            let body = &rest[..end];
            rest = &rest[end + BETWEEN.len()..];
            body
        };
        let own: Vec<&Insertion> =
            recipe.insertions.iter().filter(|one| one.place as usize == place).collect();
        passages
            .push(without(&own, &recipe.language, replacer, body).map_err(|what| missing(&what))?);
    }
    Ok(passages)
}

/// A passage without what was put into it. Pieces are put back one by one, as they were replaced
/// one by one.
fn without(
    own: &[&Insertion],
    language: &str,
    replacer: &Replacer,
    body: &str,
) -> Result<String, String> {
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    for insertion in own {
        let fact = replacer.replaced(&insertion.text);
        let at = insertion.at as usize;
        // The piece before ends where, put back, it has the length that the recipe tells.
        let found = rest.match_indices(&fact).find_map(|(found, _)| {
            let piece = replacer.restored(&rest[..found]);
            let (end, blank) = match piece.strip_suffix(' ') {
                Some(less) if text.len() + less.len() == at && language != "zh" => (less, true),
                _ => (&piece[..], false),
            };
            let last = found + fact.len() == rest.len();
            let fits = text.len() + end.len() == at && (!blank || last);
            fits.then(|| (end.to_owned(), found + fact.len()))
        });
        let (piece, end) = found.ok_or(fact)?;
        text.push_str(&piece);
        rest = &rest[end..];
        if language != "zh" {
            rest = rest.strip_prefix(' ').unwrap_or(rest);
        }
    }
    text.push_str(&replacer.restored(rest));
    Ok(text)
}
