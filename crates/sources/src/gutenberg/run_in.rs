//! Headings that stand in one paragraph with the text below them: `<p><b>CHAPTER I.</b> The lamp …`.
//!
//! Such a line is found by its number, set off by a line break, by its letters or by a sign behind it, and judged
//! with all others of its kind on the page: numbers that run on speak for all of them. Then its block is parted.

use std::collections::BTreeMap;

use super::{
    arguments::{self, title_of},
    blocks::{BREAK, Block, Leaves, is_blank, small},
    marks::Marks,
    sequence::{self, Candidate},
    splitting::split,
    words::{Kind, Says, may_count, says},
};

/// The doubt whether a paragraph holds a heading.
pub(crate) const RUN_IN: (&str, &str) = ("run-in", "does a chapter begin inside this paragraph?");

/// A margin of fewer points is a doubt.
const SURE: i32 = 3;

/// What a heading in a paragraph of its own has for it.
const ALONE: i32 = 8;

/// A shorter block holds no heading beside text, in bytes.
const SHORTEST: usize = 80;

/// A heading of more bytes has text in it.
const LONGEST: usize = 110;

/// A place where a heading may stand inside a block.
#[derive(Debug)]
struct RunIn {
    block: usize,
    /// From its first letter in the scroll to its last.
    from: u32,
    upto: u32,
    says: Says,
    points: i32,
    /// Whether its number stands on the line of the text.
    same_line: bool,
    /// Whether its block begins with it.
    opens: bool,
}

/// A doubt about a block of the page as it was: where it begins and ends there, and whether it was parted.
pub(crate) type Doubted = (std::ops::Range<u32>, bool);

/// Parts the blocks that begin with a heading, or hold one; what people decided against the default is `turned`.
pub(crate) fn part(leaves: &mut Leaves, turned: impl Fn(u32) -> bool) -> Vec<Doubted> {
    let mut found = Vec::new();
    for at in 0..leaves.blocks.len() {
        in_block(leaves, at, &mut found);
    }
    arguments::leave(leaves, &mut found, |one| (one.block, one.upto, one.opens));
    if found.is_empty() {
        return Vec::new();
    }
    extend(leaves, &mut found);
    let margins = margins(leaves, &found);
    let mut blocks: BTreeMap<usize, (i32, Vec<(u32, u32)>)> = BTreeMap::new();
    for (one, margin) in found.iter().zip(margins).filter(|(_, margin)| *margin > -SURE) {
        let (least, places) = blocks.entry(one.block).or_insert((margin, Vec::new()));
        *least = margin.min(*least);
        places.push((one.from, one.upto));
    }
    let mut doubts = Vec::new();
    blocks.retain(|at, (margin, _)| {
        let pieces = &leaves.blocks[*at].pieces;
        let page = leaves.pieces[pieces.start as usize].page.start
            ..leaves.pieces[pieces.end as usize - 1].page.end;
        let parted = (*margin > 0) != turned(page.start);
        if *margin < SURE {
            doubts.push((page, parted));
        }
        parted
    });
    split(leaves, &blocks.into_iter().map(|(at, (_, places))| (at, places)).collect());
    doubts
}

/// Notes what may be headings inside a block.
fn in_block(leaves: &Leaves, at: usize, found: &mut Vec<RunIn>) {
    let block = &leaves.blocks[at];
    let marks = block.marks | block.all;
    let other = Marks::VERSE.with(Marks::LIST).with(Marks::TABLE).with(Marks::CONTENTS);
    let beside = Marks::FOOTNOTE.with(Marks::NOTE).with(Marks::SIDENOTE).with(Marks::CAPTION);
    if block.text.len() < SHORTEST || block.tag.heading().is_some() || marks.any(other.with(beside))
    {
        return;
    }
    let text = leaves.text(block);
    let typed = leaves.plain || block.marks.any(Marks::PRE);
    let lines = match () {
        () if typed => lines(text.split([BREAK, '\n'])),
        () if text.contains(BREAK) => lines(text.split(BREAK)),
        () => lines(std::iter::once(text)),
    };
    let first = found.len();
    let place = |nth: usize, lines: &[(usize, &str)], (upto, says, points, same_line)| RunIn {
        block: at,
        from: block.text.start + small(lines[nth].0),
        upto: block.text.start + small(upto),
        says,
        points,
        same_line,
        opens: nth == 0,
    };
    for nth in 0..lines.len() {
        let one = on_a_line(block, &lines, nth)
            .or_else(|| if nth == 0 { ahead(leaves, at, lines[0]) } else { None });
        found.extend(one.map(|one| place(nth, &lines, one)));
    }
    // Where no tag parts lines, those of the page's source may say it.
    let soft = || {
        text.split('\n').zip(text.split('\n').skip(1)).any(|(above, line)| {
            line.len() <= LONGEST
                && (above.trim().is_empty() || ended(above.trim_end()))
                && may_count(line)
        })
    };
    if found.len() == first && !typed && soft() {
        let lines = self::lines(text.split([BREAK, '\n']));
        let named = |one: &(usize, Says, i32, bool)| one.1.kind != Kind::Number && one.2 >= 4;
        let named =
            |nth: usize| on_a_line(block, &lines[..(nth + 2).min(lines.len())], nth).filter(named);
        found.extend((1..lines.len()).filter_map(|nth| Some(place(nth, &lines, named(nth)?))));
    }
    // Numbers with nothing between them are a list.
    let listed = found[first..]
        .windows(2)
        .any(|two| leaves.scroll[two[0].upto as usize..two[1].from as usize].len() < 60);
    if listed {
        found.truncate(first);
    }
}

