use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{
    Label, Reviews, Said, SaidGrounds, SentenceLabel, Verdict, canonical, review::tests::review,
};

fn decision(choice: &str, replaces: &[&Decision]) -> Decision {
    by("reader", choice, replaces)
}

fn by(person: &str, choice: &str, replaces: &[&Decision]) -> Decision {
    let replaces = replaces.iter().map(|one| one.id()).collect();
    Decision { replaces, ..Decision::on(&review(), choice, person, "", Decisions::NONE) }
}

/// A decision as versions before wrote it.
fn former(choice: &str) -> Decision {
    let (item, code) = (String::new(), String::new());
    Decision { review: review().former_id(), item, code, ..decision(choice, &[]) }
}

fn parse(all: &[&Decision]) -> Decisions {
    let lines: Vec<String> = all.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    let lines =
        lines.iter().zip(1..).map(|(line, at)| (format!("d.jsonl, line {at}"), line.as_str()));
    Decisions::parse(lines).unwrap()
}

fn rule(rule: Verdict, voters: u32, adjudicators: &[&str]) -> ReviewRule {
    let adjudicators = adjudicators.iter().map(|name| (*name).to_owned()).collect();
    ReviewRule { rule, voters, adjudicators, ..ReviewRule::default() }
}

/// How the item stands: the choice, `open` or `disputed`.
#[track_caller]
fn stands(all: &[&Decision], under: &ReviewRule, expected: &str) {
    let decisions = parse(all).with_rule(under.clone());
    assert_eq!(told(&decisions), expected, "{all:#?}");
}

fn told(decisions: &Decisions) -> String {
    match decisions.standing(&review()) {
        Standing::Open(_) => "open".to_owned(),
        Standing::Disputed(_) => "disputed".to_owned(),
        Standing::Decided { choice, .. } => choice.to_owned(),
    }
}

#[test]
fn heads_decide_in_whatever_order_they_stand() {
    let (cut, keep) = (decision("cut", &[]), decision("keep", &[]));
    let last = decision("cut", &[&cut, &keep]);
    let undone = decision("keep", &[&last]);
    for all in [[&cut, &keep, &last, &undone], [&undone, &last, &keep, &cut]] {
        let parsed = parse(&all);
        assert_eq!(parsed.choice(&review()), Some("keep"));
        assert_eq!(parsed.on(&review()).collect::<Vec<_>>(), [&undone]);
    }
    assert_eq!(parse(&[&cut, &cut, &last, &keep]).choice(&review()), Some("cut"));
    assert_eq!(parse(&[]), *Decisions::NONE);
}

#[test]
fn decisions_of_older_versions_count_and_are_replaced() {
    let old = former("cut");
    // As it was written: the fields that are new leave no trace.
    let line = serde_json::to_string(&old).unwrap();
    assert!(!line.contains("item") && !line.contains("code"), "{line}");
    let decisions = parse(&[&old]);
    assert_eq!(decisions.choice(&review()), Some("cut"));
    assert_eq!(decisions.idle([&review()]).count(), 0);
    let mut reviews = Reviews::new(&decisions);
    assert_eq!(reviews.decide(review()).unwrap(), "cut");
    assert_eq!(reviews.finish().decided, [(review().former_id(), "cut".into())]);

    let new = Decision::on(&review(), "keep", "", "", &decisions);
    assert_eq!(new.replaces, [old.id()]);
    assert_eq!(parse(&[&old, &new]).choice(&review()), Some("keep"));
}

