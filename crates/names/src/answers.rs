//! What `litner` is asked and answers: a window as a request, odds as text.
//!
//! A request holds all that the model reads, so whoever has the model can answer it without the
//! book; the log keeps answers under the model's digest, and a build replays them.

use serde_json::{Value, json};
use storymill_core::{Fault, FaultKind, Reason};

use crate::{
    onnx::Litner,
    tagger::{Odds, Piece, WHOLE, Window},
};

/// The models that come with this version: name, and the digest of model and vocabulary.
pub const MODELS: [(&str, &str); 2] = [
    ("litner", "1e9d5f597dfe9866b1fb3d2e4e511ced83ea1ab706f0d8f45a416bb315d3907b"),
    ("litner-small", "5b3cf1656ac04e288f5e928ea34f5d5ea4baffecf0f7dce3d78dd33e53c9c13e"),
];

/// The vocabulary of both.
pub static VOCABULARY: &str = storymill_data::text("models/litner/vocab.txt");

/// Odds are told in these parts of one.
const STEP: u16 = WHOLE / 1000;

/// What a word's five numbers add up to at most: one whole, and the half step by which each may be rounded up.
const MOST: u32 = 1003;

/// The body of the request for a window.
pub fn request(window: &Window) -> Value {
    let firsts: String = window.input.iter().map(|one| if one.first { '1' } else { '0' }).collect();
    let ids: Vec<i32> = window.input.iter().map(|piece| piece.id).collect();
    let channel: Vec<u8> = window.input.iter().map(|piece| piece.channel).collect();
    json!({ "pieces": ids, "channel": channel, "first": firsts })
}

/// What the model says to the body of a request.
pub fn answer(model: &Litner, body: &Value) -> Result<String, Fault> {
    of(|pieces| model.infer(pieces), body)
}

/// What somebody who reads pieces says to the body of a request.
pub(crate) fn of(
    infer: impl FnOnce(&[Piece]) -> Result<Vec<Odds>, Fault>,
    body: &Value,
) -> Result<String, Fault> {
    let pieces = pieces(body)
        .ok_or_else(|| Fault::new(FaultKind::Internal, "a request to a tagger holds no window"))?;
    Ok(told(&infer(&pieces)?))
}

fn pieces(body: &Value) -> Option<Vec<Piece>> {
    let ids = body.get("pieces")?.as_array()?;
    let channel = body.get("channel")?.as_array()?;
    let firsts = body.get("first")?.as_str()?;
    if ids.len() != channel.len() || ids.len() != firsts.len() {
        return None;
    }
    let piece = |((id, channel), first): ((&Value, &Value), char)| {
        Some(Piece {
            id: id.as_i64()?.try_into().ok()?,
            channel: channel.as_u64()?.try_into().ok()?,
            first: first == '1',
        })
    };
    ids.iter().zip(channel).zip(firsts.chars()).map(piece).collect()
}

/// Odds as text: a word has its five numbers per mille, zeros at the end left out, or a point if it is
/// in no name for certain.
fn told(odds: &[Odds]) -> String {
    let mut text = String::new();
    for one in odds {
        let all = shares(one).map(|share| (share + STEP / 2) / STEP);
        if !text.is_empty() {
            text.push(' ');
        }
        let last = all.iter().rposition(|share| *share > 0).unwrap_or(0);
        if last == 0 {
            text.push('.');
            continue;
        }
        let all: Vec<String> = all[..=last].iter().map(ToString::to_string).collect();
        text.push_str(&all.join(","));
    }
    text
}

fn shares(odds: &Odds) -> [u16; 5] {
    [odds.none, odds.person, odds.person_on, odds.place, odds.place_on]
}

/// The odds in an answer about so many words.
pub fn odds(text: &str, words: usize) -> Result<Vec<Odds>, Reason> {
    let wrong = |detail: &str| Reason::new("no-odds", detail.to_owned());
    let word = |word: &str| {
        if word == "." {
            return Some(Odds::NONE);
        }
        let mut all = [0; 5];
        for (at, share) in word.split(',').enumerate() {
            *all.get_mut(at)? = share.parse().ok().filter(|share| *share <= 1000)?;
        }
        let sum: u32 = all.iter().copied().map(u32::from).sum();
        let [none, person, person_on, place, place_on] = all.map(|share: u16| share * STEP);
        if sum > MOST {
            return None;
        }
        Some(Odds { none, person, person_on, place, place_on })
    };
    let all: Option<Vec<Odds>> = text.split_whitespace().map(word).collect();
    let all = all.ok_or_else(|| wrong("the answer holds something other than odds"))?;
    if all.len() == words { Ok(all) } else { Err(wrong("the answer is about other words")) }
}

/// The odds as an answer tells them.
#[cfg(any(feature = "litner", feature = "rust-bert"))]
pub(crate) fn rounded(odds: Vec<Odds>) -> Vec<Odds> {
    let words = odds.len();
    self::odds(&told(&odds), words).unwrap_or(odds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::litner::Cutter;

    proptest! {
        #[test]
        fn odds_come_back(all in prop::collection::vec(prop::array::uniform5(0_u16..=1000), 0..40)) {
            let odds: Vec<Odds> = all
                .into_iter()
                .map(|all| {
                    let mut left = 1003;
                    all.map(|share| {
                        let share = share.min(left);
                        left -= share;
                        share * STEP
                    })
                })
                .map(|[none, person, person_on, place, place_on]| Odds { none, person, person_on, place, place_on })
                .collect();
            let back = super::odds(&told(&odds), odds.len()).unwrap();
            for (one, other) in odds.iter().zip(back) {
                let sure = shares(one)[1..] == [0; 4];
                prop_assert_eq!(if sure { Odds::NONE } else { *one }, other);
            }
        }
    }

    #[test]
    fn a_request_holds_the_window() {
        let words = crate::Words::new("Mr. Weston smiled at Emma Woodhouse.");
        let windows = Cutter::new().windows(&words, &words.sentences());
        assert_eq!(windows.len(), 1);
        assert_eq!(pieces(&request(&windows[0])).unwrap(), windows[0].input);
        assert_eq!(pieces(&json!({ "pieces": [1] })), None);
    }

    #[test]
    fn answers_that_are_none_are_refused() {
        assert_eq!(super::odds(". 1,2,3,4,5,6", 2).unwrap_err().code, "no-odds");
        assert_eq!(super::odds(". .", 3).unwrap_err().code, "no-odds");
        assert_eq!(super::odds(". 1001", 2).unwrap_err().code, "no-odds");
        assert_eq!(super::odds(". 0,0,0,600,600", 2).unwrap_err().code, "no-odds");
        assert_eq!(super::odds("1000,1,1,1,1", 1).unwrap_err().code, "no-odds");
        assert!(super::odds("999,1,1,1,1", 1).is_ok());
    }
}
