//! The table of what a gate kept and dropped.

use storymill_core::{Flag, Gated};

use super::row::{SPLIT, records};
use crate::table;

records! { FlagRow(Flag), |flag|
    "judge": Word => flag.judge, "who judged";
    "protocol": Word => flag.protocol, "how it was judged";
    "flagged": Int => flag.flagged.map_or(-1, i8::from), "1 if the judge speaks against it, 0 if not, -1 without a verdict";
}

table! { Gated, "a retelling that a gate kept or dropped", plain, |gated, added| {}
    "retelling_id": Line => gated.id, "the retelling";
    "book_id": Word => gated.book, "the book";
    "split": Word => added.split, SPLIT;
    "first_scene": Int => gated.scenes.0, "first scene covered";
    "last_scene": Int => gated.scenes.1, "last scene covered";
    "layer": Int => gated.level, "0 for a scene, 1 for retellings of retellings, ...";
    "protocol": Word => gated.protocol, "how it was made: `extract`, `tag`, `swap-facts`, ...";
    "told_by": Word => gated.made_by.name(), "`rule`, or `model` where a model wrote it";
    "meant_false": Int => u8::from(gated.meant_false), "1 if it was meant to be false, else 0";
    "words": Int => gated.words, "words, split on whitespace";
    "symbols": Int => gated.symbols, "length of the text";
    "place_pm": Int => gated.place_pm, "where its first scene begins, of 1,000 symbols of the book";
    "to_end_words": Int => gated.to_end_words, "from there to the end of the book, in words";
    "to_end_symbols": Int => gated.to_end_symbols, "from there to the end of the book";
    "kept": Int => u8::from(gated.kept), "1 if the gate kept it, 0 if it was dropped";
    "said": FlagRow::kind() => FlagRow::each(&gated.said), "what judges said; empty where none was asked";
}
