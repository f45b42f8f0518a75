//! Two to four people with a copy of a shelf each, apart for a month: they add, change, take out, decide, let in and out, are
//! killed, and copy their folders over each other as git, rsync and zip do. Laws that hold at the end.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

mod memory;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

use memory::MemoryDisk;
use storymill_core::Fault;
use storymill_shelf::{Access, Key, Pins, Recipient, Shelf, letter};

const MARK: &str = "xyzzyplugh";
const PAIRS: &str = "sets/family/pairs";
const DECISIONS: &str = "sets/family/decisions";

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

/// A version of a pair, or a decision, as somebody wrote it: no two are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    pair: String,
    text: String,
    by: usize,
}

/// What a change that was cut off would have done.
struct Cut {
    said: Option<Said>,
    replaced: BTreeSet<String>,
}

struct Person {
    key: Key,
    folder: PathBuf,
    cut: Option<Cut>,
}

struct World {
    disk: MemoryDisk,
    /// So many operations of the disk into the next change it dies.
    dies: Option<usize>,
    people: Vec<Person>,
    /// Versions of pairs that were written, and those that somebody who saw them wrote over.
    pairs: BTreeSet<Said>,
    replaced: BTreeSet<String>,
    /// Versions that somebody took when they settled: those are said anew.
    taken: BTreeSet<String>,
    decisions: BTreeSet<Said>,
    /// Who was let out at some time: what they did meanwhile may not count.
    out: BTreeSet<usize>,
    /// Files that two had when one took over the other's by git.
    common: BTreeMap<(usize, usize), BTreeSet<PathBuf>>,
    told: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
}

fn opens(sealed: &[u8], key: &Key) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut letter = letter::open(sealed, key).ok()?;
    std::io::Read::read_to_end(&mut letter, &mut bytes).ok()?;
    Some(bytes)
}

fn row(pair: &str, text: &str) -> String {
    format!("{{\"id\":\"{pair}\",\"book\":\"n01\",\"true_claim\":\"{text}\"}}")
}

fn lines(shelf: &Shelf, name: &str) -> Vec<String> {
    let bytes = shelf.read(name).unwrap().map(|bytes| bytes.expose().clone()).unwrap_or_default();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

/// All versions of the pairs: those that count and those that are to be settled.
fn versions(shelf: &Shelf) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = lines(shelf, PAIRS).into_iter().collect();
    for version in shelf.conflicts().unwrap().into_iter().flat_map(|one| one.versions) {
        if let Some(text) = version.text {
            all.insert(String::from_utf8(text.expose().clone()).unwrap().trim().to_owned());
        }
    }
    all
}

/// Everything that somebody sees.
fn everything(shelf: &Shelf) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for name in shelf.names("") {
        all.insert(format!("{name}: {}", lines(shelf, &name).join("\n")));
    }
    for one in shelf.conflicts().unwrap() {
        let versions: Vec<String> = one.versions.into_iter().map(|one| one.what).collect();
        all.insert(format!("{} {} {versions:?}", one.item, one.what));
    }
    all
}

impl World {
    fn new(count: usize) -> Self {
        let people: Vec<Person> = (0..count)
            .map(|at| Person {
                key: Key::mint().unwrap(),
                folder: Path::new("/").join(format!("person{at}")).join("shelf"),
                cut: None,
            })
            .collect();
        let mut world = Self {
            disk: MemoryDisk::default(),
            dies: None,
            people,
            pairs: BTreeSet::new(),
            replaced: BTreeSet::new(),
            taken: BTreeSet::new(),
            decisions: BTreeSet::new(),
            out: BTreeSet::new(),
            common: BTreeMap::new(),
            told: Vec::new(),
            counts: BTreeMap::new(),
        };
        let others: Vec<Recipient> =
            world.people[1..].iter().map(|one| one.key.recipient()).collect();
        let (first, disk) = (&world.people[0], Arc::new(world.disk.clone()));
        let mut shelf = Shelf::make(&first.folder, disk, &first.key, &others).unwrap();
        shelf.remember(world.pins(0)).unwrap();
        drop(shelf);
        for to in 1..count {
            world.copies(0, to, 0);
            let (person, pins) = (&world.people[to], world.pins(to));
            Shelf::trust(&person.folder, &world.disk, &person.key, &pins).unwrap();
        }
        world
    }

