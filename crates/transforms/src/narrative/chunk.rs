//! `chunk`: cuts a book into scenes of at most so many symbols.
//!
//! The scenes, joined, are the book's text, byte for byte. What a scene is about is no concern
//! of this stage; where a cut hurts least is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cx, Edge, Encoding, Options, ParagraphKind, Rows, Scene, Stage, Stop, SymbolIndex, stage,
};
use storymill_text::{Language, sentence, word_count};

use crate::asking::at_least;
use crate::tokens;

/// Cuts each book into scenes (NarrativeXL, section 3: 3,000 symbols at most).
///
/// ```
/// use storymill_transforms::Chunk;
/// let chunk: Chunk = toml::from_str("from = 'books'\nmax = 1000").unwrap();
/// assert_eq!((chunk.max, chunk.from.step()), (1000, "books"));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// The most symbols (Unicode scalar values) that a scene may have. Default: 3000.
    #[serde(default = "crate::defaults::count::<3000>")]
    pub max: u32,
    /// Where a scene may end: at the end of a `sentence`, or at any `dot`, exactly as the original
    /// NarrativeXL splitter does. Default: `sentence`.
    #[serde(default)]
    pub at: At,
    /// Whether a chapter begins a new scene. A chapter shorter than a tenth of `max` shares its
    /// scene with the next one. Default: yes at `sentence`, no at `dot`, which cannot.
    #[serde(default)]
    pub chapters: Option<bool>,
    /// Encodings whose tokens are counted: `["o200k_base", "cl100k_base"]`. Whatever is made from
    /// these scenes has its lengths in those tokens too. Default: none.
    #[serde(default)]
    pub tokens: Vec<Encoding>,
}

/// Where a scene may end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum At {
    /// At the end of a sentence; abbreviations, initials and quotations are understood.
    #[default]
    Sentence,
    /// Behind any full stop, exactly as the original NarrativeXL splitter.
    Dot,
}

impl Options for Chunk {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut faults = at_least(&[("max", self.max, 1)]);
        if self.at == At::Dot && self.chapters == Some(true) {
            faults.push(("chapters", "cannot be true with at = \"dot\"".into()));
        }
        faults.extend(tokens::faults(&self.tokens));
        faults
    }

    fn encodings(&self) -> &[Encoding] {
        &self.tokens
    }
}

impl Stage for Chunk {
    stage!("chunk", 2, Rows<Book> => Scene, from);

    fn run(&self, books: Rows<Book>, _: &mut Cx<'_>) -> Result<Vec<Scene>, Stop> {
        let scenes: Vec<Scene> = books.iter().flat_map(|book| self.scenes(book)).collect();
        if scenes.is_empty() {
            return Err(Stop::reject("no-text", "the book has no text to cut"));
        }
        Ok(scenes)
    }
}

impl Chunk {
    fn scenes(&self, book: &Book) -> Vec<Scene> {
        let ends = match self.at {
            At::Dot => dot::ends(&book.text, self.max as usize),
            At::Sentence => Cutter::new(book, self.max, self.chapters.unwrap_or(true)).ends(),
        };
        let index = SymbolIndex::new(&book.text);
        let mut start = 0;
        let spans = ends.into_iter().map(|end| index.span(std::mem::replace(&mut start, end)..end));
        let spans: Vec<_> = spans.collect();
        let texts: Vec<&str> = spans.iter().map(|span| &book.text[span.bytes()]).collect();
        let tokens = tokens::count(&texts, &self.tokens);
        (0..)
            .zip(spans.into_iter().zip(tokens))
            .zip(texts)
            .map(|((scene, (span, tokens)), text)| Scene {
                book: book.id.clone(),
                scene,
                chapter: chapter_at(book, span.start.byte),
                span,
                words: word_count(text),
                tokens,
                text: text.to_owned(),
            })
            .collect()
    }
}

/// The innermost chapter that holds a byte.
fn chapter_at(book: &Book, byte: u32) -> Option<u32> {
    let holds = |span: &storymill_core::Span| span.start.byte <= byte && byte < span.end.byte;
    let at = book.chapters.iter().rposition(|chapter| holds(&chapter.span))?;
    u32::try_from(at).ok()
}

