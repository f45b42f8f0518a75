//! Authors as catalogs write them: `Austen, Jane, 1775-1817; Brock, C. E., 1870-1938
//! [Illustrator]`.

use serde::Serialize;
use storymill_core::Author;
use storymill_text::{filter::year, one_line, word::fold};

/// Somebody who had a part in a book without being its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contributor {
    /// The part in small letters: `translator`, `illustrator`, `editor`.
    pub role: String,
    /// Who it is.
    pub agent: Author,
}

/// Parts in a book that are none in its words.
const WORDLESS: [&str; 10] = [
    "illustrator",
    "photographer",
    "engraver",
    "artist",
    "composer",
    "performer",
    "narrator",
    "publisher",
    "printer",
    "transcriber",
];

impl Contributor {
    /// Whether some of the book's words may be theirs.
    pub(super) fn has_words(&self) -> bool {
        !WORDLESS.contains(&self.role.as_str())
    }
}

/// Reads a list of agents: the authors, and everybody else with a role.
pub(super) fn list(cell: &str) -> (Vec<Author>, Vec<Contributor>) {
    let (mut authors, mut others) = (Vec::new(), Vec::new());
    for entry in cell.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let (agent, role) = entry_of(entry);
        let writes =
            matches!(role.as_str(), "" | "creator" | "poet" | "pseud" | "pseud." | "pseudonym")
                || role.contains("author") && !role.contains(" of ");
        if writes {
            authors.push(agent);
        } else {
            others.push(Contributor { role, agent });
        }
    }
    (authors, others)
}

/// An agent as catalogs write it: what [`list`] reads.
pub(super) fn entry(agent: &Author, role: &str) -> String {
    let mut text = agent.name.clone();
    let year = |year: Option<i32>| match year {
        Some(year) if year < 0 => format!("{} BCE", year.unsigned_abs()),
        Some(year) => year.to_string(),
        None => String::new(),
    };
    if agent.birth_year.is_some() || agent.death_year.is_some() {
        text += &format!(", {}-{}", year(agent.birth_year), year(agent.death_year));
    }
    if !role.is_empty() {
        text += &format!(" [{role}]");
    }
    text
}

/// The agent and role of one entry.
pub(super) fn entry_of(entry: &str) -> (Author, String) {
    let entry = one_line(entry);
    let (name, role) = match entry.strip_suffix(']').and_then(|head| head.rsplit_once('[')) {
        Some((name, role)) => (name.trim(), role.trim().to_lowercase()),
        None => (entry.as_ref(), String::new()),
    };
    let (name, dates) = match name.rsplit_once(", ") {
        Some((name, last)) if is_dates(last) => (name, last),
        _ => (name, ""),
    };
    let (birth, death) = dates.split_once('-').unwrap_or((dates, ""));
    // `551 BCE-479 BCE` says it twice, `100-44 BCE` once for both.
    let era = |date: &str| date.to_ascii_uppercase().contains("BC");
    let both = era(death) && !era(birth) && year(birth) > year(death).map(|year| -year);
    let birth = year(birth).map(|year| if both { -year } else { year });
    (named(name.trim_end_matches(','), birth, year(death)), role)
}

fn is_dates(text: &str) -> bool {
    let known = text.bytes().any(|byte| byte.is_ascii_digit()) || text.contains('?');
    known
        && (text.contains('-') || text.contains('?') || year(text).is_some())
        && text.split(|c: char| !c.is_alphabetic()).all(|word| {
            matches!(
                word.to_ascii_lowercase().as_str(),
                "" | "bce"
                    | "bc"
                    | "ce"
                    | "ad"
                    | "circa"
                    | "ca"
                    | "c"
                    | "active"
                    | "fl"
                    | "th"
                    | "century"
                    | "st"
                    | "nd"
                    | "rd"
            )
        })
}

/// An author by name and dates.
///
/// Catalogs in CSV give no agent ids, so the id is the name's words in small letters, sorted, and
/// the year of birth: `Austen, Jane` and `Jane Austen` are one.
pub(super) fn named(name: &str, birth_year: Option<i32>, death_year: Option<i32>) -> Author {
    let folded = fold(name);
    let mut words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    let mut agent_id = words.join("-");
    if let Some(year) = birth_year {
        let era = if year < 0 { "bce" } else { "" };
        agent_id = format!("{agent_id}-{}{era}", year.abs());
    }
    Author { agent_id, name: name.to_owned(), birth_year, death_year }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, expect: &[(&str, &str, Option<i32>, Option<i32>)]) {
        let (authors, _) = list(cell);
        let found: Vec<_> = authors
            .iter()
            .map(|author| {
                (
                    author.agent_id.as_str(),
                    author.name.as_str(),
                    author.birth_year,
                    author.death_year,
                )
            })
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn authors_of_the_catalog() {
        check(
            "Austen, Jane, 1775-1817",
            &[("austen-jane-1775", "Austen, Jane", Some(1775), Some(1817))],
        );
        check(
            "Austen, Jane, 1775-1817; Brock, C. E. (Charles Edmund), 1870-1938 [Illustrator]",
            &[("austen-jane-1775", "Austen, Jane", Some(1775), Some(1817))],
        );
        check("Homer, 751? BCE-651? BCE", &[("homer-751bce", "Homer", Some(-751), Some(-651))]);
        check("Ovid, 43 BCE-18?", &[("ovid-43bce", "Ovid", Some(-43), Some(18))]);
        check("Doe, John, 1850-", &[("doe-john-1850", "Doe, John", Some(1850), None)]);
        check("Doe, John, -1850", &[("doe-john", "Doe, John", None, Some(1850))]);
        check("Anonymous", &[("anonymous", "Anonymous", None, None)]);
        check(
            "Brontë, Emily, 1818-1848 [Author]",
            &[("bronte-emily-1818", "Brontë, Emily", Some(1818), Some(1848))],
        );
        check("Lesslie Hall [Translator]", &[]);
        check("Sand, George [pseud.]", &[("george-sand", "Sand, George", None, None)]);
        check("", &[]);
    }

    #[test]
    fn one_author_has_one_id() {
        let a = named("Austen, Jane", Some(1775), None).agent_id;
        assert_eq!(a, named("Jane Austen", Some(1775), Some(1817)).agent_id);
    }
}
