//! Reading the sample, and what merging it into a set does.

use storymill_claims::import::{Set, merge};

use crate::sets;

#[test]
fn the_sample_is_read_whole() {
    for golden in sets() {
        let (rows, read) = (golden.json("data_sample_shared.json"), golden.sample);
        let (rows, pairs) = (rows.as_array().unwrap(), read.pairs.len());
        let systems = rows[0].as_object().unwrap();
        let systems = systems.keys().filter(|key| key.starts_with("response-")).count();
        assert_eq!(
            (2 * pairs, read.books.len(), read.responses.len()),
            (rows.len(), 2, rows.len() * systems)
        );
        let mut set = Set::default();
        let first = merge(&mut set, read.clone(), &|_| true).unwrap();
        assert_eq!((first.added.len(), first.changed.len(), first.same), (pairs, 0, 0));
        assert!(
            set.pairs
                .iter()
                .all(|pair| !pair.explanation.is_empty() && pair.true_claim != pair.false_claim)
        );
        let second = merge(&mut set, read, &|_| true).unwrap();
        assert_eq!((second.added.len(), second.changed.len(), second.same), (0, 0, pairs));
        let (book, index) = (rows[0]["book_title"].as_str().unwrap(), &rows[0]["index"]);
        assert_eq!(set.pairs[0].id, format!("{book}/{:04}", index.as_u64().unwrap()));
        assert_eq!(set.books[0].tokens, rows[0]["length"].as_u64());
    }
}