/// Finds the cuts at ends of sentences.
struct Cutter<'b> {
    text: &'b str,
    max: usize,
    language: Language,
    index: SymbolIndex<'b>,
    /// Where each heading begins, and where what it heads begins: no scene ends in between.
    headings: Vec<(usize, usize)>,
    /// Where a scene must end.
    borders: Vec<usize>,
}

impl<'b> Cutter<'b> {
    fn new(book: &'b Book, max: u32, chapters: bool) -> Self {
        let (text, headings) = (book.text.as_str(), headings(book));
        let (index, language) = (SymbolIndex::new(text), Language::of_tag(&book.language));
        let max = max as usize;
        let mut cutter = Self { text, max, language, index, headings, borders: Vec::new() };
        if chapters {
            cutter.borders = cutter.borders_of(book);
        }
        cutter
    }

    /// Chapter starts, without those that would leave a tiny scene.
    fn borders_of(&self, book: &Book) -> Vec<usize> {
        let starts = book.chapters.iter().filter(|chapter| chapter.level <= 1);
        let mut starts: Vec<usize> =
            starts.map(|chapter| chapter.span.start.byte as usize).collect();
        starts.sort_unstable();
        let mut borders = Vec::new();
        let mut last = 0;
        for start in starts {
            if self.symbols(last, start) > self.tiny() {
                borders.push(start);
                last = start;
            }
        }
        if self.symbols(last, self.text.len()) <= self.tiny() {
            borders.pop();
        }
        borders
    }

    /// A tenth of a scene: what is shorter is not worth one of its own.
    fn tiny(&self) -> usize {
        self.max / 10
    }

    fn symbols(&self, from: usize, to: usize) -> usize {
        self.index.span(from..to).symbols() as usize
    }

    fn ends(&self) -> Vec<usize> {
        let mut cuts = Vec::new();
        let mut from = 0;
        for to in self.borders.iter().copied().chain([self.text.len()]) {
            while from < to {
                from = self.next(from, to);
                cuts.push(from);
            }
        }
        cuts
    }

    /// The end of the scene that begins at `from`, no farther than `to`.
    fn next(&self, from: usize, to: usize) -> usize {
        let Some(limit) = nth_symbol(&self.text[from..to], self.max) else { return to };
        let limit = from + limit;
        let Some(end) = self.last_end(from, limit) else { return self.force(from, limit) };
        if self.symbols(end, to) > self.tiny() {
            return end;
        }
        // A tiny rest: share what is left between two scenes of like length.
        let half = self.symbols(from, to).div_ceil(2);
        let middle = nth_symbol(&self.text[from..to], half).map_or(limit, |at| from + at);
        self.last_end(from, middle).filter(|end| self.symbols(*end, to) <= self.max).unwrap_or(end)
    }

    /// The last place behind `from` and not beyond `limit` where a scene may end.
    ///
    /// Looks at one line of text after the other, from the last one up: nearly always one is
    /// enough, so most of a book is never taken apart.
    fn last_end(&self, from: usize, limit: usize) -> Option<usize> {
        let mut top = limit;
        loop {
            let line = self.text[from..top].rfind('\n').map_or(from, |at| from + at + 1);
            let stop = self.line_end(limit.max(line));
            let ends = sentence::ends(&self.text[line..stop], self.language);
            // The line itself begins where a sentence has ended.
            let ends = ends.into_iter().rev().map(|end| line + end).chain([line]);
            let found = ends.filter(|end| *end <= limit).find(|end| self.may_end(from, *end));
            if found.is_some() || line == from {
                return found;
            }
            top = line - 1;
        }
    }

    /// The end of the line that goes on at a place, blanks behind it included; of a long line,
    /// enough of it to tell whether a sentence goes on.
    fn line_end(&self, at: usize) -> usize {
        const AHEAD: usize = 400;
        let ahead = self.text.len().min(at + AHEAD);
        let ahead = (at..=ahead).rev().find(|to| self.text.is_char_boundary(*to)).unwrap_or(at);
        let next = &self.text[at..ahead];
        let Some(line) = next.find('\n') else { return ahead };
        ahead - next[line..].trim_start().len()
    }

