//! What a page says of itself.

/// What the page says of itself, for want of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSays {
    /// Title.
    pub title: String,
    /// Authors as printed.
    pub authors: Vec<String>,
    /// Language tag.
    pub language: String,
}

impl PageSays {
    /// What is said here, and for want of it there.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            title: if self.title.is_empty() { other.title } else { self.title },
            authors: if self.authors.is_empty() { other.authors } else { self.authors },
            language: if self.language.is_empty() { other.language } else { self.language },
        }
    }
}
