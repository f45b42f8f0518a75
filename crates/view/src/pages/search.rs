//! Books and questions that say something.

use serde::Serialize;
use storymill_core::Fault;
use storymill_dataset::look::{Filter, Holds};

use super::{Way, list::said, row_path};
use crate::{address::Query, site::Site};

/// Hits of each config that are shown.
const HITS: usize = 20;

#[derive(Serialize)]
struct Page {
    title: String,
    says: String,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Group {
    way: Way,
    count: u64,
    hits: Vec<(Way, String)>,
}

pub(crate) fn page(site: &Site, query: &Query) -> Result<Option<String>, Fault> {
    let says = query.get("says").unwrap_or_default().to_owned();
    let mut groups = Vec::new();
    for config in site.look.configs() {
        if says.is_empty()
            || !(says.contains('/')
                || matches!(
                    config.holds,
                    Holds::Questions | Holds::Books | Holds::Texts | Holds::Scenes
                ))
        {
            continue;
        }
        // Somebody may have sent an id.
        let named = if says.contains('/') && !says.contains(' ') {
            site.look.row(&config.name, &says)?
        } else {
            None
        };
        let filter = Filter { says: Some(says.clone()), ..Filter::default() };
        let found = site.look.list(&config.name, &filter, 0, HITS)?;
        let count = found.wanted + u64::from(named.is_some());
        if count == 0 {
            continue;
        }
        let hits = named.iter().chain(&found.rows).map(|row| {
            let path = match config.holds {
                Holds::Books => format!("book/{}?in={}", row.id, config.name),
                _ => row_path(&config.name, &row.id),
            };
            (Way::new(path, row.id.clone()), around(&row.values, &says))
        });
        let all = Query::default().with("says", &says);
        groups.push(Group {
            way: Way::new(format!("c/{}?{all}", config.name), config.name.clone()),
            count,
            hits: hits.collect(),
        });
    }
    site.draw("search.html", &Page { title: site.title(), says, groups })
}

/// The words around the first hit; the row's first words, if it is in none of its texts alone.
fn around(row: &serde_json::Value, says: &str) -> String {
    let wanted = says.to_lowercase();
    let texts = row.as_object().into_iter().flatten().flat_map(|(_, value)| match value {
        serde_json::Value::Array(all) => {
            all.iter().filter_map(serde_json::Value::as_str).collect::<Vec<_>>()
        }
        value => value.as_str().into_iter().collect(),
    });
    for text in texts {
        let letters: Vec<char> = text.chars().collect();
        let low: String =
            letters.iter().map(|letter| letter.to_lowercase().next().unwrap_or(*letter)).collect();
        let Some(at) = low.find(&wanted) else { continue };
        let at = low[..at].chars().count();
        return whole_words(&letters, at, at + wanted.chars().count());
    }
    said(row)
}

/// Some letters and what stands around them, without half a word at either end.
fn whole_words(letters: &[char], start: usize, end: usize) -> String {
    let blank = |letter: &char| letter.is_whitespace();
    let (mut from, mut to) = (start.saturating_sub(60), (end + 100).min(letters.len()));
    if from > 0 {
        from += letters[from..start].iter().position(blank).unwrap_or(0);
    }
    if to < letters.len() {
        to = end + letters[end..to].iter().rposition(blank).unwrap_or(to - end);
    }
    let part: String = letters[from..to].iter().collect();
    let words = part.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, behind) =
        (if from > 0 { "… " } else { "" }, if to < letters.len() { " …" } else { "" });
    format!("{before}{words}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hit_begins_or_ends_inside_a_word() {
        let text =
            format!("{}the bell of Tarrow {}", "long ago ".repeat(20), "rang again ".repeat(20));
        let letters: Vec<char> = text.chars().collect();
        let at = text.find("bell").unwrap();
        let found = whole_words(&letters, at, at + 4);
        assert!(found.contains("ago the bell of Tarrow rang"), "{found}");
        let words: Vec<&str> = found.split(' ').collect();
        let known = ["…", "long", "ago", "the", "bell", "of", "Tarrow", "rang", "again"];
        assert!(words.iter().all(|word| known.contains(word)), "{found}");
        assert!(found.starts_with("… ") && found.ends_with(" …"), "{found}");
        let short: Vec<char> = "a bell".chars().collect();
        assert_eq!(whole_words(&short, 2, 6), "a bell");
        let one: Vec<char> = "x".repeat(300).chars().collect();
        assert_eq!(whole_words(&one, 150, 151).chars().filter(|c| *c == 'x').count(), 161);
    }
}
