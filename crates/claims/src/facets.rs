//! What results on claims are broken down by: what a set knows of a pair and its book.

use storymill_core::Facet;

use crate::pair::{BookFacts, Pair};

/// The facets of a pair: year, genre, length, scope, position in a collection, and the version that first had it. What the set
/// does not know is left out.
pub fn facets(pair: &Pair, book: &BookFacts) -> Vec<Facet> {
    let of_pair = || pair.published_on.as_ref().map(|date| date[..4].to_owned());
    let all = [
        ("year", book.publication_year.clone().or_else(of_pair)),
        ("genre", book.genre.clone()),
        ("length", book.length_group()),
        ("scope", pair.scope().map(|scope| scope.name().to_owned())),
        ("position", position(pair, book).map(str::to_owned)),
        ("added in", pair.added_in.clone()),
    ];
    all.into_iter().filter_map(|(by, value)| Some(Facet::new(by, value?))).collect()
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
