//! Harvest pages: lists of links to files, with a link to the next list.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Url;
use storymill_core::{BookId, Fault, FaultKind, Reason};
use storymill_sources::{links, page_id};

use crate::{
    Event,
    answer::Nothing,
    fetch::{Book, Run},
    journal::{Entry, Leaf},
    layout,
};

impl Run<'_> {
    /// Walks the lists of a harvest. Each book with the addresses of its files, best first.
    pub(crate) fn harvest(&mut self) -> Result<Vec<Book>, Fault> {
        let first = self.order.client.base.as_str();
        let (mut files, mut seen) = (Vec::new(), BTreeSet::new());
        let mut next = Some(first.to_owned());
        while let Some(address) = next.take().filter(|address| seen.insert(address.clone())) {
            let (listed, after) = self.leaf(&address, first)?;
            files.extend(listed);
            next = after;
        }
        let mut books: BTreeMap<BookId, Vec<String>> = BTreeMap::new();
        let mut order = Vec::new();
        let mut barred = None;
        for file in files {
            let Some(id) = numbered(&file) else {
                self.report.nameless += 1;
                continue;
            };
            let allowed = Url::parse(&file).map(|url| self.asker.check(&url));
            if let Ok(Err(why)) = allowed {
                barred.get_or_insert(why);
                continue;
            }
            let addresses = books.entry(id.clone()).or_default();
            if addresses.is_empty() {
                order.push(id);
            }
            addresses.push(file);
        }
        if let Some(why) = barred.filter(|_| books.is_empty()) {
            let message = format!("the harvest cannot be fetched: {why}");
            return Err(Fault::new(FaultKind::Input, message)
                .hint("if it is a mirror, allow it: `--allow-host NAME`"));
        }
        if !self.order.wanted.is_empty() {
            order.clone_from(&self.order.wanted);
        }
        let with_addresses = |id: BookId| {
            let mut addresses = books.remove(&id).unwrap_or_default();
            addresses.sort_by_key(|address| layout::rank(address));
            (id, Some(addresses))
        };
        Ok(order.into_iter().map(with_addresses).collect())
    }

    /// One list of a harvest, from the journal if it was read before.
    fn leaf(&mut self, address: &str, first: &str) -> Result<Leaf, Fault> {
        if let Some(leaf) = self.journal.harvest.get(address).filter(|_| !self.order.refresh) {
            return Ok(leaf.clone());
        }
        let no = |kind, why: String| {
            Fault::new(kind, format!("cannot read the harvest page `{address}`: {why}"))
        };
        let url = Url::parse(address).map_err(|error| no(FaultKind::Input, error.to_string()))?;
        let (files, next) = match self.asker.ask(&url, None, Some(&mut self.journal))? {
            Ok(body) => read(&String::from_utf8_lossy(&body.bytes), &body.url)
                .map_err(|reason| no(FaultKind::Input, reason.detail))?,
            Err((Nothing::Failed, why)) => return Err(no(FaultKind::Again, why)),
            Err((_, why)) => return Err(no(FaultKind::Input, why)),
        };
        self.events.emit(Event::Harvested { url: address, files: files.len() });
        // The list after the last one may be empty; the first one is not, or it is no list.
        if files.is_empty() && next.is_none() {
            if address == first {
                return Err(no(FaultKind::Input, "it lists no files".to_owned())
                    .hint("is it a harvest address, such as `…/robot/harvest?filetypes[]=html`?"));
            }
            return Ok((files, next));
        }
        let entry =
            Entry::Harvest { url: address.to_owned(), files: files.clone(), next: next.clone() };
        self.journal.write(entry)?;
        Ok((files, next))
    }
}

/// Reads a harvest page that came from an address.
fn read(page: &str, from: &Url) -> Result<Leaf, Reason> {
    let (mut files, mut next) = (Vec::new(), None);
    for link in links(page)? {
        let Ok(mut url) = from.join(link.trim()) else { continue };
        url.set_fragment(None);
        let path = url.path().to_ascii_lowercase();
        if [".zip", ".htm", ".html", ".txt", ".txt.utf-8", ".html.images"]
            .iter()
            .any(|end| path.ends_with(end))
        {
            files.push(url.to_string());
        } else if url.path() == from.path() && url.query_pairs().any(|(key, _)| key == "offset") {
            next = Some(url.to_string());
        }
    }
    Ok((files, next.filter(|next| next != from.as_str())))
}

/// The number that a file name holds: `12345-h.zip`, `pg12345.html`.
fn numbered(address: &str) -> Option<BookId> {
    let name = address.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let id = page_id(&format!("{}.html", name.split('.').next().unwrap_or_default()))?;
    id.as_str().bytes().all(|byte| byte.is_ascii_digit()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_the_next_page() {
        let from = Url::parse("http://h/robot/harvest?filetypes[]=html").unwrap();
        let page = "<html><body><p><a href=\"http://m/1/2/12/12-h.zip\">12-h.zip</a></p>\
            <a href='/etext98/2ws1910h.ZIP'>x</a><a href=\"harvest?offset=3&amp;filetypes[]=html\">Next Page</a><a href='/about'>y</a><a>z</a>";
        let (files, next) = read(page, &from).unwrap();
        assert_eq!(files, ["http://m/1/2/12/12-h.zip", "http://h/etext98/2ws1910h.ZIP"]);
        assert_eq!(next.as_deref(), Some("http://h/robot/harvest?offset=3&filetypes[]=html"));
        // A list that would take the whole stack is refused by name.
        let bent = format!("<a {}href=x.zip>", "a=\"\" ".repeat(100_000));
        assert_eq!(read(&bent, &from).unwrap_err().code, "too-many-attributes");
    }
}
