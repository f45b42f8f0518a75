//! Three people with three copies of a shelf: they add, remove, let in and out, copy parts to each other, put back what was,
//! and are killed; somebody who was never let in writes into the folders. Laws that hold all the way.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

mod memory;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use memory::MemoryDisk;
use storymill_core::FaultKind;
use storymill_shelf::{Access, Key, Pins, Recipient, Shelf, letter};

const MARK: &str = "xyzzyplugh";

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn of(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }
}

struct Person {
    key: Key,
    folder: PathBuf,
    /// Whom this person takes the shelf to be sealed to; none before they have opened it.
    believes: Option<BTreeSet<String>>,
    /// The folder as it was after each thing that went well.
    copies: Vec<BTreeMap<PathBuf, Vec<u8>>>,
    /// What this person put on the shelf, and nobody took off.
    kept: BTreeSet<String>,
}

struct World {
    disk: MemoryDisk,
    people: Vec<Person>,
    stranger: Key,
    told: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
}

fn names(recipients: &[Recipient]) -> BTreeSet<String> {
    recipients.iter().map(ToString::to_string).collect()
}

fn opens(sealed: &[u8], key: &Key) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut letter = letter::open(sealed, key).ok()?;
    std::io::Read::read_to_end(&mut letter, &mut bytes).ok()?;
    Some(bytes)
}

impl World {
    fn new() -> Self {
        let disk = MemoryDisk::default();
        let keys: Vec<Key> = (0..3).map(|_| Key::mint().unwrap()).collect();
        let others: Vec<Recipient> = keys[1..].iter().map(Key::recipient).collect();
        let people: Vec<Person> = ["/ann", "/bob", "/cat"]
            .iter()
            .zip(keys)
            .map(|(folder, key)| Person {
                key,
                folder: Path::new(folder).join("shelf"),
                believes: None,
                copies: Vec::new(),
                kept: BTreeSet::new(),
            })
            .collect();
        let mut world = Self {
            disk,
            people,
            stranger: Key::mint().unwrap(),
            told: Vec::new(),
            counts: BTreeMap::new(),
        };
        let ann = &world.people[0];
        let disk = Arc::new(world.disk.clone());
        let mut shelf = Shelf::make(&ann.folder, disk, &ann.key, &others).unwrap();
        shelf.remember(world.pins(0)).unwrap();
        drop(shelf);
        world.people[0].believes =
            Some(world.people.iter().map(|one| one.key.recipient().to_string()).collect());
        // All have taken it as it lies before anybody forges.
        for to in 1..3 {
            world.copy(0, to, |_| true);
            let (person, pins) = (&world.people[to], world.pins(to));
            Shelf::trust(&person.folder, &world.disk, &person.key, &pins).unwrap();
            drop(world.opened(to).unwrap());
            world.confirmed(to);
        }
        world
    }

    fn pins(&self, who: usize) -> Pins {
        let folder = &self.people[who].folder;
        let path = folder.with_file_name("key.seen");
        Pins::new(Arc::new(self.disk.clone()), path, std::slice::from_ref(folder))
    }

    fn open(&self, who: usize) -> Result<Shelf, storymill_core::Fault> {
        let person = &self.people[who];
        let disk = Arc::new(self.disk.clone());
        Shelf::open_seen(&person.folder, disk, &person.key, Access::Change, self.pins(who))
    }

