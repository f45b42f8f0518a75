//! `label`: people label retellings sentence by sentence.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use storymill_core::{
    Cx, Decision, Digest, Edge, Fault, GoldLabels, Judgement, LabelVote, Options, Retold, Review,
    ReviewForm, Rows, Said, SentenceLabel, Stage, Stop, Taken, stage,
};
use storymill_faithfulness::votes::{by_annotators, faithful, is_error};

/// Puts retellings before people, who label every sentence. What they decide are the retelling's known labels from
/// here on: a judge of these rows is measured by them.
///
/// ```
/// use storymill_transforms::LabelStage;
/// let stage: LabelStage = toml::from_str("of = 'sampled'").unwrap();
/// assert!(stage.kinds.contains(&"character".to_owned()) && stage.judgements.is_none());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LabelStage {
    /// The retellings: the stage `sample`, or a source of labelled ones.
    pub of: Edge<Retold>,
    /// What judges say of them, shown as a proposal: after a person's own vote, or before it where the workflow's
    /// protocol is `hybrid`. Default: none.
    #[serde(default)]
    pub judgements: Option<Edge<Judgement>>,
    /// The kinds of error that a sentence may have. Default: those of data/judges.
    #[serde(default = "kinds")]
    pub kinds: Vec<String>,
}

fn kinds() -> Vec<String> {
    ["character", "motive", "action", "order", "setting", "detail"].map(str::to_owned).to_vec()
}

impl Options for LabelStage {
    fn check(&self) -> Vec<(&'static str, String)> {
        let mut sorted: Vec<&str> = self.kinds.iter().map(|kind| kind.trim()).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        match sorted.first() {
            Some(&"") => vec![("kinds", "must not have a blank word".to_owned())],
            _ if twice => vec![("kinds", "must not name one kind twice".to_owned())],
            _ => Vec::new(),
        }
    }
}

/// The choice that takes labels, and the one that is taken while nobody decides.
const LABELLED: &str = "labelled";
const OPEN: &str = "open";

impl Stage for LabelStage {
    stage!("label", 1, (Rows<Retold>, Option<Rows<Judgement>>) => Retold, of, judgements);

    fn run(&self, (told, judged): Self::In, cx: &mut Cx<'_>) -> Result<Vec<Retold>, Stop> {
        let mut said: BTreeMap<&str, Vec<&Judgement>> = BTreeMap::new();
        for one in judged.iter().flat_map(|rows| rows.iter()) {
            said.entry(&one.retelling).or_default().push(one);
        }
        let labelled = told.iter().map(|one| {
            let judged = said.get(one.id.as_str()).map_or(&[][..], Vec::as_slice);
            self.labelled(one, judged, cx)
        });
        Ok(labelled.collect::<Result<_, Fault>>()?)
    }
}

impl LabelStage {
    fn labelled(
        &self,
        one: &Retold,
        judged: &[&Judgement],
        cx: &mut Cx<'_>,
    ) -> Result<Retold, Fault> {
        if one.sentences.is_empty() {
            return Ok(one.clone());
        }
        let review = self.review(one, judged);
        let votes = cx.votes(&review);
        let Taken { choice, said, .. } = cx.take(review)?;
        let decided = match said {
            Said::Labels(labels) if choice == LABELLED && labels.len() == one.sentences.len() => {
                Some(gold(labels, &votes))
            }
            _ => None,
        };
        Ok(Retold { gold: decided.or_else(|| one.gold.clone()), ..one.clone() })
    }

    fn review(&self, one: &Retold, judged: &[&Judgement]) -> Review {
        let sentences = one.sentences.iter().map(|sentence| sentence.trim().to_owned());
        let sentences: Vec<String> = sentences.collect();
        // Labels hold for these sentences of this source, whatever else is shown.
        let about = format!("{}\n{}", sentences.join("\n"), Digest::of(one.source.as_bytes()));
        Review {
            item: one.id.clone(),
            code: Cow::Borrowed("sentence-labels"),
            about,
            question: "does the text bear out each sentence of the retelling?".to_owned(),
            excerpt: one.source.clone(),
            choices: vec![OPEN.to_owned(), LABELLED.to_owned()],
            default: OPEN.to_owned(),
            proposal: proposal(judged),
            form: ReviewForm::Labels {
                sentences,
                kinds: self.kinds.clone(),
                of: LABELLED.to_owned(),
            },
            ..Review::default()
        }
    }
}

/// What judges speak against, a line for each sentence or claim; of the whole where they have no parts.
fn proposal(judged: &[&Judgement]) -> String {
    let mut lines = Vec::new();
    for one in judged {
        let wrong = one.parts.iter().filter(|part| part.label.is_some_and(is_error));
        let before = lines.len();
        lines.extend(wrong.map(|part| match part.reason.trim() {
            "" => format!("{}: wrong: {}", one.judge, part.text),
            why => format!("{}: wrong: {} ({why})", one.judge, part.text),
        }));
        if lines.len() == before
            && let Some(faithful) = one.faithful
        {
            let word = if faithful { "faithful" } else { "unfaithful" };
            lines.push(format!("{}: {word}, as a whole", one.judge));
        }
    }
    lines.join("\n")
}

