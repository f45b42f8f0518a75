//! What title and catalog say of a book's kind.
//!
//! Words weigh little beside the text: `Memoirs of` stands before lives and before novels. Subject
//! headings weigh much, because a librarian wrote them.

use std::sync::LazyLock;

use storymill_core::Book;

use super::lists::{KINDS, Lines, lines, pairs};
use super::{kind::Kind, points::Points};

/// Counts subjects, classes and bookshelves.
pub(super) fn subjects(book: &Book, points: &mut Points) {
    // What is written about fiction is none, and each heading speaks for itself: those about
    // others' books beside those of the book.
    let headings = book.subjects.iter().chain(&book.bookshelves).map(|subject| words(subject));
    let (about, own): (Vec<_>, Vec<_>) = headings.partition(|heading| is_about(heading));
    let among = |headings: &[String], list: &[&'static str]| {
        let there = |word: &&&str| headings.iter().any(|heading| has(heading, word));
        list.iter().find(there).copied()
    };
    let fiction = among(&own, &FICTION);
    if let Some(word) = fiction {
        points.telling(14, format!("the catalog's subjects say `{word}`"));
    } else if let Some(word) = among(&about, &ABOUT).or_else(|| among(&own, &FACTS)) {
        points.telling(-14, format!("the catalog's subjects say `{word}`"));
    }
    let begins = |word: &&&str| own.iter().any(|own| own.starts_with(&format!(" {word} ")));
    let novels = among(&own, &["novels"]).is_some();
    if let Some(word) = among(&own, STORIES).or_else(|| TALES.iter().find(begins).copied()) {
        // Shelves are shared: who puts a book on both says little.
        let weight = if novels { 10 } else { 22 };
        points.parts(weight, format!("the catalog's subjects say `{word}`"));
        points.telling(8, String::new());
    } else if novels {
        points.parts(-6, "the catalog's subjects say `novels`".into());
    } else if let Some(word) = among(&own, LORE) {
        points.parts(6, format!("the catalog's subjects say `{word}`"));
        points.telling(4, String::new());
    }
    for (kind, list) in [(Kind::Play, PLAYS), (Kind::Poetry, POEMS), (Kind::Letters, LETTERS)] {
        if let Some(word) = among(&own, list).filter(|_| fiction.is_none() && about.is_empty()) {
            points.add(kind, 14, format!("the catalog's subjects say `{word}`"));
        }
    }
    if fiction.is_none() && !book.locc.is_empty() {
        let literary = |class: &String| class.starts_with('P');
        if !book.locc.iter().any(literary) {
            points.telling(-12, format!("the catalog's class is {}", book.locc.join(", ")));
        } else if book.locc.iter().any(|class| class.starts_with("PZ")) {
            points.telling(5, "the catalog's class is PZ".into());
        }
    }
}

/// Headings with one of these are about books of a kind, or against it.
static ABOUT: Lines = Lines::new(|| lines(KINDS, "about"));
/// Whether a heading is about books, and not a book's own: `Authorship -- Fiction` is a novel's.
fn is_about(heading: &str) -> bool {
    let end = |form: &&str| heading.ends_with(&format!(" {form} "));
    end(&"non fiction")
        || ABOUT.iter().any(|word| has(heading, word))
            && !["fiction", "stories", "drama", "poetry"].iter().any(end)
}

static FICTION: Lines = Lines::new(|| lines(KINDS, "fiction"));
static FACTS: Lines = Lines::new(|| lines(KINDS, "facts"));
/// Headings of collections.
const STORIES: &[&str] = &["short stories", "folklore"];
/// The same, where they stand first: `Tales -- Denmark`; but `Horror tales` are novels too.
const TALES: &[&str] = &["tales", "fables"];
/// Headings of collections and of novels alike.
const LORE: &[&str] = &["fairy tales", "legends"];
const PLAYS: &[&str] = &["drama", "plays", "comedies", "tragedies", "librettos", "theater"];
const POEMS: &[&str] = &["poetry", "poems", "ballads", "sonnets", "epic poetry", "hymns"];
const LETTERS: &[&str] = &["correspondence", "diaries", "letters"];

fn has(words: &str, phrase: &str) -> bool {
    words.contains(&format!(" {phrase} "))
}

/// Languages in which a novel is a `roman`.
const ROMAN: &[&str] = &["fr", "de", "nl", "sv", "da", "no", "ro"];

/// Whether the title or its subtitle begins by saying that this is a novel. Elsewhere the word is
/// an adjective, of Rome or of a style.
fn calls_itself_roman(title: &str, tongue: Option<&str>) -> bool {
    let articles = ["", "un ", "le ", "ein ", "der ", "een ", "en "];
    let says = |part: &str| {
        let part = words(part);
        articles.iter().any(|article| part.starts_with(&format!(" {article}roman ")))
    };
    let mut parts = title.split([':', ';', ',', '.', '(', '—', '–', '\n']);
    tongue.is_some_and(|tongue| ROMAN.contains(&tongue)) && parts.any(says)
}

/// A text as small words with a blank on either side.
fn words(text: &str) -> String {
    let mut words = String::from(" ");
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.extend(word.chars().flat_map(char::to_lowercase));
        words.push(' ');
    }
    words
}

/// Phrases of titles, and for what they speak by how many points.
static TITLES: LazyLock<Vec<(&str, &str, i32)>> = LazyLock::new(|| {
    let says = |(phrase, says): (&'static str, &'static str)| {
        let (what, points) = says.split_once(' ')?;
        Some((phrase, what, points.parse().ok()?))
    };
    pairs(KINDS, "titles").into_iter().filter_map(says).collect()
});

/// Counts the words of the title. `tongue` is the language of the text, as heard.
pub(super) fn title(book: &Book, tongue: Option<&str>, points: &mut Points) {
    let title = words(&book.title);
    if book.flags.iter().any(|flag| flag == "called-a-novel") {
        points.telling(8, "the title page says so".into());
        points.add(Kind::Letters, -10, String::new());
        points.parts(-10, String::new());
    }
    if calls_itself_roman(&book.title, tongue) {
        points.telling(8, "the title says `roman`".into());
    }
    for (phrase, what, weight) in TITLES.iter() {
        // Han is written without blanks.
        let there = if phrase.is_ascii()
            || phrase.chars().all(|c| c.is_alphabetic() && c < '\u{3000}' || c == ' ')
        {
            has(&title, phrase)
        } else {
            title.contains(phrase)
        };
        if there {
            let why = format!("the title says `{phrase}`");
            match Kind::ALL.into_iter().find(|kind| kind.name() == *what) {
                Some(kind) => points.add(kind, *weight, why),
                None if *what == "parts" => points.parts(*weight, why),
                None => points.telling(*weight, why),
            }
        }
    }
    // Who stands in the title of a book by the same name is its subject: a life, a collection.
    for author in &book.authors {
        let family = words(author.name.split(',').next().unwrap_or(""));
        let family = if author.name.contains(',') {
            family.trim()
        } else {
            family.trim().rsplit(' ').next().unwrap_or("")
        };
        let by = [format!(" by {family} "), format!(" von {family} ")]
            .iter()
            .any(|by| title.contains(by.as_str()));
        if family.chars().count() >= 3 && !by && title.contains(&format!(" {family} ")) {
            points.telling(-8, "the author stands in the title".into());
            break;
        }
    }
}

#[cfg(test)]
mod tests;
