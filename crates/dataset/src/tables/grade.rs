//! The table of grades: what answers are worth, and all that a report needs.

use storymill_core::{Encoding, Grade, Spent, UnitId};

use super::{
    answer::{counted, id, spent},
    measured::Measured,
    row::row,
};
use crate::{
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct GradeRow {
        grade_id: String,
        question_id: String,
        config: String,
        of: UnitId,
        title: String,
        author: String,
        split: String,
        flags: Vec<String>,
        written_by: Vec<String>,
        model: String,
        setting: String,
        form: String,
        kind: String,
        status: &'static str,
        right: i64,
        none_of_the_above: u8,
        choices: u8,
        pair: String,
        score_ppm: u32,
        rouge_l_ppm: i64,
        copy_rouge_l_ppm: i64,
        meteor_ppm: i64,
        copy_meteor_ppm: i64,
        em_ppm: i64,
        f1_ppm: i64,
        keyword_f1_ppm: i64,
        offered_tokens: i64,
        shown_tokens: i64,
        cut: String,
        output_tokens: i64,
        thinking_tokens: i64,
        limit_tokens: i64,
        request_place: u8,
        canary: String;
        more: Measured
    }
}

impl Table for Grade {
    type Row = GradeRow;
    const ABOUT: &'static str = "what an answer of a model is worth";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let word = |name, about| Column::new(name, Type::Word, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        let mut columns = vec![
            Column::new("grade_id", Type::Line, "config, question, setting and model"),
            Column::new("question_id", Type::Line, "the question"),
            word("config", "the config that it is published in"),
            word("of", "what it is of: a book, or a question set"),
            word("title", "title of the book; blank if the dataset does not say"),
            word("author", "author, or what is kept together in a resampling"),
            word("split", "train, validation or test"),
            Column::new("flags", Type::list(Type::Word), "notes on the book: pg19"),
            Column::new(
                "written_by",
                Type::list(Type::Word),
                "the models that wrote the retellings which the question is made of",
            ),
            word("model", "the model"),
            word("setting", "what was shown: full, none, title, evidence, recent-N, ..."),
            word("form", "options, free-text or verdict"),
            word("kind", "the kind of question: lookahead, reconstruction, long-context, ..."),
            word("status", "answered, unparsed, refused, cut, does-not-fit or failed"),
            int("right", "1 if it is right, 0 if not, -1 for free text"),
            int("none_of_the_above", "1 if none of the above is right, else 0"),
            int("choices", "how many answers there are to choose from; 0 for free text"),
            word("pair", "the pair that a claim is one of; blank if it is none"),
            int("score_ppm", "what counts for a mean, in millionths"),
            int("rouge_l_ppm", "ROUGE-L in millionths; -1 where it is not measured"),
            int("copy_rouge_l_ppm", "the same of the text as it was given"),
            int("meteor_ppm", "METEOR in millionths; -1 where it is not measured"),
            int("copy_meteor_ppm", "the same of the text as it was given"),
            int("em_ppm", "exact match in millionths; -1 where it is not measured"),
            int("f1_ppm", "F1 in millionths; -1 where it is not measured"),
            int("keyword_f1_ppm", "keyword-gated F1 in millionths; -1 where it is not measured"),
        ];
        columns.extend(spent());
        columns.extend(Measured::demand_columns(encodings));
        columns.extend(Measured::context_columns(encodings));
        columns.push(Column::canary());
        columns
    }

    fn row(self, added: &Added<'_>) -> GradeRow {
        let Spent { offered, shown, cut, output, thinking, limit, place } = self.spent;
        let measure = |name: &str| {
            let found = self.measures.iter().find(|(own, _)| own == name);
            found.map_or(-1, |(_, ppm)| i64::from(*ppm))
        };
        GradeRow {
            grade_id: id(&self.config, &self.question, &self.setting, &self.model),
            rouge_l_ppm: measure("rouge-l"),
            copy_rouge_l_ppm: measure("copy-rouge-l"),
            meteor_ppm: measure("meteor"),
            copy_meteor_ppm: measure("copy-meteor"),
            em_ppm: measure("em"),
            f1_ppm: measure("f1"),
            keyword_f1_ppm: measure("keyword-f1"),
            question_id: self.question,
            config: self.config,
            of: self.of,
            title: self.title,
            author: self.author,
            split: self.split,
            flags: self.flags,
            written_by: self.written_by,
            model: self.model,
            setting: self.setting,
            form: self.form,
            kind: self.kind,
            status: self.status.name(),
            right: self.right.map_or(-1, i64::from),
            none_of_the_above: u8::from(self.none_of_the_above),
            choices: self.choices,
            pair: self.pair,
            score_ppm: self.score_ppm,
            offered_tokens: counted(offered),
            shown_tokens: counted(shown),
            cut,
            output_tokens: counted(output),
            thinking_tokens: counted(thinking),
            limit_tokens: counted(limit),
            request_place: place,
            canary: added.canary.to_owned(),
            more: Measured::of(self.demand, self.context, added.encodings),
        }
    }
}
