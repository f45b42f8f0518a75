//! `distinct`: leaves out the books that `duplicates` does not keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Book, Cx, Duplicate, Edge, Options, Relation, Review, Rows, Stage, Stop, stage,
};

/// Keeps one book of each work.
///
/// ```
/// use storymill_transforms::Distinct;
/// let stage: Distinct = toml::from_str("from = 'novels'\nduplicates = 'twins'").unwrap();
/// assert_eq!(stage.duplicates.step(), "twins");
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Distinct {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// The step that rules which of them are kept.
    pub duplicates: Edge<Duplicate>,
}

impl Options for Distinct {}

impl Stage for Distinct {
    stage!("distinct", 2, (Rows<Book>, Rows<Duplicate>) => Book, from, duplicates);

    fn run(&self, (books, verdicts): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Book>, Stop> {
        match verdicts.iter().find(|verdict| !verdict.kept) {
            None => Ok(books.to_vec()),
            Some(verdict) => {
                if let Some(review) = books.first().and_then(|book| doubt(book, verdict))
                    && cx.decide(review)? == KEEP
                {
                    return Ok(books.to_vec());
                }
                let code = match verdict.relation {
                    Relation::Copy => "copy",
                    Relation::Part => "part",
                    Relation::Crowded => "author-has-enough",
                    _ => "edition",
                };
                Err(Stop::left_out(code, verdict.why.clone()))
            }
        }
    }
}

const KEEP: &str = "keep";

/// What is put before people: an edition or a part of which much stands nowhere else. Who wants it too keeps it; both stay in
/// one split.
fn doubt(book: &Book, verdict: &Duplicate) -> Option<Review> {
    let sure = match verdict.relation {
        Relation::Edition => 600,
        Relation::Part => 800,
        _ => return None,
    };
    let percent = |pm: u16| format!("{}.{}", pm / 10, pm % 10);
    let authors = book.authors.iter().map(|one| one.name.as_str()).collect::<Vec<_>>();
    (verdict.shared_pm < sure).then(|| Review {
        item: book.id.to_string(),
        code: "duplicate".into(),
        // The decision holds while these two are compared, however much they share.
        about: format!("{} / {}", book.id, verdict.of),
        question: format!("is this book left out because {} is kept?", verdict.of),
        excerpt: format!(
            "{}\n{}\n{}\n{} % of its text is in {}",
            book.title,
            authors.join("; "),
            verdict.why,
            percent(verdict.shared_pm),
            verdict.of
        ),
        choices: vec!["leave-out".to_owned(), KEEP.to_owned()],
        default: "leave-out".to_owned(),
        ..Review::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{book, run, run_decided};

    #[test]
    fn people_decide_on_a_book_that_shares_little() {
        let stage = Distinct { from: Edge::to("a"), duplicates: Edge::to("b") };
        let input = |relation, shared_pm| {
            let verdict = Duplicate {
                unit: "t".parse().unwrap(),
                group: "t".parse().unwrap(),
                kept: false,
                relation,
                of: "u".parse().unwrap(),
                shared_pm,
                why: "an edition of u".into(),
            };
            (vec![book("Text.")].into(), vec![verdict].into())
        };
        let (rows, trace) = run(&stage, input(Relation::Edition, 410));
        assert!(matches!(rows, Err(Stop::LeftOut(_))), "the rule stands until somebody decides");
        let review = &trace.reviews[0];
        assert!(review.excerpt.contains("41.0 % of its text is in u"), "{}", review.excerpt);
        let (rows, _) = run_decided(&stage, input(Relation::Edition, 412), &[(review, KEEP)]);
        assert_eq!(rows.unwrap().len(), 1);
        for (relation, shared) in [
            (Relation::Edition, 600),
            (Relation::Part, 800),
            (Relation::Copy, 100),
            (Relation::Crowded, 0),
        ] {
            assert_eq!(run(&stage, input(relation, shared)).1.reviews, [], "{relation:?}");
        }
    }

    #[test]
    fn only_what_is_kept_goes_on() {
        let stage = Distinct { from: Edge::to("a"), duplicates: Edge::to("b") };
        let verdict = |kept, relation| Duplicate {
            unit: "t".parse().unwrap(),
            group: "t".parse().unwrap(),
            kept,
            relation,
            of: "u".parse().unwrap(),
            shared_pm: 950,
            why: "a part of u".into(),
        };
        let rule = |kept, relation| {
            run(&stage, (vec![book("Text.")].into(), vec![verdict(kept, relation)].into())).0
        };
        assert_eq!(rule(true, Relation::Itself).unwrap().len(), 1);
        assert_eq!(rule(true, Relation::Overlap).unwrap().len(), 1);
        for (relation, code) in [
            (Relation::Part, "part"),
            (Relation::Copy, "copy"),
            (Relation::Edition, "edition"),
            (Relation::Crowded, "author-has-enough"),
        ] {
            let Err(Stop::LeftOut(reason)) = rule(false, relation) else {
                panic!("{relation:?} passed")
            };
            assert_eq!((&*reason.code, reason.detail.as_str()), (code, "a part of u"));
        }
    }
}
