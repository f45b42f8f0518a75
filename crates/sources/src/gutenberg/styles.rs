//! What styles and alignments say of an element, in the terms of the marks.

use super::marks::Marks;

impl Marks {
    /// What a style says.
    pub(crate) fn of_style(style: &str) -> Self {
        let mut marks = Self::NONE;
        for rule in style.split(';') {
            let Some((name, value)) = rule.split_once(':') else { continue };
            let name = name.trim();
            let value = value.trim();
            marks |= if name.eq_ignore_ascii_case("text-align") {
                Self::of_align(value)
            } else if name.eq_ignore_ascii_case("display") && value.eq_ignore_ascii_case("none")
                || name.eq_ignore_ascii_case("visibility") && value.eq_ignore_ascii_case("hidden")
            {
                Self::HIDDEN
            } else if name.eq_ignore_ascii_case("font-weight")
                && (value.eq_ignore_ascii_case("bold") || value == "700")
            {
                Self::BOLD
            } else {
                Self::NONE
            };
        }
        marks
    }

    /// What an `align` attribute says.
    pub(crate) fn of_align(value: &str) -> Self {
        if value.eq_ignore_ascii_case("center") {
            Self::CENTER
        } else if value.eq_ignore_ascii_case("right") {
            Self::RIGHT
        } else {
            Self::NONE
        }
    }
}