#[test]
fn a_line_of_older_versions_has_the_id_that_it_had() {
    // As version 0.1 wrote it, with its id.
    let line = r#"{"review":"0cf261084e4194ef5b9e0bc0c1a5e6e5b1b2f7c0e5fbfb0a1f0e0d0c0b0a0908","item":"84","code":"preface","choice":"cut","by":"ann","note":"a frame","replaces":[]}"#;
    let decision: Decision = serde_json::from_str(line).unwrap();
    let sorted = r#"{"by":"ann","choice":"cut","code":"preface","item":"84","note":"a frame","replaces":[],"review":"0cf261084e4194ef5b9e0bc0c1a5e6e5b1b2f7c0e5fbfb0a1f0e0d0c0b0a0908"}"#;
    assert_eq!(canonical::json(&decision), sorted);
    assert_eq!(decision.id(), Digest::of(sorted.as_bytes()));
    assert_eq!(serde_json::to_string(&decision).unwrap(), line);
}

#[test]
fn a_decision_on_nothing_is_idle() {
    let decided = parse(&[&decision("cut", &[])]);
    assert_eq!(decided.idle([&review()]).count(), 0);
    let changed = Review { excerpt: "To Mr. Saville".into(), ..review() };
    let idle: Vec<_> = decided.idle([&changed]).collect();
    assert_eq!((idle[0].item.as_str(), idle[0].code.as_str()), ("84", "preface"));
}

#[test]
fn what_is_no_decision_is_named() {
    let fault = Decisions::parse([("d.jsonl, line 7".to_owned(), "{\"review\": 3}")]).unwrap_err();
    assert!(fault.message.starts_with("d.jsonl, line 7: not a decision"), "{fault}");
}

#[test]
fn what_was_decided_is_taken_and_told() {
    let decided = parse(&[&decision("cut", &[])]);
    let mut reviews = Reviews::new(&decided);
    assert_eq!(reviews.decide(review()).unwrap(), "cut");
    let other = Review { excerpt: "Letter 1".into(), ..review() };
    assert_eq!(reviews.decide(other.clone()).unwrap(), "keep");
    let followed = reviews.finish();
    assert_eq!(followed.items, [review(), other]);
    assert_eq!(followed.decided, [(review().id(), "cut".into())]);
    let strange = parse(&[&decision("burn", &[])]);
    let fault = Reviews::new(&strange).decide(review()).unwrap_err();
    assert!(fault.message.contains("`burn`") && fault.message.contains("keep, cut"), "{fault}");
}

#[test]
fn two_who_differ_are_a_dispute_and_the_default_is_taken() {
    let torn = parse(&[&by("ann", "cut", &[]), &by("bob", "keep", &[])]);
    assert!(torn.standing(&review()).is_disputed());
    let taken = Reviews::new(&torn).take(review()).unwrap();
    assert_eq!((taken.choice.as_str(), taken.is_decided()), ("keep", false));
    let old = parse(&[&former("cut"), &by("bob", "keep", &[])]);
    assert!(old.standing(&review()).is_disputed());
}

#[test]
fn rules_count_people() {
    let [ann, bob, cay] = ["ann", "bob", "cay"].map(|name| by(name, "cut", &[]));
    let dan = by("dan", "keep", &[]);
    let majority = |voters| rule(Verdict::Majority, voters, &[]);
    stands(&[&ann], &majority(1), "cut");
    stands(&[&ann], &majority(2), "open");
    stands(&[&ann, &bob], &majority(2), "cut");
    stands(&[&ann, &dan], &majority(2), "disputed");
    stands(&[&ann, &dan, &bob], &majority(2), "cut");
    let unanimity = rule(Verdict::Unanimity, 2, &[]);
    stands(&[&ann, &bob, &cay], &unanimity, "cut");
    stands(&[&ann, &dan, &bob], &unanimity, "disputed");
    let adjudicator = rule(Verdict::Adjudicator, 2, &["eve"]);
    stands(&[&ann, &bob], &adjudicator, "cut");
    stands(&[&ann, &dan, &bob], &adjudicator, "disputed");
    let settled = by("eve", "keep", &[&ann, &dan, &bob]);
    stands(&[&ann, &dan, &bob, &settled], &adjudicator, "keep");
    // Who may not settle it takes nobody's place.
    let meddled = by("cay", "keep", &[&ann, &dan, &bob]);
    stands(&[&ann, &dan, &bob, &meddled], &adjudicator, "disputed");
    // One person who says two things has not voted for either.
    let again = by("ann", "keep", &[]);
    stands(&[&ann, &again, &bob], &majority(1), "disputed");
}

