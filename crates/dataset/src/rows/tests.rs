use std::sync::Arc;

use arrow_array::{
    ListArray, StringArray, StructArray,
    builder::{Int32Builder, LargeListBuilder, LargeStringBuilder, StringViewBuilder},
};
use arrow_schema::{Field, Schema, SchemaRef};
use proptest::prelude::*;
use serde::Serialize;

use super::*;
use crate::{
    column::{Column, Type},
    filling::Filling,
    shape::schema,
};

/// Rows of every type that is published.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row {
    id: String,
    text: String,
    number: Option<i32>,
    words: Vec<String>,
    numbers: Vec<i32>,
    pairs: Vec<Pair>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pair {
    left: String,
    right: Option<i32>,
}

fn columns() -> Vec<Column> {
    vec![
        Column::new("id", Type::Line, ""),
        Column::new("text", Type::Text, ""),
        Column::new("number", Type::Int, "").or_null(),
        Column::new("words", Type::list(Type::Word), ""),
        Column::new("numbers", Type::list(Type::Int), ""),
        Column::new(
            "pairs",
            Type::records(vec![
                Column::new("left", Type::Line, ""),
                Column::new("right", Type::Int, "").or_null(),
            ]),
            "",
        ),
    ]
}

fn row() -> impl Strategy<Value = Row> {
    let text = || "[ab\u{0}é]{0,3}";
    let number = || prop::option::of(-2..3_i32);
    let pair = (text(), number()).prop_map(|(left, right)| Pair { left, right });
    let lists = (
        prop::collection::vec(text(), 0..3),
        prop::collection::vec(-2..3_i32, 0..3),
        prop::collection::vec(pair, 0..3),
    );
    (text(), text(), number(), lists).prop_map(|(id, text, number, (words, numbers, pairs))| Row {
        id,
        text,
        number,
        words,
        numbers,
        pairs,
    })
}

fn batch(rows: &[Row], schema: &SchemaRef) -> Option<RecordBatch> {
    let mut filling = Filling::new(schema).unwrap();
    for row in rows {
        filling.push(row).unwrap();
    }
    filling.finish().unwrap()
}

/// The digest of rows that come in batches of so many.
fn digest(rows: &[Row], at_once: usize) -> Digest {
    let schema = schema(&columns());
    let mut digest = RowsDigest::new(schema.fields());
    for rows in rows.chunks(at_once) {
        digest.add(&batch(rows, &schema).unwrap()).unwrap();
    }
    digest.finish()
}

proptest! {
    #[test]
    fn batches_may_end_anywhere(
        rows in prop::collection::vec(row(), 0..12), one in 1..13_usize, two in 1..13_usize,
    ) {
        prop_assert_eq!(digest(&rows, one), digest(&rows, two));
        // Nor does it matter where in a larger array they stand.
        let schema = schema(&columns());
        if let Some(all) = batch(&rows, &schema) {
            let mut sliced = RowsDigest::new(schema.fields());
            let at = one.min(rows.len());
            sliced.add(&all.slice(0, at)).unwrap();
            sliced.add(&all.slice(at, rows.len() - at)).unwrap();
            prop_assert_eq!(sliced.finish(), digest(&rows, 99));
        }
    }

    #[test]
    fn other_rows_have_another_digest(
        one in prop::collection::vec(row(), 0..3), two in prop::collection::vec(row(), 0..3),
    ) {
        prop_assert_eq!(one == two, digest(&one, 9) == digest(&two, 9));
    }

    /// A value that goes over to the cell beside it, the row below or the list around it.
    #[test]
    fn no_value_moves_unseen(rows in prop::collection::vec(row(), 2..4), at in 0..8_usize) {
        let mut moved = rows.clone();
        let [first, second, ..] = &mut moved[..] else { unreachable!() };
        match at {
            0 => first.text.insert_str(0, &std::mem::take(&mut first.id)),
            1 => second.id.insert_str(0, &std::mem::take(&mut first.text)),
            2 => first.words.extend(std::mem::take(&mut second.words)),
            3 => first.words = vec![first.words.concat()],
            4 => first.numbers.extend(first.number.take()),
            5 => first.pairs.extend(std::mem::take(&mut second.pairs)),
            6 => {
                let left = std::mem::take(&mut first.id);
                first.pairs.push(Pair { left, right: None });
            }
            _ => std::mem::swap(&mut first.number, &mut second.number),
        }
        prop_assert_eq!(rows == moved, digest(&rows, 9) == digest(&moved, 9));
    }

    #[test]
    fn layouts_of_texts_and_lists_do_not_count(
        texts in prop::collection::vec("[ab]{0,20}", 1..9), cut in 0..9_usize,
    ) {
        let mut views = StringViewBuilder::new();
        let mut large = LargeStringBuilder::new();
        let mut lists = LargeListBuilder::new(Int32Builder::new());
        for text in &texts {
            views.append_value(text);
            large.append_value(text);
            text.bytes().for_each(|byte| lists.values().append_value(byte.into()));
            lists.append(true);
        }
        let lists = lists.finish();
        let numbers = texts.iter().map(|text| Some(text.bytes().map(|byte| Some(byte.into()))));
        let small_lists = ListArray::from_iter_primitive::<Int32Type, _, _>(numbers);
        let small = StringArray::from(texts.clone());
        let one = pair_of(Arc::new(small), Arc::new(small_lists));
        let all = [
            pair_of(Arc::new(large.finish()), Arc::new(lists.clone())),
            pair_of(Arc::new(views.finish()), Arc::new(lists)),
        ];
        let cut = cut.min(texts.len());
        for other in all {
            prop_assert_eq!(digest_of(&one, cut), digest_of(&other, texts.len() - cut));
        }
    }
}

fn pair_of(texts: ArrayRef, lists: ArrayRef) -> RecordBatch {
    let field = |name: &str, array: &ArrayRef| Field::new(name, array.data_type().clone(), true);
    let fields: Fields = vec![field("texts", &texts), field("lists", &lists)].into();
    let record: ArrayRef =
        Arc::new(StructArray::new(fields.clone(), vec![texts.clone(), lists], None));
    let schema = Schema::new(vec![field("texts", &texts), field("record", &record)]);
    RecordBatch::try_new(Arc::new(schema), vec![texts, record]).unwrap()
}

fn digest_of(batch: &RecordBatch, cut: usize) -> Digest {
    let mut digest = RowsDigest::new(batch.schema().fields());
    digest.add(&batch.slice(0, cut)).unwrap();
    digest.add(&batch.slice(cut, batch.num_rows() - cut)).unwrap();
    digest.finish()
}

#[test]
fn what_is_never_published_is_refused() {
    let field = Field::new("score", DataType::Float32, false);
    let schema = Arc::new(Schema::new(vec![field]));
    let scores: ArrayRef = Arc::new(arrow_array::Float32Array::from(vec![0.5]));
    let batch = RecordBatch::try_new(schema.clone(), vec![scores]).unwrap();
    let error = RowsDigest::new(schema.fields()).add(&batch).unwrap_err();
    assert!(error.to_string().contains("`Float32`"), "{error}");
}