    fn copy(&mut self, from: usize, to: usize, which: impl FnMut(&Path) -> bool) {
        let (from, to) = (self.people[from].folder.clone(), self.people[to].folder.clone());
        self.disk.copy(&from, &to, which);
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Opens the shelf as a person does who trusts what is there only if no stranger is let in by it; else they put back
    /// a copy.
    fn opened(&mut self, who: usize) -> Option<Shelf> {
        for _ in 0..2 {
            match self.open(who) {
                Ok(shelf) => {
                    let now = names(&shelf.recipients().unwrap());
                    match &self.people[who].believes {
                        // Who has not asked for it finds nobody let in nor out.
                        Some(believed) => assert_eq!(&now, believed, "{:?}", self.told),
                        None => self.people[who].believes = Some(now),
                    }
                    self.count("opened");
                    return Some(shelf);
                }
                Err(fault) if fault.kind == FaultKind::Store => {
                    self.count("refused");
                    let person = &self.people[who];
                    let departure =
                        Shelf::departure(&person.folder, &self.disk, &person.key, &self.pins(who));
                    match departure {
                        Ok(Some(said))
                            if !said.contains(&self.stranger.recipient().to_string())
                                && !said.contains("was signed when")
                                && !said.contains("another shelf") =>
                        {
                            self.told.push(format!("{who} trusts: {said}"));
                            Shelf::trust(&person.folder, &self.disk, &person.key, &self.pins(who))
                                .ok()?;
                            let shelf = self.open(who).ok()?;
                            self.people[who].believes = Some(names(&shelf.recipients().unwrap()));
                            self.count("trusted");
                            return Some(shelf);
                        }
                        _ => self.put_back(who),
                    }
                }
                // Who was let out opens nothing.
                Err(_) => return None,
            }
        }
        None
    }

    /// Puts the last copy back, over what is there.
    fn put_back(&mut self, who: usize) {
        self.told.push(format!("{who} puts the last copy back"));
        if let Some(copy) = self.people[who].copies.last().cloned() {
            self.disk.put_all(copy);
        }
    }

    fn step(&mut self, dice: &mut Dice, number: usize) {
        let who = dice.of(3);
        match dice.of(12) {
            0..=3 => self.changes(who, dice, number),
            4 => self.rekeys(who, dice),
            5..=7 => {
                let (to, some) = ((who + 1 + dice.of(2)) % 3, dice.of(3));
                self.told.push(format!("{who} to {to}, {}", ["all", "some", "the index"][some]));
                self.count(["synced whole", "synced in part", "synced the index"][some]);
                self.copy(who, to, |path| match some {
                    0 => true,
                    1 => dice.of(2) == 0,
                    _ => path.ends_with("index"),
                });
            }
            8..=9 => {
                let copies = self.people[who].copies.len();
                if copies > 0 {
                    let mut copy = self.people[who].copies[dice.of(copies)].clone();
                    let some = dice.of(3);
                    self.told
                        .push(format!("{who} puts back {}", ["all", "some", "the index"][some]));
                    copy.retain(|path, _| match some {
                        0 => true,
                        1 => dice.of(2) == 0,
                        _ => path.ends_with("index"),
                    });
                    self.count(["restored whole", "restored in part", "restored the index"][some]);
                    self.disk.put_all(copy);
                }
            }
            10 => {
                self.disk.die_after(dice.of(14));
                self.told.push("a kill is near".to_owned());
                self.changes(who, dice, number);
                if self.disk.is_dead() {
                    self.count("killed");
                }
                self.disk.revive();
            }
            _ => self.forges(who, dice),
        }
    }

    /// Somebody adds a file, and sometimes takes one off.
    fn changes(&mut self, who: usize, dice: &mut Dice, number: usize) {
        let Some(shelf) = self.opened(who) else { return };
        let content = format!("{MARK} {number} by {who}");
        let remove = dice.of(4) == 0;
        let all = shelf.names("");
        let gone =
            if remove && !all.is_empty() { Some(all[dice.of(all.len())].clone()) } else { None };
        let lost = gone.as_ref().and_then(|name| {
            Some(String::from_utf8(shelf.read(name).ok()??.expose().clone()).unwrap())
        });
        let made = shelf.change(|change| {
            change.put(&format!("files/{number}"), content.as_bytes())?;
            if let Some(name) = &gone {
                change.remove(name);
            }
            Ok(())
        });
        drop(shelf);
        self.told.push(format!("{who} adds {number}, takes off {gone:?}: {}", made.is_ok()));
        if let Some(lost) = lost {
            self.people.iter_mut().for_each(|person| {
                person.kept.remove(&lost);
            });
        }
        if made.is_ok() {
            self.count(if gone.is_some() { "removals" } else { "additions" });
            self.people[who].kept.insert(content.clone());
            self.confirmed(who);
            self.read_by_whom_it_may(who, &content);
        }
    }

    fn rekeys(&mut self, who: usize, dice: &mut Dice) {
        let Some(shelf) = self.opened(who) else { return };
        let mut all = vec![self.people[who].key.recipient()];
        for other in 0..3 {
            if other != who && dice.of(3) > 0 {
                all.push(self.people[other].key.recipient());
            }
        }
        let made = shelf.rekey(&all);
        drop(shelf);
        self.told.push(format!("{who} seals anew to {}: {:?}", all.len(), made.is_ok()));
        if made.is_ok() {
            self.count("rekeys");
            self.people[who].believes = Some(names(&all));
            self.confirmed(who);
        }
    }

    fn confirmed(&mut self, who: usize) {
        let copy = self.disk.below(&self.people[who].folder);
        self.people[who].copies.push(copy);
    }

    /// A stranger who can write the folder makes a shelf of his own there, sealed to all and to himself; or somebody who was
    /// a maintainer once does, and signs what he knew of it.
    fn forges(&mut self, who: usize, dice: &mut Dice) {
        self.told.push(format!("a stranger writes the folder of {who}"));
        let stranger = self.stranger.clone();
        let to: Vec<Recipient> = self.people.iter().map(|one| one.key.recipient()).collect();
        let forge = MemoryDisk::default();
        let place = Path::new("/forge");
        drop(Shelf::make(place, Arc::new(forge.clone()), &stranger, &to).unwrap());
        let index = forge.below(place).remove(&place.join("index")).unwrap();
        let folder = self.people[who].folder.clone();
        self.disk.put_all([(folder.join("index"), index)].into());
        if dice.of(2) == 0 {
            let journal = self.disk.below(&folder);
            let records = journal
                .keys()
                .filter_map(|path| path.file_name()?.to_str())
                .filter(|name| name.len() == 32);
            let lines: String =
                records.map(|name| format!("gone {name}\nfresh {name}\n")).collect();
            self.disk.put_all([(folder.join("journal"), lines.into_bytes())].into());
        }
        self.count("forged");
    }

    /// What was just written can be opened by those whom its writer takes the shelf to be sealed to, and by nobody else.
    fn read_by_whom_it_may(&self, who: usize, content: &str) {
        let person = &self.people[who];
        let believed = person.believes.as_ref().unwrap();
        let mut keys: Vec<&Key> = self.people.iter().map(|one| &one.key).collect();
        keys.push(&self.stranger);
        for (path, bytes) in self.disk.below(&person.folder) {
            if path.parent().unwrap().ends_with("records")
                && opens(&bytes, &person.key).as_deref() == Some(content.as_bytes())
            {
                for key in &keys {
                    let may = believed.contains(&key.recipient().to_string());
                    assert_eq!(opens(&bytes, key).is_some(), may, "{:?}", self.told);
                }
            }
        }
    }

    /// Laws of every moment.
    fn holds(&self) {
        for (path, bytes) in self.disk.all() {
            let bytes = String::from_utf8_lossy(&bytes);
            assert!(!bytes.contains(MARK), "{} {:?}", path.display(), self.told);
        }
        assert!(self.disk.all().values().all(|bytes| {
            bytes.len() < 40
                || opens(bytes, &self.stranger)
                    .is_none_or(|inside| !String::from_utf8_lossy(&inside).contains(MARK))
        }));
    }

    /// What somebody put on the shelf and nobody took off lies in their folder still, whatever the index says now.
    fn keeps(&self) {
        for person in &self.people {
            let mut there = BTreeSet::new();
            for bytes in self.disk.below(&person.folder).values() {
                let inside = self.people.iter().find_map(|one| opens(bytes, &one.key));
                there.extend(inside.and_then(|bytes| String::from_utf8(bytes).ok()));
            }
            for content in &person.kept {
                assert!(there.contains(content), "lost: {content} {:#?}", self.told);
            }
        }
    }
}

#[test]
fn three_copies_keep_every_record_and_let_nobody_in() {
    #[expect(clippy::disallowed_methods, reason = "a test may be made longer")]
    let asked = |name: &str| std::env::var(name).ok();
    let full = asked("STORYMILL_FULL").is_some();
    let seeds = asked("STORYMILL_SEEDS").and_then(|text| text.parse().ok());
    let (sequences, mut counts) =
        (seeds.unwrap_or(if full { 2_000 } else { 500 }), BTreeMap::new());
    for seed in 1..=sequences {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (seed << 20));
        let mut world = World::new();
        let steps = 6 + dice.of(8);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for number in 0..steps {
                world.step(&mut dice, number);
                world.holds();
            }
            world.keeps();
        }));
        if let Err(panic) = done {
            println!("seed {seed}: {:#?}", world.told);
            std::panic::resume_unwind(panic);
        }
        for (what, count) in &world.counts {
            *counts.entry(*what).or_insert(0) += count;
        }
    }
    println!("seeds 1 to {sequences}: {counts:?}");
    for what in [
        "opened",
        "additions",
        "removals",
        "rekeys",
        "synced whole",
        "synced in part",
        "synced the index",
        "restored whole",
        "restored in part",
        "restored the index",
        "killed",
        "refused",
        "trusted",
        "forged",
    ] {
        assert!(
            counts.get(what).is_some_and(|count| *count > sequences / 20),
            "{what}: {counts:?}"
        );
    }
}
