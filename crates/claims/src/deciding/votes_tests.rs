use super::*;
use crate::deciding::table::votes;

fn set() -> Set {
    let pair = |at: usize| Pair {
        id: format!("b/{at}"),
        book: "b".into(),
        true_claim: format!("Yes {at}."),
        false_claim: format!("No {at}."),
        true_scope: Some(Scope::Sentence),
        ..Pair::default()
    };
    Set { pairs: (0..4).map(pair).collect(), books: Vec::new() }
}

const VOTES: &str = "pair,claim,reader,verdict,scope\nb/0,true,ann,true,sentence\nb/0,true,bob,true,sentence\nb/0,false,ann,false,\nb/0,false,bob,true,\nb/1,true,ann,true,global\nb/1,true,bob,true,\nb/1,false,ann,unsure,\nb/1,false,bob,false,\n";

fn words_in(set: &Set) -> impl Fn(&Vote) -> Option<Digest> {
    move |vote| {
        let pair = set.pairs.iter().find(|pair| pair.id == vote.pair)?;
        Some(words_of(pair.claim(vote.claim)))
    }
}

fn of(table: &str) -> Decisions {
    let mut decisions = Decisions::default();
    for line in lines(&votes(table.as_bytes()).unwrap(), words_in(&set())) {
        decisions.take(line);
    }
    decisions
}

#[test]
fn votes_dispute_claims_and_scopes() {
    let found = disputed(&set(), &of(VOTES));
    let codes: Vec<_> = found.iter().map(|one| (one.item.as_str(), &*one.code)).collect();
    assert_eq!(
        codes,
        [
            ("b/0/false", "claim-disputed"),
            ("b/1/true", "scope-disputed"),
            ("b/1/false", "claim-disputed")
        ]
    );
    assert_eq!(found[1].choices, ["global", "sentence"]);
    assert!(found[0].question.ends_with("1 of 2"), "{}", found[0].question);
    assert_eq!(voted(&set(), &of(VOTES)).len(), 4 + 2);
}

#[test]
fn a_disputed_claim_stays_the_same_item_when_more_people_vote() {
    let ids = |votes: &str| -> Vec<_> {
        let found = disputed(&set(), &of(votes));
        found.iter().map(|review| (review.question.clone(), review.id())).collect()
    };
    let (few, more) = (ids(VOTES), ids(&format!("{VOTES}b/0,false,cy,true,passage\n")));
    assert!(!few.is_empty() && few != more, "the questions count the votes");
    for (_, id) in few {
        assert!(more.iter().any(|(_, other)| *other == id));
    }
}

/// What was said of a claim counts for its words: not once it has others, and again when it has the first ones again.
#[test]
fn a_vote_is_on_the_words_that_it_was_cast_on() {
    let (set, cast) = (set(), of("pair,claim,reader,verdict\nb/0,true,ann,false\n"));
    assert_eq!(disputed(&set, &cast).len(), 1);
    let mut other = set.clone();
    other.pairs[0].true_claim = "Yes, indeed.".to_owned();
    assert_eq!(disputed(&other, &cast), []);
    other.pairs[0].true_claim = set.pairs[0].true_claim.clone();
    assert_eq!(disputed(&other, &cast).len(), 1);
}

#[test]
fn a_table_that_is_taken_twice_says_nothing_new() {
    let table = votes(VOTES.as_bytes()).unwrap();
    let set = set();
    let first = new(lines(&table, words_in(&set)), &Decisions::default());
    assert_eq!(first.len(), 8 + 3);
    let mut decisions = Decisions::default();
    for line in first {
        decisions.take(line);
    }
    assert_eq!(new(lines(&table, words_in(&set)), &decisions), []);
    let other = votes(b"pair,claim,reader,verdict\nb/0,false,bob,false\n").unwrap();
    let changed = new(lines(&other, words_in(&set)), &decisions);
    assert_eq!((changed.len(), changed[0].replaces.len()), (1, 1));
    decisions.take(changed[0].clone());
    assert!(disputed(&set, &decisions).iter().all(|one| one.item != "b/0/false"));
}

#[test]
fn bad_votes() {
    let check = |text: &str, expect: &str| {
        let told = match votes(text.as_bytes()) {
            Err(faults) => faults[0].to_string(),
            Ok(votes) => check(&set(), &votes, |pair| pair == "b/8").unwrap_err()[0].to_string(),
        };
        assert_eq!(told, expect);
    };
    let head = "pair,claim,reader,verdict\n";
    check(
        &format!("{head}b/8,true,ann,true\nb/9,true,ann,true\n"),
        "row 3, pair b/9: a vote on a pair that the set does not have",
    );
    check(
        &format!("{head}b/0,true,ann,true\nb/0,true,ann,false\n"),
        "row 3, pair b/0: a second vote of the same reader on the same claim",
    );
    check(
        &format!("{head}b/0,true,ann,perhaps\n"),
        "row 2, `verdict`, pair b/0: must be true, false or unsure",
    );
    check(&format!("{head}b/0,,ann,true\n"), "row 2, `claim`, pair b/0: must be true or false");
    check(&format!("{head}He came.,true,ann,true\n"), "row 2, `pair`: must be the id of a pair");
    check(
        "pair,claim,verdict\n",
        "row 1: the head must name the columns `pair`, `claim`, `reader`, `verdict`, and may name `scope`",
    );
    check(
        &format!("{head}\"b/0,true\n"),
        "row 2, column 1: a quotation mark opens here and is never closed",
    );
}
