//! A part of a long list.

use std::ops::Range;

/// So many items are a page.
pub(crate) const PER_PAGE: u32 = 50;

/// Which items of a list are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Their places.
    pub(crate) shown: Range<usize>,
    /// What is said below them where there are others.
    pub(crate) told: Option<String>,
}

impl Page {
    /// A page of `all` items, the first where none is named; with 0 a page all of them.
    pub(crate) fn of(all: usize, page: Option<u32>, per_page: u32) -> Self {
        let page = page.unwrap_or(1);
        let per_page = if per_page == 0 { usize::MAX } else { per_page as usize };
        let from = per_page.saturating_mul(page as usize - 1).min(all);
        let shown = from..from.saturating_add(per_page).min(all);
        let last = all.div_ceil(per_page);
        let told = match shown.len() {
            count if count == all => None,
            0 => Some(format!("page {page} is behind the last one, which is {last}")),
            _ => Some(format!(
                "{} to {} of them; page {page} of {last}, `--page` shows another",
                from + 1,
                shown.end
            )),
        };
        Self { shown, told }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_some_of_all() {
        let page = |all, page, per_page| {
            let Page { shown, told } = Page::of(all, page, per_page);
            (shown, told.unwrap_or_default())
        };
        assert_eq!(page(3, None, 50), (0..3, String::new()));
        assert_eq!(page(3, None, 0), (0..3, String::new()));
        let told = "3 to 4 of them; page 2 of 3, `--page` shows another";
        assert_eq!(page(5, Some(2), 2), (2..4, told.to_owned()));
        assert_eq!(page(5, Some(9), 2).1, "page 9 is behind the last one, which is 3");
        assert_eq!(page(5, Some(2), 0).1, "page 2 is behind the last one, which is 1");
        assert_eq!(page(0, Some(2), 2), (0..0, String::new()));
    }
}
