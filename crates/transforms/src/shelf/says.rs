//! What title and catalog say of a book's kind.
//!
//! Words weigh little beside the text: `Memoirs of` stands before lives and before novels. Subject
//! headings weigh much, because a librarian wrote them.

use storymill_core::Book;

use super::kind::{Kind, Points};

/// Counts title, subjects, classes and bookshelves.
pub(super) fn weigh(book: &Book, points: &mut Points) {
    title(book, points);
    let mut subjects = String::new();
    for subject in book.subjects.iter().chain(&book.bookshelves) {
        subjects.push_str(&words(subject));
        subjects.push('|');
    }
    let has = |list: &[&'static str]| {
        list.iter().find(|word| subjects.contains(&format!(" {word} "))).copied()
    };
    let fiction = has(FICTION);
    if let Some(word) = fiction {
        points.telling(14, format!("the catalog's subjects say `{word}`"));
    } else if let Some(word) = has(FACTS) {
        points.telling(-14, format!("the catalog's subjects say `{word}`"));
    }
    if let Some(word) = has(STORIES) {
        points.parts(22, format!("the catalog's subjects say `{word}`"));
        points.telling(8, String::new());
    } else if subjects.contains(" novels ") {
        points.parts(-6, "the catalog's subjects say `novels`".into());
    }
    for (kind, list) in [(Kind::Play, PLAYS), (Kind::Poetry, POEMS), (Kind::Letters, LETTERS)] {
        if let Some(word) = has(list).filter(|_| fiction.is_none() && has(CRITICISM).is_none()) {
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

const FICTION: &[&str] = &[
    "fiction",
    "novels",
    "romances",
    "detective and mystery stories",
    "love stories",
    "science fiction",
];
const FACTS: &[&str] = &[
    "history and criticism",
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
];
const STORIES: &[&str] =
    &["short stories", "fairy tales", "folklore", "fables", "tales", "legends", "ghost stories"];
const PLAYS: &[&str] = &["drama", "plays", "comedies", "tragedies", "librettos", "theater"];
const POEMS: &[&str] = &["poetry", "poems", "ballads", "sonnets", "epic poetry", "hymns"];
const LETTERS: &[&str] = &["correspondence", "diaries", "letters"];
const CRITICISM: &[&str] = &["history and criticism", "study and teaching"];

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
    ("roman", Telling(4)),
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
    ("bible", Telling(-9)),
    ("new testament", Telling(-9)),
    ("koran", Telling(-9)),
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

fn title(book: &Book, points: &mut Points) {
    let title = words(&book.title);
    for (phrase, says) in TITLES {
        // Han is written without blanks.
        let there = if phrase.is_ascii()
            || phrase.chars().all(|c| c.is_alphabetic() && c < '\u{3000}' || c == ' ')
        {
            title.contains(&format!(" {phrase} "))
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