/// The lines that show something, and where each begins in their text.
fn lines<'t>(parts: impl Iterator<Item = &'t str>) -> Vec<(usize, &'t str)> {
    let mut lines = Vec::new();
    let mut from = 0;
    for line in parts {
        let inner = line.trim_matches(is_blank);
        if !inner.is_empty() {
            let lead = line.len() - line.trim_start_matches(is_blank).len();
            lines.push((from + lead, inner));
        }
        from += line.len() + 1;
    }
    lines
}

/// Whether a text before a heading may end so.
fn ended(line: &str) -> bool {
    line.ends_with([
        '.', '!', '?', '”', '’', '"', '…', '—', ':', '*', ']', '。', '！', '？', '」', '』',
    ])
}

/// A heading on a line of its own; titles on the lines below it belong to it.
fn on_a_line(
    block: &Block,
    lines: &[(usize, &str)],
    nth: usize,
) -> Option<(usize, Says, i32, bool)> {
    let (from, line) = lines[nth];
    // What goes before has come to its end, and what follows begins.
    if lines.len() == 1
        || line.len() > LONGEST
        || nth.checked_sub(1).is_some_and(|above| !ended(lines[above].1))
        || lines.get(nth + 1).is_some_and(|(_, below)| below.starts_with(char::is_lowercase))
        || !may_count(line)
    {
        return None;
    }
    let says = says(line);
    says.number?;
    let caps = !line.chars().any(char::is_lowercase);
    let sentence = line.ends_with(['?', '!', ',', ';', '”', '"']);
    let points = match says.kind {
        Kind::Chapter | Kind::Part if says.bare || caps => 4,
        Kind::Chapter | Kind::Part if !sentence && !line.ends_with('.') => 1,
        Kind::Number if says.bare && !block.all.any(Marks::VERSE) => -1,
        Kind::Number if caps && line.contains(char::is_alphabetic) => -1,
        _ => return None,
    };
    let mut last = nth;
    while let (Some((_, line)), Some((_, next))) = (lines.get(last + 1), lines.get(last + 2))
        && last < nth + 3
        && says.bare
        && is_title(line, next)
    {
        last += 1;
    }
    let (end, last) = lines[last];
    Some((end + last.len(), says, points, false)).filter(|_| from < end + last.len())
}

/// Whether a line looks like the title above a text that begins on the next one.
fn is_title(line: &str, next: &str) -> bool {
    let caps = !line.chars().any(char::is_lowercase);
    let opens = next.starts_with(|c: char| c.is_uppercase() || "“\"‘'—«„".contains(c));
    opens
        && line.len() <= if caps { 90 } else { 45 }
        && line.starts_with(|c: char| c.is_uppercase() || "“\"‘'".contains(c))
        && (caps || !line.ends_with(['.', ',', ';', ':', '—', '-', '!', '?', '”', '"']))
        && says(line).number.is_none()
}

/// A heading at the begin of a line of text: in letters of its own, or by its number and a sign.
fn ahead(
    leaves: &Leaves,
    at: usize,
    (from, line): (usize, &str),
) -> Option<(usize, Says, i32, bool)> {
    let block = &leaves.blocks[at];
    if !may_count(&line[..line.floor_char_boundary(40)]) {
        return None;
    }
    if let Some(upto) = set_apart(leaves, block) {
        let head =
            leaves.scroll[block.text.start as usize..][from..upto].trim_end_matches(is_blank);
        let says = says(&head.replace(is_blank, " "));
        let points = match says.kind {
            Kind::Chapter | Kind::Part => 4,
            Kind::Number => -1,
            _ => return None,
        };
        let rest = &line[head.len().min(line.len())..];
        return (says.number.is_some() && begins(rest)).then_some((
            from + head.len(),
            says,
            points,
            true,
        ));
    }
    let mut end = 0;
    // `CHAPTER THE TWENTY FIRST.` has four words.
    for (nth, word) in line.split_inclusive(is_blank).take(5).enumerate() {
        let bare = word.trim_end_matches(is_blank);
        let stop =
            bare.find(['—', '–']).or_else(|| bare.ends_with(['.', ':', ')']).then_some(bare.len()));
        let upto = end + stop.unwrap_or(bare.len());
        end += word.len();
        if nth == 0 || stop.is_none() {
            continue;
        }
        let head = &line[..upto];
        let says = says(head);
        if !matches!(says.kind, Kind::Chapter | Kind::Part) || says.number.is_none() || !says.bare {
            continue;
        }
        let caps =
            head.split_whitespace().next().is_some_and(|word| !word.contains(char::is_lowercase));
        let upto = title_of(line, upto).unwrap_or(upto);
        if says.kind == Kind::Part && !caps || !begins(&line[upto..]) {
            return None;
        }
        let rest = &line[upto..];
        let signs = rest.len() - rest.trim_start_matches(['—', '–', '-']).len();
        return Some((from + upto + signs, says, if caps { 4 } else { 1 }, true));
    }
    None
}

