//! Cleaning: from the bytes of one page to what of it is the book, with everything accounted for.
//!
//! This is the crate's middle: [`unpack`](crate::unpack), [`encoding`](crate::encoding) and `epub`
//! come before it, the rooms under
//! `gutenberg` (and `text` for plain text) do the judging. A [`Cleaned`] page knows nothing of
//! files; [`folder`](crate::folder) makes books of it.

use std::{collections::BTreeSet, ops::Range};

use storymill_core::{
    Book, BookId, ByteSpan, Chapter, PageFacts, Paragraph, ParagraphKind, Reason, Review,
    ReviewPassage, Reviews, Stop, SymbolIndex,
};
use storymill_text::{fits, looks};

use crate::{
    catalog::Row,
    caught::caught,
    encoding::Decoded,
    gutenberg::{
        account, apart, boilerplate, facts, gaps, initials, licence::LONGEST_LICENCE, listed,
        matter, paragraphs, reach, run_in, structure, unfit,
    },
    input::Input,
    page_says::PageSays,
    piece::{CleanParagraph, Cut, Doubt},
    stands,
};

/// A review item quotes at most so many bytes of what it is about.
const EXCERPT_BYTES: usize = 240;

/// Of what is cut people read this many bytes, and this many of its end.
const BEGINNING: usize = 20_000;
const END: usize = 5_000;

/// A cut of more than this, per mille of the page, is for people to decide.
const LARGEST_CUT_PM: u16 = 200;

/// Fewer letters than this are no book.
const SHORTEST: u64 = 200;

/// A cleaned page: kept and cut together are all that it shows.
#[derive(Debug)]
pub struct Cleaned {
    /// The decoded page; all spans point into it.
    pub page: Decoded,
    /// What the page says of itself.
    pub says: PageSays,
    /// The book's paragraphs in order, headings and thought breaks among them.
    pub paragraphs: Vec<CleanParagraph>,
    /// Every kept stretch, in order.
    pub kept: Vec<ByteSpan>,
    /// Every piece that was cut out, in order.
    pub cuts: Vec<Cut>,
    /// Decisions that a person may want to look at.
    pub doubts: Vec<Doubt>,
    /// Pictures of first letters that nothing names: the words behind them lack their first letter.
    pub lost_letters: Vec<ByteSpan>,
    /// Letters and digits kept.
    pub letters: u64,
    /// Per mille of all letters that the page shows that were kept.
    pub kept_pm: u16,
    /// The same of all but the licence.
    beside_licence_pm: u16,
    /// The language that the text looks like, where that is clear.
    pub looks: Option<&'static str>,
    /// Whether the title page says that it is a novel.
    called_a_novel: bool,
    /// Whether it is one page of HTML.
    pub is_html: bool,
    facts: PageFacts,
}

/// Cleans one page: HTML, plain text, packed or not, or an EPUB. The file's name only helps to tell the two
/// apart.
///
/// ```
/// let page = b"<h1>Tales</h1><p>Contents</p><h2>Chapter I</h2><p><span>O</span>nce upon a time \
///     there was a mill that ground out stories, one for every grain.</p>";
/// let cleaned = storymill_sources::clean(page, "tales.html").unwrap();
/// assert_eq!(cleaned.paragraphs[0].text, "Chapter I");
/// assert!(cleaned.paragraphs[1].text.starts_with("Once upon a time"));
/// ```
pub fn clean(bytes: &[u8], name: &str) -> Result<Cleaned, Reason> {
    clean_with(bytes, name, &[])
}

/// The same with what people decided on its doubts about a book.
///
/// # Errors
///
/// What cannot be cleaned, or is in a language that people do not want; a decision that is none of the choices.
pub fn clean_decided(
    bytes: &[u8],
    name: &str,
    book: &BookId,
    reviews: &mut Reviews<'_>,
) -> Result<Cleaned, Stop> {
    let mut cleaned = clean(bytes, name).map_err(Stop::Reject)?;
    let (mut seen, mut turned) = (BTreeSet::new(), Vec::new());
    let mut decided = BTreeSet::new();
    loop {
        let before = turned.len();
        for (doubt, review) in cleaned.doubts.iter().zip(cleaned.reviews(book)) {
            // What is cut or kept against the default may uncover new doubts; each is put once.
            if !seen.insert((doubt.code, doubt.page.start)) {
                continue;
            }
            let (by_people, default) = (reviews.is_decided(&review), review.default.clone());
            let choice = reviews.decide(review)?;
            if by_people {
                decided.insert((doubt.code, doubt.page.start));
            }
            if choice != default {
                if doubt.code == LANGUAGE.0 {
                    let detail = "people decided that it is in another language than it says";
                    return Err(Stop::left_out("other-language", detail));
                }
                if doubt.code == gaps::NUMBERS.0 {
                    let detail = "people decided that its chapters are wrong";
                    return Err(Stop::left_out("wrong-chapters", detail));
                }
                turned.push((doubt.code, doubt.page.start));
                if doubt.code == ENCODING.0 {
                    // In the other encoding all places are others.
                    break;
                }
            }
        }
        if turned.len() == before {
            for doubt in &mut cleaned.doubts {
                doubt.decided = decided.contains(&(doubt.code, doubt.page.start));
            }
            if !turned.is_empty() {
                reviews.place(&cleaned.reviews(book));
            }
            return Ok(cleaned);
        }
        cleaned = clean_with(bytes, name, &turned).map_err(Stop::Reject)?;
    }
}