#[test]
fn what_is_taken_back_counts_no_more_and_brings_back_what_it_settled() {
    let (ann, bob) = (by("ann", "cut", &[]), by("bob", "keep", &[]));
    let back = by("ann", "", &[&ann]);
    let plain = ReviewRule::default();
    stands(&[&ann, &bob, &back], &plain, "keep");
    let settled = by("eve", "cut", &[&ann, &bob]);
    stands(&[&ann, &bob, &settled], &plain, "cut");
    let unsettled = by("eve", "", &[&settled]);
    stands(&[&ann, &bob, &settled, &unsettled], &plain, "disputed");
    let resettled = by("eve", "keep", &[&unsettled]);
    stands(&[&ann, &bob, &settled, &unsettled, &resettled], &plain, "keep");
    // Who settled it and thinks again settles it otherwise.
    let otherwise = by("eve", "keep", &[&settled]);
    let decisions =
        parse(&[&ann, &bob, &settled, &otherwise]).with_rule(rule(Verdict::Majority, 2, &[]));
    assert_eq!(decisions.choice(&review()), Some("keep"));
    // Votes are kept, whoever settled them.
    let votes: Vec<&str> = decisions.votes(&review()).iter().map(|vote| vote.by.as_str()).collect();
    assert_eq!(votes.len(), 2);
    assert!(!votes.contains(&"eve"), "{votes:?}");
}

#[test]
fn labels_are_settled_sentence_by_sentence() {
    let labels = |all: &[Label]| {
        let label = |label: &Label| SentenceLabel {
            label: *label,
            kinds: if *label == Label::Unfaithful { vec!["event".into()] } else { Vec::new() },
            explanation: String::new(),
        };
        Said::Labels(all.iter().map(label).collect())
    };
    let vote = |name: &str, all: &[Label]| Decision { said: labels(all), ..by(name, "cut", &[]) };
    let (yes, no) = (Label::Faithful, Label::Unfaithful);
    let (ann, bob, cay) =
        (vote("ann", &[yes, no, yes]), vote("bob", &[yes, no, no]), vote("cay", &[no, yes, no]));
    let decisions = parse(&[&ann, &bob, &cay]);
    let taken = Reviews::new(&decisions).take(review()).unwrap();
    assert_eq!(taken.said, labels(&[yes, no, no]));
    let all = parse(&[&ann, &bob, &cay]).with_rule(rule(Verdict::Unanimity, 1, &[]));
    assert!(all.standing(&review()).is_disputed());
}

#[test]
fn people_agree_on_a_choice_whatever_their_grounds() {
    let vote = |name: &str, kind: &str| Decision {
        said: Said::Grounds(SaidGrounds { kinds: vec![kind.into()], ..SaidGrounds::default() }),
        ..by(name, "cut", &[])
    };
    let (ann, bob) = (vote("ann", "order"), vote("bob", "detail"));
    stands(&[&ann, &bob], &rule(Verdict::Unanimity, 2, &[]), "cut");
    stands(&[&ann, &bob, &by("cay", "keep", &[])], &rule(Verdict::Majority, 2, &[]), "cut");
    // Of one person they are one vote.
    let again = vote("ann", "detail");
    stands(&[&ann, &again, &bob], &rule(Verdict::Majority, 2, &[]), "cut");
}

/// What somebody does, one after the other, seeing all that was said before.
#[derive(Clone, Debug)]
enum Act {
    Vote(usize, bool),
    TakeBack(usize),
    Settle(bool),
    Unsettle,
}

