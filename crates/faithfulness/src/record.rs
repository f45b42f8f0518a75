//! A retelling of a file of labels as a record that stages read.

use storymill_core::{GoldLabels, Retold, SentenceLabel, UnitId};

use crate::{
    file::{Labelled, Placed},
    votes::is_error,
};

/// The record of a retelling; `of` is the unit of its story, whose retellings are kept together.
///
/// Where there is not one label for each sentence, none of them is kept: nobody can say whose they are. The label of the
/// whole is.
pub fn retold(of: &UnitId, item: &Placed) -> Retold {
    let Labelled { story, summary, claims, split, model, .. } = &item.labelled;
    Retold {
        id: item.id.clone(),
        of: of.clone(),
        scenes: None,
        story: of.to_string(),
        source: story.clone(),
        ends: Vec::new(),
        sentences: summary.clone(),
        claims: claims.clone(),
        written_by: model.clone(),
        split: split.clone(),
        edits: None,
        gold: Some(gold(&item.labelled)),
    }
}

/// What people hold to be right of a retelling.
pub fn gold(item: &Labelled) -> GoldLabels {
    let faithful = item.faithful();
    let difficulty = if faithful { None } else { item.difficulty() };
    let mut sentences = Vec::new();
    let labels = item.words();
    if labels.len() == item.summary.len() {
        let errors = labels.iter().filter(|label| is_error(**label)).count();
        let mut texts = if item.explanations.len() == errors {
            item.explanations.iter()
        } else {
            // Nobody can say which of them is of which sentence.
            [].iter()
        };
        for (at, label) in labels.into_iter().enumerate() {
            let text = if is_error(label) { texts.next() } else { None };
            sentences.push(SentenceLabel {
                label,
                kinds: item.kinds.get(at).cloned().unwrap_or_default(),
                explanation: text.cloned().unwrap_or_default(),
            });
        }
    }
    GoldLabels { faithful, difficulty, sentences, votes: item.label_votes() }
}

#[cfg(test)]
mod tests {
    use storymill_core::{Difficulty, Label};

    use super::*;

    fn labelled() -> Labelled {
        Labelled {
            summary: vec!["One.".into(), "Two.".into(), "Three.".into()],
            errors: vec![1, 0, 0],
            explanations: vec!["not two".into(), "not three".into()],
            kinds: vec![vec![], vec!["event".into()], vec![]],
            difficulty: "hard".into(),
            ..Labelled::default()
        }
    }

    #[test]
    fn explanations_go_to_their_sentences() {
        let found = gold(&labelled());
        let texts: Vec<&str> = found.sentences.iter().map(|one| one.explanation.as_str()).collect();
        assert_eq!(texts, ["", "not two", "not three"]);
        assert_eq!((found.faithful, found.difficulty), (false, Some(Difficulty::Hard)));
        assert_eq!(found.sentences[1].kinds, ["event"]);
        let fewer = gold(&Labelled { explanations: vec!["what?".into()], ..labelled() });
        assert!(fewer.sentences.iter().all(|one| one.explanation.is_empty()));
    }

    #[test]
    fn labels_that_do_not_fit_are_not_kept() {
        let found = gold(&Labelled { errors: vec![1, 0], ..labelled() });
        assert!(found.sentences.is_empty() && !found.faithful);
        let kinds = vec![vec!["commentary".into()], vec![], vec![]];
        let found = gold(&Labelled { kinds, ..labelled() });
        assert_eq!(found.sentences[0].label, Label::Commentary);
        let words = vec![Label::Commentary, Label::Partial, Label::Faithful];
        let found = gold(&Labelled { labels: Some(words.clone()), ..labelled() });
        let labels: Vec<Label> = found.sentences.iter().map(|one| one.label).collect();
        assert_eq!(labels, words);
    }
}
