//! Laws of joining, over whatever several authors do and hear of each other: no disk, no keys.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::{log::Place, people::Person, sign::Signing};

/// What an author does.
#[derive(Clone, Debug)]
enum Act {
    /// Writes a file in place of all that is known of it, or takes it away.
    Put(u8, bool),
    /// Hears of what another has said so far.
    Hear(usize),
    /// Makes all that is known a part of what is said.
    Adopt,
    LetOut(usize),
}

const AUTHORS: usize = 4;

fn act() -> impl Strategy<Value = (usize, Act)> {
    let what = prop_oneof![
        4 => (0..3_u8, any::<bool>()).prop_map(|(file, there)| Act::Put(file, there)),
        4 => (0..AUTHORS).prop_map(Act::Hear),
        1 => Just(Act::Adopt),
    ];
    (0..AUTHORS, what)
}

fn signing(at: usize) -> Signing {
    Signing::of(&format!("secret {at}"))
}

fn signer(at: usize) -> Signer {
    signing(at).signer()
}

struct Author {
    own: State,
    all: State,
    step: u64,
}

struct World {
    authors: Vec<Author>,
    written: BTreeSet<(String, Id)>,
    replaced: BTreeSet<Id>,
}

impl World {
    fn new() -> Self {
        let founder = |at| Person { key: format!("key{at}"), signer: Some(signer(at)) };
        let founders = (0..AUTHORS).map(founder).collect();
        let first = State { id: [7; 16], founders, ..State::default() };
        let author = |_| Author { own: first.clone(), all: first.clone(), step: 0 };
        Self {
            authors: (0..AUTHORS).map(author).collect(),
            written: BTreeSet::new(),
            replaced: BTreeSet::new(),
        }
    }

    fn does(&mut self, who: usize, act: &Act) {
        let mut heard = None;
        if let Act::Hear(from) = act {
            heard = Some(self.authors[*from].own.clone());
        }
        let author = &mut self.authors[who];
        if let Some(heard) = heard {
            author.all.join(&heard);
            author.all.sayings.extend(heard.sayings);
            return;
        }
        author.step += 1;
        let id = Id { session: who as u64, step: author.step, n: 0 };
        let mut news = author.all.empty();
        news.known.also.insert(id);
        match act {
            Act::Put(file, there) => {
                let name = format!("books/{file}/book");
                let old: Vec<Id> = author
                    .all
                    .files
                    .get(&name)
                    .into_iter()
                    .flat_map(|all| all.keys())
                    .copied()
                    .collect();
                let kind = if *there { Kind::Whole } else { Kind::Gone };
                let mut what = [0; 16];
                if *there {
                    what[0] = u8::try_from(who).unwrap() + 1;
                    what[1] = u8::try_from(author.step).unwrap();
                }
                let (key, place) = (String::new(), Place::default());
                let piece = Piece { kind, key, at: 0, place, what, saw: Vec::new() };
                news.known.also.extend(&old);
                news.files.insert(name.clone(), [(id, piece)].into());
                self.written.insert((name, id));
                self.replaced.extend(old);
            }
            Act::LetOut(target) => {
                let about = Person { key: format!("key{target}"), signer: None };
                author.all.say(about, false, &signing(who));
            }
            Act::Adopt | Act::Hear(_) => {}
        }
        author.all.join(&news);
        author.all.step(who as u64, author.step, signer(who), &news);
        if matches!(act, Act::Adopt | Act::LetOut(_)) {
            author.own = author.all.clone();
        } else {
            author.own.join(&news);
            author.own.step(who as u64, author.step, signer(who), &news);
            author.own.sayings = author.all.sayings.clone();
            author.own.authors = author.all.authors.clone();
        }
    }

    fn operations(&self) -> Vec<Operation> {
        let operation = |(at, author): (usize, &Author)| Operation {
            name: format!("{at}"),
            author: Some(signer(at)),
            state: author.own.clone(),
            seen: Known { upto: author.all.known.upto.clone(), also: BTreeSet::new() },
        };
        self.authors.iter().enumerate().map(operation).collect()
    }
}

