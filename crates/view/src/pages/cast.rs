//! Casts: who is who in a book, what each name became, in passages.

use std::collections::BTreeMap;

use serde::Serialize;
use storymill_core::Fault;

use super::Way;
use crate::{
    build::{CastList, Person, Renamed},
    marks::Piece,
    numbers::{counted, thousands},
    site::Site,
};

/// Passages of a name that are shown.
const PASSAGES: usize = 3;
/// Bytes of text on each side of a name.
const AROUND: usize = 110;

#[derive(Serialize)]
struct ListPage {
    title: String,
    books: Vec<Way>,
}

/// The books that have a cast.
pub(crate) fn list(site: &Site) -> Result<Option<String>, Fault> {
    let books = books(site)?;
    if books.is_empty() {
        return Ok(None);
    }
    let way = |book: &String| -> Result<Way, Fault> {
        Ok(Way::new(format!("cast/{book}"), super::book::title(site, &[], book)?))
    };
    let books = books.iter().map(way).collect::<Result<_, _>>()?;
    site.draw("casts.html", &ListPage { title: site.title(), books })
}

/// The books that have a cast, or a table of names.
pub(crate) fn books(site: &Site) -> Result<Vec<String>, Fault> {
    let mut books = site.build.as_ref().map(|build| build.casts()).unwrap_or_default();
    if let Some(config) = super::book::substituted(site) {
        books.extend(site.look.counts_of(&config, "book_id")?.into_iter().map(|(book, _)| book));
    }
    books.sort();
    books.dedup();
    Ok(books)
}

#[derive(Serialize)]
struct Page {
    title: String,
    book: String,
    name: String,
    read: Way,
    facts: Vec<(String, String)>,
    renames: bool,
    people: Vec<PersonView>,
    places: Vec<PersonView>,
    nobody: Vec<(String, String)>,
}

#[derive(Serialize)]
struct PersonView {
    name: String,
    gender: String,
    seen: String,
    keeps: bool,
    parts: Vec<PartView>,
    passages: Vec<Vec<Piece>>,
}

#[derive(Serialize)]
struct PartView {
    part: String,
    substitute: String,
    role: String,
    count: String,
}

pub(crate) fn page(site: &Site, book: &str) -> Result<Option<String>, Fault> {
    let built = match &site.build {
        Some(build) => build.cast(book)?,
        None => None,
    };
    let published = |site: &Site| published(site, book);
    let (list, is_new) = match built {
        Some(list) => (list, false),
        None => match published(site)? {
            Some(list) => (list, true),
            None => return Ok(None),
        },
    };
    let shower = Shower::new(&list, is_new);
    let people: Vec<PersonView> = list.people.iter().map(|one| shower.person(one)).collect();
    let places: Vec<PersonView> = list.places.iter().map(|one| shower.person(one)).collect();
    let mut facts = vec![("People".to_owned(), thousands(people.len() as u64))];
    if !places.is_empty() {
        facts.push(("Places".to_owned(), thousands(places.len() as u64)));
    }
    if !list.names.is_empty() {
        let all: u64 = list.names.iter().map(|one| u64::from(one.count)).sum();
        facts.push(("Names replaced".to_owned(), thousands(list.names.len() as u64)));
        facts.push(("At".to_owned(), counted(all, "place")));
    }
    let page = Page {
        title: site.title(),
        book: book.to_owned(),
        name: super::book::title(site, &[], book)?,
        read: Way::new(format!("book/{book}"), "read the book"),
        facts,
        renames: !list.names.is_empty(),
        people,
        places,
        nobody: list.nobody.clone(),
    };
    site.draw("cast.html", &page)
}

