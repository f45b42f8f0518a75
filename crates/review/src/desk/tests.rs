use std::time::{Duration, Instant};

use storymill_core::Protocol;

use super::*;
use crate::{
    Ballot,
    tests::{desk, ids, item, rule, vote},
};

#[test]
fn nobody_sees_votes_or_a_proposal_before_their_own() {
    let mut desk = desk(2, rule(2, &["eve"]));
    let id = ids(&desk)[0];
    vote(&mut desk, "ann", id, "cut");
    let sight = desk.sight(id, "bob").unwrap();
    assert_eq!((sight.own, &sight.others, sight.proposal, sight.taken), (None, &None, None, None));
    assert!(sight.has_proposal);
    vote(&mut desk, "bob", id, "keep");
    let sight = desk.sight(id, "bob").unwrap();
    assert_eq!(sight.others.unwrap()[0].by, "ann");
    assert_eq!((sight.proposal, sight.state), (Some("cut it"), State::Disputed));
    // Who takes their vote back sees nothing again.
    let back = desk.undo("bob").unwrap();
    desk.take(back);
    assert_eq!(desk.sight(id, "bob").unwrap().others, None);
    // A hybrid protocol shows the proposal, and still no votes.
    let hybrid = ReviewRule { protocol: Protocol::Hybrid, ..rule(2, &[]) };
    let items = vec![item("preface", 0)];
    let lines: Vec<Decision> = desk.lines().cloned().collect();
    let hybrid = Desk::new(items, lines, hybrid);
    let sight = hybrid.sight(id, "bob").unwrap();
    assert_eq!((sight.proposal, sight.others), (Some("cut it"), None));
}

#[test]
fn disputes_are_settled_by_who_may() {
    let mut desk = desk(3, rule(2, &["eve"]));
    let id = ids(&desk)[1];
    assert_eq!(desk.dispute(id, "eve"), None);
    vote(&mut desk, "ann", id, "cut");
    assert_eq!(desk.disputes(), []);
    vote(&mut desk, "bob", id, "keep");
    assert_eq!(desk.disputes(), [id]);
    assert_eq!(desk.dispute(id, "ann"), None);
    assert_eq!(desk.dispute(id, "eve").unwrap().others.unwrap().len(), 2);
    assert_eq!(desk.sight(id, "eve").unwrap().others, None);
    let fault = desk.adjudicate("ann", id, Ballot::of("cut")).unwrap_err();
    assert!(fault.message.contains("may not settle"), "{fault}");
    let line = desk.adjudicate("eve", id, Ballot::of("cut")).unwrap();
    assert_eq!((line.replaces.len(), line.protocol.as_str()), (2, "adjudicator"));
    desk.take(line);
    assert_eq!(
        (desk.disputes().len(), desk.decisions().choice(&item("preface", 1).review)),
        (0, Some("cut"))
    );
    // What settled it is seen by who voted, and can be thought over.
    assert_eq!(desk.sight(id, "ann").unwrap().others.unwrap().len(), 2);
    assert!(desk.dispute(id, "eve").is_some());
    let back = desk.undo("eve").unwrap();
    desk.take(back);
    assert_eq!(desk.disputes(), [id]);
    let other = ids(&desk)[0];
    let fault = desk.adjudicate("eve", other, Ballot::of("cut")).unwrap_err();
    assert!(fault.message.contains("not disputed"), "{fault}");
}

#[test]
fn undo_walks_back_through_what_one_person_said() {
    let mut desk = desk(3, rule(1, &[]));
    let all = ids(&desk);
    vote(&mut desk, "ann", all[0], "cut");
    vote(&mut desk, "bob", all[1], "cut");
    vote(&mut desk, "ann", all[2], "cut");
    vote(&mut desk, "ann", all[2], "keep");
    for expected in [Some(all[2]), Some(all[0]), None] {
        let back = desk.undo("ann");
        assert_eq!(back.as_ref().map(|line| line.review), expected);
        if let Some(line) = back {
            assert!(desk.take(line));
        }
    }
    assert_eq!(desk.queues("bob")[0].mine, 1);
    // What was taken back can be said again, and taken back again.
    vote(&mut desk, "ann", all[0], "cut");
    assert_eq!(desk.sight(all[0], "ann").unwrap().own.unwrap().choice, "cut");
    assert_eq!(desk.undo("ann").unwrap().review, all[0]);
}