/// Whether a text begins so: with a capital, a quotation mark, a dash.
fn begins(rest: &str) -> bool {
    let mark = |c: char| is_blank(c) || "“\"‘'’—–-«„¿¡([.:".contains(c);
    rest.trim_start_matches(mark).starts_with(|c: char| c.is_uppercase() || c > '\u{2e80}')
}

/// Where the letters end that begin a block and look otherwise than the rest of it.
fn set_apart(leaves: &Leaves, block: &Block) -> Option<usize> {
    let looks = Marks::BOLD.with(Marks::ITALIC).with(Marks::HEADING).with(Marks::CENTER);
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    let shown = |piece: &&super::blocks::Piece| {
        !leaves.scroll[piece.text.start as usize..piece.text.end as usize]
            .trim_matches(is_blank)
            .is_empty()
    };
    let own = |marks: Marks| marks.any(looks) && !block.all.any(looks);
    let mut pieces = pieces.iter().filter(shown);
    let mut upto = None;
    for piece in pieces.by_ref() {
        if !own(piece.marks) || piece.marks.any(Marks::LINK) {
            break;
        }
        upto = Some((piece.text.end - block.text.start) as usize);
    }
    upto.filter(|upto| *upto <= LONGEST)
}

/// Where most headings have a first sentence of a few words behind them, it is their title.
fn extend(leaves: &Leaves, found: &mut [RunIn]) {
    let end = |one: &RunIn| {
        let block = &leaves.blocks[one.block];
        let rest = &leaves.scroll[one.upto as usize..block.text.end as usize];
        let lead = rest.len() - rest.trim_start_matches(is_blank).len();
        let stop = lead + rest[lead..].find(['.', '!', '?', BREAK])?;
        let title = rest[lead..stop].trim();
        let short = rest[stop..].starts_with('.') && title.split_whitespace().count() <= 6;
        (short && !title.is_empty() && begins(&rest[stop + 1..]))
            .then(|| one.upto + small(stop + 1))
    };
    let ends: Vec<Option<u32>> = found
        .iter()
        .map(|one| if one.same_line && one.says.bare { end(one) } else { None })
        .collect();
    let same = found.iter().filter(|one| one.same_line).count();
    if same >= 3 && ends.iter().flatten().count() * 5 >= same * 4 {
        for (one, end) in found.iter_mut().zip(ends) {
            one.upto = end.unwrap_or(one.upto);
        }
    }
}

/// How sure each heading is among all lines of its kind.
fn margins(leaves: &Leaves, found: &[RunIn]) -> Vec<i32> {
    let mut streams: BTreeMap<u8, Vec<(Option<usize>, Candidate)>> = BTreeMap::new();
    let (mut next, mut higher) = (0, 0);
    let mut note = |says: Says, points, own, higher: &mut usize| {
        let Some(number) = says.number else { return };
        *higher += usize::from(says.kind == Kind::Part);
        let number = Candidate { points, number, higher: *higher };
        streams.entry(says.kind as u8).or_default().push((own, number));
    };
    for (at, block) in leaves.blocks.iter().enumerate() {
        while let Some(one) = found.get(next).filter(|one| one.block <= at) {
            let until = found.get(next + 1).map_or(leaves.blocks.len(), |next| next.block);
            // A paragraph for each number is a list of paragraphs.
            let alone = one.says.kind == Kind::Number && until < at + 2;
            note(one.says, one.points - 6 * i32::from(alone), Some(next), &mut higher);
            next += 1;
        }
        let own = found.get(next.wrapping_sub(1)).is_some_and(|last| last.block == at);
        if own || block.letters > 90 || block.letters == 0 {
            continue;
        }
        let line = leaves.line(block);
        let says = if may_count(&line) { says(&line) } else { continue };
        let shown =
            block.tag.heading().is_some() || matches!(says.kind, Kind::Chapter | Kind::Part);
        if matches!(says.kind, Kind::Chapter | Kind::Part | Kind::Number) && (shown || says.bare) {
            note(says, if shown { ALONE } else { -2 }, None, &mut higher);
        }
    }
    let chapters = streams.get(&(Kind::Chapter as u8)).map_or(0, |chapters| {
        chapters.iter().filter(|(own, one)| own.is_none() && one.points == ALONE).count()
    });
    let mut margins = vec![-SURE; found.len()];
    for stream in streams.values() {
        let all: Vec<Candidate> = stream.iter().map(|(_, one)| *one).collect();
        for ((own, _), margin) in stream.iter().zip(sequence::margins(&all)) {
            // Where chapters stand alone, a part with text of its own is of a list inside one of them.
            let listed = |own: usize| chapters >= 3 && found[own].says.kind == Kind::Part;
            if let Some(own) = own.filter(|own| !listed(*own)) {
                margins[own] = margin;
            }
        }
    }
    margins
}
