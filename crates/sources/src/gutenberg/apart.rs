//! What stands apart from the running text though it is printed within it: page numbers, line
//! numbers, notes in the margin, footnotes and their marks, captions.
//!
//! Works piece by piece, so that a page number inside a word leaves the word whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    blocks::{Block, Leaves, Piece, is_blank, small},
    tags::{Marks, Tag},
    words::{Kind, roman, says},
};
use crate::cut::Why;

/// Captions longer than this are taken for text that was set beside a picture.
const LONGEST_CAPTION: u32 = 700;

/// Marks what stands apart, inside the body.
pub(crate) fn mark(leaves: &mut Leaves, body: Range<usize>) {
    let mut cuts = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let why = whole(leaves, block);
        if why.is_none() {
            pieces(leaves, block, &mut cuts);
            brackets(leaves, block, &mut cuts);
        }
        leaves.blocks[at].fate = why;
    }
    leaves.cuts.set(cuts);
    linked_notes(leaves, &body);
    starred_notes(leaves, &body);
    bracketed(leaves, &body);
    contents(leaves, &body);
    for at in body {
        let block = &leaves.blocks[at];
        if block.fate.is_none() && !shows(leaves, block) {
            let first = leaves.cuts.inside(block.text.clone()).first();
            leaves.blocks[at].fate = first.map(|(_, why)| *why);
        }
    }
}

/// Whether anything of a block is left to show.
fn shows(leaves: &Leaves, block: &Block) -> bool {
    leaves
        .cuts
        .kept(block.text.clone())
        .any(|range| !leaves.scroll[range.start as usize..range.end as usize].chars().all(is_blank))
}

/// A block that stands apart as a whole.
fn whole(leaves: &Leaves, block: &Block) -> Option<Why> {
    let marks = block.marks | block.all;
    if marks.any(Marks::PAGE) {
        return Some(Why::PageNumber);
    }
    if marks.any(Marks::LINE_NUMBER) {
        return Some(Why::LineNumber);
    }
    if marks.any(Marks::SIDENOTE) {
        return Some(Why::Sidenote);
    }
    if marks.any(Marks::FOOTNOTE) {
        return Some(Why::Footnote);
    }
    if marks.any(Marks::CAPTION) && block.letters <= LONGEST_CAPTION {
        return Some(Why::Caption);
    }
    if marks.any(Marks::ADVERT) {
        return Some(Why::Advertisement);
    }
    let heading = block.tag.heading().is_some() || block.letters < 40;
    if marks.any(Marks::FIGURE)
        && !marks.any(Marks::INITIAL | Marks::VERSE)
        && block.letters <= LONGEST_CAPTION
        && !(heading && matches!(says(&leaves.line(block)).kind, Kind::Chapter | Kind::Part))
    {
        return Some(Why::Caption);
    }
    // A link to a picture's file, or back to the contents.
    if block.letters <= 40 && block.all.any(Marks::LINK_OUT) && !marks.any(Marks::INITIAL) {
        return Some(Why::Caption);
    }
    if block.letters <= 30 && block.all.any(Marks::LINK) && block.tag != Tag::Cell {
        let line = leaves.line(block).to_lowercase();
        let back =
            ["contents", "back to", "return to", "top", "next", "previous", "enlarge", "original"];
        if back.iter().any(|word| line.contains(word)) && block.tag.heading().is_none() {
            return Some(Why::Navigation);
        }
    }
    None
}

/// Pieces that stand apart inside a block that does not.
fn pieces(leaves: &Leaves, block: &Block, cuts: &mut Vec<(Range<u32>, Why)>) {
    const APART: Marks = Marks::PAGE
        .with(Marks::LINE_NUMBER)
        .with(Marks::SIDENOTE)
        .with(Marks::NOTE_MARK)
        .with(Marks::CAPTION)
        .with(Marks::NOTE)
        .with(Marks::RAISED)
        .with(Marks::LINK);
    if !block.any.any(APART) {
        return;
    }
    let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
    for (at, piece) in pieces.iter().enumerate() {
        let marks = piece.marks;
        let own = marks.without(block.marks);
        let why = if own.any(Marks::PAGE) {
            Why::PageNumber
        } else if own.any(Marks::LINE_NUMBER) {
            Why::LineNumber
        } else if own.any(Marks::SIDENOTE) {
            Why::Sidenote
        } else if own.any(Marks::NOTE_MARK) {
            Why::NoteMark
        } else if own.any(Marks::CAPTION) {
            Why::Caption
        } else if own.any(Marks::NOTE) {
            Why::TranscriberNote
        } else if own.any(Marks::LINK) && is_way_back(leaves, piece) {
            Why::Navigation
        } else if own.any(Marks::LINK | Marks::RAISED) && is_note_mark(leaves, pieces, at) {
            Why::NoteMark
        } else {
            continue;
        };
        cuts.push((piece.text.clone(), why));
    }
}