/// What a published table of names tells: parts alone, and the text with the new names.
fn published(site: &Site, book: &str) -> Result<Option<CastList>, Fault> {
    let Some(config) = super::book::substituted(site) else { return Ok(None) };
    let rows = site.look.of(&config, "book_id", book)?;
    if rows.is_empty() {
        return Ok(None);
    }
    let text =
        |row: &serde_json::Value, column: &str| row[column].as_str().unwrap_or_default().to_owned();
    let names: Vec<Renamed> = rows
        .iter()
        .map(|row| Renamed {
            part: text(&row.values, "part"),
            substitute: text(&row.values, "substitute"),
            role: text(&row.values, "role"),
            count: row.values["count"].as_u64().and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
        })
        .collect();
    let person = |name: &Renamed| Person {
        name: name.part.clone(),
        gender: String::new(),
        parts: vec![name.part.clone()],
        seen: name.count,
        keeps: false,
    };
    // Scenes with other names may stand beside those with their own: those that say most of the new names.
    let mut best = (0, String::new(), Vec::new());
    for config in site.look.configs() {
        let scenes = site.look.scenes(book, std::slice::from_ref(&config.name))?;
        let text: Vec<&str> = scenes.iter().map(|scene| scene.text.as_str()).collect();
        let text = text.join("\n");
        let at = places(&text, names.iter().map(|name| name.substitute.as_str()));
        if at.len() > best.0 {
            best = (at.len(), text, at);
        }
    }
    let (_, text, at) = best;
    let people = names.iter().filter(|name| name.count > 0).map(person).collect();
    Ok(Some(CastList { people, names, text, at, ..CastList::default() }))
}

/// Every place where one of some words stands as a word of its own, in order, with which of them it is.
fn places<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> Vec<(usize, usize, usize)> {
    let wanted: BTreeMap<&str, usize> =
        words.zip(0..).filter(|(word, _)| !word.is_empty()).collect();
    let mut found = Vec::new();
    let mut start = None;
    let ends = text.char_indices().chain([(text.len(), ' ')]);
    for (at, letter) in ends {
        if letter.is_alphanumeric() || (letter == '-' && start.is_some()) {
            start.get_or_insert(at);
        } else if let Some(from) = start.take()
            && let Some(which) = wanted.get(&text[from..at])
        {
            found.push((from, at, *which));
        }
    }
    found
}

/// Shows people with their names and passages.
struct Shower<'l> {
    list: &'l CastList,
    /// Whether the text has the new names.
    is_new: bool,
    /// Which places of the text name each part.
    at: Vec<(usize, usize, usize)>,
    /// The parts that places of the text speak of.
    parts: Vec<&'l str>,
}

impl<'l> Shower<'l> {
    fn new(list: &'l CastList, is_new: bool) -> Self {
        if !list.names.is_empty() {
            let parts = list.names.iter().map(|name| name.part.as_str()).collect();
            return Self { list, is_new, at: list.at.clone(), parts };
        }
        let everybody = list.people.iter().chain(&list.places);
        let mut parts: Vec<&str> =
            everybody.flat_map(|one| one.parts.iter().map(String::as_str)).collect();
        parts.sort_unstable();
        parts.dedup();
        Self { list, is_new, at: places(&list.text, parts.iter().copied()), parts }
    }

    fn person(&self, one: &Person) -> PersonView {
        let own: Vec<usize> = (0..self.parts.len())
            .filter(|at| one.parts.iter().any(|part| part == self.parts[*at]))
            .collect();
        let at: Vec<usize> =
            (0..self.at.len()).filter(|at| own.contains(&self.at[*at].2)).collect();
        // The first place, the last, and one between.
        let mut shown = vec![0, at.len() / 2, at.len().saturating_sub(1)];
        shown.dedup();
        shown.truncate(PASSAGES);
        let passages = shown.into_iter().filter_map(|which| at.get(which));
        let part = |name: &String| {
            let renamed = self.list.names.iter().find(|renamed| renamed.part == *name);
            PartView {
                part: name.clone(),
                substitute: renamed.map(|one| one.substitute.clone()).unwrap_or_default(),
                role: renamed.map(|one| one.role.clone()).unwrap_or_default(),
                count: renamed.map(|one| thousands(one.count.into())).unwrap_or_default(),
            }
        };
        PersonView {
            name: one.name.clone(),
            gender: one.gender.clone(),
            seen: counted(one.seen.into(), "time"),
            keeps: one.keeps,
            parts: one.parts.iter().map(part).collect(),
            passages: passages.map(|at| self.passage(*at, &own)).collect(),
        }
    }

