//! Titles below a number that have no heading tag: what they look like, and whether most chapters have one.

use std::ops::Range;

use super::{
    blocks::Leaves,
    marks::Marks,
    structure::Head,
    words::{Kind, says},
};

/// Titles that stand below `CHAPTER I` without a heading tag, where most chapters have one.
pub(super) fn titled(leaves: &Leaves, heads: &mut [Head], body: &Range<usize>) {
    let mut bare = 0;
    let mut found = Vec::new();
    for at in 0..heads.len() {
        let head = &heads[at];
        if head.lines.len() > 1
            || !head.says.bare
            || !matches!(head.says.kind, Kind::Chapter | Kind::Number | Kind::Part)
        {
            continue;
        }
        let end = heads.get(at + 1).map_or(body.end, Head::first);
        // Below the title of a part its first chapter may stand.
        let part = head.says.kind == Kind::Part;
        let below = (head.end()..if part { body.end } else { end })
            .filter(|at| leaves.blocks[*at].fate.is_none())
            .take(2)
            .collect::<Vec<_>>();
        let &[title, next] = &below[..] else { continue };
        if title >= end {
            continue;
        }
        bare += usize::from(!part);
        if let Some(looks) = looks(leaves, head, title, next) {
            found.push((at, title, looks));
        }
    }
    let usual = |least: Looks| {
        let alike = found.iter().filter(|(.., looks)| *looks >= least).count();
        alike >= 2 && alike * 10 >= bare * if least == Looks::Short { 8 } else { 6 }
    };
    let least = [Looks::Short, Looks::Likely].into_iter().find(|least| usual(*least));
    for (at, title, looks) in found {
        if looks >= least.unwrap_or(Looks::Sure) {
            heads[at].lines.push(title);
        }
    }
}

/// How much the line below a number looks like its title.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Looks {
    /// A short paragraph: a title where nearly all chapters begin so.
    Short,
    /// One where most do.
    Likely,
    Sure,
}

/// How the line below a number looks; nothing where it is no title.
fn looks(leaves: &Leaves, head: &Head, title: usize, next: usize) -> Option<Looks> {
    let (block, behind) = (&leaves.blocks[title], &leaves.blocks[next]);
    let text = leaves.line(block);
    let marks = block.marks | block.all;
    let length = text.chars().count();
    let caps = !text.chars().any(char::is_lowercase);
    let wide = behind.gap > block.gap;
    let set_off = marks.any(Marks::CENTER | Marks::BOLD);
    let opens = text
        .chars()
        .next()
        .is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || "\"“‘'".contains(c));
    let ends = text.ends_with(['.', ',', ';', ':', '—', '-', '!', '?', '”', '"', '’']);
    // `“Who goes there?”—OLD SONG.` is a motto.
    let cited = text.starts_with(['"', '“', '«', '„']) && !text.ends_with(['"', '”', '»']);
    // The cells of a row are one heading.
    let row = marks.any(Marks::TABLE) && leaves.blocks[head.first()].marks.any(Marks::TABLE);
    let fits = block.letters > 0
        && length <= 90
        && opens
        && !cited
        && !(says(&text).number.is_some() && head.says.kind == Kind::Part)
        && !marks.any(if row { Marks::VERSE } else { Marks::VERSE | Marks::RIGHT })
        && !block.any.any(Marks::INITIAL)
        && leaves.initials(&block.text).is_empty()
        && !leaves.torn.iter().any(|end| block.text.contains(end));
    if !fits {
        return None;
    }
    if caps && block.letters > 2 || marks.any(Marks::HEADING) || row {
        return Some(Looks::Sure);
    }
    let likely = (!ends || set_off || wide && length < 70)
        && (set_off
            || marks.any(Marks::ITALIC)
            || wide
            || behind.tag != block.tag
            || title_case(&text));
    let short = length <= 60
        && !text.ends_with([',', ';', ':'])
        && behind.letters >= 120.max(block.letters * 3)
        && !leaves.pictures.iter().any(|picture| picture.block as usize == title);
    match (likely, short) {
        (true, _) => Some(Looks::Likely),
        (_, true) => Some(Looks::Short),
        _ => None,
    }
}

/// Whether most long words of a line begin with a capital.
fn title_case(text: &str) -> bool {
    let long = text.split_whitespace().filter(|word| word.chars().count() > 3);
    let (mut upper, mut all) = (0, 0);
    for word in long {
        all += 1;
        upper +=
            usize::from(word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase));
    }
    all == 0 || upper * 10 >= all * 8
}