/// A link back to the contents, inside a heading or behind it.
fn is_way_back(leaves: &Leaves, piece: &Piece) -> bool {
    let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize].trim();
    text.len() <= 24
        && matches!(
            text.trim_matches(|c: char| !c.is_alphabetic() && c != '↑').to_lowercase().as_str(),
            "toc"
                | "contents"
                | "top"
                | "back"
                | "back to contents"
                | "table of contents"
                | "↑"
                | "back to top"
                | "return to contents"
                | "return to table of contents"
        )
}

/// Lists of links: a paragraph or table that is little else, or a run of links on lines.
fn contents(leaves: &mut Leaves, body: &Range<usize>) {
    let mut run = Vec::new();
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let heading = block.tag.heading().is_some();
        if !heading && block.any.any(Marks::LINK) {
            let (links, letters) = links(leaves, block);
            if links >= 2 && letters * 10 >= block.letters * 7
                || links >= 4
                    && block.letters / links < 90
                    && (letters * 4 > block.letters || links >= 8)
            {
                leaves.blocks[at].fate = Some(Why::Contents);
                continue;
            }
        }
        if !heading && block.all.any(Marks::LINK) && block.letters < 150 {
            run.push(at);
            continue;
        }
        if !heading && block.letters <= 12 && !run.is_empty() {
            continue;
        }
        if run.len() >= 4 {
            for at in run.drain(..) {
                leaves.blocks[at].fate = Some(Why::Contents);
            }
        }
        run.clear();
    }
}

/// How many links with words a block holds, and their letters.
fn links(leaves: &Leaves, block: &Block) -> (u32, u32) {
    let (mut links, mut letters) = (0, 0);
    for piece in &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize] {
        if piece.marks.any(Marks::LINK) && !piece.marks.any(Marks::NOTE_MARK | Marks::PAGE) {
            let text = &leaves.scroll[piece.text.start as usize..piece.text.end as usize];
            let count = text.chars().filter(|c| c.is_alphanumeric()).count();
            if count > 0 {
                links += 1;
                letters += small(count);
            }
        }
    }
    (links, letters)
}

/// A link or a raised sign whose text is a number, a letter or a star.
fn is_note_mark(leaves: &Leaves, pieces: &[Piece], at: usize) -> bool {
    let piece = &pieces[at];
    let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize].trim();
    let inner = text.trim_start_matches(['[', '(']).trim_end_matches([']', ')']);
    if inner.is_empty() {
        return piece.marks.any(Marks::LINK) && !text.is_empty();
    }
    let digits = inner.len() <= 4 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let stars = inner.chars().all(|c| "*†‡§¶‖#".contains(c)) && inner.chars().count() <= 4;
    let letter =
        inner.len() == 1 && inner.len() < text.len() && inner.as_bytes()[0].is_ascii_alphabetic();
    if piece.marks.any(Marks::LINK) {
        // In a heading or a table, a linked number is the heading's own or a page.
        let alone = pieces.iter().all(|other| {
            other.marks.any(Marks::LINK)
                || leaves.scroll[other.text.start as usize..other.text.end as usize]
                    .chars()
                    .all(is_blank)
        });
        return (digits || stars || letter) && !alone;
    }
    (digits || stars) && at > 0
}

/// `[Pg 12]`, `[Illustration: …]`, `[12]`, `{12}` in plain letters.
fn brackets(leaves: &Leaves, block: &Block, cuts: &mut Vec<(Range<u32>, Why)>) {
    let text = leaves.text(block);
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = bytes[from..].iter().position(|byte| matches!(byte, b'[' | b'{')) {
        let open = from + at;
        let close = if bytes[open] == b'[' { b']' } else { b'}' };
        from = open + 1;
        // Only a picture, a note or the like may be long inside its brackets.
        let named = bytes.get(open + 1).is_some_and(u8::is_ascii_alphabetic);
        let reach = if named { 3_000 } else { 24 };
        let near = &bytes[open..bytes.len().min(open + reach)];
        let Some(len) = matching(near, bytes[open], close) else { continue };
        let inner = &text[open + 1..open + len];
        if let Some(why) = bracket(inner, bytes[open] == b'[') {
            let start = block.text.start + small(open);
            cuts.push((start..start + small(len + 1), why));
            from = open + len + 1;
        }
    }
}

