//! What holds at the end of a month apart.

use std::{collections::BTreeSet, sync::Arc};

use storymill_shelf::{Access, Recipient, Shelf};

use super::{
    DECISIONS, Dice, MARK, Said, World, everything, lines, memory::MemoryDisk, opens, versions,
};

impl World {
    fn exchange(&mut self) {
        let count = self.people.len();
        for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
            if from != to {
                self.copies(from, to, 0);
                drop(self.opened(to));
            }
        }
    }

    /// What somebody sees who takes their folder as it lies.
    fn sees(&self, who: usize) -> Option<(BTreeSet<String>, Vec<Recipient>)> {
        let (person, disk) = (&self.people[who], Arc::new(self.disk.clone()));
        let shelf = Shelf::open(&person.folder, disk, &person.key, Access::Look).ok()?;
        shelf.check(|_| true).ok()?;
        Some((everything(&shelf), shelf.recipients().unwrap()))
    }

    pub(super) fn holds(&mut self, dice: &mut Dice) {
        self.exchange();
        self.exchange();
        let all = self.disk.all();
        for (path, bytes) in &all {
            assert!(!String::from_utf8_lossy(bytes).contains(MARK), "{}", path.display());
        }
        // Who opens all operations sees the same, and knows the same as maintainers.
        let log: Vec<_> =
            all.iter().filter(|(path, _)| path.parent().unwrap().ends_with("log")).collect();
        let opens_all = |who: &usize| {
            log.iter().all(|(_, bytes)| opens(bytes, &self.people[*who].key).is_some())
        };
        let sees = |who: usize| Some((who, self.sees(who)?));
        let all: Vec<usize> = (0..self.people.len()).filter(opens_all).collect();
        let whole: Vec<_> = all.iter().copied().filter_map(sees).collect();
        for (other, seen) in whole.iter().skip(1) {
            assert_eq!(*seen, whole[0].1, "{other} {} {:#?}", whole[0].0, self.told);
        }
        let is_member = |who: &usize| whole[0].1.1.contains(&self.people[*who].key.recipient());
        let mut members: Vec<_> = whole.iter().map(|(who, _)| *who).filter(is_member).collect();
        members.retain(|who| self.opened(*who).is_some());
        for who in all {
            self.misses_nothing(who);
        }
        match members.first() {
            Some(who) => self.joins(*who, dice.of(2) == 0),
            None => self.forks(),
        }
    }

    /// Who opens all operations finds all records, once they have taken over what people did who were let out: but for those
    /// that are not sealed to them.
    fn misses_nothing(&mut self, who: usize) {
        let (disk, person) = (MemoryDisk::default(), &self.people[who]);
        disk.put_all(self.disk.all());
        let opened = Shelf::open(&person.folder, Arc::new(disk), &person.key, Access::Change);
        let Ok(shelf) = opened else { return };
        self.settles_late(&shelf, true);
        if let Err(fault) = shelf.check(|_| true) {
            let is_sealed = fault.message.contains("not sealed to your key");
            assert!(is_sealed, "{who}: {fault} {:#?}", self.told);
        }
    }

    /// Somebody who opens everything settles what people did who were let out, and seals all of it anew.
    fn joins(&mut self, who: usize, takes: bool) {
        let shelf = self.opened(who).unwrap();
        self.settles_late(&shelf, takes);
        let open = shelf.conflicts().unwrap();
        let open: BTreeSet<String> = open.into_iter().map(|one| one.item).collect();
        self.count(if open.is_empty() { "settled in the end" } else { "open in the end" });
        if takes {
            self.has_all(&shelf, &open);
        }
        let members = shelf.recipients().unwrap();
        shelf.rekey(&members).unwrap();
        drop(shelf);
        // Nobody else opens a file of the folder.
        self.is_sealed(&self.files(who), &members);
        let shelf = self.opened(who).unwrap();
        shelf.check(|_| true).unwrap();
        for one in shelf.conflicts().unwrap() {
            let is_done = !one.what.contains("sealed to") && !one.item.starts_with("age1");
            assert!(is_done, "{} {} {:#?}", one.item, one.what, self.told);
        }
        let seen = everything(&shelf);
        drop(shelf);
        for other in (0..self.people.len()).filter(|other| *other != who) {
            self.copies(who, other, 0);
            if members.contains(&self.people[other].key.recipient()) {
                let shelf = self.opened(other).expect("all is sealed to them");
                assert_eq!(everything(&shelf), seen, "{who} {other} {:#?}", self.told);
            }
        }
    }

    fn settles_late(&mut self, shelf: &Shelf, takes: bool) {
        loop {
            let mut late = shelf.conflicts().unwrap();
            late.retain(|one| one.item.starts_with("age1") && !one.versions.is_empty());
            let Some(one) = late.first() else { return };
            shelf.settle(&one.item, if takes { 2 } else { 1 }).unwrap();
            self.told.push(format!("{} is settled: {takes}", one.item));
            self.count(if takes { "taken over" } else { "left out" });
        }
    }

    /// What was said and not written over is there, or waits for being settled; and nothing else does.
    fn has_all(&self, shelf: &Shelf, open: &BTreeSet<String>) {
        let (versions, decisions) = (versions(shelf), lines(shelf, DECISIONS));
        for said in &self.decisions {
            assert!(decisions.contains(&said.text), "lost: {said:?} {:#?}", self.told);
        }
        let live: Vec<&Said> =
            self.pairs.iter().filter(|said| !self.replaced.contains(&said.text)).collect();
        for said in &live {
            assert!(versions.contains(&said.text), "lost: {said:?} {:#?}", self.told);
            let others = live.iter().filter(|one| one.pair == said.pair && one.text != said.text);
            for other in others {
                let item = format!("family/{}", said.pair);
                assert!(open.contains(&item), "not shown: {said:?}, {other:?} {:#?}", self.told);
            }
        }
        for text in self.replaced.difference(&self.taken) {
            assert!(!versions.contains(text), "back: {text} {:#?}", self.told);
        }
    }

    /// Nobody opens everything any more. Those who know each other as maintainers see the same once each has sealed all that
    /// they open anew.
    fn forks(&mut self) {
        self.count("nobody opens all");
        for _ in 0..2 {
            for who in 0..self.people.len() {
                let Some(shelf) = self.opened(who) else { continue };
                self.settles_late(&shelf, true);
                drop(shelf.rekey(&shelf.recipients().unwrap()));
                self.closes(who, shelf);
                self.exchange();
            }
        }
        let mut seen: Vec<_> = (0..self.people.len()).map(|who| self.sees(who)).collect();
        // But for what those do meanwhile whom they have let out.
        for (all, _) in seen.iter_mut().flatten() {
            all.retain(|one| !one.contains("was let out before anybody"));
        }
        let knows = |who: usize, other: usize| {
            let key = self.people[other].key.recipient();
            seen[who].as_ref().is_some_and(|(_, members)| members.contains(&key))
        };
        for (a, b) in (0..seen.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if knows(a, a) && knows(a, b) && knows(b, b) && knows(b, a) {
                assert_eq!(seen[a], seen[b], "{a} {b} {:#?}", self.told);
            }
        }
    }
}
