//! Stories of a collection on a shelf: a pair names one, and the headings of its book say where it stands.

use std::collections::BTreeMap;

use storymill_claims::{
    mistake::{Mistake, Mistakes},
    pair::Story,
    set::Set,
};
use storymill_core::{Book, Fault, Paragraph, ParagraphKind};

/// Finds the stories that pairs name and the set does not know yet; a mistake for each that is not found. `book` gives a book of
/// the shelf.
pub(super) fn find(
    set: &mut Set,
    mut book: impl FnMut(&str) -> Result<Option<Book>, Fault>,
) -> Result<Mistakes, Fault> {
    let mut wanted: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for pair in &set.pairs {
        let Some(story) = &pair.story else { continue };
        let known = set.book(&pair.book).map(|book| book.stories.as_slice()).unwrap_or_default();
        if !known.iter().any(|one| one.name == *story) {
            wanted.entry(pair.book.clone()).or_default().push((story.clone(), pair.id.clone()));
        }
    }
    let mut mistakes = Mistakes::new();
    for (id, stories) in wanted {
        let Some(book) = book(&id)? else { continue };
        let Some(facts) = set.books.iter_mut().find(|facts| facts.id == id) else { continue };
        for (name, pair) in stories {
            if facts.stories.iter().any(|one| one.name == name) {
                continue;
            }
            match place(&book, &name) {
                Ok((start, end)) => facts.stories.push(Story { name, start, end }),
                Err(reason) => mistakes.push(Mistake::new(reason).column("story").pair(&pair)),
            }
        }
        facts.stories.sort_by_key(|story| story.start);
    }
    Ok(mistakes)
}

/// Where the story stands under a heading, in symbols: to the next heading that is more than a number and has running text
/// before it.
fn place(book: &Book, name: &str) -> Result<(u32, u32), &'static str> {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let heading = |paragraph: &Paragraph| {
        let text = book.text.get(paragraph.text.bytes()).map(plain);
        text.filter(|_| paragraph.kind == ParagraphKind::Heading)
    };
    let name = plain(name);
    let all = book.paragraphs.iter().enumerate();
    let mut found = all.filter(|(_, one)| heading(one).is_some_and(|text| text == name));
    let Some((at, first)) = found.next() else {
        return Err("names a story that is not a heading of its book");
    };
    if found.next().is_some() {
        return Err("names a story that several headings of its book are called");
    }
    let behind = book.paragraphs[at + 1..].iter();
    let mut behind = behind.skip_while(|one| one.kind == ParagraphKind::Heading);
    let next = behind.find(|one| heading(one).is_some_and(|text| !is_number(&text)));
    let end = next.map_or(book.text.len(), |one| one.text.start as usize);
    let symbols = |bytes: usize| {
        let text = book.text.get(..bytes).unwrap_or_default();
        u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
    };
    Ok((symbols(first.text.start as usize), symbols(end)))
}

/// Whether a heading only counts: `II.`, `Chapter 3`.
fn is_number(heading: &str) -> bool {
    let words = heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let counts = |word: &str| {
        ["chapter", "part", "section"].contains(&word)
            || word.chars().all(|c| c.is_ascii_digit())
            || word.chars().all(|c| "ivxlc".contains(c))
    };
    words.into_iter().all(counts)
}
