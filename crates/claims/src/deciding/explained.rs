//! Explanations of right verdicts: a system may be right for a wrong reason (NoCha, section on explanations), so people
//! say whether the explanation is right as well.

use std::borrow::Cow;

use storymill_core::{Digest, Review, ReviewForm};
use storymill_metrics::pair_accuracy::{Verdict, verdict};

use super::{Item, Subject};
use crate::{
    import::Set,
    pair::{Half, Pair},
    read::Response,
};

/// The code of the question.
pub const EXPLANATION: &str = "explanation";

/// What can be said of an explanation.
pub(crate) const RIGHT: &str = "right";
pub(crate) const PARTLY: &str = "partly right";
pub(crate) const WRONG: &str = "wrong";
pub(crate) const NONE: &str = "explains nothing";

/// The kinds of error that an explanation may have.
const KINDS: [&str; 8] =
    ["character", "motive", "action", "order", "setting", "detail", "invented", "reasoning"];

/// The explanations of right verdicts among answers to a set, in an order that has nothing to do with what they say: the
/// first of them are a sample of all.
pub fn explanations(set: &Set, responses: &[Response]) -> Vec<Item> {
    let of = |response: &Response| {
        let pair = set.pairs.iter().find(|pair| pair.id == response.pair)?;
        let half = response.claim;
        let review = question(pair, half, &response.named(), response.answer.as_deref()?)?;
        Some(Item { review, of: Subject::Claim { pair: pair.id.clone(), half } })
    };
    let mut items: Vec<Item> = responses.iter().filter_map(of).collect();
    items.sort_by_cached_key(|item| item.review.id());
    // What several systems say in the same words is judged once.
    items.dedup_by_key(|item| item.review.id());
    items
}

/// Asks whether the explanation in an answer is right; none if its verdict is not, or it has no explanation. The system
/// plays no part in which item it is.
pub(crate) fn question(pair: &Pair, half: Half, system: &str, answer: &str) -> Option<Review> {
    let right = if half == Half::True { Verdict::True } else { Verdict::False };
    let explained = explanation(answer)?;
    if verdict(answer, pair.claim(half)) != Some(right) {
        return None;
    }
    let claim = pair.claim(half);
    let mut lines = vec![
        format!("The claim, which is {half}: {claim}"),
        format!("{system} says so too, and explains: {explained}"),
    ];
    if !pair.explanation.is_empty() {
        lines.push(format!("The set explains the false claim: {}", pair.explanation));
    }
    let content = format!("{claim}\n{explained}");
    Some(Review {
        item: format!("{}/{half}/{}", pair.id, Digest::of(explained.as_bytes()).short()),
        code: Cow::Borrowed(EXPLANATION),
        about: content,
        question: "is the explanation right?".to_owned(),
        excerpt: lines.join("\n"),
        choices: [RIGHT, PARTLY, WRONG, NONE].map(str::to_owned).to_vec(),
        form: ReviewForm::Grounds { texts: Vec::new(), kinds: KINDS.map(str::to_owned).to_vec() },
        ..Review::default()
    })
}

/// What stands in the tags of an explanation; an answer that was cut off may lack the second.
pub(crate) fn explanation(answer: &str) -> Option<&str> {
    let (_, rest) = answer.split_once("<explanation>")?;
    let end = rest.find("</explanation>").or_else(|| rest.find("<answer>")).unwrap_or(rest.len());
    Some(rest[..end].trim()).filter(|text| !text.is_empty())
}
