use std::collections::BTreeSet;

use storymill_core::{ReviewRule, SaidGrounds, Span, Verdict};

use super::*;
use crate::{
    deciding::{Finder, follow, items},
    pair::{Scope, Stretch},
};

fn pair(at: usize) -> Pair {
    Pair {
        id: format!("b/{at:04}"),
        book: "b".into(),
        true_claim: format!("Bob rang the bell at noon on day {at}."),
        false_claim: format!("Bob rang the bell at night on day {at}."),
        explanation: "It was noon.".into(),
        true_scope: Some(Scope::Sentence),
        false_scope: Some(Scope::Global),
        true_evidence: vec![Stretch { start: 0, end: 4 }],
        written_by: Some("ann".into()),
        ..Pair::default()
    }
}

fn set(count: usize) -> Set {
    Set { pairs: (0..count).map(pair).collect(), books: Vec::new() }
}

/// The choice that says that one of the claims is true.
fn letter(pair: &Pair, says: Half) -> &'static str {
    lettered(pair).iter().find(|(_, half)| *half == says).unwrap().0
}

fn vote(pair: &Pair, by: &str, choice: &str) -> Decision {
    Decision::vote(&which(pair), choice, by, "", Decisions::NONE)
}

fn under(voters: u32, rule: Verdict, lines: Vec<Decision>) -> Decisions {
    let adjudicators =
        if rule == Verdict::Adjudicator { vec!["eve".to_owned()] } else { Vec::new() };
    let rule = ReviewRule { voters, rule, adjudicators, ..ReviewRule::PLAIN };
    let mut decisions = Decisions::default().with_rule(rule);
    for line in lines {
        decisions.take(line);
    }
    decisions
}

/// Law: what is asked is the same whichever claim is labelled true.
#[test]
fn nothing_that_is_asked_tells_which_claim_is_true() {
    let set = set(300);
    let mut first = 0;
    for pair in &set.pairs {
        let mut other = pair.clone();
        swap(&mut other);
        assert_eq!(which(pair), which(&other));
        assert_eq!(which(pair).id(), which(&other).id());
        first += usize::from(letter(pair, Half::True) == "A");
        let asked = format!("{:?}", which(pair));
        assert!(!asked.contains("It was noon") && !asked.contains("bal"), "{asked}");
    }
    assert!((110..190).contains(&first), "the true claim is A {first} times of 300");
    // Nor does the place in the book that its writer marked.
    let text = "Bob rang the bell at noon.\n\nThen Bob went home by night, and slept.";
    let texts = [("b".to_owned(), text)].into();
    let mut items = comparisons(&set);
    Finder::new(&texts).show(&set, &mut items[0]);
    let roles: BTreeSet<&str> =
        items[0].review.passages.iter().map(|one| one.role.as_str()).collect();
    assert_eq!(roles, BTreeSet::from(["same words"]));
}

#[test]
fn votes_on_both_claims_count_as_one_on_the_pair() {
    let set = set(1);
    let pair = &set.pairs[0];
    let lines = |table: &str| {
        let table = format!("pair,claim,reader,verdict\n{table}");
        let table = crate::deciding::table::votes(table.as_bytes()).unwrap();
        votes::lines(&table, |vote| Some(words_of(pair.claim(vote.claim))))
    };
    let check = |table: &str, more: Vec<Decision>, expected: &str| {
        let decisions = under(1, Verdict::Unanimity, [lines(table), more].concat());
        let found = findings(&set, &decisions);
        let told: Vec<String> =
            found.iter().map(|one| format!("{} {}", one.severity.name(), one.reason)).collect();
        assert_eq!(told.join("; "), expected, "{table:?}");
    };
    let wrong = "b/0000,true,bob,false\nb/0000,false,bob,true\n";
    let asked = "asked which is true, readers say: the false claim is true (1)";
    check(wrong, Vec::new(), &format!("error {asked}"));
    check("b/0000,true,bob,true\nb/0000,false,bob,false\n", Vec::new(), "");
    check("b/0000,true,bob,false\n", Vec::new(), "");
    // Whoever voted on the pair itself is heard there.
    let own = || vec![vote(pair, "bob", letter(pair, Half::True))];
    check(wrong, own(), "");
    // The writer kept both claims.
    let against = under(1, Verdict::Unanimity, lines(wrong));
    let kept = votes::disputed(&set, &against);
    let keep = |one: &Review| Decision::vote(one, KEEP, "ann", "", Decisions::NONE);
    let kept: Vec<Decision> = kept.iter().map(keep).collect();
    assert_eq!(kept.len(), 2);
    check(wrong, kept, &format!("note {asked}; the pair was kept"));
}

