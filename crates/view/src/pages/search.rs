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
                || matches!(config.holds, Holds::Questions | Holds::Books | Holds::Scenes))
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
        let (from, to) =
            (at.saturating_sub(60), (at + wanted.chars().count() + 100).min(letters.len()));
        let part: String = letters[from..to].iter().collect();
        return part.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    said(row)
}
