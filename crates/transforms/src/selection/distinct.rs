//! `distinct`: leaves out the books that `duplicates` does not keep.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{Book, Cx, Duplicate, Edge, Options, Relation, Rows, Stage, Stop};

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
    const KIND: &'static str = "distinct";
    const VERSION: u32 = 1;
    type In = (Rows<Book>, Rows<Duplicate>);
    type Out = Book;

    fn edges(&self) -> (Edge<Book>, Edge<Duplicate>) {
        (self.from.clone(), self.duplicates.clone())
    }

    fn run(&self, (books, verdicts): Self::In, _: &mut Cx<'_>) -> Result<Vec<Book>, Stop> {
        match verdicts.iter().find(|verdict| !verdict.kept) {
            None => Ok(books.to_vec()),
            Some(verdict) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{book, run};

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
