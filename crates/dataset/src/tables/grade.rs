//! The table of grades: what answers are worth, and all that a report needs.

use storymill_core::{Facet, Grade};

use super::{
    answer::{Shown, id},
    measured::{Back, Before},
    row::SPLIT,
};
use crate::table;

table! { Grade, "what an answer of a model is worth", evaluation, |grade, added| {
        let measure = |name: &str| {
            let found = grade.measures.iter().find(|(own, _)| own == name);
            found.map_or(-1, |(_, ppm)| i64::from(*ppm))
        };
    }
    "grade_id": Line => id(&grade.config, &grade.question, &grade.setting, &grade.model), "config, question, setting and model";
    "question_id": Line => grade.question, "the question";
    "config": Word => grade.config, "the config that it is published in";
    "of": Word => grade.of, "what it is of: a book, or a question set";
    "title": Word => grade.title, "title of the book; blank if the dataset does not say";
    "author": Word => grade.author, "author, or what is kept together in a resampling";
    "split": Word => grade.split, SPLIT;
    "flags": list(Word) => grade.flags, "notes on the book: pg19";
    "written_by": list(Word) => grade.written_by, "the models that wrote the retellings which the question is made of";
    "model": Word => grade.model, "the model";
    "setting": Word => grade.setting, "what was shown: full, none, title, evidence, recent-N, ...";
    "form": Word => grade.form, "options, free-text or verdict";
    "kind": Word => grade.kind, "the kind of question: lookahead, reconstruction, long-context, ...";
    "status": Word => grade.status.name(), "answered, unparsed, refused, cut, does-not-fit or failed";
    "right": Int => grade.right.map_or(-1, i64::from), "1 if it is right, 0 if not, -1 for free text";
    "none_of_the_above": Int => u8::from(grade.none_of_the_above), "1 if none of the above is right, else 0";
    "choices": Int => grade.choices, "how many answers there are to choose from; 0 for free text";
    "pair": Word => grade.pair, "the pair that a claim is one of; blank if it is none";
    "facets": list(Word) => grade.facets.iter().map(Facet::name).collect::<Vec<_>>(), "what reports break results down by: genre=historical";
    "score_ppm": Int => grade.score_ppm, "what counts for a mean, in millionths";
    "rouge_l_ppm": Int => measure("rouge-l"), "ROUGE-L in millionths; -1 where it is not measured";
    "copy_rouge_l_ppm": Int => measure("copy-rouge-l"), "the same of the text as it was given";
    "meteor_ppm": Int => measure("meteor"), "METEOR in millionths; -1 where it is not measured";
    "copy_meteor_ppm": Int => measure("copy-meteor"), "the same of the text as it was given";
    "em_ppm": Int => measure("em"), "exact match in millionths; -1 where it is not measured";
    "f1_ppm": Int => measure("f1"), "F1 in millionths; -1 where it is not measured";
    "keyword_f1_ppm": Int => measure("keyword-f1"), "keyword-gated F1 in millionths; -1 where it is not measured";
    "explained_ppm": Int => measure("explained"), "of a claim: 1,000,000 if the answer has an explanation; -1 of other questions";
    "early_ppm": Int => measure("early"), "1,000,000 if its first sentence gives the answer already";
    "contradicted_ppm": Int => measure("contradicted"), "1,000,000 if that answer is not the final one";
    "quotations_ppm": Int => measure("quotations"), "quotations of four words or more in the answer, times 1,000,000";
    "verbatim_ppm": Int => measure("verbatim"), "those that stand in the book word for word, times 1,000,000";
    ..Shown(&grade.spent);
    ..Back(&grade.demand);
    ..Before(&grade.context);
}
