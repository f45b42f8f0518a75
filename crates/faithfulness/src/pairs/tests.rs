use proptest::prelude::*;

use super::*;

/// A pair whose first retelling is the true one; votes as letters: `f`irst, `s`econd, `n`either, `-` for none, of a, b, c, ...
fn pair(qualifies: bool, votes: &str) -> Pair {
    let people = ["a", "b", "c", "d", "e"];
    let word = |letter| match letter {
        'f' => "first",
        's' => "second",
        _ => "neither",
    };
    let votes = people.iter().zip(votes.chars()).filter(|(_, letter)| *letter != '-');
    let votes = votes.map(|(person, letter)| ((*person).to_owned(), word(letter).to_owned()));
    Pair { right: "first".to_owned(), qualifies, votes: votes.collect() }
}

fn of(qualifying: &[&str], asked: &[&str]) -> ToldApart {
    let pairs = qualifying.iter().map(|votes| pair(true, votes));
    let pairs: Vec<Pair> = pairs.chain(asked.iter().map(|votes| pair(false, votes))).collect();
    told_apart(&pairs, 800)
}

#[test]
fn the_majority_of_those_who_are_counted_decides() {
    // c gets one of two right and d none of them is asked of; only a and b count.
    let found = of(&["fff-", "ffs-"], &["ffss", "fnff", "ssff", "s-ff", "--ff"]);
    assert_eq!((found.people, found.not_counted, found.drawn), (4, 2, 5));
    // right; split; wrong; wrong by one alone; nobody who counts.
    assert_eq!((found.decided, found.right, found.split), (3, 1, 1));
    let Agreement { items, couples, agreed, pairs, .. } = &found.agreement;
    assert_eq!((*items, *couples, *agreed), (3, 3, 2));
    assert_eq!((pairs.len(), pairs[0].items, pairs[0].agreed), (1, 3, 2));
}

#[test]
fn three_people_outvote_one() {
    let found = of(&["fff"], &["ffs", "fss", "fsn", "nns"]);
    assert_eq!((found.decided, found.right, found.split), (3, 1, 1));
    // Twelve votes in four pairs: 1 of 3, 1 of 3, 0 of 3, 1 of 3 couples agree. Votes: f 4, s 5, n 3.
    let expected = 1.0 - (1.0 - 3.0 / 12.0) / (1.0 - (12.0 + 20.0 + 6.0) / 132.0);
    let alpha = found.agreement.alpha.value.unwrap();
    assert!((alpha - expected).abs() < 1e-12, "{alpha} {expected}");
}

#[test]
fn one_person_has_nobody_to_agree_with() {
    let found = of(&["f"], &["f", "s", "-"]);
    assert_eq!((found.decided, found.right, found.drawn), (2, 1, 3));
    assert!(found.agreement.alpha.told(2).contains("needs two voters, and there is 1"));
    assert!(found.agreement.pairs.is_empty());
    let nobody = told_apart(&[], 800);
    assert_eq!((nobody.people, nobody.agreement), (0, agreement(&[], How::default())));
}

#[test]
fn the_first_vote_of_a_person_counts() {
    let mut pairs = vec![pair(true, "f"), pair(false, "s")];
    pairs[1].votes.push(("a".to_owned(), "first".to_owned()));
    assert_eq!(told_apart(&pairs, 800).right, 0);
    pairs[1].votes.reverse();
    assert_eq!(told_apart(&pairs, 800).right, 1);
}

/// NarrativeXL: 238 of 250 by people who qualified, each pair by one of them.
#[test]
fn the_papers_figure() {
    let mut asked = vec!["f"; 238];
    asked.extend(["s"; 7]);
    asked.extend(["n"; 5]);
    let found = of(&["f"; 5], &asked);
    assert_eq!((found.right, found.decided), (238, 250));
}

proptest! {
    #[test]
    fn laws(qualifying in prop::collection::vec("[fsn-]{5}", 0..4), asked in prop::collection::vec("[fsn-]{5}", 0..8), turn in 0_usize..8) {
        let texts = |all: &[String]| all.iter().map(|one| pair(false, one)).collect::<Vec<_>>();
        let mut pairs: Vec<Pair> = qualifying.iter().map(|one| pair(true, one)).collect();
        pairs.extend(texts(&asked));
        let found = told_apart(&pairs, 800);
        prop_assert!(found.right <= found.decided && found.decided + found.split <= found.drawn);
        prop_assert!(found.not_counted <= found.people);
        // Whatever order pairs and people come in.
        let mut turned = pairs.clone();
        let places = turned.len().max(1);
        turned.rotate_left(turn % places);
        for pair in &mut turned {
            pair.votes.reverse();
        }
        let again = told_apart(&turned, 800);
        prop_assert_eq!((found.right, found.decided, found.split), (again.right, again.decided, again.split));
        prop_assert_eq!(&found.agreement.pairs, &again.agreement.pairs);
        // One more, who said nothing of what is known beforehand.
        turned.iter_mut().filter(|pair| !pair.qualifies).for_each(|pair| pair.votes.push(("x".into(), "first".into())));
        let more = told_apart(&turned, 800);
        prop_assert_eq!((found.right, found.decided, found.split), (more.right, more.decided, more.split));
        // One vote for each pair: the arithmetic of one person alone.
        for pair in &mut pairs {
            pair.votes.truncate(1);
        }
        let one = told_apart(&pairs, 0);
        let counted = |person: &String| pairs.iter().any(|pair| pair.qualifies && pair.votes.iter().any(|(other, _)| other == person));
        let votes: Vec<&(String, String)> = pairs.iter().filter(|pair| !pair.qualifies).flat_map(|pair| &pair.votes).filter(|(person, _)| counted(person)).collect();
        prop_assert_eq!(one.decided as usize, votes.len());
        prop_assert_eq!(one.right as usize, votes.iter().filter(|(_, said)| said == "first").count());
    }
}
