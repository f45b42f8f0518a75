//! Two to four people with a copy of a shelf each, apart for a month: they add, change, take out, decide, let each other in and
//! out, are killed, and copy their folders over each other as git, rsync and zip do. Laws that hold at the end.
#![allow(clippy::unwrap_used, clippy::pedantic, missing_docs)]

#[path = "apart/laws.rs"]
mod laws;
mod memory;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use memory::MemoryDisk;
use storymill_shelf::{Access, Conflict, Key, Pins, Private, Recipient, Shelf, letter};

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
    /// Whom somebody has let out at some time: they may not open all that they have seen.
    out: BTreeSet<usize>,
    /// What lay in a folder when its shelf was opened.
    lay: BTreeSet<PathBuf>,
    /// Files that two had when one took over the other's by git.
    common: BTreeMap<(usize, usize), BTreeSet<PathBuf>>,
    told: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
}

fn opens(sealed: &[u8], key: &Key) -> Option<Vec<u8>> {
    letter::open(sealed, key).ok().map(Private::into_inner)
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
            lay: BTreeSet::new(),
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
        let mut shelf = open();
        let was_out = self.out.contains(&who);
        if shelf.as_ref().is_err_and(|fault| fault.message.starts_with("who opens")) {
            Shelf::trust(&person.folder, &self.disk, &person.key, &self.pins(who)).unwrap();
            shelf = open();
        }
        let shelf = match shelf {
            Ok(shelf) => shelf,
            // Who was let out opens nothing, or not all that they have seen.
            Err(fault) if was_out => {
                self.told.push(format!("{who} is out: {fault}"));
                return None;
            }
            Err(fault) => panic!("{who}: {fault} {:#?}", self.told),
        };
        // What others wrote who did not know that they were let in again is not sealed to them, and what who let them out has
        // sealed anew git takes away from them.
        if let Some(fault) = shelf.check(|_| true).err().filter(|_| was_out) {
            let is_sealed = fault.message.contains("not sealed to your key");
            let key = person.key.recipient().to_string();
            let is_told = |one: &Conflict| {
                one.what.split("are not sealed to").nth(1).is_some_and(|all| all.contains(&key))
            };
            let is_told = !is_sealed || shelf.conflicts().unwrap().iter().any(is_told);
            let is_missing = fault.message.contains("is missing");
            assert!((is_sealed || is_missing) && is_told, "{fault} {:#?}", self.told);
            self.told.push(format!("{who} reads in part: {fault}"));
            self.count("in part");
            return None;
        }
        self.lay = self.files(who).into_keys().collect();
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
        match dice.of(18) {
            0..=3 => self.changes(who, dice, number),
            4 => self.takes_out(who, dice),
            5..=6 => self.decides(who, dice, number),
            7 => self.settles(who, dice),
            8..=10 => self.lets_in_or_out(who, dice),
            11 => {
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

    fn files(&self, who: usize) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = self.disk.below(&self.people[who].folder);
        files.retain(|_, bytes| bytes.len() > 40);
        files
    }

    /// No file of a folder opens for anybody but some.
    fn is_sealed(&self, files: &BTreeMap<PathBuf, Vec<u8>>, members: &[Recipient]) {
        let others = self.people.iter().filter(|one| !members.contains(&one.key.recipient()));
        for (one, (path, bytes)) in others.flat_map(|one| files.iter().map(move |file| (one, file)))
        {
            assert!(opens(bytes, &one.key).is_none(), "{} {:#?}", path.display(), self.told);
        }
    }

    /// What somebody has written while the shelf was open is read by those whom they know as maintainers alone.
    fn closes(&self, who: usize, shelf: Shelf) {
        let members = shelf.recipients().unwrap();
        drop(shelf);
        let mut files = self.files(who);
        files.retain(|path, _| !self.lay.contains(path));
        self.is_sealed(&files, &members);
    }

    fn made(&mut self, who: usize, shelf: Shelf, is_ok: bool, cut: Cut) {
        self.closes(who, shelf);
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
        open.retain(|one| !one.versions.is_empty());
        if open.is_empty() {
            return;
        }
        let one = open.swap_remove(dice.of(open.len()));
        // Whatever somebody did who was let out is taken over, so that nothing may be lost.
        let is_late = one.item.starts_with("age1");
        let taken = if is_late { 1 } else { dice.of(one.versions.len()) };
        shelf.settle(&one.item, taken + 1).unwrap();
        let texts = one.versions.into_iter().map(|version| version.text);
        for (at, text) in texts.enumerate() {
            let text = text.map(|text| String::from_utf8(text.expose().clone()).unwrap());
            let Some(text) = text.map(|text| text.trim().to_owned()) else { continue };
            if at == taken { &mut self.taken } else { &mut self.replaced }.insert(text);
        }
        assert!(
            shelf
                .conflicts()
                .unwrap()
                .iter()
                .all(|open| open.item != one.item || open.versions.is_empty()),
            "{:#?}",
            self.told
        );
        self.closes(who, shelf);
        self.told.push(format!("{who} settles {}", one.item));
        self.count(if is_late { "taken over" } else { "settled" });
    }

    fn lets_in_or_out(&mut self, who: usize, dice: &mut Dice) {
        let Some(shelf) = self.opened(who) else { return };
        let (mut all, mut told) = (vec![self.people[who].key.recipient()], vec![who]);
        for other in (0..self.people.len()).filter(|other| *other != who) {
            let key = self.people[other].key.recipient();
            let is_in = shelf.recipients().unwrap().contains(&key);
            if dice.of(3) > 0 {
                all.push(key);
                told.push(other);
            } else if is_in {
                self.out.insert(other);
            }
        }
        shelf.rekey(&all).unwrap();
        self.closes(who, shelf);
        self.told.push(format!("{who} seals to {told:?}"));
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
}

/// What was done how often in a month; none where a law did not hold.
fn month(seed: u64) -> Option<BTreeMap<&'static str, u64>> {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (seed << 20));
    let mut world = World::new(2 + dice.of(3));
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for number in 0..30 {
            world.step(&mut dice, number);
        }
        world.holds(&mut dice);
    }));
    done.is_ok().then_some(world.counts)
}

#[test]
fn people_work_apart_for_a_month_and_nothing_is_lost() {
    #[expect(clippy::disallowed_methods, reason = "a test may be made longer")]
    let asked = |name: &str| std::env::var(name).ok();
    let full = asked("CI_FULL").is_some_and(|value| value == "1");
    let seeds = asked("STORYMILL_SEEDS").and_then(|text| text.parse().ok());
    let seeds = seeds.unwrap_or(if full { 1_000 } else { 50 });
    let (next, counts) = (AtomicU64::new(1), Mutex::new(BTreeMap::new()));
    let failed = Mutex::new(Vec::new());
    let works = || {
        while let Some(seed) = Some(next.fetch_add(1, Relaxed)).filter(|seed| *seed <= seeds) {
            let Some(own) = month(seed) else {
                println!("seed {seed} failed");
                failed.lock().unwrap().push(seed);
                continue;
            };
            let mut counts = counts.lock().unwrap();
            own.into_iter().for_each(|(what, count)| *counts.entry(what).or_insert(0) += count);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(works))));
    let (counts, failed) = (counts.into_inner().unwrap(), failed.into_inner().unwrap());
    assert!(failed.is_empty(), "seeds {failed:?}");
    println!("seeds 1 to {seeds}: {counts:?}");
    for what in [
        "changes",
        "taken out",
        "decisions",
        "settled",
        "sealed anew",
        "taken over",
        "left out",
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
