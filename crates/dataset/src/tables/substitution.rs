//! The table of substitutes: which name stands for which.

use storymill_core::Substitution;

use super::row::SPLIT;
use crate::table;

table! { Substitution, "a part of names and its substitute", plain, |one, added| {}
    "substitution_id": Line => format!("{}/{}", one.book, one.part), "book and part: `84/Bennet`";
    "book_id": Word => one.book, "the book";
    "split": Word => added.split, SPLIT;
    "part": Line => one.part, "the part, a word: `Bennet`";
    "substitute": Line => one.substitute, "what stands for it, everywhere";
    "role": Word => one.role, "female, male, given, family or place";
    "written": list(Line) => one.written, "other ways in which the book writes it";
    "count": Int => one.count, "places of the book's text where it is replaced";
    "replaced": Word => if one.careful { "at-places" } else { "everywhere" }, "everywhere, or at-places: only where it is surely a name, being a common word too";
}
