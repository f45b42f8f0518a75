//! The tables of long contexts: recipes, and the passages that they are made of.

use storymill_core::{Context, Evidence, Insertion, Passage, Rule, Scope};

use super::row::records;
use crate::table;

records! { InsertionRow(Insertion), |one|
    "kind": Word => one.kind.name(), "fact or confusing";
    "text": Text => one.text, "the sentence as it stands in the context";
    "place": Int => one.place, "the passage, by its place in `passages`";
    "at_bytes": Int => one.at, "where in that passage, in bytes of UTF-8";
    "start_symbols": Int => one.span.start.symbol, "first symbol in the context";
    "end_symbols": Int => one.span.end.symbol, "the first symbol that is no longer in it";
}

records! { RuleRow(Rule), |rule|
    "from": Line => rule.from, "the word or phrase";
    "to": Line => rule.to, "what stands for it";
    "scope": list(Word) => rule.scope.iter().map(|one| Scope::name(*one)).collect::<Vec<_>>(), "where it had to stand";
}

records! { EvidenceRow(Evidence), |one|
    "start_symbols": Int => one.span.start.symbol, "first symbol in the context";
    "end_symbols": Int => one.span.end.symbol, "the first symbol that is no longer in it";
    "depth_pm": Int => one.depth_pm, "share of the rest that stands before it";
}

table! { Context, "a long context and its question, as a recipe", evaluation, |context, _added| {}
    "context_id": Line => context.id, "the context: `lanterns_16k/q07`";
    "set": Word => context.set, "the question set";
    "item": Line => context.item, "the question in its set, the same at all levels";
    "level": Int => context.level, "the length that was wanted";
    "ablation": Word => context.ablation, "what was done: `cf+kpr`, `cf`, `kpr`, `none`";
    "language": Word => context.language, "`en` or `zh`";
    "question": Text => context.question, "the question, with what is replaced";
    "answers": list(Line) => context.answers, "the answers, with what is replaced";
    "answer_keywords": Line => context.keywords, "the words of the answer that matter; blank if nobody said";
    "confusing_facts": list(Text) => context.confusing, "the confusing facts, with what is replaced";
    "heading": Word => context.heading.name(), "the line above each passage: `released`, `paper`, `chinese`, `plain`";
    "passages": list(Int) => context.passages, "the passages in order, by number in the set";
    "insertions": InsertionRow::kind() => InsertionRow::each(&context.insertions), "what is put into passages";
    "rules": RuleRow::kind() => RuleRow::each(&context.rules), "what is replaced by what, everywhere at once";
    "evidence": EvidenceRow::kind() => EvidenceRow::each(&context.evidence), "where the answer stands";
    "decile": Int => context.decile, "the tenth of the context that the evidence was meant for";
    "flagged": list(Int) => context.flagged, "passages that hold the answer and were left in";
    "length": Int => context.length, "words in English, characters in Chinese";
    "symbols": Int => context.symbols, "the length in symbols";
}

table! { Passage, "a passage that contexts are made of", plain, |passage, _added| {}
    "passage_id": Line => passage.id(), "the passage: `lanterns/00012`";
    "set": Word => passage.set, "the question set";
    "passage": Int => passage.number, "its number in the set, from 0";
    "title": Line => passage.title, "its title; blank if it has none";
    "text": Text => passage.text, "the text, with the title as its first line";
    "length": Int => passage.length, "words in English, characters in Chinese";
}
