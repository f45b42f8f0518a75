//! Review items: what a build had doubts about, put before people.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Digest, ReviewForm, ReviewPassage};

/// A decision that the program took and a person may want to look at.
///
/// It is known by code, item and content ([`Review::id`]): the same doubt about the same text is the same
/// item, whatever was built around it and however it is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The item it is about, as published, or the unit.
    pub item: String,
    /// A short stable word, by which review items are counted: `front-matter`.
    pub code: Cow<'static, str>,
    /// The content that is judged, where it is not the excerpt: a name, a title. What is said of it there
    /// may then change.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// What is to be decided: `is this preface part of the story?`
    pub question: String,
    /// What it is about, quoted in a few lines.
    pub excerpt: String,
    /// The text that must be read to decide it where no passage of a book holds it: what is cut, the scene of a
    /// retelling. It is no part of the id: whose decision holds for this text alone has its digest in `about`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The decisions that can be taken; one alone where nothing follows from it.
    pub choices: Vec<String>,
    /// The one that is taken where nobody decides.
    pub default: String,
    /// Where it stands in the book, where that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<ReviewPassage>,
    /// What may be said of it beyond a choice.
    #[serde(default, skip_serializing_if = "ReviewForm::is_choice")]
    pub form: ReviewForm,
    /// What a model proposes, which people see after their own vote unless they work by a hybrid protocol; blank
    /// if none proposes anything.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub proposal: String,
    /// Who wrote what is judged, and so does not vote on it; blank where nobody is named.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
}

/// So many symbols of a text are kept with a decision on it.
const SHOWN: usize = 4_000;

impl Review {
    /// The id: a digest of code, item and content, whatever its line breaks. People's decisions stand under it
    /// in files that are kept for years, so it never changes its form.
    ///
    /// ```
    /// use storymill_core::Review;
    /// let review = Review { item: "84".into(), code: "preface".into(), excerpt: "To Mrs. Saville".into(), ..Review::default() };
    /// let asked_otherwise = Review { question: "story, or not?".into(), default: "cut".into(), ..review.clone() };
    /// assert_eq!(review.id(), asked_otherwise.id());
    /// assert_eq!(review.id().short(), "0cf261084e41");
    /// ```
    pub fn id(&self) -> Digest {
        let content = if self.about.is_empty() { &self.excerpt } else { &self.about };
        let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let parts = [&*self.code, &self.item, &content].map(str::as_bytes);
        Digest::of_parts("storymill 2026 review v1", parts)
    }

    /// The id in decisions that were made before ids were taken over the content alone: a digest of everything
    /// that the item says. They still count, as long as the item says just that.
    pub fn former_id(&self) -> Digest {
        let said = Self {
            about: String::new(),
            text: String::new(),
            passages: Vec::new(),
            form: ReviewForm::Choice,
            proposal: String::new(),
            author: String::new(),
            ..self.clone()
        };
        Digest::of(crate::canonical::json(&said).as_bytes())
    }

    /// A digest of the text that is shown to who votes on it: question, excerpt, what may be edited or labelled, and
    /// the text that must be read. A vote says which text it was made on.
    pub fn seen(&self) -> Digest {
        let form = crate::canonical::json(&self.form);
        let text = Some(self.text.as_str()).filter(|text| !text.is_empty());
        let parts = [self.question.as_str(), &self.excerpt, &form].into_iter().chain(text);
        Digest::of_parts("storymill 2026 review seen v1", parts.map(str::as_bytes))
    }

    /// The text that is decided on: the sentences where these are labelled, else the excerpt; its beginning if it is
    /// long. A decision keeps it.
    pub fn shown(&self) -> String {
        let text = match &self.form {
            ReviewForm::Labels { sentences, .. } => sentences.join("\n"),
            _ => self.excerpt.clone(),
        };
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// Whether a person may vote on it: whoever did not write it.
    pub fn is_for(&self, person: &str) -> bool {
        self.author.is_empty() || self.author != person
    }

    /// Whether something follows from it, so that it can be decided.
    pub fn is_open_to_votes(&self) -> bool {
        self.choices.len() > 1
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn review() -> Review {
        Review {
            item: "84".into(),
            code: "preface".into(),
            question: "is this story or preface?".into(),
            excerpt: "To Mrs. Saville".into(),
            choices: vec!["keep".into(), "cut".into()],
            default: "keep".into(),
            ..Review::default()
        }
    }

    #[test]
    fn an_item_is_its_code_item_and_content_however_it_is_asked() {
        let same = [
            Review { question: "story?".into(), ..review() },
            Review { choices: vec!["keep".into(), "cut".into(), "split".into()], ..review() },
            Review { default: "cut".into(), ..review() },
            Review { excerpt: "To Mrs.\n  Saville".into(), ..review() },
        ];
        for one in &same {
            assert_eq!(one.id(), review().id(), "{one:?}");
            assert_ne!(one.former_id(), review().former_id());
        }
        let others = [
            Review { item: "85".into(), ..review() },
            Review { code: "appendix".into(), ..review() },
            Review { excerpt: "To Mrs. Savile".into(), ..review() },
            Review { about: "Saville".into(), ..review() },
        ];
        for other in others {
            assert_ne!(other.id(), review().id(), "{other:?}");
        }
        // What is said of the content may change.
        let read = Review { text: "It rained.".into(), ..review() };
        assert_eq!((read.id(), read.former_id()), (review().id(), review().former_id()));
        assert_ne!(read.seen(), review().seen());
        let gender =
            |excerpt: &str| Review { about: "Saville".into(), excerpt: excerpt.into(), ..review() };
        assert_eq!(gender("named 20 times").id(), gender("named 21 times").id());
    }
}
