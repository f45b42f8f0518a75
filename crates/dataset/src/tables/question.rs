//! The table of read-along questions.

use storymill_core::{BookId, Choice, Encoding, MadeBy, ReadAlongQuestion, Tokens};

use super::{measured::Measured, row::row, span::SpanRow, tokens::Counted};
use crate::{
    asked::written,
    column::{Column, Type},
    table::{Added, Table},
};

row! {
    /// A row of the table.
    pub struct QuestionRow {
        question_id: String,
        book_id: BookId,
        split: String,
        asked_at_scene: u32,
        r#type: String,
        question: String,
        options: Vec<String>,
        answer: u8,
        none_of_the_above: u8,
        option_kinds: Vec<&'static str>,
        option_books: Vec<String>,
        option_scenes: Vec<i64>,
        option_ids: Vec<String>,
        option_names: Vec<String>,
        evidence: Vec<SpanRow>,
        option_demand_scenes: Vec<i64>,
        option_demand_words: Vec<i64>,
        option_demand_symbols: Vec<i64>,
        memload: u32,
        made_by: &'static str,
        canary: String;
        more: Measured
    }
}

impl Table for ReadAlongQuestion {
    type Row = QuestionRow;
    const ABOUT: &'static str = "a question while reading: which scene was in what was read";
    const EVALUATION: bool = true;

    fn columns(encodings: &[Encoding]) -> Vec<Column> {
        let text = |name, about| Column::new(name, Type::Text, about);
        let int = |name, about| Column::new(name, Type::Int, about);
        let ints = |name, about| Column::new(name, Type::list(Type::Int), about);
        let words = |name, about| Column::new(name, Type::list(Type::Word), about);
        let mut columns = vec![
            Column::new("question_id", Type::Line, "the question: `84/0040/lookahead`"),
            Column::new("book_id", Type::Word, "the book"),
            Column::new("split", Type::Word, "train, validation or test"),
            int("asked_at_scene", "the last scene that was read when it is asked"),
            Column::new(
                "type",
                Type::Word,
                "what its decoys are: lookahead, scene-distortion, other-book",
            ),
            text("question", "the question in words, without the options"),
            Column::new("options", Type::list(Type::Text), "six; the last is none of the above"),
            int("answer", "position of the right option, from 0"),
            int("none_of_the_above", "1 if none of the above is right, else 0"),
            words("option_kinds", "true, lookahead, scene-distortion, other-book, none"),
            words("option_books", "the book that each option tells of; blank for none"),
            ints("option_scenes", "the scene that each option tells of; -1 for none"),
            Column::new(
                "option_ids",
                Type::list(Type::Line),
                "the summary or distortion that each option is; blank for none",
            ),
            Column::new(
                "option_names",
                Type::list(Type::Line),
                "names exchanged in each option: `Jane -> Lucy; Mr. Darcy -> Mr. Harker`; blank for none",
            ),
            Column::new("evidence", Type::spans(), "the true scene in the book's text"),
        ];
        columns.extend(Measured::demand_columns(encodings));
        columns.extend([
            ints("option_demand_scenes", "the same for each option; -1 if it was not read"),
            ints("option_demand_words", "the same for each option; -1 if it was not read"),
            ints("option_demand_symbols", "the same for each option; -1 if it was not read"),
        ]);
        columns.extend(Counted::OptionDemands.columns(encodings));
        columns.push(int("memload", "NarrativeXL's own figure: scenes read behind the true one"));
        columns.extend(Measured::context_columns(encodings));
        columns.extend([Column::made_by(), Column::canary()]);
        columns
    }

    fn row(self, added: &Added<'_>) -> QuestionRow {
        let question = self.0;
        let options = question.options();
        let demands = |of: fn(&storymill_core::Length) -> u32| -> Vec<i64> {
            let demand = |option: &Choice| {
                option.demand.as_ref().map_or(-1, |demand| i64::from(of(&demand.to_start)))
            };
            options.iter().map(demand).collect()
        };
        let option_tokens: Vec<Option<&[Tokens]>> = options
            .iter()
            .map(|option| option.demand.as_ref().map(|demand| &demand.to_start.tokens[..]))
            .collect();
        let encodings = added.encodings;
        let more = Measured::of(question.demand.clone(), question.context.length(), encodings)
            .with(|cells| cells.with_each(Counted::OptionDemands, &option_tokens, encodings));
        QuestionRow {
            asked_at_scene: question.asked_at(),
            answer: question.right().unwrap_or_default(),
            none_of_the_above: u8::from(question.about.is_none()),
            option_kinds: options.iter().map(|option| option.kind.name()).collect(),
            option_books: options
                .iter()
                .map(|option| option.book.as_ref().map(BookId::to_string).unwrap_or_default())
                .collect(),
            option_scenes: options.iter().map(|o| o.scene.map_or(-1, i64::from)).collect(),
            option_ids: options.iter().map(|option| option.from.clone()).collect(),
            option_names: options.iter().map(|option| written(&option.names)).collect(),
            option_demand_scenes: demands(|length| length.scenes),
            option_demand_words: demands(|length| length.words),
            option_demand_symbols: demands(|length| length.symbols),
            options: options.iter().map(|option| option.text.clone()).collect(),
            made_by: question.made_by.map_or("", MadeBy::name),
            memload: question.memload(),
            more,
            question_id: question.id,
            book_id: question.of,
            split: added.split.to_owned(),
            r#type: question.kind,
            question: question.task,
            evidence: question.evidence.into_iter().map(SpanRow::from).collect(),
            canary: added.canary.to_owned(),
        }
    }
}