#[test]
fn who_says_otherwise_than_the_set_is_a_finding() {
    let set = set(1);
    let pair = &set.pairs[0];
    let (yes, no) = (letter(pair, Half::True), letter(pair, Half::False));
    let check = |voters, rule, votes: &[(&str, &str)], expected: &str| {
        let lines = votes.iter().map(|(by, choice)| vote(pair, by, choice)).collect();
        let decisions = under(voters, rule, lines);
        let found = findings(&set, &decisions);
        let told: Vec<String> =
            found.iter().map(|one| format!("{} {}", one.severity.name(), one.reason)).collect();
        assert_eq!(told.join("; "), expected, "{votes:?}");
        assert_eq!(found.len(), disputed(&set, &decisions).len());
    };
    let asked = "error asked which is true, readers say: the false claim is true (1)";
    check(1, Verdict::Majority, &[], "");
    check(1, Verdict::Majority, &[("bob", yes)], "");
    check(1, Verdict::Majority, &[("bob", no)], asked);
    check(1, Verdict::Majority, &[("bob", BOTH)], &asked.replace("the false claim is", "both are"));
    check(1, Verdict::Majority, &[("bob", NEITHER)], &asked.replace("the false claim", "neither"));
    check(
        1,
        Verdict::Majority,
        &[("bob", UNSURE)],
        "warning asked which is true, readers say: cannot tell (1)",
    );
    // Too few have read it; then more than half say as the set does, which is not all.
    check(2, Verdict::Majority, &[("bob", no)], "");
    let three = [("bob", no), ("cay", yes), ("dan", yes)];
    check(2, Verdict::Majority, &three, "");
    let differ = "error asked which is true, readers say: the false claim is true (1), the true claim is true (2)";
    check(2, Verdict::Unanimity, &three, differ);
    check(2, Verdict::Adjudicator, &three, differ);
}

#[test]
fn evidence_is_each_readers_own_and_shown_to_the_writer() {
    let set = set(1);
    let pair = &set.pairs[0];
    let no = letter(pair, Half::False);
    let mut with = vote(pair, "bob", no);
    with.note = "It was dark.".into();
    let passage =
        ReviewPassage { book: "b".into(), span: Span::default(), role: "evidence".into() };
    with.said = Said::Grounds(SaidGrounds { spans: vec![passage], ..SaidGrounds::default() });
    let decisions = under(2, Verdict::Unanimity, vec![with, vote(pair, "cay", no)]);
    assert_eq!(decisions.choice(&which(pair)), Some(no), "grounds are no part of what is decided");
    let item = disputed(&set, &decisions).remove(0);
    assert_eq!(item.review.passages[0].role, MARKED);
    let said = "bob says: the false claim is true. It was dark.";
    assert!(item.review.excerpt.lines().any(|line| line == said), "{}", item.review.excerpt);
    assert!(matches!(item.review.form, ReviewForm::Fields { .. }));
}

#[test]
fn the_writer_keeps_exchanges_changes_or_removes_it() {
    let against = |set: &Set| vec![vote(&set.pairs[0], "bob", letter(&set.pairs[0], Half::False))];
    let acted = |choice: &str| {
        let mut set = set(2);
        let mut lines = against(&set);
        let all = items(&set, Vec::new(), &under(1, Verdict::Majority, lines.clone()));
        assert_eq!(all.len(), 1);
        lines.push(Decision::on(&all[0].review, choice, "ann", "", Decisions::NONE));
        let decisions = under(1, Verdict::Majority, lines);
        let followed = follow(&mut set, &all, &decisions, &[], &BTreeSet::new()).unwrap();
        // What follows once follows no second time.
        let again = items(&set, Vec::new(), &decisions);
        let mut same = set.clone();
        follow(&mut same, &again, &decisions, &[], &BTreeSet::new()).unwrap();
        assert_eq!(same, set);
        (set.clone(), followed, findings(&set, &decisions))
    };
    let (kept, followed, found) = acted(KEEP);
    assert!(kept == set(2) && followed.changed.is_empty() && followed.removed.is_empty());
    assert_eq!(found[0].severity, Severity::Note);
    assert!(found[0].reason.ends_with("the pair was kept"), "{}", found[0].reason);
    let (swapped, followed, found) = acted(SWAP);
    let (own, was) = (&swapped.pairs[0], pair(0));
    assert_eq!((&own.true_claim, &own.false_claim), (&was.false_claim, &was.true_claim));
    assert_eq!((own.true_scope, own.explanation.as_str()), (was.false_scope, ""));
    assert_eq!((&own.false_evidence, found.len()), (&was.true_evidence, 0), "readers agree now");
    assert!(followed.changed.contains("b/0000"));
    let (_, followed, _) = acted(REMOVE);
    assert_eq!(followed.removed["b/0000"], "readers disputed it");
}

#[test]
fn a_pair_that_was_written_anew_is_read_anew() {
    let mut set = set(1);
    let no = letter(&set.pairs[0], Half::False);
    let decisions = under(1, Verdict::Majority, vec![vote(&set.pairs[0], "bob", no)]);
    assert_eq!(findings(&set, &decisions).len(), 1);
    set.pairs[0].false_claim = "Bob rang no bell.".into();
    assert_eq!(findings(&set, &decisions), []);
}
