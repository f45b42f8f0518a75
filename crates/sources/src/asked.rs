//! The second reading of a page in a build, where a source asks for it: what differs is a question to people.

use storymill_core::{BookId, Review, ReviewPassage, Reviews, Stop};

use crate::{Cleaned, difference::Difference, second_reading, stands};

/// So many of the places that differ are quoted.
const QUOTED: usize = 3;

/// Reads a page a second time and puts what differs before people. Pages that are no HTML have no second reading.
///
/// # Errors
///
/// People decided that the book is wrong; this build has no second reading.
pub(crate) fn ask(cleaned: &Cleaned, book: &BookId, reviews: &mut Reviews<'_>) -> Result<(), Stop> {
    if !cleaned.is_html {
        return Ok(());
    }
    let found = second_reading(cleaned)?;
    if found.is_empty() {
        return Ok(());
    }
    if reviews.decide(review(cleaned, book, &found))? == "wrong" {
        let detail = "people decided that the second reading is right and the book is wrong";
        return Err(Stop::left_out("second-reading", detail));
    }
    Ok(())
}

fn review(cleaned: &Cleaned, book: &BookId, found: &[Difference]) -> Review {
    let quoted = found.iter().take(QUOTED);
    let mut lines: Vec<String> = quoted
        .clone()
        .map(|one| format!("byte {}: {}: `{}`", one.page.start, one.says(), one.words))
        .collect();
    if found.len() > QUOTED {
        lines.push(format!("and {} more", found.len() - QUOTED));
    }
    Review {
        item: book.to_string(),
        code: "second-reading".into(),
        question: "a second reading sees this page otherwise: is the book right?".to_owned(),
        excerpt: lines.join("; "),
        choices: ["right", "wrong"].map(str::to_owned).into(),
        default: "right".to_owned(),
        passages: quoted
            .map(|one| ReviewPassage {
                book: book.to_string(),
                span: stands::span(&cleaned.paragraphs, one.page),
                role: one.what.to_owned(),
            })
            .collect(),
        ..Review::default()
    }
}
