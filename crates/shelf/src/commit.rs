//! Making a change of the shelf: its operation is written last, and what it takes the place of is removed after that.

use std::collections::BTreeSet;

use storymill_core::{Fault, FaultKind};

use crate::{
    Access, Change, Private, Recipient, Shelf,
    before::INDEX,
    letter,
    log::Known,
    opening::FORMAT,
    operation::Operation,
    records::{LOG, RECORDS, operation_of},
    shelf::{Lying, Stand},
};

/// So many bytes are sealed anew in one step.
const AT_ONCE: u64 = 64 << 20;

impl Shelf {
    /// Changes files in one step: all of it, or nothing.
    pub fn change<T>(
        &self,
        make: impl FnOnce(&mut Change<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.access == Access::Look {
            return Err(Fault::new(FaultKind::Internal, "the shelf was opened to look at it"));
        }
        // The log stays locked: changes come one after the other.
        let mut stand = self.stand();
        let step = stand.step + 1;
        if step == 1 {
            // A copy by git has no empty folders.
            for folder in [RECORDS, LOG] {
                let made = self.disk.create_dir_all(&self.root.join(folder));
                made.map_err(|error| Fault::io("cannot change the shelf", &self.root, error))?;
            }
        }
        let mut change = Change::new(self, stand.fold.state.expose().clone(), step);
        if stand.fold.is_unsigned {
            change.sign_for(&self.key.recipient());
        }
        let made = make(&mut change);
        // An index of before goes with the first change.
        let adopts = change.adopts || stand.lying.iter().any(|one| one.name == INDEX);
        let fresh = change.fresh;
        let (mut next, news) = (change.next, change.news);
        let ready = made.and_then(|made| {
            let author = self.key.signing().signer();
            next.expose_mut().step(self.tag, step, author, news.expose());
            let mut own = Private::new(stand.own.expose().clone());
            if adopts {
                own = Private::new(next.expose().clone());
            } else {
                own.expose_mut().join(news.expose());
                own.expose_mut().step(self.tag, step, author, news.expose());
                own.expose_mut().sayings.clone_from(&next.expose().sayings);
                own.expose_mut().authors.clone_from(&next.expose().authors);
            }
            let seen = Known { upto: next.expose().known.upto.clone(), also: BTreeSet::new() };
            let bytes = Operation::signed(own.expose(), &seen, &self.key).map_err(|error| {
                Fault::new(FaultKind::Internal, "cannot sign an operation").because(error)
            })?;
            let sealed = letter::seal(bytes.expose(), &next.expose().recipients())?;
            Ok((made, own, sealed))
        });
        let (made, own, sealed) = ready.inspect_err(|_| self.undo(&fresh))?;
        let name = operation_of(&sealed);
        let written = self.commit(&name, &sealed, &fresh);
        if let Err((fault, false)) = written {
            return Err(fault);
        }
        // It lies there, and may be lost in a power cut: then what it takes the place of stays.
        let records = own.expose().records.keys().cloned().collect();
        let known = own.expose().known.clone();
        stand.fold.after(next);
        (stand.own, stand.step) = (own, step);
        let author = Some(self.key.signing().signer());
        stand.lying.push(Lying { name, author, known, records });
        written.map_err(|(fault, _)| fault)?;
        self.sweep(&mut stand);
        if step == 1 {
            // This is for older versions, which else would look for what is no longer there.
            let (path, scratch) = (self.root.join("FORMAT"), self.root.join("FORMAT.new"));
            if self.disk.read(&path).is_ok_and(|now| now != FORMAT.as_bytes()) {
                let _ = self.disk.put(&path, &scratch, FORMAT.as_bytes());
            }
        }
        Ok(made)
    }

    /// Removes operations all of which the last one of this process says too, or a later one of their author, and the records
    /// that they alone need.
    fn sweep(&self, stand: &mut Stand) {
        let all = std::mem::take(&mut stand.lying);
        let last = all.last().map(|last| last.name.clone()).unwrap_or_default();
        let left = &stand.fold.state.expose().left;
        // What others have taken over of somebody stays as long as they may be let out themselves.
        let says = |by: &Lying, one: &Lying| {
            let is_later = by.author == one.author && !one.known.covers(&by.known);
            by.known.covers(&one.known) && (by.name == last || is_later)
        };
        let is_gone = |one: &Lying| {
            let is_said = || all.iter().any(|by| by.name != one.name && says(by, one));
            one.name != last && (left.contains_key(&one.name) || is_said())
        };
        let (gone, kept): (Vec<Lying>, Vec<Lying>) = all.iter().cloned().partition(is_gone);
        stand.lying = kept;
        let needed: BTreeSet<&String> = stand.lying.iter().flat_map(|one| &one.records).collect();
        for one in gone {
            let records = one.records.iter().filter(|name| !needed.contains(name));
            self.drop_operation(&one.name, records);
        }
    }

    /// Seals everything anew to other recipients. Records go over in several steps if they are many; a shelf in which this was
    /// not finished [says](Self::conflicts) so.
    ///
    /// # Errors
    ///
    /// The key that the shelf was opened with would not be among them, or the disk fails.
    pub fn rekey(&self, recipients: &[Recipient]) -> Result<(), Fault> {
        if !recipients.contains(&self.key.recipient()) {
            return Err(Fault::new(FaultKind::Input, "you would lock yourself out")
                .hint("let another maintainer remove this key"));
        }
        let (mut steps, mut bytes) = (vec![Vec::new()], 0);
        for (record, size) in self.state().expose().sizes() {
            if bytes >= AT_ONCE {
                (steps, bytes) = ([steps, vec![Vec::new()]].concat(), 0);
            }
            steps.last_mut().into_iter().for_each(|step| step.push(record.clone()));
            bytes = size.saturating_add(bytes);
        }
        steps.iter().enumerate().try_for_each(|(at, records)| {
            self.change(|change| {
                if at == 0 {
                    change.seal_to(recipients);
                }
                change.seal_anew(records)
            })
        })
    }
}
