//! `recognise`: does a model know the book from a passage? Asked of passages with the book's own names and of
//! the same passages with others, it tells what hiding names is worth.

use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Answer, Book, Cx, Edge, Reason, Recognition, Resource, Rows, Scene, Stage, Stop, stage,
};

use crate::{
    asking::{Asks, asking},
    retelling::{
        answer::{Protocol, retelling},
        prompt::AGAIN,
    },
};

/// Asks a model for title and author of a few passages of each book.
///
/// ```
/// use storymill_transforms::Recognise;
/// let stage: Recognise = toml::from_str("scenes = 'scenes'\nbooks = 'books'").unwrap();
/// assert_eq!((stage.passages, stage.symbols), (3, 1500));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recognise {
    /// The step that makes the scenes, with the book's own names or with others.
    pub scenes: Edge<Scene>,
    /// The step that makes the books, which know their titles and authors.
    pub books: Edge<Book>,
    /// The model's name in the workflow. Default: `default`.
    #[serde(default = "crate::defaults::model")]
    pub model: String,
    /// How often to ask at most until an answer can be read. Default: 10.
    #[serde(default = "crate::defaults::tries")]
    pub tries: u32,
    /// How many passages of a book are shown, one at a time. The same scenes are shown whatever their names.
    /// Default: 3.
    #[serde(default = "crate::defaults::count::<3>")]
    pub passages: u32,
    /// The longest passage, in symbols. Default: 1,500.
    #[serde(default = "crate::defaults::count::<1500>")]
    pub symbols: u32,
    /// A template to use instead of the one that comes with storymill (data/prompts).
    #[serde(default)]
    pub prompt: Option<Resource>,
}

asking!(Recognise, ["recognise.jinja"], [AGAIN], [prompt], least = [(passages, 1), (symbols, 1)]);

impl Stage for Recognise {
    stage!("recognise", 2, (Rows<Scene>, Rows<Book>) => Recognition, scenes, books);

    fn run(&self, (scenes, books): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Recognition>, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "there is no book to recognise"));
        };
        let asking = self.asking(&[&self.prompt])?;
        let mut order: Vec<usize> = (0..scenes.len()).collect();
        cx.stream("", "passages").shuffle(&mut order);
        order.truncate(self.passages as usize);
        order.sort_unstable();
        let chosen: Vec<Scene> = order.into_iter().map(|at| scenes[at].clone()).collect();
        cx.each(&chosen, |cx, scene| {
            let passage: String = scene.text.trim().chars().take(self.symbols as usize).collect();
            let taken = asking.with(0).first(cx, 0, &context! { passage }, guess)?;
            let (title, author) = taken.value.clone();
            Ok(Recognition {
                book: scene.book.clone(),
                scene: scene.scene,
                title_right: same_title(&title, &book.title),
                author_right: book.authors.iter().any(|one| same_person(&author, &one.name)),
                title,
                author,
                answer: taken.digest(),
            })
        })
    }
}

/// Title and author in an answer, blank where the model does not know.
fn guess(answer: &Answer) -> Result<(String, String), Reason> {
    let found = retelling(Protocol::Tag, answer)?;
    let field = |name: &str| {
        let line = found.text.lines().find_map(|line| {
            let (key, value) = line.trim().trim_matches('*').split_once(':')?;
            key.trim().trim_matches('*').eq_ignore_ascii_case(name).then(|| plain(value))
        })?;
        Some(if line.eq_ignore_ascii_case("unknown") { String::new() } else { line })
    };
    match (field("title"), field("author")) {
        (Some(title), Some(author)) => Ok((title, author)),
        _ => Err(Reason::new("no-guess", "the answer lacks a line `TITLE:` or `AUTHOR:`")),
    }
}

fn plain(value: &str) -> String {
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '"' | '“' | '”' | '.' | '_');
    value.trim_matches(marks).chars().take(200).collect()
}

/// The words of a name or a title, folded.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(storymill_text::word::fold).collect()
}

/// Whether a title is meant: the words are the same with or without a subtitle on either side, and up to articles.
pub(crate) fn same_title(guess: &str, title: &str) -> bool {
    let both = |text| [title_words(text), title_words(main_title(text))];
    let [guess, title] = [guess, title].map(both);
    guess.iter().any(|guess| !guess.is_empty() && title.contains(guess))
}

/// The words of a title without articles.
pub(crate) fn title_words(title: &str) -> Vec<String> {
    let mut words = words(title);
    words.retain(|word| !matches!(word.as_str(), "the" | "a" | "an"));
    words
}

/// What stands before a subtitle: `: …`, `; …` or `, or …`.
pub(crate) fn main_title(title: &str) -> &str {
    let next = |at: usize| {
        let mut words = title[at + 1..].split(|c: char| !c.is_alphanumeric());
        words.find(|word| !word.is_empty())
    };
    let second = |at: usize, c: char| match c {
        ';' | ':' => true,
        ',' => next(at).is_some_and(|word| word.eq_ignore_ascii_case("or")),
        _ => false,
    };
    let end = title.char_indices().find(|(at, c)| second(*at, *c));
    &title[..end.map_or(title.len(), |(at, _)| at)]
}

/// Whether a person is meant: the family name, which catalogs put first, is among the words.
fn same_person(guess: &str, name: &str) -> bool {
    let family = words(name.split(',').next().unwrap_or(name));
    let guess = words(guess);
    !family.is_empty() && family.iter().all(|word| guess.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let answer = Answer { text: text.into(), finish_reason: "stop".into() };
        let found = guess(&answer).ok();
        assert_eq!(found.as_ref().map(|(title, author)| (&**title, &**author)), expected, "{text}");
    }

    #[test]
    fn guesses_are_read() {
        check(
            "### BEGIN ANSWER ###\nTITLE: *Emma*\nAUTHOR: Jane Austen.",
            Some(("Emma", "Jane Austen")),
        );
        check("### BEGIN ANSWER ###\nTitle: unknown\nAuthor: Unknown", Some(("", "")));
        check("### BEGIN ANSWER ###\nIt is Emma.", None);
        check("TITLE: Emma\nAUTHOR: Jane Austen", None);
    }

    #[test]
    fn titles_and_authors_are_compared_by_their_words() {
        assert!(same_title("Frankenstein", "Frankenstein; or, the Modern Prometheus"));
        assert!(same_title("The Great Gatsby", "Great Gatsby"));
        assert!(same_title("Moby-Dick, or The Whale", "Moby Dick; Or, The Whale"));
        assert!(same_title("Emma: A Novel", "Emma") && same_title("Emma", "Emma: A Novel"));
        assert!(!same_title("", "Emma") && !same_title("Evelina", "Emma"));
        assert!(!same_title("Dracula's Guest", "Dracula"));
        assert!(!same_title("The Return", "The Return of the Native"));
        assert!(!same_title("Emma, Orphan", "Emma") && !same_title(":", ";"));
        assert!(same_person("Charlotte Brontë", "Bronte, Charlotte"));
        assert!(same_person("Mary Shelley", "Shelley, Mary Wollstonecraft"));
        assert!(!same_person("Emily Smith", "Brontë, Emily") && !same_person("", "Austen, Jane"));
    }
}