const PEOPLE: [&str; 3] = ["ann", "bob", "cay"];

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        4 => (0..3_usize, any::<bool>()).prop_map(|(who, cut)| Act::Vote(who, cut)),
        1 => (0..3_usize).prop_map(Act::TakeBack),
        1 => any::<bool>().prop_map(Act::Settle),
        1 => Just(Act::Unsettle),
    ];
    prop::collection::vec(act, 0..14)
}

fn word(cut: bool) -> &'static str {
    if cut { "cut" } else { "keep" }
}

/// The lines that the acts write, and what they come to by a count of voices that knows no lines.
fn played(acts: &[Act], voters: u32) -> (Vec<Decision>, String) {
    let mut all = Decisions::default().with_rule(rule(Verdict::Majority, voters, &["eve"]));
    let mut lines = Vec::new();
    let mut votes: BTreeMap<usize, bool> = BTreeMap::new();
    let mut settled: Option<bool> = None;
    for act in acts {
        let line = match act {
            Act::Vote(who, cut) => {
                votes.insert(*who, *cut);
                Decision::vote(&review(), word(*cut), PEOPLE[*who], "", &all)
            }
            Act::TakeBack(who) if votes.remove(who).is_some() => {
                Decision::vote(&review(), "", PEOPLE[*who], "", &all)
            }
            // Where nobody voted there is nothing to settle.
            Act::Settle(cut) if settled.is_some() || !votes.is_empty() => {
                settled = Some(*cut);
                Decision::on(&review(), word(*cut), "eve", "", &all)
            }
            Act::Unsettle if settled.take().is_some() => {
                Decision::vote(&review(), "", "eve", "", &all)
            }
            _ => continue,
        };
        all.take(line.clone());
        lines.push(line);
    }
    let cut = votes.values().filter(|cut| **cut).count();
    let expected = match settled {
        Some(cut) => word(cut),
        None if votes.len() < (voters as usize).max(1) => "open",
        None if 2 * cut > votes.len() => "cut",
        None if 2 * cut < votes.len() => "keep",
        None => "disputed",
    };
    (lines, expected.to_owned())
}

proptest! {
    #[test]
    fn lines_come_to_what_people_said_in_any_order_and_however_often(
        acts in acts(), voters in 1_u32..=3, order in any::<u64>(), twice in any::<u64>(),
    ) {
        let (lines, expected) = played(&acts, voters);
        let under = rule(Verdict::Majority, voters, &["eve"]);
        let mut mixed: Vec<&Decision> = lines.iter().collect();
        // Two files that have some lines in common, put together.
        mixed.extend(lines.iter().enumerate().filter(|(at, _)| twice >> (at % 64) & 1 == 1).map(|(_, line)| line));
        mixed.sort_by_key(|line| Digest::of_parts("order", [&order.to_le_bytes()[..], line.id().as_bytes()]));
        let (plain, mixed) = (parse(&lines.iter().collect::<Vec<_>>()), parse(&mixed));
        prop_assert_eq!(&plain, &mixed);
        prop_assert_eq!(told(&mixed.with_rule(under)), expected);
    }

    #[test]
    fn a_vote_stands_until_its_person_says_otherwise(acts in acts()) {
        let (lines, _) = played(&acts, 1);
        let all = parse(&lines.iter().collect::<Vec<_>>()).with_rule(rule(Verdict::Majority, 1, &["eve"]));
        let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
        for line in lines.iter().filter(|line| line.by != "eve") {
            if line.is_withdrawn() { expected.remove(line.by.as_str()); }
            else { expected.insert(&line.by, &line.choice); }
        }
        let review = review();
        let votes = all.votes(&review);
        prop_assert_eq!(votes.len(), expected.len());
        let found: BTreeMap<&str, &str> =
            votes.iter().map(|vote| (vote.by.as_str(), vote.choice.as_str())).collect();
        prop_assert_eq!(found, expected);
    }
}