    /// The words around a place, with every name in them as it was and as it is.
    fn passage(&self, at: usize, own: &[usize]) -> Vec<Piece> {
        let text = &self.list.text;
        let (start, end, _) = self.at[at];
        let mut from = start.saturating_sub(AROUND);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let mut to = (end + AROUND).min(text.len());
        while !text.is_char_boundary(to) {
            to -= 1;
        }
        // Whole words.
        if from > 0 {
            let blank = text[from..start].char_indices().find(|(_, c)| c.is_whitespace());
            from += blank.map_or(0, |(at, c)| at + c.len_utf8());
        }
        if to < text.len() {
            to = end + text[end..to].rfind(char::is_whitespace).unwrap_or(to - end);
        }
        let mut pieces = Vec::new();
        let mut done = from;
        let names = self.at.iter().filter(|(start, end, _)| from <= *start && *end <= to);
        for (start, end, which) in names {
            put(&mut pieces, "", &text[done..*start]);
            let word = &text[*start..*end];
            match self.list.names.get(*which) {
                None if own.contains(which) => put(&mut pieces, "evidence", word),
                None => put(&mut pieces, "", word),
                Some(renamed) if self.is_new => {
                    put(&mut pieces, "gone", &renamed.part);
                    put(&mut pieces, "new", word);
                }
                Some(renamed) => {
                    put(&mut pieces, "gone", word);
                    put(&mut pieces, "new", &shaped(&renamed.substitute, word));
                }
            }
            done = *end;
        }
        put(&mut pieces, "", &text[done..to]);
        pieces
    }
}

/// A substitute in capitals where the name stands in capitals.
fn shaped(substitute: &str, word: &str) -> String {
    let capitals = word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
    if capitals { substitute.to_uppercase() } else { substitute.to_owned() }
}

fn put(pieces: &mut Vec<Piece>, is: &'static str, text: &str) {
    if !text.is_empty() {
        let text = text.replace("\n\n", " ").replace('\n', " ");
        pieces.push(Piece { is, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> CastList {
        let renamed = |part: &str, substitute: &str| Renamed {
            part: part.to_owned(),
            substitute: substitute.to_owned(),
            ..Renamed::default()
        };
        let text = "“Ann!” said TOM. Annette laughed, and Ann too.".to_owned();
        CastList {
            people: vec![Person {
                name: "Ann".to_owned(),
                parts: vec!["Ann".to_owned()],
                ..Person::default()
            }],
            names: vec![renamed("Ann", "Eve"), renamed("Tom", "Max")],
            at: places(&text, ["Ann", "TOM"].into_iter()),
            text,
            ..CastList::default()
        }
    }

    #[test]
    fn a_passage_shows_old_and_new() {
        let list = list();
        let shower = Shower::new(&list, false);
        let view = shower.person(&list.people[0]);
        assert_eq!(view.passages.len(), 2);
        let told = |is: &str| {
            let all = view.passages[0].iter().filter(|piece| piece.is == is);
            all.map(|piece| piece.text.clone()).collect::<Vec<_>>().join("|")
        };
        assert_eq!((told("gone"), told("new")), ("Ann|TOM|Ann".into(), "Eve|MAX|Eve".into()));
        assert!(told("").contains("Annette"), "a name inside a word is none");
    }

    #[test]
    fn without_substitutes_names_are_marked() {
        let list = CastList { names: Vec::new(), at: Vec::new(), ..list() };
        let view = Shower::new(&list, false).person(&list.people[0]);
        assert_eq!(view.passages[0].iter().filter(|piece| piece.is == "evidence").count(), 2);
    }
}