    fn pins(&self, who: usize) -> Pins {
        let folder = &self.people[who].folder;
        let path = folder.with_file_name("key.seen");
        Pins::new(Arc::new(self.disk.clone()), path, std::slice::from_ref(folder))
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    /// Opens the shelf as somebody does who takes over whom the others let in and out. None for whom it does not open any more.
    fn opened(&mut self, who: usize) -> Option<Shelf> {
        let (person, disk) = (&self.people[who], Arc::new(self.disk.clone()));
        let open = || {
            Shelf::open_seen(
                &person.folder,
                disk.clone(),
                &person.key,
                Access::Change,
                self.pins(who),
            )
        };
        let is_about_people = |shelf: &Result<Shelf, Fault>| {
            let fault = shelf.as_ref().err();
            fault.is_some_and(|fault| fault.message.starts_with("who opens"))
        };
        let mut shelf = open();
        // Whom others let in may let others out.
        for _ in 0..3 {
            if is_about_people(&shelf) {
                Shelf::trust(&person.folder, &self.disk, &person.key, &self.pins(who)).unwrap();
                shelf = open();
            }
        }
        let shelf = match shelf {
            Ok(shelf) => shelf,
            // Who was let out opens nothing, or not all that they have seen.
            Err(fault) if self.out.contains(&who) => {
                self.told.push(format!("{who} is out: {fault}"));
                return None;
            }
            Err(fault) => panic!("{who}: {fault} {:#?}", self.told),
        };
        if let Some(cut) = self.people[who].cut.take() {
            let all = versions(&shelf);
            let is_done = match &cut.said {
                Some(said) => {
                    all.contains(&said.text) || lines(&shelf, DECISIONS).contains(&said.text)
                }
                None => cut.replaced.is_disjoint(&all),
            };
            if is_done {
                self.count("finished");
                self.does(cut);
            }
        }
        Some(shelf)
    }

    fn does(&mut self, cut: Cut) {
        self.replaced.extend(cut.replaced);
        match cut.said {
            Some(said) if said.text.contains("\"item\"") => drop(self.decisions.insert(said)),
            Some(said) => drop(self.pairs.insert(said)),
            None => {}
        }
    }

    fn step(&mut self, dice: &mut Dice, number: usize) {
        let who = dice.of(self.people.len());
        match dice.of(16) {
            0..=3 => self.changes(who, dice, number),
            4 => self.takes_out(who, dice),
            5..=6 => self.decides(who, dice, number),
            7 => self.settles(who, dice),
            8 => self.lets_in_or_out(who, dice),
            9 => {
                self.dies = Some(1 + dice.of(12));
                match dice.of(3) {
                    0 => self.takes_out(who, dice),
                    1 => self.decides(who, dice, number),
                    _ => self.changes(who, dice, number),
                }
                self.dies = None;
                if self.disk.is_dead() {
                    self.count("killed");
                }
                self.disk.revive();
                drop(self.opened(who));
            }
            _ => {
                let to = (who + 1 + dice.of(self.people.len() - 1)) % self.people.len();
                self.copies(who, to, dice.of(3));
            }
        }
    }

    /// Changes the pairs of a set, as commands do: all of them are read, and written anew.
    fn edits(&mut self, who: usize, said: Option<Said>, pair: &str) {
        let Some(shelf) = self.opened(who) else { return };
        let id = format!("\"id\":\"{pair}\"");
        let replaced = versions(&shelf).into_iter().filter(|one| one.contains(&id)).collect();
        let mut rows = lines(&shelf, PAIRS);
        rows.retain(|one| !one.contains(&id));
        rows.extend(said.as_ref().map(|said| said.text.clone()));
        self.may_die();
        let made = shelf.change(|change| change.put(PAIRS, (rows.join("\n") + "\n").as_bytes()));
        self.made(who, shelf, made.is_ok(), Cut { said, replaced });
    }

    fn may_die(&mut self) {
        if let Some(after) = self.dies.take() {
            self.disk.die_after(after);
        }
    }

    fn made(&mut self, who: usize, shelf: Shelf, is_ok: bool, cut: Cut) {
        drop(shelf);
        let what = cut.said.as_ref().map(|said| said.text.clone());
        self.told.push(format!("{who} says {what:?}: {is_ok}"));
        if is_ok { self.does(cut) } else { self.people[who].cut = Some(cut) }
    }

    fn changes(&mut self, who: usize, dice: &mut Dice, number: usize) {
        let pair = format!("n01/{:04}", dice.of(5));
        let text = row(&pair, &format!("{MARK} {number} by {who}"));
        self.count("changes");
        self.edits(who, Some(Said { pair: pair.clone(), text, by: who }), &pair);
    }

    fn takes_out(&mut self, who: usize, dice: &mut Dice) {
        let pair = format!("n01/{:04}", dice.of(5));
        self.count("taken out");
        self.edits(who, None, &pair);
    }

    fn decides(&mut self, who: usize, dice: &mut Dice, number: usize) {
        let pair = format!("n01/{:04}", dice.of(5));
        let text = format!("{{\"item\":\"{pair}/true\",\"note\":\"{MARK} {number} by {who}\"}}");
        let Some(shelf) = self.opened(who) else { return };
        self.may_die();
        let made =
            shelf.change(|change| change.append(DECISIONS, (text.clone() + "\n").as_bytes()));
        self.count("decisions");
        let said = Some(Said { pair, text, by: who });
        self.made(who, shelf, made.is_ok(), Cut { said, replaced: BTreeSet::new() });
    }

    fn settles(&mut self, who: usize, dice: &mut Dice) {
        let Some(shelf) = self.opened(who) else { return };
        let mut open = shelf.conflicts().unwrap();
        open.retain(|one| one.item.starts_with("family/") && !one.versions.is_empty());
        if open.is_empty() {
            return;
        }
        let one = open.swap_remove(dice.of(open.len()));
        let taken = dice.of(one.versions.len());
        shelf.settle(&one.item, taken + 1).unwrap();
        let texts = one.versions.into_iter().map(|version| version.text);
        for (at, text) in texts.enumerate() {
            let text = text.map(|text| String::from_utf8(text.expose().clone()).unwrap());
            let Some(text) = text.map(|text| text.trim().to_owned()) else { continue };
            if at == taken { &mut self.taken } else { &mut self.replaced }.insert(text);
        }
        assert!(
            shelf.conflicts().unwrap().iter().all(|open| open.item != one.item),
            "{:#?}",
            self.told
        );
        self.told.push(format!("{who} settles {}", one.item));
        self.count("settled");
    }

    /// The first two let others in and out. Where those do so too while they are let out themselves, views need not agree.
    fn lets_in_or_out(&mut self, who: usize, dice: &mut Dice) {
        let who = who % 2;
        let Some(shelf) = self.opened(who) else { return };
        let mut all = vec![self.people[who].key.recipient()];
        let mut out = self.out.clone();
        for other in (0..self.people.len()).filter(|other| *other != who) {
            let key = self.people[other].key.recipient();
            let is_in = shelf.recipients().unwrap().contains(&key);
            // The first two stay, so that somebody is there at the end.
            let stays = if is_in { dice.of(2) > 0 } else { dice.of(3) == 0 };
            if other < 2 || stays {
                all.push(key);
            } else {
                out.insert(other);
            }
        }
        shelf.rekey(&all).unwrap();
        self.out = out;
        self.told.push(format!("{who} seals to {}", all.len()));
        self.count("sealed anew");
    }

    /// One folder over another: 0 as rsync does, 1 as git does, which removes what one side removed, 2 by the command.
    fn copies(&mut self, from: usize, to: usize, how: usize) {
        self.told.push(format!("{from} to {to}, by {}", ["rsync", "git", "the command"][how]));
        self.count(["by rsync", "by git", "by the command"][how]);
        let (source, target) = (self.people[from].folder.clone(), self.people[to].folder.clone());
        let names = |disk: &MemoryDisk, folder: &Path| -> BTreeSet<PathBuf> {
            let all = disk.below(folder).into_keys();
            all.map(|path| path.strip_prefix(folder).unwrap().to_owned()).collect()
        };
        if how == 2 {
            Shelf::copy_from(&target, &self.disk, &source).unwrap();
        } else {
            let is_scratch = |path: &Path| path.extension().is_some() || path.ends_with("lock");
            self.disk.copy(&source, &target, |path| how == 0 || !is_scratch(path));
        }
        let (theirs, key) = (names(&self.disk, &source), (from.min(to), from.max(to)));
        if how == 1 {
            for gone in
                self.common.get(&key).into_iter().flatten().filter(|path| !theirs.contains(*path))
            {
                drop(storymill_core::Disk::remove(&self.disk, &target.join(gone)));
            }
            let both = names(&self.disk, &target).intersection(&theirs).cloned().collect();
            self.common.insert(key, both);
        }
    }

    /// What was said and not written over is there, or waits for being settled; and nothing else does.
    fn holds(&mut self) {
        // Everybody gives to everybody, twice round, and goes on.
        let count = self.people.len();
        for _ in 0..2 {
            for (from, to) in (0..count).flat_map(|from| (0..count).map(move |to| (from, to))) {
                if from != to {
                    self.copies(from, to, 0);
                    drop(self.opened(to));
                }
            }
        }
        for (path, bytes) in self.disk.all() {
            assert!(!String::from_utf8_lossy(&bytes).contains(MARK), "{}", path.display());
        }
        let shelf = self.opened(0).unwrap();
        let members = shelf.recipients().unwrap();
        let (seen, versions, decisions) =
            (everything(&shelf), versions(&shelf), lines(&shelf, DECISIONS));
        let open: BTreeSet<String> =
            shelf.conflicts().unwrap().into_iter().map(|one| one.item).collect();
        drop(shelf);
        // Who was out for a time may not open yet what others wrote meanwhile.
        for who in (1..count).filter(|who| !self.out.contains(who)).collect::<Vec<_>>() {
            let shelf = self.opened(who).unwrap();
            assert_eq!(everything(&shelf), seen, "{who} {:#?}", self.told);
        }
        let is_sure = |said: &&Said| !self.out.contains(&said.by);
        for said in self.decisions.iter().filter(is_sure) {
            assert!(decisions.contains(&said.text), "lost: {said:?} {:#?}", self.told);
        }
        let live: Vec<&Said> =
            self.pairs.iter().filter(|said| !self.replaced.contains(&said.text)).collect();
        for said in live.iter().copied().filter(is_sure) {
            assert!(versions.contains(&said.text), "lost: {said:?} {:#?}", self.told);
            let others = live.iter().filter(|one| one.pair == said.pair && one.text != said.text);
            for other in others.copied().filter(is_sure) {
                let item = format!("family/{}", said.pair);
                assert!(open.contains(&item), "not shown: {said:?}, {other:?} {:#?}", self.told);
            }
        }
        for text in self.replaced.difference(&self.taken).filter(|_| self.out.is_empty()) {
            assert!(!versions.contains(text), "back: {text} {:#?}", self.told);
        }
        if !open.is_empty() {
            self.count("open in the end");
        }
        // Once somebody has sealed everything anew, nobody else opens a file of the folder.
        let shelf = self.opened(0).unwrap();
        let people = self.people.iter().map(|one| one.key.recipient().to_string());
        let people: Vec<String> = people.collect();
        for one in shelf.conflicts().unwrap() {
            if people.contains(&one.item) && !one.versions.is_empty() {
                shelf.settle(&one.item, 1).unwrap();
                self.count("left out");
            }
        }
        shelf.rekey(&members).unwrap();
        drop(shelf);
        let folder = self.people[0].folder.clone();
        for (path, bytes) in
            self.disk.below(&folder).into_iter().filter(|(_, bytes)| bytes.len() > 40)
        {
            for person in &self.people {
                let may = members.contains(&person.key.recipient());
                let named = path.display();
                assert!(may || opens(&bytes, &person.key).is_none(), "{named} {:#?}", self.told);
            }
        }
        let shelf = self.opened(0).unwrap();
        shelf.check(|_| true).unwrap();
        assert!(shelf.conflicts().unwrap().iter().all(|one| !one.what.contains("sealed to")));
        let seen = everything(&shelf);
        drop(shelf);
        for who in 1..count {
            self.copies(0, who, 0);
            if members.contains(&self.people[who].key.recipient()) {
                let shelf = self.opened(who).expect("all is sealed to them");
                assert_eq!(everything(&shelf), seen, "{who} {:#?}", self.told);
            }
        }
    }
}

#[test]
fn people_work_apart_for_a_month_and_nothing_is_lost() {
    #[expect(clippy::disallowed_methods, reason = "a test may be made longer")]
    let asked = |name: &str| std::env::var(name).ok();
    let full = asked("CI_FULL").is_some_and(|value| value == "1");
    let seeds = asked("STORYMILL_SEEDS").and_then(|text| text.parse().ok());
    let (seeds, mut counts) = (seeds.unwrap_or(if full { 1_000 } else { 50 }), BTreeMap::new());
    for seed in 1..=seeds {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (seed << 20));
        let mut world = World::new(2 + dice.of(3));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for number in 0..30 {
                world.step(&mut dice, number);
            }
            world.holds();
        }));
        if let Err(panic) = done {
            println!("seed {seed}");
            std::panic::resume_unwind(panic);
        }
        for (what, count) in &world.counts {
            *counts.entry(*what).or_insert(0) += count;
        }
    }
    println!("seeds 1 to {seeds}: {counts:?}");
    for what in [
        "changes",
        "taken out",
        "decisions",
        "settled",
        "sealed anew",
        "killed",
        "finished",
        "by rsync",
        "by git",
        "by the command",
        "open in the end",
    ] {
        assert!(counts.get(what).is_some_and(|count| *count > seeds / 50), "{what}: {counts:?}");
    }
}
