use std::collections::BTreeSet;

use storymill_core::{Decision, Decisions, Edit, ReviewPassage, Said, SaidFields, Span};

use super::*;
use crate::{
    draft::{Retelling, proposals},
    pair::Stretch,
    standing::words_of,
};

const BOOK: &str = "Ann came home late.\n\nNobody had lit the lamp in the mill.\n\nBob rang the bell at noon, and Ann opened the door.";

fn set() -> Set {
    let pair = Pair {
        id: "b/0001".into(),
        book: "b".into(),
        true_claim: "Bob rang the bell at noon.".into(),
        false_claim: "Bob rang the bell at night.".into(),
        true_scope: Some(Scope::Sentence),
        ..Pair::default()
    };
    Set { pairs: vec![pair], books: Vec::new() }
}

fn drafts() -> Vec<Proposal> {
    let edit = Edit {
        true_event: "Ann opened the door of the mill.".into(),
        false_event: "Ann closed the door of the mill.".into(),
    };
    let of = |id: &str, text: &str, edits: Vec<Edit>| Retelling {
        id: id.into(),
        book: "b".into(),
        text: text.into(),
        edits,
    };
    let half = "Nobody lit the lamp in the mill of Bob.";
    proposals(&[of("b/0000/d0", "", vec![edit]), of("b/0000/s0", half, Vec::new())])
}

/// What somebody says who disputes a claim and a scope.
fn disputed(set: &Set) -> Decisions {
    let text =
        "pair,claim,reader,verdict,scope\nb/0001,false,ann,true,\nb/0001,true,ann,true,global\n";
    let votes = table::votes(text.as_bytes()).unwrap();
    let mut decisions = Decisions::default();
    for line in votes::lines(&votes, |vote| {
        let pair = set.pairs.iter().find(|pair| pair.id == vote.pair)?;
        Some(words_of(pair.claim(vote.claim)))
    }) {
        decisions.take(line);
    }
    decisions
}

fn all(set: &Set) -> Vec<Item> {
    let mut items = items(set, drafts(), &disputed(set));
    let texts = [("b".to_owned(), BOOK)].into();
    let mut finder = Finder::new(&texts);
    for item in &mut items {
        finder.show(set, item);
    }
    items
}

/// Whether the set is as it was.
pub(super) fn is_nothing(followed: &Followed) -> bool {
    followed.taken.is_empty() && followed.changed.is_empty() && followed.removed.is_empty()
}

fn decided(item: &Item, choice: &str, said: Said) -> Decision {
    let line = Decision::on(&item.review, choice, "ann", "", &Decisions::default());
    Decision { said, ..line }
}

fn fields_of(values: &[(&str, &str)], spans: Option<Vec<ReviewPassage>>) -> Said {
    let value = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    Said::Fields(SaidFields { values: values.iter().map(value).collect(), spans })
}

fn by(lines: Vec<Decision>) -> Decisions {
    let mut decisions = Decisions::default();
    for line in lines {
        decisions.take(line);
    }
    decisions
}

#[test]
fn items_show_where_the_book_tells_of_them() {
    let mut set = set();
    let items = all(&set);
    let codes: Vec<&str> = items.iter().map(|item| &*item.review.code).collect();
    assert_eq!(
        codes,
        ["claim-pair-proposed", "claim-proposed", "scope-disputed", "claim-disputed"]
    );
    let names = |item: &Item| match &item.review.form {
        ReviewForm::Fields { fields, .. } => {
            fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>().join(" ")
        }
        other => format!("{other:?}"),
    };
    assert_eq!(
        items.iter().map(names).collect::<Vec<_>>(),
        [
            "true_claim false_claim explanation true_scope false_scope",
            "true_claim false_claim explanation true_scope false_scope",
            "Evidence",
            "false_claim explanation false_scope"
        ]
    );
    // The book is one excerpt.
    for item in &items {
        let [passage] = &item.review.passages[..] else { panic!("{item:?}") };
        assert_eq!((&*passage.role, &BOOK[passage.span.bytes()]), ("same words", BOOK));
    }
    // What is known is shown in the place of what may be.
    let start = u32::try_from(BOOK.find("Bob rang").unwrap()).unwrap();
    set.pairs[0].false_evidence =
        vec![Stretch { start, end: start + 25 }, Stretch { start: 9_000, end: 9_001 }];
    let [passage] = &all(&set)[3].review.passages[..] else { panic!() };
    assert_eq!(
        (&*passage.role, &BOOK[passage.span.bytes()]),
        ("evidence", "Bob rang the bell at noon")
    );
}

