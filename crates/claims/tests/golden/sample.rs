//! Reading the sample, and what merging it into a set does.

use storymill_claims::import::{Set, merge};

use crate::sample;

#[test]
fn the_sample_is_read_whole() {
    let Some(read) = sample() else { return };
    assert_eq!((read.pairs.len(), read.books.len(), read.responses.len()), (30, 2, 60 * 18));
    let mut set = Set::default();
    let first = merge(&mut set, read.clone(), &|_| true).unwrap();
    assert_eq!((first.added.len(), first.changed.len(), first.same), (30, 0, 0));
    assert!(
        set.pairs
            .iter()
            .all(|pair| !pair.explanation.is_empty() && pair.true_claim != pair.false_claim)
    );
    let second = merge(&mut set, read, &|_| true).unwrap();
    assert_eq!((second.added.len(), second.changed.len(), second.same), (0, 0, 30));
    assert_eq!(set.pairs[0].id, "the_great_gatsby_f_scott_fitzgerald/0298");
    assert_eq!(set.books[0].tokens, Some(61_689));
}
