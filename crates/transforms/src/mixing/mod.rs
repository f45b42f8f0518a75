//! Stages that turn question sets into long contexts (LV-Eval): which questions are asked, what
//! confuses, what is replaced, and the recipes.
//!
//! A unit is a question set. A row without a question only brings documents to distract with.
//! What a recipe means, and how it becomes a text, is in `storymill-mixing`.

mod asking;
pub(crate) mod closed_book;
pub(crate) mod confuse;
pub(crate) mod fact_recall;
pub(crate) mod keywords;
pub(crate) mod mix;
pub(crate) mod passages;
pub(crate) mod rules;
pub(crate) mod scene_set;
pub(crate) mod select;

use storymill_core::{Cx, SetQuestion, Stop};
use storymill_text::{Language, sentence};

/// Whether a row asks something.
fn asks(row: &SetQuestion) -> bool {
    !row.question.is_empty()
}

/// Works on each row. A question that is rejected or left out is no longer asked, and its documents
/// stay where they are: recipes name passages by number, so no step may lose a row.
fn each_question(
    cx: &mut Cx<'_>,
    rows: &[SetQuestion],
    work: impl FnMut(&mut Cx<'_>, &SetQuestion) -> Result<SetQuestion, Stop>,
) -> Result<Vec<SetQuestion>, Stop> {
    let mut done = cx.each(rows, work)?.into_iter().peekable();
    let row = |row: &SetQuestion| {
        done.next_if(|done| done.id == row.id)
            .unwrap_or_else(|| SetQuestion { question: String::new(), ..row.clone() })
    };
    Ok(rows.iter().map(row).collect())
}

/// The language of a set: that of its first question.
fn language(rows: &[SetQuestion]) -> Language {
    let first = rows.iter().find(|row| asks(row)).or(rows.first());
    first.map_or(Language::English, |row| Language::of_tag(&row.language))
}

/// The ends of sentences, behind the blanks behind them.
fn ends(language: Language) -> impl Fn(&str) -> Vec<usize> {
    move |text| sentence::ends(text, language)
}

#[cfg(test)]
mod tests;