/// The flag of a book in which words lack their first letter.
const LOST_LETTERS: &str = "first-letters-lost";

/// The flag of a book whose title page says that it is a novel.
const CALLED_A_NOVEL: &str = "called-a-novel";

/// The doubt about a book's language.
const LANGUAGE: (&str, &str) = ("language", "is this in the language that the page names?");

/// The doubt about the encoding of a file.
const ENCODING: (&str, &str) = ("encoding", "in which of two encodings is this file?");

/// What people choose from where text is kept or cut, and where a line may be a heading.
const KEEP: [&str; 2] = ["keep", "cut"];
const IS_HEADING: [&str; 2] = ["heading", "text"];

/// Cleans a page where people decided some doubts, by code and first byte, against the default.
fn clean_with(bytes: &[u8], name: &str, turned: &[(&'static str, u32)]) -> Result<Cleaned, Reason> {
    caught(|| cleaned(bytes, name, turned))
}

fn cleaned(bytes: &[u8], name: &str, turned: &[(&'static str, u32)]) -> Result<Cleaned, Reason> {
    let Input { page: decoded, mut leaves, is_html, says: package, converted, size } =
        Input::open(bytes, name, turned.iter().any(|(code, _)| *code == ENCODING.0))?;
    if leaves.blocks.is_empty() {
        return Err(Reason::new("no-text", "the page shows no text"));
    }
    let is_turned = |at| turned.contains(&(run_in::RUN_IN.0, at));
    let run_in = run_in::part(&mut leaves, is_turned);
    reach::mend(&mut leaves);
    let body = boilerplate::mark(&mut leaves);
    let header = if converted { facts::header(&leaves).0 } else { PageSays::default() };
    let says = header.or(package).or(facts::read(&leaves));
    if leaves.blocks.iter().all(|block| block.fate.is_some()) {
        return Err(Reason::new("only-licence", "the page holds a licence or header and no book"));
    }
    apart::mark(&mut leaves, body.clone());
    let lost = initials::restore(&mut leaves, &body);
    let titles = facts::titles(&leaves, &says);
    unfit::page_heads(&mut leaves, &body, &titles);
    let mut judge = matter::Judge { turned, doubts: Vec::new() };
    let mut heads = structure::heads(&leaves, body.clone(), &titles, &mut judge);
    if listed::mark(&mut leaves, &body, &heads) {
        heads = structure::heads(&leaves, body.clone(), &titles, &mut judge);
    }
    if unfit::mark(&mut leaves, &body, &mut heads, &mut judge) {
        structure::measure(&leaves, &mut heads, &body);
    }
    matter::mark(&mut leaves, body, &mut heads, &mut judge);
    let paragraphs = paragraphs::paragraphs(&leaves, &heads);
    let (kept, cuts) = account::account(&leaves);
    let letters = account::letters(&leaves);
    let beside_licence = letters.shown - letters.licence.min(LONGEST_LICENCE.into());
    let looks = looks(&paragraphs.iter().map(|paragraph| paragraph.text.as_str()));
    let of_page = |page: &Range<u32>| ByteSpan { start: page.start, end: page.end };
    let told = |page: &Range<u32>| {
        let place = kept.first().zip(kept.last());
        place.is_some_and(|(first, last)| first.start <= page.end && page.start < last.end)
    };
    let place = |blocks: &Range<usize>| {
        let pieces = |at: usize| &leaves.pieces[leaves.blocks[at].pieces.start as usize];
        let last = blocks.end.checked_sub(1).filter(|last| *last >= blocks.start)?;
        let end = leaves.pieces[leaves.blocks[last].pieces.end as usize - 1].page.end;
        Some(ByteSpan { start: pieces(blocks.start).page.start, end })
    };
    let unsure = decoded.unsure.as_ref().map(|unsure| {
        let page = ByteSpan { start: small(unsure.page.start), end: small(unsure.page.end) };
        let first = decoded.encoding == unsure.encodings[0];
        Doubt::new(page, ENCODING, first, ["first", "second"])
    });
    let judged = judge.doubts.into_iter().filter_map(|doubt| {
        let choices = if doubt.code == matter::HEADING.0 { IS_HEADING } else { KEEP };
        let of =
            Doubt::new(place(&doubt.blocks)?, (doubt.code, doubt.question), doubt.kept, choices);
        Some(Doubt { cut_pm: share_pm(doubt.cut, letters.shown), ..of })
    });
    let run_in = run_in.iter().filter(|(page, _)| told(page));
    let run_in =
        run_in.map(|(page, parted)| Doubt::new(of_page(page), run_in::RUN_IN, *parted, IS_HEADING));
    let gap = gaps::broken(&leaves, &heads).and_then(|blocks| place(&blocks));
    let gap = gap.map(|page| Doubt::new(page, gaps::NUMBERS, true, ["right", "wrong"]));
    let language = looks.filter(|looks| !fits(looks, &says.language));
    let language = language.zip(kept.first().zip(kept.last())).map(|(_, (first, last))| {
        Doubt::new(ByteSpan { start: first.start, end: last.end }, LANGUAGE, true, KEEP)
    });
    let doubts =
        unsure.into_iter().chain(judged).chain(run_in).chain(gap).chain(language).collect();
    let lost_letters = lost.into_iter().filter(told);
    let lost_letters = lost_letters.map(|page| of_page(&page)).collect();
    let page_facts = PageFacts {
        sha256: sha256(bytes),
        bytes: u32::try_from(size).unwrap_or(u32::MAX),
        encoding: decoded.encoding.to_owned(),
        encoding_rule: decoded.rule.to_owned(),
        kept_pm: share_pm(letters.kept, letters.shown),
    };
    Ok(Cleaned {
        page: decoded,
        says,
        paragraphs,
        kept,
        cuts,
        doubts,
        lost_letters,
        letters: letters.kept,
        kept_pm: page_facts.kept_pm,
        beside_licence_pm: share_pm(letters.kept, beside_licence),
        looks,
        called_a_novel: facts::is_called_a_novel(&leaves),
        is_html,
        facts: page_facts,
    })
}

/// A share per mille in percent.
fn percent(per_mille: u16) -> String {
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

/// Per mille of a whole.
fn share_pm(part: u64, whole: u64) -> u16 {
    u16::try_from(part * 1000 / whole.max(1)).unwrap_or(1000)
}

/// SHA-256 as `sha256sum` prints it.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Cleaned {
    /// Fails by name where too little was kept: then the page is no book, or no rule fits it.
    pub fn check(&self, min_kept: u8) -> Result<(), Reason> {
        if self.letters < SHORTEST {
            let detail =
                format!("{} letters are left of the page, fewer than {SHORTEST}", self.letters);
            return Err(Reason::new("kept-too-little", detail));
        }
        if self.beside_licence_pm < u16::from(min_kept) * 10 {
            let kept = percent(self.beside_licence_pm);
            let detail = format!("{kept} of the page's text was kept, less than {min_kept} %");
            return Err(Reason::new("kept-too-little", detail));
        }
        Ok(())
    }

    /// Fails by name where much was cut in one piece and nobody decided whether that is right.
    pub fn check_cuts(&self) -> Result<(), Reason> {
        let large = |doubt: &&Doubt| doubt.cut_pm > LARGEST_CUT_PM && !doubt.decided;
        let Some(doubt) = self.doubts.iter().find(large) else { return Ok(()) };
        let detail = format!(
            "{} of the page's text was cut in one piece, from byte {} on, and nobody has decided on it",
            percent(doubt.cut_pm),
            doubt.page.start
        );
        Err(Reason::new("cut-too-much", detail))
    }

    /// One paragraph a line; headings of parts and chapters begin with `# `.
    pub fn lines(&self) -> String {
        let bytes = self.paragraphs.iter().map(|paragraph| paragraph.text.len() + 3).sum();
        let mut text = String::with_capacity(bytes);
        for paragraph in &self.paragraphs {
            if paragraph.kind == ParagraphKind::Heading
                && paragraph.level.is_some_and(|level| level < 2)
            {
                text.push_str("# ");
            }
            for line in paragraph.text.split('\n') {
                text.push_str(line);
                text.push(' ');
            }
            text.pop();
            text.push('\n');
        }
        text
    }

    /// The doubts as items for people, each with the first words of what it is about.
    pub fn reviews(&self, book: &BookId) -> Vec<Review> {
        let unsure = self.page.unsure.as_ref();
        let of = |doubt: &Doubt| Review {
            item: book.to_string(),
            code: doubt.code.into(),
            question: doubt.question.to_owned(),
            excerpt: match unsure.filter(|_| doubt.code == ENCODING.0) {
                Some(unsure) => unsure.words.clone(),
                None => self.excerpt(doubt.page),
            },
            // What is kept stands in the book; what is cut stands nowhere else.
            text: if doubt.kept { String::new() } else { self.text_of(doubt.page) },
            choices: doubt.choices.map(str::to_owned).into(),
            default: doubt.done().to_owned(),
            passages: vec![ReviewPassage {
                book: book.to_string(),
                span: stands::span(&self.paragraphs, doubt.page),
                role: doubt.done().replace("keep", "kept"),
            }],
            ..Review::default()
        };
        self.doubts.iter().map(of).collect()
    }

    /// What stands at a place, kept or cut, piece by piece.
    fn pieces(&self, page: ByteSpan) -> Vec<&str> {
        let inside = |span: ByteSpan| span.start >= page.start && span.start < page.end;
        let kept = self.paragraphs.iter().map(|paragraph| (paragraph.page, &paragraph.text));
        let cut = self.cuts.iter().map(|cut| (cut.page, &cut.text));
        let mut pieces: Vec<_> = kept.chain(cut).filter(|(span, _)| inside(*span)).collect();
        pieces.sort_by_key(|(span, _)| span.start);
        pieces.into_iter().map(|(_, text)| text.as_str()).collect()
    }

    /// All of what stands at a place; of much, beginning and end.
    fn text_of(&self, page: ByteSpan) -> String {
        let pieces: Vec<&str> = self.pieces(page).into_iter().map(str::trim).collect();
        let text = pieces.join("\n\n");
        let (first, last) = (text.floor_char_boundary(BEGINNING), text.len().saturating_sub(END));
        let last = text.ceil_char_boundary(last);
        if last <= first {
            return text;
        }
        let between = text[first..last].chars().count();
        format!(
            "{}…\n\n({between} letters and blanks between are not shown)\n\n…{}",
            &text[..first],
            &text[last..]
        )
    }

    /// The first words of what stands at a place, kept or cut.
    fn excerpt(&self, page: ByteSpan) -> String {
        let mut text = String::new();
        for word in self.pieces(page).into_iter().flat_map(str::split_whitespace) {
            if text.len() + word.len() > EXCERPT_BYTES {
                text.push('…');
                break;
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }

    /// Makes the book. Where the catalog has a row it speaks, else the page does.
    pub fn book(&self, id: BookId, row: Option<&Row>) -> Book {
        let mut text =
            String::with_capacity(self.paragraphs.iter().map(|p| p.text.len() + 2).sum());
        let mut paragraphs = Vec::with_capacity(self.paragraphs.len());
        let mut headings = Vec::new();
        for paragraph in &self.paragraphs {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
            let start = text.len();
            text.push_str(&paragraph.text);
            if let Some(level) = paragraph.level {
                headings.push((start, level, paragraph.text.replace('\n', " ")));
            }
            paragraphs.push(Paragraph {
                kind: paragraph.kind,
                text: ByteSpan { start: small(start), end: small(text.len()) },
                page: paragraph.page,
            });
        }
        let chapters = chapters(&text, &headings);
        let row = row.cloned().unwrap_or_else(|| Row::of_page(&id, &self.says));
        let mut flags = row.flags;
        if row.authors.is_empty() {
            flags.push("no-author".to_owned());
        }
        if let Some(looks) = self.looks.filter(|looks| !fits(looks, &row.language)) {
            flags.push(format!("looks-{looks}"));
        }
        if !self.lost_letters.is_empty() {
            flags.push(LOST_LETTERS.to_owned());
        }
        if self.called_a_novel {
            flags.push(CALLED_A_NOVEL.to_owned());
        }
        Book {
            id,
            title: row.title,
            authors: row.authors,
            language: row.language,
            kind: row.kind,
            kind_sure_pm: 0,
            kind_evidence: Vec::new(),
            subjects: row.subjects,
            locc: row.locc,
            bookshelves: row.bookshelves,
            rights: row.rights,
            source_url: row.source_url,
            page: self.facts.clone(),
            text,
            chapters,
            paragraphs,
            flags,
        }
    }
}

/// Each chapter from its heading to the next heading of its level or above.
fn chapters(text: &str, headings: &[(usize, u8, String)]) -> Vec<Chapter> {
    let index = SymbolIndex::new(text);
    let mut chapters = Vec::with_capacity(headings.len());
    for (at, (start, level, title)) in headings.iter().enumerate() {
        let next = headings[at + 1..].iter().find(|(_, other, _)| other <= level);
        let end = next.map_or(text.len(), |(next, _, _)| next - "\n\n".len());
        chapters.push(Chapter {
            title: title.clone(),
            level: *level,
            span: index.span(*start..end),
        });
    }
    chapters
}

fn small(at: usize) -> u32 {
    u32::try_from(at).expect("a book is at most 64 MB")
}