/// The place of the bracket that closes the first one.
fn matching(bytes: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == open {
            depth += 1;
        } else if *byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn bracket(inner: &str, square: bool) -> Option<Why> {
    let inner = inner.trim_matches(is_blank);
    let word = |c: char| c.is_alphabetic() || c == '\'';
    let end = inner.find(|c| !word(c)).unwrap_or(inner.len());
    let head = if end <= 24 { inner[..end].to_lowercase() } else { return None };
    let rest = inner[end..].trim_start_matches(['.', ' ', ':', '#']);
    let count = !rest.is_empty()
        && (rest.bytes().all(|byte| byte.is_ascii_digit()) && rest.len() < 5
            || roman(&rest.to_ascii_lowercase()).is_some());
    match head.as_str() {
        "pg" | "page" | "p" | "pag" | "seite" | "s" if count => Some(Why::PageNumber),
        "illustration" | "illustrations" | "frontispiece" | "illus" | "image" | "plate"
        | "picture" | "ill"
            if square =>
        {
            Some(Why::Caption)
        }
        "footnote" | "footnotes" | "fußnote" if square => Some(Why::Footnote),
        "sidenote" if square => Some(Why::Sidenote),
        "transcriber" | "transcriber's" | "transcribers" if square => Some(Why::TranscriberNote),
        "" if square || inner.len() <= 4 => {
            let digits = !inner.is_empty()
                && inner.len() <= 4
                && inner.bytes().all(|byte| byte.is_ascii_digit());
            let stars = !inner.is_empty() && inner.chars().all(|c| "*†‡§".contains(c));
            if digits {
                Some(if square { Why::NoteMark } else { Why::PageNumber })
            } else {
                stars.then_some(Why::NoteMark)
            }
        }
        _ => None,
    }
}

/// `[Illustration: …]` and `[Footnote 3: …]` over several paragraphs.
fn bracketed(leaves: &mut Leaves, body: &Range<usize>) {
    let mut open: Option<(Why, u32, usize)> = None;
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        let text = leaves.text(block).trim_matches(is_blank);
        let (why, mut depth, blocks) = match open.take() {
            Some(open) => open,
            None if text.starts_with('[') => {
                let head = text[1..].split(|c: char| !c.is_alphabetic()).next().unwrap_or("");
                let why = match head.to_lowercase().as_str() {
                    "illustration" => Why::Caption,
                    "footnote" => Why::Footnote,
                    "transcriber" | "transcribers" => Why::TranscriberNote,
                    "sidenote" => Why::Sidenote,
                    _ => continue,
                };
                (why, 0, 0)
            }
            None => continue,
        };
        for byte in text.bytes() {
            match byte {
                b'[' => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // A bracket that nobody closes takes only its own paragraph with it.
        if block.tag.heading().is_some() || blocks > 12 {
            continue;
        }
        leaves.blocks[at].fate = Some(why);
        if depth > 0 {
            open = Some((why, depth, blocks + 1));
        }
    }
}

/// A note and its mark link to each other: the mark first, the note behind it.
fn linked_notes(leaves: &mut Leaves, body: &Range<usize>) {
    let anchors: BTreeMap<u64, u32> = leaves.anchors.iter().copied().collect();
    let mut forth: BTreeSet<(u32, u32)> = BTreeSet::new();
    for (name, from) in &leaves.links {
        if let Some(to) = anchors.get(name) {
            forth.insert((*from, *to));
        }
    }
    let mut notes = Vec::new();
    for (from, to) in &forth {
        let (mark, note) = (*from as usize, *to as usize);
        if note > mark
            && body.contains(&mark)
            && body.contains(&note)
            && forth.contains(&(*to, *from))
        {
            notes.push((mark, note));
        }
    }
    for (mark, note) in notes {
        let block = &leaves.blocks[note];
        if block.fate.is_some()
            || block.tag.heading().is_some()
            || leaves.blocks[mark].tag == Tag::Cell
        {
            continue;
        }
        let pieces = &leaves.pieces[block.pieces.start as usize..block.pieces.end as usize];
        let first = pieces.iter().find(|piece| {
            !leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .chars()
                .all(|c| is_blank(c) || c == '[')
        });
        let label = first.is_some_and(|piece| {
            let text = leaves.scroll[piece.text.start as usize..piece.text.end as usize]
                .trim_matches(is_blank);
            piece.marks.any(Marks::LINK) && text.chars().count() <= 16
        });
        if label {
            let parent = block.parent;
            leaves.blocks[note].fate = Some(Why::Footnote);
            // Its further paragraphs, where they share a frame with it that is not the book's.
            let shared = leaves.blocks[mark].parent == parent || parent == 0;
            let mut next = note + 1;
            while !shared
                && next < body.end
                && next < note + 12
                && leaves.blocks[next].parent == parent
            {
                leaves.blocks[next].fate.get_or_insert(Why::Footnote);
                next += 1;
            }
        }
    }
}

/// Notes without links: a small block that begins with a star, below a text that has one.
fn starred_notes(leaves: &mut Leaves, body: &Range<usize>) {
    let mut cuts = Vec::new();
    let mut marks: Vec<(usize, Range<u32>, String)> = Vec::new();
    let mut typed = None;
    for at in body.clone() {
        let block = &leaves.blocks[at];
        if block.fate.is_some() {
            continue;
        }
        // A note set as typed may have further paragraphs in the same frame.
        if typed.is_some() && typed == block_parent(leaves, at) {
            leaves.blocks[at].fate = Some(Why::Footnote);
            continue;
        }
        typed = None;
        let block = &leaves.blocks[at];
        let text = leaves.text(block);
        let start = text.trim_start_matches(is_blank);
        let sign: String = start.chars().take_while(|c| "*†‡§".contains(*c)).collect();
        let label = if sign.is_empty() { label(start) } else { sign };
        let behind = &start[label.len().min(start.len())..];
        let speaks = behind
            .trim_start_matches(is_blank)
            .starts_with(|c: char| c.is_alphanumeric() || "\"“'‘".contains(c));
        let begins =
            !label.is_empty() && speaks && block.letters > 3 && block.tag.heading().is_none();
        let mark = marks.iter().rposition(|(from, _, sign)| at - from <= 40 && *sign == label);
        if let Some(from) = mark.filter(|_| begins) {
            cuts.push((marks[from].1.clone(), Why::NoteMark));
            marks.remove(from);
            leaves.blocks[at].fate = Some(Why::Footnote);
            typed = block_parent(leaves, at);
            continue;
        }
        if block.tag.heading().is_some() {
            marks.retain(|(from, _, _)| at - from <= 200);
        }
        for (offset, sign) in signs(text) {
            let start = block.text.start + small(offset);
            marks.push((at, start..start + small(sign.len()), sign.to_owned()));
        }
        if marks.len() > 64 {
            marks.drain(..32);
        }
    }
    leaves.cuts.set(cuts);
}

/// The `<pre>` that a block stands in.
fn block_parent(leaves: &Leaves, at: usize) -> Option<u32> {
    let block = &leaves.blocks[at];
    (block.tag == Tag::Pre).then_some(block.parent)
}

/// `[3]` or `(3)` at the beginning of a note.
fn label(text: &str) -> String {
    for (open, close) in [('[', b']'), ('(', b')')] {
        if let Some(rest) = text.strip_prefix(open)
            && let Some(end) = rest.bytes().take(4).position(|byte| byte == close)
            && end > 0
            && end <= 3
            && rest[..end].chars().all(|c| c.is_ascii_alphanumeric() || c == '*')
        {
            return text[..end + 2].to_owned();
        }
    }
    String::new()
}

/// Signs of notes behind a word.
fn signs(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(['*', '†', '‡', '[', '(']) {
        let at = from + at;
        let attached = text[..at].chars().rev().take(2).any(|c| !is_blank(c));
        let len = text[at..]
            .chars()
            .take_while(|c| "*†‡§".contains(*c))
            .map(char::len_utf8)
            .sum::<usize>();
        let len = if len == 0 { label(&text[at..]).len() } else { len };
        if len > 0 && (attached || text[at..].starts_with('[')) {
            found.push((at, &text[at..at + len]));
        }
        from = at + len.max(1);
    }
    found
}
