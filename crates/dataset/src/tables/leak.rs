//! The tables of leaks: names that still stand where they should be replaced, and how many there are.

use storymill_core::{Leak, NameCount};

use super::row::SPLIT;
use crate::table;

const SIGN: &str = "what tells that it is left, found without the cast: `gone-elsewhere`, `gone-in-places`, `word-and-name`, `plural`, \
    `as-persons`, `first-name`, `beside-new-name`, `other-book`; blank if only the substitutes tell";

table! { Leak, "a name that still stands in a row with other names", plain, |leak, added| {}
    "leak_id": Line => leak.id(), "the leak: `84/leak/0003`";
    "book_id": Word => leak.book, "the book";
    "split": Word => added.split, SPLIT;
    "record": Word => leak.record, "the kind of row it stands in: `scene`";
    "row_id": Line => leak.row, "the row";
    "part": Line => leak.part, "the part of a name";
    "excerpt": Text => leak.excerpt, "a few words around it";
    "sign": Word => leak.sign, SIGN;
    "has_substitute": Int => u32::from(leak.has_substitute), "1 if the part has a substitute, and so should have been replaced";
}

table! { NameCount, "how many names are left in rows with other names", plain, |count, added| {}
    "name_count_id": Line => count.id(), "the count: `84/names/scene`";
    "book_id": Word => count.book, "the book";
    "split": Word => added.split, SPLIT;
    "record": Word => count.record, "the kind of rows that were looked through: `scene`";
    "words": Int => count.words, "words that were looked at";
    "capitals": Int => count.capitals, "those of them that look like names: a capital inside a sentence, or behind a title";
    "left": Int => count.left, "names that are left, found without the cast";
}
