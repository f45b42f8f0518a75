//! The pages of a desk for a packet: those of the items, the book, and a first page, made beforehand for one person. Votes
//! come back as the forms of these pages.

use std::collections::BTreeMap;

use minijinja::{Value, context};
use storymill_core::{Decision, Digest, Fault};
use storymill_review::Filter;

use super::{App, Page, State, Told, ballot::Form, item, lost, taking, value};
use crate::{address::Query, draw, numbers::counted, pages::Way};

/// What links of a packet begin with. Its script looks for what stands behind.
pub const BASE: &str = "?/";
/// The field that every form of a packet holds, and its value, which says nothing.
pub const FIELD: (&str, &str) = ("packet", "1");

#[derive(serde::Serialize)]
struct Line {
    id: Digest,
    path: String,
    name: String,
}

impl App {
    /// The pages of a queue for its person, by path; that of the packet itself is blank. Each begins with its `header` and
    /// ends with its `main`. Around a passage stands more of the book than on a served page, since behind it there is only
    /// the whole book. `books` are their ids.
    ///
    /// # Errors
    ///
    /// A page cannot be made: a mistake of ours.
    pub fn packed(&self, queue: &str, books: &[String]) -> Result<BTreeMap<String, String>, Fault> {
        let state = self.state();
        let query = Query::of("around=1");
        let rows = state.desk().page(queue, &state.person, Filter::All, 0, usize::MAX);
        let line = |row: &storymill_review::Row<'_>| Line {
            id: row.id,
            path: format!("q/{queue}/{}", row.id),
            name: row.item.review.item.clone(),
        };
        let items: Vec<Line> = rows.iter().map(line).collect();
        let ways: Vec<Way> =
            books.iter().map(|book| Way::new(format!("book/{book}"), book.as_str())).collect();
        let mut pages = BTreeMap::new();
        for one in &items {
            let page = item::page(self, &state, &one.id.to_string(), false, &query);
            pages.insert(one.path.clone(), body(page)?);
        }
        for (way, book) in ways.iter().zip(books) {
            let text = self.books.text(book).unwrap_or_default();
            let text = draw::paragraphs(&text);
            let values = context! { name => book.as_str(), text };
            pages.insert(way.path.clone(), self.of_packet(&state, "packet_book", values)?);
        }
        let sentence = format!("{} for {}", counted(items.len() as u64, "item"), state.person);
        let values = context! { sentence, items => value(&items), books => value(&ways) };
        pages.insert(String::new(), self.of_packet(&state, "packet", values)?);
        pages.insert("keys".to_owned(), self.of_packet(&state, "keys", context! {})?);
        Ok(pages)
    }

    fn of_packet(&self, state: &State, template: &str, values: Value) -> Result<String, Fault> {
        let values = context! { in_packet => true, ..values };
        body(self.page(state, &Query::default(), &format!("desk/{template}.html"), values))
    }

    /// The lines that the form of an item says, checked and not saved.
    ///
    /// # Errors
    ///
    /// There is no such item, or the form says what cannot be said of it.
    pub fn said(&self, id: &str, fields: &[(String, String)]) -> Result<Vec<Decision>, Fault> {
        let (state, form) = (self.state(), Form::new(fields, &self.session));
        if !form.get("do").is_empty() {
            return Err(lost("a packet has no earlier decisions to carry over or to drop"));
        }
        taking::said(self, &state, id, false, form)
    }
}

/// A page from its header to the end of its text.
fn body(page: Page) -> Result<String, Fault> {
    let Told::Page(reply) = page? else { return Err(lost("there is no such page")) };
    let page = reply.body;
    let from = page.find("<header>").unwrap_or_default();
    let to = page.rfind("</body>").unwrap_or(page.len());
    Ok(page[from..to].to_owned())
}

#[cfg(test)]
mod tests {
    use storymill_review::Item;

    use super::{
        super::{
            Setting,
            tests::{One, Shared, TEXT, review},
        },
        *,
    };
    use std::sync::{Arc, Mutex};
    use storymill_core::ReviewRule;
    use storymill_review::Desk;

    fn app() -> (App, Vec<Digest>) {
        let item = |name: &str| Item {
            step: "books".into(),
            unit: "mill".parse().unwrap(),
            review: review(name, "preface", &format!("what is {name}?")),
        };
        let items = vec![item("one"), item("two")];
        let ids = items.iter().map(|item| item.review.id()).collect();
        let desk = Desk::new(items, Vec::new(), ReviewRule::PLAIN);
        let kept = Box::new(Shared { desk, lines: Arc::new(Mutex::default()) });
        let books = Box::new(One(Arc::from(TEXT)));
        let app = App::new(kept, books, Setting::default(), BASE, FIELD).unwrap();
        (app.with_person("bob"), ids)
    }

    #[test]
    fn every_link_of_a_packet_leads_to_a_page_of_it() {
        let (app, ids) = app();
        let pages = app.packed("cuts", &["mill".to_owned()]).unwrap();
        assert_eq!(pages.len(), ids.len() + 3);
        assert!(pages[""].contains("2 items for bob"), "{}", pages[""]);
        assert!(pages["book/mill"].contains("<p>Nobody came.</p>"));
        for (path, page) in &pages {
            assert!(page.starts_with("<header>") && page.trim_end().ends_with("</main>"), "{path}");
            for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                let to = link.strip_prefix(BASE).unwrap_or_else(|| panic!("{link} in {path}"));
                let to = to.split('?').next().unwrap();
                assert!(pages.contains_key(to) || to == "q/cuts", "{link} in {path}");
            }
        }
    }

    #[test]
    fn a_form_is_checked_and_not_saved() {
        let (app, ids) = app();
        let id = ids[1].to_string();
        let say = |fields: &[(&str, &str)]| {
            let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            app.said(&id, &fields.iter().map(own).collect::<Vec<_>>())
        };
        let lines = say(&[("choice", "cut"), ("note", "short"), ("seconds", "7")]).unwrap();
        assert_eq!(lines.len(), 1);
        assert_eq!((&*lines[0].by, &*lines[0].choice, lines[0].seconds), ("bob", "cut", 7));
        assert!(app.state().desk().lines().next().is_none());
        for wrong in [
            &[("choice", "eat")][..],
            &[],
            &[("choice", "cut"), ("do", "drop")],
            &[("choice", "cut"), ("choice", "keep")],
            &[("choice", "cut"), ("seconds", "soon")],
            &[("choice", "cut"), ("more", "1")],
        ] {
            assert!(say(wrong).is_err(), "{wrong:?}");
        }
        assert!(app.said("ffff", &[]).is_err());
    }
}
