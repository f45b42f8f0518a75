//! The table of pairs that people tell apart.

use storymill_core::AdequacyPair;

use super::row::SPLIT;
use crate::table;

table! { AdequacyPair, "a true and a false retelling that people tell apart", evaluation, |pair, added| {
        let said: Vec<&String> = pair.votes.iter().map(|vote| &vote.said).collect();
        let person = |name: &String| added.people.get(name).cloned().unwrap_or_default();
        let persons: Vec<String> = pair.votes.iter().map(|vote| person(&vote.person)).collect();
    }
    "pair_id": Line => pair.id, "the pair: the false retelling, `/q` if it qualifies";
    "book_id": Word => pair.book, "the book";
    "split": Word => added.split, SPLIT;
    "first_scene": Int => pair.scenes.0, "first scene told";
    "last_scene": Int => pair.scenes.1, "last scene told";
    "first": Text => pair.first, "the retelling that is shown first";
    "second": Text => pair.second, "the one that is shown second";
    "right": Word => if pair.first_is_true { "first" } else { "second" }, "first or second: the true one";
    "qualifies": Int => u8::from(pair.qualifies), "1 if the answer is known beforehand and tells who is counted, else 0";
    "qualify_pm": Int => pair.qualify_pm, "the share of those that a person must get right to be counted";
    "said": list(Word) => said, "what each person said: first, second or neither";
    "persons": list(Word) => persons, "who said it, by a pseudonym: reader-01";
}
