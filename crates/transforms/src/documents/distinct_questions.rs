//! `distinct-questions`: leaves out questions that another one of the same document says in nearly the same words.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{AskedDocument, AskedQuestion, Cx, Edge, Options, Rows, Stage, Stop, stage};
use storymill_metrics::rouge::{Stem, Words, l};

use super::revising::Proposed;

/// Leaves out later questions that are as good as the same as an earlier one: ROUGE-L from a limit on.
///
/// ```
/// use storymill_transforms::DistinctQuestions;
/// let stage: DistinctQuestions = toml::from_str("from = 'joined'").unwrap();
/// assert_eq!(stage.rouge_l_pm, 940);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DistinctQuestions {
    /// The step that makes the documents: `join`.
    pub from: Edge<AskedDocument>,
    /// From which ROUGE-L (F1, of a thousand, without stemming) on two questions count as one. Default: 940.
    #[serde(default = "limit")]
    pub rouge_l_pm: u16,
}

fn limit() -> u16 {
    940
}

impl Options for DistinctQuestions {
    fn check(&self) -> Vec<(&'static str, String)> {
        if (1..=1000).contains(&self.rouge_l_pm) {
            return Vec::new();
        }
        vec![("rouge_l_pm", format!("is {} and must be from 1 to 1000", self.rouge_l_pm))]
    }
}

impl Stage for DistinctQuestions {
    stage!("distinct-questions", 1, Rows<AskedDocument> => AskedDocument, from);

    fn run(
        &self,
        documents: Rows<AskedDocument>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<AskedDocument>, Stop> {
        cx.each(&documents, |cx, document| self.distinct(document, cx))
    }
}

impl DistinctQuestions {
    fn distinct(&self, document: &AskedDocument, cx: &mut Cx<'_>) -> Result<AskedDocument, Stop> {
        let mut out = document.clone();
        if document.left_out.is_none() {
            let mut kept: Vec<(Words, &AskedQuestion)> = Vec::new();
            for question in &document.questions {
                let words = Words::of(&question.question, Stem::None);
                if let Some((alike, twin)) = self.twin(&words, &kept) {
                    let proposed = Proposed {
                        step: Self::KIND,
                        part: "question".to_owned(),
                        kind: "duplicate",
                        before: &question.question,
                        reason: format!("ROUGE-L {alike} to {}: {}", twin.id, twin.question),
                        ..Proposed::default()
                    };
                    let decided = proposed.decide(document, question, cx)?;
                    out.revisions.push(decided.row);
                    if decided.applies {
                        continue;
                    }
                }
                kept.push((words, question));
            }
            out.questions = kept.into_iter().map(|(_, question)| question.clone()).collect();
        }
        out.pass(Self::KIND);
        Ok(out)
    }

    /// The earlier question that one is as good as the same as, and how much they are alike.
    fn twin<'q>(
        &self,
        words: &Words,
        kept: &[(Words, &'q AskedQuestion)],
    ) -> Option<(String, &'q AskedQuestion)> {
        kept.iter().find_map(|(other, question)| {
            let f1 = l(words, other).f1;
            // Two questions without a word of ASCII have nothing to be compared by.
            let alike = f1 * 1000.0 >= f64::from(self.rouge_l_pm);
            alike.then(|| (format!("{f1:.3}"), *question))
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storymill_core::RevisionState;

    use super::{
        super::tests::{document, questions},
        *,
    };
    use crate::tests::{run, run_decided};

    fn stage() -> DistinctQuestions {
        DistinctQuestions { from: Edge::to("a"), rouge_l_pm: limit() }
    }

    #[test]
    fn the_first_of_two_stays_and_people_may_keep_both() {
        let asked = [
            "Who keeps the weigh-house at Tarrow?",
            "Where does the road end?",
            "Who keeps the weigh house at Tarrow?",
            "Who kept the weigh-house at Tarrow?",
        ];
        let given = document(&asked);
        let (rows, trace) = run(&stage(), vec![given.clone()].into());
        let out = rows.unwrap().remove(0);
        assert_eq!(questions(&out), ["t/q001", "t/q002", "t/q004"]);
        assert_eq!(out.revisions[0].id(), "t/q003/question/distinct-questions");
        assert_eq!((out.passed[0].questions, trace.reviews.len()), (3, 1));

        let (rows, _) = run_decided(&stage(), vec![given].into(), &[(&trace.reviews[0], "keep")]);
        let out = rows.unwrap().remove(0);
        assert_eq!((out.questions.len(), &*out.revisions[0].reviewer), (4, "people"));
        assert_eq!(out.revisions[0].state, RevisionState::TakenBack);
    }

    proptest! {
        #[test]
        fn no_two_that_are_left_are_alike(
            asked in prop::collection::vec("[abc]( [abc]){0,5}", 0..9), limit in 1_u16..=1000,
        ) {
            let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
            let stage = DistinctQuestions { rouge_l_pm: limit, ..stage() };
            let out = run(&stage, vec![document(&asked)].into()).0.unwrap().remove(0);
            for (at, one) in out.questions.iter().enumerate() {
                for other in &out.questions[..at] {
                    let f1 = storymill_metrics::rouge::text_l(&one.question, &other.question, Stem::None).f1;
                    prop_assert!(f1 * 1000.0 < f64::from(limit));
                }
            }
            prop_assert_eq!(out.questions.len() + out.revisions.len(), asked.len());
        }
    }
}
