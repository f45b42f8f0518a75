//! Who made a text.

use serde::{Deserialize, Serialize};

use crate::Digest;

/// Who made what is told: rules of this program, or a language model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MadeBy {
    /// Rules: sentences picked, facts swapped.
    Rule,
    /// A language model.
    Model,
    /// Of several texts some were made by rule, and a model wrote the others.
    Both,
}

impl MadeBy {
    /// Who made a text from these answers: what has no answer of a model behind it was made by rule.
    pub fn of(answers: &[Digest]) -> Self {
        if answers.is_empty() { Self::Rule } else { Self::Model }
    }

    /// The maker as it is published.
    pub fn name(self) -> &'static str {
        crate::word(&self)
    }

    /// The maker of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Rule, Self::Model, Self::Both].into_iter().find(|one| one.name() == name)
    }

    /// Who made several texts; none if there are none.
    pub fn of_all(makers: impl IntoIterator<Item = Self>) -> Option<Self> {
        makers.into_iter().reduce(|one, other| if one == other { one } else { Self::Both })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_texts_have_one_maker_or_both() {
        use MadeBy::{Both, Model, Rule};
        let all = |makers: &[MadeBy]| MadeBy::of_all(makers.iter().copied());
        assert_eq!([all(&[]), all(&[Rule, Rule]), all(&[Model])], [None, Some(Rule), Some(Model)]);
        assert_eq!([all(&[Rule, Model, Rule]), all(&[Model, Both])], [Some(Both); 2]);
        for one in [Rule, Model, Both] {
            assert_eq!(MadeBy::of_name(one.name()), Some(one));
        }
        assert_eq!(MadeBy::of_name(""), None);
        assert_eq!([MadeBy::of(&[]), MadeBy::of(&[Digest::of(b"a")])], [Rule, Model]);
    }
}
