//! What is put: the texts of a question of any form, and the scenes that are needed to be sure of its answer.

use std::borrow::Cow;

use storymill_core::{OptionKind, QuestionType, Stream};

use super::drawn::{Drawn, SHOWN, Told};

/// A question, before it has its place in the book.
pub(super) struct Posed<'r> {
    /// What its kind is called behind the name of its type; blank for most.
    pub(super) ending: &'static str,
    pub(super) task: Cow<'static, str>,
    /// Retellings that stand in the question.
    pub(super) given: Vec<Told<'r>>,
    pub(super) options: Vec<Offered<'r>>,
    pub(super) right: usize,
    /// The scenes that are needed to be sure; none if all that was read is.
    pub(super) needed: Vec<usize>,
}

/// An option.
pub(super) struct Offered<'r> {
    pub(super) kind: OptionKind,
    pub(super) text: Cow<'r, str>,
    /// The retelling that it is.
    pub(super) told: Option<Told<'r>>,
    /// The scene of this book that it is of, where it is no retelling.
    pub(super) scene: Option<usize>,
}

impl<'r> Offered<'r> {
    /// A retelling.
    pub(super) fn told(kind: OptionKind, told: Told<'r>) -> Self {
        Self { kind, text: told.text.into(), told: Some(told), scene: None }
    }

    /// A text of no retelling.
    pub(super) fn text(kind: OptionKind, text: String, scene: Option<usize>) -> Self {
        Self { kind, text: text.into(), told: None, scene }
    }

    /// Some options of which one is right.
    pub(super) fn each<T>(
        of: QuestionType,
        right: usize,
        all: impl IntoIterator<Item = T>,
        offered: impl Fn(OptionKind, T) -> Self,
    ) -> Vec<Self> {
        let kind = |at| if at == right { OptionKind::True } else { OptionKind::Decoy(of) };
        all.into_iter().enumerate().map(|(at, one)| offered(kind(at), one)).collect()
    }
}

impl<'r> Drawn<'r> {
    /// The question of what was drawn, none of the above its last option; the true one stands at a place that is drawn too.
    pub(super) fn posed(
        self,
        of: QuestionType,
        task: &'static str,
        draw: &mut Stream,
    ) -> Posed<'r> {
        let decoys = self.decoys.into_iter();
        let mut options: Vec<_> =
            decoys.map(|told| Offered::told(OptionKind::Decoy(of), told)).collect();
        let mut right = SHOWN;
        if let Some(truth) = self.truth {
            right = draw.index(SHOWN).expect("there are five places");
            options.insert(right, Offered::told(OptionKind::True, truth));
        }
        options.push(Offered::text(OptionKind::None, "None of the above.".to_owned(), None));
        let needed = self.truth.iter().map(|truth| truth.scene).collect();
        Posed { ending: "", task: task.into(), given: Vec::new(), options, right, needed }
    }
}
