//! Stories of a collection on a shelf: a pair names one, and the headings of its book say where it stands.

use std::collections::BTreeMap;

use storymill_claims::{
    mistake::{Mistake, Mistakes},
    pair::Story,
    set::Set,
};
use storymill_core::{Book, Fault, Paragraph, ParagraphKind, nearest};

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
fn place(book: &Book, name: &str) -> Result<(u32, u32), String> {
    let all: Vec<(&Paragraph, String)> = headings(book).collect();
    let called = |form: fn(&str) -> String| {
        all.iter().filter(move |(_, text)| form(text) == form(name)).map(|(one, _)| *one)
    };
    // A number that is named counts where it makes a difference.
    let mut found = called(words).collect::<Vec<_>>();
    if found.is_empty() {
        found = called(unnumbered).collect();
    }
    let [first] = found[..] else {
        let several = "names a story that several headings of its book are called";
        return Err(if found.is_empty() { unknown(book, &all, name) } else { several.to_owned() });
    };
    let behind = book.paragraphs.iter().skip_while(|one| one.text.start <= first.text.start);
    let behind = behind.skip_while(|one| one.kind == ParagraphKind::Heading);
    let next = behind
        .map(|one| one.text.start)
        .find(|start| all.iter().any(|(one, _)| one.text.start == *start));
    let end = next.map_or(book.text.len(), |start| start as usize);
    let symbols = |bytes: usize| {
        let text = book.text.get(..bytes).unwrap_or_default();
        u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
    };
    Ok((symbols(first.text.start as usize), symbols(end)))
}

/// What is said of a name that no heading has. The headings of a book that is not everybody's are named by their numbers.
fn unknown(book: &Book, all: &[(&Paragraph, String)], name: &str) -> String {
    let forms: Vec<String> = all.iter().map(|(_, text)| unnumbered(text)).collect();
    let name = unnumbered(name);
    let near = nearest(&name, forms.iter().map(String::as_str));
    let near = forms
        .iter()
        .position(|form| near == Some(form.as_str()) || !name.is_empty() && form.contains(&name));
    let (near, told) = if book.rights == "public-domain" {
        let texts = all.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" / ");
        (near.map(|at| format!("`{}`", all[at].1)), format!("there are: {texts}"))
    } else {
        let (list, count) = ("`storymill shelf list --titles --headings`", all.len());
        (near.map(|at| format!("heading {}", at + 1)), format!("{list} shows its {count} headings"))
    };
    let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
    format!("names a story that is not a heading of its book; {near}{told}")
}

/// The headings of a book that are more than numbers, each in one line.
pub(crate) fn headings(book: &Book) -> impl Iterator<Item = (&Paragraph, String)> {
    let all = book.paragraphs.iter().filter(|one| one.kind == ParagraphKind::Heading);
    let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = all.filter_map(move |one| Some((one, line(book.text.get(one.text.bytes())?))));
    all.filter(|(_, text)| !unnumbered(text).is_empty())
}

/// The words of a heading in small letters, whatever stands between them.
fn words(heading: &str) -> String {
    let lower = heading.to_lowercase().replace(['\'', '’'], "");
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// The same without numbers before them: `II. THE RED-HEADED LEAGUE`, `Chapter 3: The Mill`.
fn unnumbered(heading: &str) -> String {
    let words = words(heading);
    let counts = |word: &str| {
        ["chapter", "part", "section", "story", "adventure"].contains(&word)
            || word.chars().all(|c| c.is_ascii_digit())
            || word.chars().all(|c| "ivxlc".contains(c))
    };
    let left = words.split(' ').skip_while(|word| counts(word));
    left.collect::<Vec<_>>().join(" ")
}
