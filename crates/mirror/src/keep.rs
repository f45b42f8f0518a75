//! What becomes of pages: new ones are pinned, those that are as pinned stay, and those that changed are
//! told, taken or thrown away, as the order has it.

use storymill_core::{BookId, Fault};
use storymill_sources::sha256;

use crate::{
    Change, Changed, Event, Missing, Pin, change,
    fetch::Run,
    journal::{Entry, Marks},
    page::{self, Page},
    page_folder,
};

impl Run<'_> {
    /// Looks at what is there of a book. Whether it has to be asked for.
    pub(crate) fn look(&mut self, id: &BookId) -> Result<bool, Fault> {
        let pin = self.lock.pins.get(id.as_str()).cloned();
        if let Some(pin) = &pin
            && let Some(bytes) = page_folder::read(&self.shelf.ready(id))?
        {
            // A run before was ended just before the page came to its place.
            if sha256(&bytes) == pin.sha256 && self.shelf.file(id).is_none() {
                self.shelf.write(id, &pin.file, &bytes)?;
            }
            page_folder::remove(&self.shelf.ready(id))?;
        }
        let Some(file) = self.shelf.file(id).map(str::to_owned) else { return Ok(true) };
        let bytes = self.shelf.read(&file)?.unwrap_or_default();
        let own = Pin::of(id, file, &bytes, String::new());
        match pin {
            Some(pin) if pin.sha256 == own.sha256 => {
                if self.order.refresh || self.waiting(&pin, &bytes)? {
                    return Ok(self.order.refresh);
                }
                self.report.there += 1;
                Ok(false)
            }
            Some(pin) if self.order.changed != Changed::Accept => {
                let change = change_of(&pin, None, &bytes, "");
                let change = Change { file: own.file, aside: String::new(), ..change };
                self.report.changed.push(change);
                Ok(false)
            }
            pin => {
                self.report.adopted += 1;
                self.lock.pins.insert(id.to_string(), own);
                Ok(pin.is_none() && self.order.refresh)
            }
        }
    }

    /// A changed page that an earlier run laid aside is told again, taken, or thrown away.
    fn waiting(&mut self, pin: &Pin, old: &[u8]) -> Result<bool, Fault> {
        let aside = self.shelf.changed(&pin.file);
        let Some(new) = page_folder::read(&aside)? else { return Ok(false) };
        let from = pin.from.clone();
        match self.order.changed {
            Changed::Report => {
                self.report.changed.push(change_of(pin, Some(old), &new, &pin.file));
            }
            Changed::Accept => {
                let ending = page::ending(&pin.file);
                self.pin(&pin.id, &Page { bytes: new, ending }, from, None)?;
            }
            Changed::Keep => {
                page_folder::remove(&aside)?;
                page_folder::remove(&aside.with_extension("diff"))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A page came: it is new, as pinned, or changed.
    pub(crate) fn take(
        &mut self,
        id: &BookId,
        page: &Page,
        from: String,
        marks: Marks,
    ) -> Result<(), Fault> {
        let pin = self.lock.pins.get(id.as_str()).cloned();
        let bytes = page.bytes.len() as u64;
        let changed = pin.filter(|pin| pin.sha256 != sha256(&page.bytes));
        match changed {
            Some(pin) if self.order.changed != Changed::Accept => {
                // Pages are only kept where there is an old one.
                if self.order.changed == Changed::Keep && self.shelf.file(id).is_none() {
                    let why = "the page is not the one that was pinned any more, and that one is not here to be kept (`--changed accept` takes what there is)";
                    self.events.emit(Event::NoPage { id, why });
                    let why = why.to_owned();
                    self.report.missing.push(Missing { id: id.clone(), why, passing: false });
                    return Ok(());
                }
                if self.order.changed == Changed::Report {
                    let old = self.shelf.read(&pin.file)?;
                    let change = change_of(
                        &pin,
                        old.as_deref(),
                        &page.bytes,
                        &format!("{id}{}", page.ending),
                    );
                    let aside = self.shelf.changed(&pin.file);
                    page_folder::write_whole(&aside, &page.bytes)?;
                    page_folder::write_whole(
                        &aside.with_extension("diff"),
                        change.diff.as_bytes(),
                    )?;
                    self.report.changed.push(change);
                }
            }
            _ => self.pin(id, page, from, Some(marks))?,
        }
        self.events.emit(Event::Page { id, bytes });
        Ok(())
    }

    /// Keeps a page and pins it: first the page beside its place, then the note of it, then the place.
    fn pin(
        &mut self,
        id: &BookId,
        page: &Page,
        from: String,
        marks: Option<Marks>,
    ) -> Result<(), Fault> {
        let old = self.lock.pins.get(id.as_str()).map(|pin| pin.file.clone());
        let kept = old.clone().filter(|old| {
            let lower = old.to_ascii_lowercase();
            page::ending(&lower) == page.ending
                && (lower.ends_with("htm") || lower.ends_with(page.ending))
        });
        let file = kept.unwrap_or_else(|| format!("{id}{}", page.ending));
        let pin = Pin::of(id, file.clone(), &page.bytes, from);
        let ready = self.shelf.ready(id);
        page_folder::write_whole(&ready, &page.bytes)?;
        let marks =
            marks.or_else(|| self.journal.marks.get(id.as_str()).cloned()).unwrap_or_default();
        self.journal.write(Entry::Page { pin: pin.clone(), marks })?;
        let accepted = self.lock.pins.insert(id.to_string(), pin.clone()).is_some();
        if accepted {
            self.lock.write(&self.order.lock)?;
            let aside = self.shelf.changed(&file);
            page_folder::remove(&aside)?;
            page_folder::remove(&aside.with_extension("diff"))?;
        }
        self.shelf.write(id, &file, &page.bytes)?;
        if let Some(old) = old.filter(|old| *old != file) {
            self.shelf.remove(&old)?;
        }
        page_folder::remove(&ready)?;
        self.report.fetched.push(pin);
        Ok(())
    }
}

fn change_of(pin: &Pin, old: Option<&[u8]>, new: &[u8], name: &str) -> Change {
    let texts = old.and_then(|old| change::texts(old, new, name));
    let (paragraphs, diff) = texts.map_or((None, String::new()), |(p, diff)| (Some(p), diff));
    Change {
        id: pin.id.clone(),
        file: pin.file.clone(),
        aside: format!(".fetch/changed/{}", pin.file),
        was: pin.sha256.clone(),
        is: sha256(new),
        paragraphs,
        diff,
    }
}
