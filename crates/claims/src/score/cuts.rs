//! The parts that scores are given by.

use std::collections::BTreeMap;

use crate::{
    import::Set,
    pair::{BookFacts, Pair},
};

/// What the set is cut by, the part's name, and the pairs in it.
pub(super) type Members = (&'static str, String, Vec<usize>);

/// The parts of these pairs of a set: by year, genre, length, scope, position in a collection, cohort, book.
///
/// A pair of which the set does not know where it belongs is in no part of that kind.
pub(super) fn of(set: &Set, pairs: &[usize]) -> Vec<Members> {
    type Key = fn(&Pair, &BookFacts) -> Option<String>;
    let keys: [(&'static str, Key); 7] = [
        ("year", |pair, book| {
            let of_pair = || pair.published_on.as_ref().map(|date| date[..4].to_owned());
            book.publication_year.clone().or_else(of_pair)
        }),
        ("genre", |_, book| book.genre.clone()),
        ("length", |_, book| book.length_group()),
        ("scope", |pair, _| pair.scope().map(|scope| scope.name().to_owned())),
        ("position", |pair, book| position(pair, book).map(str::to_owned)),
        ("added in", |pair, _| pair.added_in.clone()),
        ("book", |pair, _| Some(pair.book.clone())),
    ];
    let books: BTreeMap<&str, &BookFacts> =
        set.books.iter().map(|book| (book.id.as_str(), book)).collect();
    let mut cuts = Vec::new();
    for (by, key) in keys {
        let mut parts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for &at in pairs {
            let pair = &set.pairs[at];
            let unknown = BookFacts::default();
            let book = books.get(pair.book.as_str()).copied().unwrap_or(&unknown);
            if let Some(value) = key(pair, book) {
                parts.entry(value).or_default().push(at);
            }
        }
        cuts.extend(parts.into_iter().map(|(value, members)| (by, value, members)));
    }
    cuts
}

/// In which third of a collection the pair's story stands, by the middle of the story; the middle
/// of the evidence where no story is named.
fn position(pair: &Pair, book: &BookFacts) -> Option<&'static str> {
    let last = book.stories.iter().map(|story| story.end).max()?;
    let middle = if let Some(name) = &pair.story {
        let story = book.stories.iter().find(|story| story.name == *name)?;
        u64::from(story.start) + u64::from(story.end)
    } else {
        let all = || pair.true_evidence.iter().chain(&pair.false_evidence);
        let (start, end) =
            (all().map(|stretch| stretch.start).min()?, all().map(|stretch| stretch.end).max()?);
        u64::from(start) + u64::from(end)
    };
    // `middle` is twice the middle.
    Some(match 3 * middle / (2 * u64::from(last)).max(1) {
        0 => "first third",
        1 => "second third",
        _ => "last third",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::Story;

    #[test]
    fn thirds() {
        let story = |name: &str, start, end| Story { name: name.into(), start, end };
        let stories = vec![story("a", 0, 100), story("b", 100, 200), story("c", 200, 300)];
        let book = BookFacts { stories, ..BookFacts::new("x") };
        let of =
            |name: &str| position(&Pair { story: Some(name.into()), ..Pair::default() }, &book);
        assert_eq!(
            ["a", "b", "c", "d"].map(of),
            [Some("first third"), Some("second third"), Some("last third"), None]
        );
        assert_eq!(position(&Pair::default(), &book), None);
        assert_eq!(position(&Pair::default(), &BookFacts::new("y")), None);
    }
}
