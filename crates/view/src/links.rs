//! What a path is called where a page lies.

use std::collections::BTreeMap;

use crate::address::encoded;

/// What a path of the site is called on the page that links to it.
#[derive(Clone, Debug)]
pub enum Links {
    /// Behind a server, below this path, which begins and ends with a slash.
    Served(String),
    /// In files beside each other: path to file. What is not among them has no link.
    Files(BTreeMap<String, String>),
}

impl Links {
    /// The link to a path, such as `c/read-along?split=test`; none where it leads nowhere.
    ///
    /// ```
    /// use storymill_view::Links;
    /// assert_eq!(Links::Served("/x/".into()).to("book/s m"), Some("/x/book/s%20m".into()));
    /// assert_eq!(Links::Files([("".into(), "index.html".into())].into()).to("book/84"), None);
    /// ```
    pub fn to(&self, path: &str) -> Option<String> {
        let (path, place) =
            path.split_once('#').map_or((path, None), |(path, at)| (path, Some(at)));
        let (path, query) =
            path.split_once('?').map_or((path, None), |(path, on)| (path, Some(on)));
        let mut link = match self {
            Self::Served(base) => {
                let query = query.map(|query| format!("?{query}")).unwrap_or_default();
                format!("{base}{}{query}", encoded(path, "/"))
            }
            // A file shows one page, whatever is asked of it.
            Self::Files(files) => files.get(path).filter(|_| query.is_none())?.clone(),
        };
        if let Some(place) = place {
            link += &format!("#{place}");
        }
        Some(link)
    }
}