#[test]
fn what_is_decided_comes_into_the_set_once() {
    let mut set = set();
    let items = all(&set);
    let [pair, half, scope, claim] = &items[..] else { panic!() };
    let bell = {
        let start = BOOK.find("Bob rang").unwrap();
        let span: Span = storymill_core::SymbolIndex::new(BOOK).span(start..start + 25);
        ReviewPassage { book: "b".into(), span, role: "evidence".into() }
    };
    let stretch = Stretch { start: bell.span.start.symbol, end: bell.span.end.symbol };
    let decisions = by(vec![
        decided(
            pair,
            "change",
            fields_of(
                &[
                    ("false_claim", "Ann locked the door of the mill."),
                    ("explanation", "She opened it."),
                    ("true_scope", "sentence"),
                ],
                Some(vec![bell.clone()]),
            ),
        ),
        decided(half, "take", Said::Nothing),
        decided(scope, "global", Said::Spans(vec![bell])),
        decided(
            claim,
            "change",
            fields_of(&[("false_claim", "Bob rang the bell at midnight.")], None),
        ),
    ]);
    let mut taken = Vec::new();
    for time in 0..2 {
        let followed = follow(&mut set, &items, &decisions, &taken, &BTreeSet::new()).unwrap();
        assert_eq!(followed.unwritten, ["b/0000/s0/c0"]);
        assert_eq!(is_nothing(&followed), time == 1, "{followed:?}");
        taken.extend(followed.taken);
        let [old, new] = &set.pairs[..] else { panic!("{set:?}") };
        assert_eq!((old.true_scope, &old.true_evidence[..]), (Some(Scope::Global), &[stretch][..]));
        assert_eq!(old.false_claim, "Bob rang the bell at midnight.");
        assert_eq!((&*new.id, &*new.false_claim), ("b/0002", "Ann locked the door of the mill."));
        assert_eq!((&*new.explanation, new.true_scope), ("She opened it.", Some(Scope::Sentence)));
        assert_eq!(new.false_evidence, [stretch]);
        assert_eq!(new.model_written, Some(true));
    }
    // Whoever writes the pair anew by hand, or takes it out, does not get it a second time.
    set.pairs[1].true_claim = "Ann opened the door.".into();
    set.pairs[1].false_claim = "Ann broke the door.".into();
    let again = follow(&mut set, &items, &decisions, &taken, &BTreeSet::new()).unwrap();
    assert!(is_nothing(&again) && set.pairs.len() == 2);
    set.pairs.pop();
    let gone = [["Ann opened the door of the mill.", "Ann locked the door of the mill."]
        .map(crate::standing::words_of)]
    .into();
    let again = follow(&mut set, &items, &decisions, &[], &gone).unwrap();
    assert!(is_nothing(&again) && set.pairs.len() == 1);
}

#[test]
fn what_was_taken_before_is_noted_and_what_is_removed_says_why() {
    let mut set = set();
    let items = all(&set);
    let line =
        Decision { note: "two events".into(), ..decided(&items[3], "remove", Said::Nothing) };
    let Subject::Proposal(pair) = &items[0].of else { panic!() };
    set.pairs.push(Pair { id: "b/0007".into(), ..Pair::clone(pair) });
    let decisions = by(vec![line, decided(&items[0], "take", Said::Nothing)]);
    let followed = follow(&mut set, &items, &decisions, &[], &BTreeSet::new()).unwrap();
    assert_eq!(followed.taken, [Taken { review: items[0].review.id(), pair: "b/0007".into() }]);
    assert_eq!(followed.removed, [("b/0001".to_owned(), "two events".to_owned())].into());
    assert_eq!(set.pairs.len(), 2, "who takes it out says so elsewhere");
}

#[test]
fn a_pair_that_shares_a_claim_brings_nothing() {
    let mut set = set();
    let items = all(&set);
    let same = fields_of(&[("true_claim", "Bob rang the bell at noon.")], None);
    let decisions = by(vec![decided(&items[0], "change", same)]);
    let before = set.clone();
    let faults = follow(&mut set, &items, &decisions, &[], &BTreeSet::new()).unwrap_err();
    assert!(faults[0].to_string().contains("shares a claim with the pair b/0001"), "{faults:?}");
    assert_eq!(set, before);
}