/// What people decided as known labels, with the votes behind it that have as many.
fn gold(sentences: Vec<SentenceLabel>, votes: &[Decision]) -> GoldLabels {
    let is_whole = |vote: &Decision, labels: &[SentenceLabel]| {
        vote.choice == LABELLED && labels.len() == sentences.len()
    };
    let mut votes: Vec<LabelVote> = votes
        .iter()
        .filter_map(|vote| match &vote.said {
            Said::Labels(labels) if is_whole(vote, labels) => Some(LabelVote {
                person: vote.by.clone(),
                protocol: if vote.protocol == "hybrid" { "hybrid" } else { "annotator" }.to_owned(),
                labels: labels.iter().map(|own| own.label).collect(),
                adjudicated: false,
            }),
            _ => None,
        })
        .collect();
    votes.sort_by(|one, other| (&one.person, &one.labels).cmp(&(&other.person, &other.labels)));
    let independent: Vec<&LabelVote> =
        votes.iter().filter(|vote| vote.protocol == "annotator").collect();
    let difficulty = by_annotators(&independent, sentences.len());
    let faithful = faithful(sentences.iter().map(|own| own.label));
    let difficulty = difficulty.filter(|_| !faithful);
    GoldLabels { faithful, difficulty, sentences, votes }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Difficulty, Label, PartVerdict, Status, canonical};

    use super::*;
    use crate::tests::{run, run_lines};

    fn told(sentences: &[&str]) -> Retold {
        Retold {
            id: "t/0000/s0".into(),
            of: "t".parse().unwrap(),
            scenes: None,
            story: "t".into(),
            source: "Ada hid the bell.".into(),
            ends: Vec::new(),
            sentences: sentences.iter().map(|one| (*one).to_owned()).collect(),
            claims: Vec::new(),
            written_by: String::new(),
            split: String::new(),
            edits: None,
            gold: None,
        }
    }

    fn stage() -> LabelStage {
        toml::from_str("of = 'a'").unwrap()
    }

    fn line(review: &Review, by: &str, labels: &[Label]) -> String {
        let label = |label: &Label| SentenceLabel {
            label: *label,
            kinds: if is_error(*label) { vec!["action".to_owned()] } else { Vec::new() },
            explanation: String::new(),
        };
        let mut line = Decision::blank(review.id());
        (line.choice, line.by) = (LABELLED.to_owned(), by.to_owned());
        line.said = Said::Labels(labels.iter().map(label).collect());
        canonical::json(&line)
    }

    use Label::{Faithful, Unfaithful};

    #[test]
    fn what_people_decide_are_the_known_labels() {
        let input = || (vec![told(&["Ada hid it.", " She sold it. "])].into(), None);
        let (rows, trace) = run(&stage(), input());
        assert_eq!(rows.unwrap()[0].gold, None, "nobody has decided");
        let review = &trace.reviews[0];
        let ReviewForm::Labels { sentences, .. } = &review.form else { panic!("{review:?}") };
        assert_eq!(sentences[1], "She sold it.");
        let lines: Vec<String> =
            ["ann", "bo", "cy"].map(|by| line(review, by, &[Faithful, Unfaithful])).to_vec();
        let (rows, _) = run_lines(&stage(), input(), &lines);
        let gold = rows.unwrap()[0].gold.clone().unwrap();
        assert!(!gold.faithful);
        assert_eq!(gold.sentences[1].kinds, ["action"]);
        assert_eq!(gold.votes.len(), 3);
        assert_eq!(gold.difficulty, Some(Difficulty::Easy));
        // Labels of other sentences are nobody's.
        let (rows, _) = run_lines(&stage(), input(), &[line(review, "ann", &[Faithful])]);
        assert_eq!(rows.unwrap()[0].gold, None);
        // Who says that it stays open labels nothing.
        let open = lines[0].replace("\"choice\":\"labelled\"", "\"choice\":\"open\"");
        let (rows, _) = run_lines(&stage(), input(), &[open]);
        assert_eq!(rows.unwrap()[0].gold, None);
    }

    #[test]
    fn labels_hold_for_a_text_and_its_source() {
        let of = |one: &Retold| stage().review(one, &[]).id();
        let one = told(&["Ada hid it."]);
        let other = Retold { source: "Ada hid the bells.".into(), ..one.clone() };
        assert_ne!(of(&one), of(&other));
        assert_ne!(of(&one), of(&told(&["Ada had it."])));
        let more = LabelStage { kinds: vec!["event".into()], ..stage() };
        assert_eq!(of(&one), more.review(&one, &[]).id());
    }

    #[test]
    fn a_judge_proposes_what_it_speaks_against() {
        let mut judged = Judgement {
            id: "t/0000/s0/binary/j".into(),
            of: "t".parse().unwrap(),
            retelling: "t/0000/s0".into(),
            story: "t".into(),
            protocol: "binary".into(),
            judge: "j".into(),
            written_by: String::new(),
            split: String::new(),
            status: Status::Answered,
            faithful: Some(false),
            meant_false: false,
            parts: Vec::new(),
            gold: None,
            difficulty: None,
            answers: Vec::new(),
        };
        let proposed = |judged: &Judgement| {
            let told = told(&["Ada hid it.", "She sold it."]);
            let (_, trace) = run(&stage(), (vec![told].into(), Some(vec![judged.clone()].into())));
            trace.reviews[0].proposal.clone()
        };
        assert_eq!(proposed(&judged), "j: unfaithful, as a whole");
        judged.parts = vec![PartVerdict {
            sentence: Some(1),
            text: "She sold it.".into(),
            status: Status::Answered,
            label: Some(Unfaithful),
            reason: "she kept it".into(),
        }];
        assert_eq!(proposed(&judged), "j: wrong: She sold it. (she kept it)");
    }

    #[test]
    fn kinds_are_words_that_differ() {
        let faults = |kinds: &[&str]| {
            LabelStage { kinds: kinds.iter().map(|one| (*one).to_owned()).collect(), ..stage() }
                .check()
                .len()
        };
        assert_eq!([faults(&["a", "b"]), faults(&["a", "a"]), faults(&["a", " "])], [0, 1, 1]);
    }
}
