//! Rows of questions, read from the columns as they lie, because there may be millions.

use arrow_array::{
    Array, ArrayRef, Int32Array, Int64Array, ListArray, RecordBatch, StringArray,
    cast::AsArray,
    types::{Int32Type, Int64Type},
};
use parquet::arrow::ProjectionMask;
use storymill_core::{Fault, QuestionType};

use crate::reading::{each_batch, open};

/// The columns that are read.
const COLUMNS: [&str; 15] = [
    "question_id",
    "book_id",
    "type",
    "options",
    "given",
    "option_kinds",
    "answer",
    "distorted",
    "reference",
    "context_symbols",
    "context_words",
    "demand_symbols",
    "demand_words",
    "source_config",
    "question",
];

/// A question as its row has it.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) id: &'a str,
    pub(super) book: &'a str,
    /// Its type; blank where rows have none.
    pub(super) kind: &'a str,
    pub(super) form: Form<'a>,
    /// Retellings that stand in the question.
    pub(super) given: Vec<&'a str>,
    pub(super) context_symbols: u32,
    /// 0 if nobody counted.
    pub(super) context_words: u32,
    pub(super) demand_symbols: u32,
    /// 0 if nobody counted.
    pub(super) demand_words: u32,
}

#[derive(Debug)]
pub(super) enum Form<'a> {
    Options {
        options: Vec<&'a str>,
        right: usize,
        /// The place of none of the above.
        none: Option<usize>,
    },
    FreeText {
        given: Option<&'a str>,
        reference: &'a str,
    },
    /// None of its options is said to be right.
    Broken,
}

/// Hands over the questions of a file, if it is one of questions about books with the columns of ours.
///
/// # Errors
///
/// The file cannot be read.
pub(super) fn each_row(path: &crate::Site, mut f: impl FnMut(&Row<'_>)) -> Result<(), Fault> {
    let reader = open(path)?;
    let schema = reader.schema();
    if ["question_id", "book_id", "context_symbols"]
        .iter()
        .any(|name| schema.index_of(name).is_err())
    {
        return Ok(());
    }
    let there = COLUMNS.into_iter().filter(|name| schema.index_of(name).is_ok());
    let mask = ProjectionMask::columns(reader.parquet_schema(), there);
    each_batch(reader.with_projection(mask), path, |batch| {
        // A table of somebody else's making, which only looks like one of questions.
        let Some(columns) = Columns::of(batch) else { return Ok(()) };
        for at in 0..batch.num_rows() {
            f(&columns.row(at));
        }
        Ok(())
    })
}

struct Columns<'a> {
    id: &'a StringArray,
    book: &'a StringArray,
    kind: Option<&'a StringArray>,
    options: Option<Texts<'a>>,
    given: Option<Texts<'a>>,
    kinds: Option<Texts<'a>>,
    answer: Option<&'a ArrayRef>,
    distorted: Option<&'a StringArray>,
    /// The task with what is given behind a blank line; only in tables of questions that were chosen from others.
    asked: Option<&'a StringArray>,
    reference: Option<&'a StringArray>,
    context_symbols: Ints<'a>,
    context_words: Option<Ints<'a>>,
    demand_symbols: Option<Ints<'a>>,
    demand_words: Option<Ints<'a>>,
}

/// A column of lists of texts.
struct Texts<'a>(&'a ListArray, &'a StringArray);

impl<'a> Texts<'a> {
    fn of(column: &'a ArrayRef) -> Option<Self> {
        let lists = column.as_list_opt::<i32>()?;
        Some(Self(lists, lists.values().as_string_opt::<i32>()?))
    }

    fn at(&self, row: usize) -> impl Iterator<Item = &'a str> + use<'a> {
        let texts = self.1;
        let bounds = [row, row + 1].map(|at| self.0.value_offsets()[at].cast_unsigned() as usize);
        (bounds[0]..bounds[1]).map(move |at| texts.value(at))
    }
}