#[test]
fn an_item_whose_text_changed_shows_the_old_decision() {
    let mut old = desk(1, rule(1, &[]));
    let id = ids(&old)[0];
    let line = vote(&mut old, "ann", id, "cut");
    let mut changed = item("preface", 0);
    changed.review.excerpt = "Another text.".into();
    let open = || Desk::new(vec![changed.clone()], vec![line.clone()], rule(1, &[]));
    let mut desk = open();
    let id = ids(&desk)[0];
    assert_eq!(desk.sight(id, "ann").unwrap().stale, Some(&line));
    assert_eq!(desk.page("cuts", "ann", Filter::Stale, 0, 9).len(), 1);
    // Carried over, it takes the place of the old one.
    let carried = desk.vote("bob", id, Ballot::of("cut")).unwrap();
    assert_eq!(carried.replaces, [line.id()]);
    desk.take(carried);
    assert_eq!(desk.sight(id, "ann").unwrap().stale, None);
    assert_eq!(desk.decisions().idle([&changed.review]).count(), 0);
    // Dropped, it is gone.
    let mut desk = open();
    assert_eq!(desk.drop_stale("bob", id), []);
    for dropped in desk.drop_stale("ann", id) {
        desk.take(dropped);
    }
    assert_eq!(desk.sight(id, "ann").unwrap().stale, None);
    assert_eq!(desk.decisions().choice(&changed.review), None);
}

#[test]
fn an_old_vote_of_somebody_else_is_hidden_like_a_new_one() {
    let mut old = desk(1, rule(2, &[]));
    let id = ids(&old)[0];
    let lines = ["ann", "bob"].map(|name| vote(&mut old, name, id, "cut"));
    let mut changed = item("preface", 0);
    changed.review.excerpt = "Another text.".into();
    let desk = Desk::new(vec![changed], lines.to_vec(), rule(2, &[]));
    let id = ids(&desk)[0];
    for (name, own) in [("ann", Some(&lines[0])), ("bob", Some(&lines[1])), ("cay", None)] {
        assert_eq!(desk.sight(id, name).unwrap().stale, own);
        let rows = desk.page("cuts", name, Filter::Stale, 0, 9);
        assert_eq!(rows.len(), usize::from(own.is_some()));
        assert_eq!(desk.page("cuts", name, Filter::All, 0, 9)[0].is_stale, own.is_some());
    }
}

#[test]
fn an_edited_text_is_seen_by_its_digest() {
    let mut desk = desk(1, rule(1, &[]));
    let id = ids(&desk)[0];
    let line = vote(&mut desk, "ann", id, "cut");
    assert_eq!(line.seen, Some(item("preface", 0).review.seen()));
    let mut edited = item("preface", 0).review;
    edited.question.push('?');
    assert_eq!((edited.id(), edited.seen() == item("preface", 0).review.seen()), (id, false));
}

#[test]
fn what_cannot_be_said_is_refused() {
    let desk = desk(2, rule(1, &[]));
    let id = ids(&desk)[0];
    for (person, ballot, says) in [
        ("ann", Ballot::of("burn"), "is not a choice"),
        ("", Ballot::of("cut"), "nobody is named"),
        ("a\nb", Ballot::of("cut"), "another form"),
        ("a\u{200b}b", Ballot::of("cut"), "invisible characters"),
        (
            "ann",
            Ballot { said: storymill_core::Said::Text("x".into()), ..Ballot::of("cut") },
            "text cannot be said",
        ),
    ] {
        let fault = desk.vote(person, id, ballot).unwrap_err();
        assert!(fault.message.contains(says), "{fault}");
    }
    assert!(desk.vote("ann", Digest::of(b"?"), Ballot::of("cut")).is_err());
    assert!(desk.find(&id.to_string()[..20]).is_ok() && desk.find("").is_err());
}