    fn may_end(&self, from: usize, end: usize) -> bool {
        let heading = self.headings.partition_point(|(start, _)| *start < end);
        let parted = heading > 0 && end <= self.headings[heading - 1].1;
        !parted && end > from && !self.text[from..end].trim_start().is_empty()
    }

    /// Cuts a sentence that is too long: behind clause punctuation, else behind a blank, else
    /// hard.
    fn force(&self, from: usize, limit: usize) -> usize {
        let window = &self.text[from..limit];
        let body = window.len() - window.trim_start().len();
        let ends = |marks: &[char]| {
            let all =
                window.char_indices().map(|(at, c)| at + c.len_utf8()).filter(|at| *at > body);
            let mut cuts = all.filter(|at| {
                let blank = window[..*at].ends_with(char::is_whitespace);
                let wide =
                    window[..*at].ends_with(WIDE_CLAUSE) && !window[*at..].starts_with(CLOSING);
                let word = window[..*at].trim_end();
                (blank || wide) && (marks.is_empty() || word.ends_with(marks))
            });
            cuts.next_back()
        };
        let strong = ends(&STRONG_CLAUSE).filter(|at| *at > window.len() / 2);
        let cut = strong.or_else(|| ends(&CLAUSE)).or_else(|| ends(&[]));
        from + cut.unwrap_or(window.len())
    }
}

/// Where each heading begins, and where what it heads begins.
fn headings(book: &Book) -> Vec<(usize, usize)> {
    let starts = book.paragraphs.iter().map(|paragraph| paragraph.text.start as usize);
    let next = starts.skip(1).chain([book.text.len()]);
    let pairs = book.paragraphs.iter().zip(next);
    pairs
        .filter(|(paragraph, _)| paragraph.kind == ParagraphKind::Heading)
        .map(|(paragraph, next)| (paragraph.text.start as usize, next))
        .collect()
}

/// The byte behind the first `count` symbols, or none if the text has no more than that.
fn nth_symbol(text: &str, count: usize) -> Option<usize> {
    if text.len() <= count {
        return None;
    }
    text.char_indices().nth(count).map(|(at, _)| at)
}

const STRONG_CLAUSE: [char; 6] = [';', ':', '—', '；', '：', '。'];
const CLAUSE: [char; 7] = [',', ')', '”', '"', '，', '、', '–'];
/// Marks that no blank follows.
const WIDE_CLAUSE: [char; 5] = ['，', '；', '：', '、', '。'];
const CLOSING: [char; 4] = ['」', '』', '”', '’'];

/// The splitter of the original (NarrativeXL, section 3), rebuilt from its description and
/// measured behaviour.
mod dot {
    /// The end of each scene in bytes.
    pub(super) fn ends(text: &str, max: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let (mut at, mut packed) = (0, 0);
        for piece in text.split_inclusive('.').flat_map(|piece| pieces(piece, max)) {
            let symbols = piece.chars().count();
            if packed > 0 && packed + symbols > max {
                ends.push(at);
                packed = 0;
            }
            packed += symbols;
            at += piece.len();
        }
        if at > 0 {
            ends.push(at);
        }
        ends
    }

    /// Cuts a piece that is too long before its last blank, else before its last comma, else
    /// hard. A cut at the very first symbol would not shorten anything, so that one is not looked
    /// at.
    fn pieces(mut rest: &str, max: usize) -> impl Iterator<Item = &str> {
        std::iter::from_fn(move || {
            let Some(limit) = super::nth_symbol(rest, max) else {
                return (!rest.is_empty()).then(|| std::mem::take(&mut rest));
            };
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let window = rest.get(first..limit).unwrap_or_default();
            let cut = window.rfind(' ').or_else(|| window.rfind(','));
            let (piece, tail) = rest.split_at(cut.map_or(limit, |at| first + at));
            rest = tail;
            Some(piece)
        })
    }
}

#[cfg(test)]
mod tests;