enum Ints<'a> {
    Short(&'a Int32Array),
    Long(&'a Int64Array),
}

impl<'a> Ints<'a> {
    fn of(column: &'a ArrayRef) -> Option<Self> {
        let short = column.as_primitive_opt::<Int32Type>().map(Self::Short);
        short.or_else(|| column.as_primitive_opt::<Int64Type>().map(Self::Long))
    }

    /// A number; none for what is null or below 0.
    fn at(&self, row: usize) -> Option<u32> {
        match self {
            Self::Short(all) if !all.is_null(row) => u32::try_from(all.value(row)).ok(),
            Self::Long(all) if !all.is_null(row) => u32::try_from(all.value(row)).ok(),
            _ => None,
        }
    }
}

impl<'a> Columns<'a> {
    /// None if a column is of another type.
    fn of(batch: &'a RecordBatch) -> Option<Self> {
        let column = |name| batch.column_by_name(name);
        let texts = |name| match column(name) {
            None => Some(None),
            Some(column) => column.as_string_opt::<i32>().map(Some),
        };
        let lists = |name| match column(name) {
            None => Some(None),
            Some(column) => Texts::of(column).map(Some),
        };
        let ints = |name| match column(name) {
            None => Some(None),
            Some(column) => Ints::of(column).map(Some),
        };
        // What has no types is told apart by the config that it was chosen from.
        let kind = texts("type")?.or(texts("source_config")?);
        Some(Self {
            id: texts("question_id")??,
            book: texts("book_id")??,
            kind,
            options: lists("options")?,
            given: lists("given")?,
            kinds: lists("option_kinds")?,
            answer: column("answer"),
            distorted: texts("distorted")?,
            asked: texts("question")?.filter(|_| column("source_config").is_some()),
            reference: texts("reference")?,
            context_symbols: ints("context_symbols")??,
            context_words: ints("context_words")?,
            demand_symbols: ints("demand_symbols")?,
            demand_words: ints("demand_words")?,
        })
    }

    fn row(&self, at: usize) -> Row<'a> {
        let number =
            |ints: &Option<Ints<'a>>| ints.as_ref().and_then(|ints| ints.at(at)).unwrap_or(0);
        let kind = self.kind.map_or("", |kinds| kinds.value(at));
        Row {
            id: self.id.value(at),
            book: self.book.value(at),
            kind,
            form: self.form(at, kind),
            given: self.given(at),
            context_symbols: self.context_symbols.at(at).unwrap_or(0),
            context_words: number(&self.context_words),
            demand_symbols: number(&self.demand_symbols),
            demand_words: number(&self.demand_words),
        }
    }

    /// What stands in the question: in a column of its own, else behind the task, where several have letters.
    fn given(&self, at: usize) -> Vec<&'a str> {
        if let Some(given) = &self.given {
            return given.at(at).collect();
        }
        let behind: Vec<&str> =
            self.asked.iter().flat_map(|asked| asked.value(at).split("\n\n").skip(1)).collect();
        let bare = |text: &'a str| {
            let lettered = text.starts_with(|one: char| one.is_ascii_uppercase());
            if lettered { text.get(1..).and_then(|rest| rest.strip_prefix(". ")) } else { None }
        };
        let several = behind.len() > 1;
        behind.into_iter().map(|text| bare(text).filter(|_| several).unwrap_or(text)).collect()
    }

    fn form(&self, at: usize, kind: &str) -> Form<'a> {
        let options: Vec<&str> = self.options.iter().flat_map(|options| options.at(at)).collect();
        if options.is_empty() {
            let answer = self.answer.and_then(|answers| answers.as_string_opt::<i32>());
            let reference = self.reference.or(answer).map_or("", |texts| texts.value(at));
            let behind = |texts: &'a StringArray| Some(texts.value(at).split_once("\n\n")?.1);
            let given = self.distorted.map(|texts| texts.value(at));
            let given = given.or_else(|| self.asked.and_then(behind));
            return Form::FreeText { given, reference };
        }
        let answer = self.answer.and_then(Ints::of).and_then(|answers| answers.at(at));
        let right = answer.map(|at| at as usize).filter(|at| *at < options.len());
        let Some(right) = right else { return Form::Broken };
        let none = match &self.kinds {
            Some(kinds) => kinds.at(at).position(|kind| kind == "none"),
            None => {
                QuestionType::of_name(kind).filter(|of| of.has_none()).map(|_| options.len() - 1)
            }
        };
        Form::Options { options, right, none }
    }
}