fn folded(operations: &[Operation]) -> (State, Vec<Open>) {
    let fold = fold(operations);
    (fold.state.expose().clone(), fold.open())
}

proptest! {
    #[test]
    fn operations_fold_to_the_same_in_whatever_order_and_number(
        acts in proptest::collection::vec(act(), 0..40), turn in 0..AUTHORS, out in any::<Option<(u8, u8)>>()
    ) {
        let mut world = World::new();
        for (who, act) in &acts {
            world.does(*who, act);
        }
        if let Some((by, target)) = out {
            let (by, target) = (usize::from(by) % AUTHORS, usize::from(target) % AUTHORS);
            if by != target {
                world.does(by, &Act::LetOut(target));
            }
        }
        let mut operations = world.operations();
        let folded_once = folded(&operations);
        operations.rotate_left(turn);
        prop_assert_eq!(&folded(&operations), &folded_once);
        operations.reverse();
        operations.extend_from_within(..turn);
        prop_assert_eq!(&folded(&operations), &folded_once);
        // What is known of all of it takes nothing from any of it.
        let mut joined = folded_once.0.clone();
        let known = joined.known.clone();
        for one in operations.iter().filter(|one| out.is_none() || known.covers(&one.state.known)) {
            joined.join(&one.state);
        }
        prop_assert_eq!(&joined, &folded_once.0);
    }

    #[test]
    fn nothing_is_lost_and_what_was_done_apart_is_open(acts in proptest::collection::vec(act(), 0..40)) {
        let mut world = World::new();
        for (who, act) in &acts {
            world.does(*who, act);
        }
        let (state, open) = folded(&world.operations());
        let mut live = BTreeMap::<&String, BTreeSet<Id>>::new();
        for (name, id) in world.written.iter().filter(|(_, id)| !world.replaced.contains(id)) {
            live.entry(name).or_default().insert(*id);
        }
        for (name, ids) in &live {
            prop_assert_eq!(&state.files[*name].keys().copied().collect::<BTreeSet<_>>(), ids);
            let gone = ids.iter().all(|id| state.files[*name][id].kind == Kind::Gone);
            let is_open = open.iter().any(|one| matches!(one, Open::Apart { name: of, .. } if of == *name));
            prop_assert_eq!(is_open, ids.len() > 1 && !gone);
        }
        prop_assert_eq!(state.files.len(), live.len());
    }

    #[test]
    fn who_was_let_out_changes_nothing_any_more(
        acts in proptest::collection::vec(act(), 0..20), later in proptest::collection::vec(act(), 0..20)
    ) {
        let mut world = World::new();
        for (who, act) in &acts {
            world.does(*who, act);
        }
        // The first lets the last out; the last goes on, hears of nothing, and lets the first out.
        world.does(0, &Act::LetOut(3));
        let before = fold(&world.operations());
        for (_, act) in later.iter().filter(|(_, act)| !matches!(act, Act::Hear(_))) {
            world.does(3, act);
        }
        world.does(3, &Act::LetOut(0));
        let after = fold(&world.operations());
        let of = |fold: &Fold| {
            let state = fold.state.expose();
            let people = state.people();
            let is_in = |key: &String| people.is_in(key, &people.whole());
            let keys = (0..AUTHORS).map(|at| format!("key{at}")).filter(is_in).collect::<Vec<_>>();
            (keys, state.files.clone(), state.known.clone())
        };
        prop_assert_eq!(of(&before), of(&after));
        prop_assert_eq!(&after.uncounted, &BTreeSet::from(["3".to_owned()]));
        let is_late = |one: &Open| matches!(one, Open::Late { author, .. } if *author == signer(3));
        prop_assert!(after.open().iter().any(is_late));
    }
}