#[test]
fn queues_count_what_is_in_them_and_next_goes_round() {
    let items = vec![
        item("preface", 0),
        item("kind", 1),
        item("preface", 2),
        item("odd", 3),
        item("preface", 0),
    ];
    let mut desk = Desk::new(items, Vec::new(), rule(1, &[]));
    let names: Vec<_> = desk.queues("ann").iter().map(|queue| (queue.name, queue.items)).collect();
    assert_eq!(names, [("book-kinds", 1), ("cuts", 2), ("others", 1)]);
    let cuts: Vec<_> =
        desk.page("cuts", "ann", Filter::All, 0, 9).iter().map(|row| row.id).collect();
    assert_eq!(desk.next("cuts", "ann", None), Some(cuts[0]));
    assert_eq!(desk.next("cuts", "ann", Some(cuts[1])), Some(cuts[0]));
    vote(&mut desk, "ann", cuts[0], "cut");
    assert_eq!(desk.next("cuts", "ann", Some(cuts[1])), None);
    assert_eq!(desk.next("cuts", "bob", Some(cuts[1])), Some(cuts[0]));
    let sight = desk.sight(cuts[1], "ann").unwrap();
    assert_eq!((sight.previous, sight.next, sight.place, sight.of), (Some(cuts[0]), None, 2, 2));
    assert_eq!(desk.progress("cuts", "ann").unwrap().people, [("ann".to_owned(), 1)]);
    assert_eq!(desk.page("cuts", "ann", Filter::Todo, 0, 9).len(), 1);
    assert_eq!(
        desk.page("cuts", "ann", Filter::In(State::Decided), 0, 9)[0].mine.as_deref(),
        Some("cut")
    );
}

/// How long a page at the end of a queue of so many items takes, and the next item: the shortest of some times.
fn waits(items: usize) -> (Duration, Duration) {
    let mut desk = desk(items, rule(2, &[]));
    let all = ids(&desk);
    for id in &all[..items - 10] {
        vote(&mut desk, "ann", *id, "cut");
        vote(&mut desk, "bob", *id, "keep");
    }
    let (mut paged, mut nexted) = (Duration::MAX, Duration::MAX);
    for _ in 0..7 {
        let start = Instant::now();
        let page = desk.page("cuts", "ann", Filter::All, items - 100, 50).len();
        paged = paged.min(start.elapsed());
        let start = Instant::now();
        let next = desk.next("cuts", "ann", Some(all[items - 6]));
        nexted = nexted.min(start.elapsed());
        assert_eq!((page, next), (50, Some(all[items - 5])));
    }
    (paged, nexted)
}

/// What a desk takes grows with its items and no faster, however slow the machine is: ten times as many may take
/// thirty times as long, where every item looked at with every other would take a hundred times.
#[test]
fn many_items_are_no_wait() {
    let (few, many) = (waits(500), waits(5000));
    let limit = |few: Duration| few * 30 + Duration::from_millis(2);
    assert!(many.0 < limit(few.0) && many.1 < limit(few.1), "{few:?}, {many:?}");
}

/// An item of two texts that are compared.
fn compared(number: usize, author: &str) -> Item {
    let text = |choice: &str| storymill_core::ReviewText {
        choice: choice.into(),
        text: format!("claim {choice} of {number}"),
    };
    let mut item = item("which-is-true", number);
    item.review.choices = ["A", "B", "neither"].map(str::to_owned).to_vec();
    item.review.form = storymill_core::ReviewForm::Grounds {
        texts: vec![text("A"), text("B")],
        kinds: Vec::new(),
    };
    item.review.author = author.into();
    item
}

