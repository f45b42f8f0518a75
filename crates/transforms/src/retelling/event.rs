//! Judges pairs of a true and a false event, and whether an account tells them.
//!
//! A model gives pairs; code decides. What code can see is words: it finds a pair that changes
//! nothing, a true side that nobody told, a false side that is told. It cannot see that two
//! different sentences mean the same.

use std::collections::HashSet;

use storymill_core::{Edit, Reason};

use super::{
    checks::Checks,
    tokens::{Telling, content, in_order, tokens},
};

/// Whether a pair is one: its true side is in the account in substance, its false side is neither
/// there nor in the scenes, and the two differ in what happens.
pub(crate) fn judge(
    edit: &Edit,
    account: &Telling,
    scenes: &[&Telling],
    checks: &Checks,
) -> Result<(), Reason> {
    let (truth, lie) = (content(&edit.true_event), content(&edit.false_event));
    if truth.len() < 2 || lie.len() < 2 {
        return Err(fault("event-empty", edit, "a side of it tells nothing"));
    }
    if same(edit, &truth, &lie) {
        return Err(fault("same-event", edit, "both sides tell the same event"));
    }
    let told = account.share_pm(&truth);
    if told < checks.event_pm {
        return Err(fault("true-side-foreign", edit, "its true side is not in the account"));
    }
    if account.tells(&lie) || scenes.iter().any(|scene| scene.tells(&lie)) {
        return Err(fault("false-side-told", edit, "its false side is told by the book"));
    }
    Ok(())
}

fn fault(code: &'static str, edit: &Edit, what: &str) -> Reason {
    Reason::new(code, format!("`{}` / `{}`: {what}", edit.true_event, edit.false_event))
}

/// Whether two events differ in wording alone: the same words, or one with words dropped.
fn same(edit: &Edit, truth: &[String], lie: &[String]) -> bool {
    if truth == lie {
        return true;
    }
    let (only_true, only_false) = (without(truth, lie), without(lie, truth));
    let denies = only_true.contains("not") || only_false.contains("not");
    if denies {
        return false;
    }
    if only_true.is_empty() && only_false.is_empty() {
        // The same words in another order: who does it to whom, or the passive voice.
        let by = |event: &str| tokens(event).iter().any(|word| word == "by");
        return by(&edit.true_event) != by(&edit.false_event);
    }
    only_true.is_empty() || only_false.is_empty()
}

/// The words of one that the other has not.
fn without<'w>(one: &'w [String], other: &[String]) -> HashSet<&'w str> {
    one.iter().filter(|word| !other.contains(word)).map(|word| &word[..]).collect()
}

/// Whether the true twin tells each true event, and no false one.
pub(crate) fn true_twin(
    twin: &Telling,
    edits: &[Edit],
    account: &Telling,
    checks: &Checks,
) -> Result<(), Reason> {
    for edit in edits {
        let (truth, lie) = (content(&edit.true_event), content(&edit.false_event));
        if !shows(twin, &truth, &lie, checks) {
            return Err(fault("event-missing", edit, "the true twin does not tell its true side"));
        }
        let mut signs = without(&lie, &truth);
        signs.retain(|word| !account.words.contains(*word));
        // `not` alone proves nothing: it stands in most accounts.
        signs.remove("not");
        let all = !signs.is_empty() && signs.iter().all(|word| twin.words.contains(*word));
        if all || twin.tells(&lie) {
            return Err(fault("false-event-told", edit, "the true twin tells its false side"));
        }
    }
    Ok(())
}

/// Whether the false twin tells each false event, and no true one.
pub(crate) fn false_twin(twin: &Telling, edits: &[Edit], checks: &Checks) -> Result<(), Reason> {
    for edit in edits {
        let (truth, lie) = (content(&edit.true_event), content(&edit.false_event));
        if !shows(twin, &lie, &truth, checks) {
            return Err(fault(
                "event-missing",
                edit,
                "the false twin does not tell its false side",
            ));
        }
        if twin.tells(&truth) {
            return Err(fault("true-event-told", edit, "the false twin tells its true side"));
        }
    }
    Ok(())
}

