//! What title and catalog say of a book's kind.
//!
//! Words weigh little beside the text: `Memoirs of` stands before lives and before novels. Subject
//! headings weigh much, because a librarian wrote them.

use storymill_core::Book;

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
    let fiction = among(&own, FICTION);
    if let Some(word) = fiction {
        points.telling(14, format!("the catalog's subjects say `{word}`"));
    } else if let Some(word) = among(&about, ABOUT).or_else(|| among(&own, FACTS)) {
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
const ABOUT: &[&str] = &[
    "history and criticism",
    "criticism and interpretation",
    "criticism",
    "study and teaching",
    "authorship",
    "technique",
    "bibliography",
    "non fiction",
];
/// Whether a heading is about books, and not a book's own: `Authorship -- Fiction` is a novel's.
fn is_about(heading: &str) -> bool {
    let end = |form: &&str| heading.ends_with(&format!(" {form} "));
    end(&"non fiction")
        || ABOUT.iter().any(|word| has(heading, word))
            && !["fiction", "stories", "drama", "poetry"].iter().any(end)
}

const FICTION: &[&str] = &[
    "fiction",
    "novels",
    "romances",
    "detective and mystery stories",
    "love stories",
    "adventure stories",
    "sea stories",
    "war stories",
    "western stories",
    "spy stories",
    "humorous stories",
    "ghost stories",
    "horror tales",
    "bildungsromans",
    "science fiction",
];
const FACTS: &[&str] = &[
    "biography",
    "biographies",
    "autobiography",
    "essays",
    "philosophy",
    "history",
    "description and travel",
    "sermons",
    "handbooks",
    "dictionaries",
    "encyclopedias",
    "periodicals",
    "cooking",
    "religion",
    "science",
    "theology",
    "politics and government",
    "voyages and travels",
    "textbooks",
    "slave narratives",
    "sacred books",
];
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

enum Says {
    Kind(Kind, i32),
    Telling(i32),
    Parts(i32),
}
use Says::{Parts, Telling};

const TITLES: &[(&str, Says)] = &[
    ("a novel", Telling(8)),
    ("a romance", Telling(6)),
    ("a tale", Telling(4)),
    ("adventures of", Telling(6)),
    ("mystery", Telling(5)),
    ("story of a", Telling(2)),
    ("stories", Parts(9)),
    ("tales", Parts(9)),
    ("short stories", Parts(6)),
    ("and other", Parts(6)),
    ("contes", Parts(9)),
    ("nouvelles", Parts(9)),
    ("erzählungen", Parts(9)),
    ("novellen", Parts(9)),
    ("märchen", Parts(9)),
    ("fables", Parts(9)),
    ("fairy", Parts(4)),
    ("cuentos", Parts(9)),
    ("novelle", Parts(6)),
    ("小說集", Parts(9)),
    ("autobiography", Telling(-8)),
    ("memoirs", Telling(-5)),
    ("memoir", Telling(-6)),
    ("narrative of", Telling(-5)),
    ("life of", Telling(-4)),
    ("biography", Telling(-8)),
    ("recollections", Telling(-6)),
    ("reminiscences", Telling(-7)),
    ("history of", Telling(-4)),
    ("histoire de", Telling(-2)),
    ("geschichte der", Telling(-4)),
    ("essay", Telling(-9)),
    ("essays", Telling(-9)),
    ("essais", Telling(-9)),
    ("lectures", Telling(-9)),
    ("sermons", Telling(-9)),
    ("speeches", Telling(-9)),
    ("treatise", Telling(-9)),
    ("principles", Telling(-9)),
    ("introduction to", Telling(-9)),
    ("handbook", Telling(-9)),
    ("manual", Telling(-9)),
    ("dictionary", Telling(-9)),
    ("encyclopaedia", Telling(-9)),
    ("encyclopedia", Telling(-9)),
    ("grammar", Telling(-9)),
    ("guide to", Telling(-8)),
    ("notes on", Telling(-7)),
    ("studies in", Telling(-8)),
    ("study of", Telling(-6)),
    ("origin of", Telling(-5)),
    ("theory of", Telling(-6)),
    ("science", Telling(-5)),
    ("philosophy", Telling(-6)),
    ("cook book", Telling(-9)),
    ("cookery", Telling(-9)),
    ("scripture", Telling(-9)),
    ("scriptures", Telling(-9)),
    ("sacred books", Telling(-9)),
    ("proceedings", Telling(-9)),
    ("magazine", Telling(-8)),
    ("report", Telling(-5)),
    ("letters of", Says::Kind(Kind::Letters, 8)),
    ("letters from", Says::Kind(Kind::Letters, 6)),
    ("letters to", Says::Kind(Kind::Letters, 6)),
    ("life and letters", Says::Kind(Kind::Letters, 4)),
    ("correspondence", Says::Kind(Kind::Letters, 8)),
    ("correspondance", Says::Kind(Kind::Letters, 8)),
    ("briefe", Says::Kind(Kind::Letters, 6)),
    ("lettres de", Says::Kind(Kind::Letters, 6)),
    ("diary of", Says::Kind(Kind::Letters, 6)),
    ("journal of", Says::Kind(Kind::Letters, 4)),
    ("journal", Says::Kind(Kind::Letters, 2)),
    ("tagebuch", Says::Kind(Kind::Letters, 6)),
    ("poems", Says::Kind(Kind::Poetry, 9)),
    ("poem", Says::Kind(Kind::Poetry, 8)),
    ("sonnets", Says::Kind(Kind::Poetry, 9)),
    ("ballads", Says::Kind(Kind::Poetry, 8)),
    ("gedichte", Says::Kind(Kind::Poetry, 9)),
    ("poésies", Says::Kind(Kind::Poetry, 9)),
    ("poesie", Says::Kind(Kind::Poetry, 9)),
    ("comedy", Says::Kind(Kind::Play, 5)),
    ("tragedy", Says::Kind(Kind::Play, 5)),
    ("a play", Says::Kind(Kind::Play, 8)),
    ("plays", Says::Kind(Kind::Play, 8)),
    ("in three acts", Says::Kind(Kind::Play, 9)),
    ("in four acts", Says::Kind(Kind::Play, 9)),
    ("in five acts", Says::Kind(Kind::Play, 9)),
    ("in one act", Says::Kind(Kind::Play, 9)),
    ("comédie", Says::Kind(Kind::Play, 6)),
    ("drame", Says::Kind(Kind::Play, 6)),
    ("trauerspiel", Says::Kind(Kind::Play, 9)),
    ("lustspiel", Says::Kind(Kind::Play, 9)),
];

/// Counts the words of the title. `tongue` is the language of the text, as heard.
pub(super) fn title(book: &Book, tongue: Option<&str>, points: &mut Points) {
    let title = words(&book.title);
    if calls_itself_roman(&book.title, tongue) {
        points.telling(8, "the title says `roman`".into());
    }
    for (phrase, says) in TITLES {
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
            match says {
                Says::Kind(kind, weight) => points.add(*kind, *weight, why),
                Telling(weight) => points.telling(*weight, why),
                Parts(weight) => points.parts(*weight, why),
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
#[path = "title_evidence_tests.rs"]
mod tests;