#[test]
fn texts_stand_in_an_order_of_each_persons_own_that_stays() {
    let desk = Desk::new((0..100).map(|at| compared(at, "")).collect(), Vec::new(), rule(1, &[]));
    let order = |person: &str| -> Vec<String> {
        let shown = |id| desk.sight(id, person).unwrap().choices;
        let kept = |id| shown(id).into_iter().map(|one| one.choice).collect::<String>();
        // Whatever stands first is called A.
        let called = |id| shown(id).into_iter().map(|one| one.called).collect::<String>();
        assert!(ids(&desk).into_iter().all(|id| called(id) == "ABneither"));
        ids(&desk).into_iter().map(kept).collect()
    };
    let (ann, bob) = (order("ann"), order("bob"));
    assert_eq!(ann, order("ann"));
    for own in [&ann, &bob] {
        assert!(own.iter().all(|one| ["ABneither", "BAneither"].contains(&one.as_str())));
        let first = own.iter().filter(|one| one.starts_with('A')).count();
        assert!((30..70).contains(&first), "A stands first {first} times of 100");
    }
    let alike = ann.iter().zip(&bob).filter(|(one, other)| one == other).count();
    assert!((30..70).contains(&alike), "{alike} of 100 alike");
}

#[test]
fn a_letter_is_what_stands_there_and_what_is_kept_is_the_text() {
    let mut desk =
        Desk::new((0..20).map(|at| compared(at, "")).collect(), Vec::new(), rule(1, &[]));
    for id in ids(&desk) {
        let sight = desk.sight(id, "bob").unwrap();
        let kept = sight.choices[0].choice.clone();
        assert_eq!((sight.called(&kept), sight.called("neither")), ("A", "neither"));
        let own = format!(
            "A: {}",
            sight.item.review.form.texts().iter().find(|one| one.choice == kept).unwrap().text
        );
        assert!(sight.excerpt().starts_with(&own), "{} {own}", sight.excerpt());
        vote(&mut desk, "bob", id, &kept);
    }
    let rows = desk.page("adequacy", "bob", Filter::All, 0, 99);
    assert!(rows.iter().all(|row| row.mine.as_deref() == Some("A") && row.line.starts_with("A: ")));
    assert!(desk.lines().any(|line| line.choice == "B"), "the first is not always the same text");
    // A table for a person has the letters of their pages, and its rows say which text they mean.
    let table = String::from_utf8(crate::csv::export(&desk, Some("bob"), None).unwrap()).unwrap();
    assert!(!table.contains("\"B: ") && table.matches(",A,").count() == 20, "{table}");
    assert_eq!(crate::csv::import(&desk, table.as_bytes(), "").unwrap(), []);
    let others = table.replace(",bob,", ",cay,");
    let said = crate::csv::import(&desk, others.as_bytes(), "").unwrap();
    let same = |line: &Decision| {
        desk.lines().any(|own| (own.review, &own.choice) == (line.review, &line.choice))
    };
    assert!(said.len() == 20 && said.iter().all(same), "{said:?}");
}

#[test]
fn nobody_judges_what_they_wrote() {
    let items = vec![compared(0, "ann"), compared(1, "bob")];
    let mut desk = Desk::new(items, Vec::new(), rule(1, &[]));
    let all = ids(&desk);
    let fault = desk.vote("ann", all[0], Ballot::of("A")).unwrap_err();
    assert!(fault.message.starts_with("`ann` wrote what"), "{fault}");
    assert_eq!(desk.next("adequacy", "ann", None), Some(all[1]));
    vote(&mut desk, "ann", all[1], "B");
    assert_eq!(desk.next("adequacy", "ann", None), None);
    let queue = &desk.queues("ann")[0];
    assert_eq!((queue.items, queue.mine), (1, 1));
    assert_eq!(desk.page("adequacy", "ann", Filter::All, 0, 9).len(), 1);
    assert_eq!(desk.count("adequacy", "cay", Filter::Todo), 2);
}