/// Whether a retelling tells some events falsely and the others truly. Two sides of the same words are told apart by the
/// order in which a sentence has them.
pub(crate) fn variant(
    told: &Telling,
    (lies, truths): (&[Edit], &[Edit]),
    account: &Telling,
    checks: &Checks,
) -> Result<(), Reason> {
    false_twin(told, lies, checks)?;
    true_twin(told, truths, account, checks)?;
    let nearest = |event: &[String]| {
        told.sentences.iter().map(|sentence| in_order(event, sentence)).max().unwrap_or_default()
    };
    let sides = lies.iter().map(|edit| (edit, &edit.false_event, &edit.true_event));
    let sides = sides.chain(truths.iter().map(|edit| (edit, &edit.true_event, &edit.false_event)));
    for (edit, event, other) in sides {
        let (event, other) = (content(event), content(other));
        if nearest(&event) <= nearest(&other) && without(&event, &other).is_empty() {
            return Err(fault("event-missing", edit, "the retelling tells its other side"));
        }
    }
    Ok(())
}

/// Whether a twin has enough words of an event, and half of those that part it from the other.
fn shows(twin: &Telling, event: &[String], other: &[String], checks: &Checks) -> bool {
    let signs = without(event, other);
    let shown = signs.iter().filter(|word| twin.words.contains(**word)).count();
    twin.share_pm(event) >= checks.told_pm && shown * 2 >= signs.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use storymill_text::Language;

    const ACCOUNT: &str = "Anne refuses the merchant's offer and gives the letter to Ben. In the \
                           evening she walks home alone through the rain.";
    const SCENE: &str = "Anne laughed. She had sold the horse to Carl that morning, and now the \
                         merchant wanted the mill.";

    #[track_caller]
    fn check(true_event: &str, false_event: &str, expected: Result<(), &str>) {
        let telling = |text| Telling::of(text, Language::English);
        let edit = Edit { true_event: true_event.into(), false_event: false_event.into() };
        let found = judge(&edit, &telling(ACCOUNT), &[&telling(SCENE)], &Checks::default());
        assert_eq!(
            found.map_err(|reason| reason.code.into_owned()),
            expected.map_err(str::to_owned)
        );
    }

    #[test]
    fn pairs() {
        check("Anne refuses the offer.", "Anne accepts the offer.", Ok(()));
        check("Anne gave the letter to Ben.", "Ben gave the letter to Anne.", Ok(()));
        check("She walks home alone.", "She does not walk home alone.", Ok(()));
        check("Anne refuses the offer.", "Anne refused that offer!", Err("same-event"));
        check("Anne gives Ben the letter.", "The letter is given Ben by Anne.", Err("same-event"));
        check(
            "Anne gives the letter to Ben.",
            "Anne gives the letter to old Ben.",
            Err("same-event"),
        );
        check("Anne burns the mill.", "Anne builds the mill.", Err("true-side-foreign"));
        check("Anne gives the letter to Ben.", "Anne sells the horse to Carl.", Ok(()));
        check("Anne walks home.", "She sold the horse to Carl.", Err("false-side-told"));
        check("Anne gives the letter to Ben.", "Anne walks home.", Ok(()));
        check(
            "Anne gives the letter.",
            "She walked home through the rain.",
            Err("false-side-told"),
        );
        check("Anne refuses.", "He did it.", Err("event-empty"));
    }

    #[track_caller]
    fn check_twin(truth: bool, twin: &str, expected: Result<(), &str>) {
        let telling = |text| Telling::of(text, Language::English);
        let pair = |t: &str, f: &str| Edit { true_event: t.into(), false_event: f.into() };
        let edits = [
            pair("Anne refuses the offer.", "Anne accepts the offer."),
            pair("She walks home alone.", "She rides home with Carl."),
        ];
        let checks = Checks::default();
        let found = if truth {
            true_twin(&telling(twin), &edits, &telling(ACCOUNT), &checks)
        } else {
            false_twin(&telling(twin), &edits, &checks)
        };
        assert_eq!(
            found.map_err(|reason| reason.code.into_owned()),
            expected.map_err(str::to_owned)
        );
    }

    #[test]
    fn twins() {
        let (truth, lie) = (
            "Anne refused the offer. Alone she walked home.",
            "Anne accepted the offer. Later she rode home with Carl.",
        );
        check_twin(true, truth, Ok(()));
        check_twin(false, lie, Ok(()));
        check_twin(true, lie, Err("event-missing"));
        check_twin(false, truth, Err("event-missing"));
        check_twin(
            true,
            "Anne refused the offer. Alone she walked home, then rode with Carl.",
            Err("false-event-told"),
        );
        check_twin(
            false,
            "Anne accepted the offer. She rode home with Carl. She walks home alone.",
            Err("true-event-told"),
        );
    }
}
