//! Who is named where in a book, as far as that is sure.
//!
//! The cast says who is meant by a name. A second search knows nothing of it: where does any word of somebody's names stand,
//! whoever is meant and however it is written? Who may have been named before the cast sees them is left out, and two
//! are apart only where the words of their names are.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Cast, Fault, Scene, Stream};
use storymill_names::{CastFile, Persons};

use super::layout::Layout;

/// The people of a book and the pairs of them.
#[derive(Default)]
pub(super) struct People {
    pub(super) all: Vec<Named>,
    pub(super) pairs: Vec<Pair>,
    /// Who is asked about after which scene.
    pub(super) layout: Layout,
}

/// Somebody.
pub(super) struct Named {
    pub(super) name: String,
    /// Whether the name begins with a title.
    is_titled: bool,
    /// The first scene that names them.
    pub(super) first: usize,
    /// The first scene by which all words of the name were read.
    known: usize,
    /// How often each scene names them, surely.
    times: Vec<u32>,
    /// The scenes in which any word of their names stands.
    words: Vec<usize>,
}

/// Two people.
pub(super) struct Pair {
    pub(super) of: [usize; 2],
    /// The scenes that name both.
    together: Vec<usize>,
    /// The first scene by which words of their names stood near each other.
    pub(super) near: usize,
}

impl Pair {
    /// The last scene up to this one that names both.
    pub(super) fn met_by(&self, t: usize) -> Option<usize> {
        self.together.iter().copied().rfind(|scene| *scene <= t)
    }
}

/// Who is named less often may be nobody.
const NAMED: u32 = 3;
/// A scene names both of a pair so often at least: one of them may only be spoken of where it is less.
const BOTH: u32 = 2;

impl Named {
    /// Whether the name was read by a scene.
    pub(super) fn is_known(&self, t: usize) -> bool {
        self.first.max(self.known) <= t
    }

    /// How often they were named up to a scene.
    pub(super) fn times(&self, t: usize) -> u32 {
        self.times[..=t].iter().sum()
    }
}

impl People {
    /// Who is in a book of which these are the scenes. Two are named near each other where no more than `apart` scenes
    /// part their names.
    pub(super) fn of(
        cast: &Cast,
        scenes: &[Scene],
        apart: usize,
        draw: &mut Stream,
    ) -> Result<Self, Fault> {
        let persons = Persons::of(&CastFile::parse(&cast.toml)?);
        let mut times = vec![vec![0; scenes.len()]; persons.len()];
        let mut words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, scene) in scenes.iter().enumerate() {
            for mention in persons.find(&scene.text) {
                times[mention.who][at] += 1;
            }
            let all = scene.text.split(|symbol: char| !symbol.is_alphanumeric());
            for word in all.map(str::to_lowercase).collect::<BTreeSet<_>>() {
                words.entry(word).or_default().push(at);
            }
        }
        let mut names = BTreeSet::new();
        let all = times.into_iter().enumerate().filter(|(who, _)| persons.is_sure(*who));
        let all = all.filter_map(|(who, times)| named(&persons, who, times, &words));
        // Mrs. Turner is not Miss Turner: where a title is shown, it stands there too.
        let untitled = |one: &Named| one.is_titled && !scenes[one.first].text.contains(&one.name);
        let all = all.filter(|one| !untitled(one));
        let all: Vec<Named> = all.filter(|one| names.insert(one.name.clone())).collect();
        let pairs = (0..all.len()).flat_map(|a| (0..a).map(move |b| [b, a]));
        let pairs = pairs.map(|of| pair(of, of.map(|at| &all[at]), apart)).collect();
        let people = Self { all, pairs, layout: Layout::default() };
        let layout = Layout::of(&people, scenes.len(), apart, draw);
        Ok(Self { layout, ..people })
    }
}

/// Somebody whose first mention no word of their names comes before; none if there is one. A mention counts where the last
/// word of the name stands that a question shows: who reads it need not know that Licky is Lickford, and the John of one tale is
/// not the John Openshaw of another.
fn named(
    persons: &Persons,
    who: usize,
    mut times: Vec<u32>,
    words: &BTreeMap<String, Vec<usize>>,
) -> Option<Named> {
    let parts: Vec<String> = persons.parts(who).map(str::to_lowercase).collect();
    let of = |part: &String| words.get(part).map_or(&[][..], Vec::as_slice);
    let all: BTreeSet<usize> = parts.iter().flat_map(of).copied().collect();
    let name = persons.name(who).to_lowercase();
    let shown = name.split(|symbol: char| !symbol.is_alphanumeric());
    let shown = shown.filter(|word| parts.iter().any(|part| part == word));
    let shown: Vec<_> = shown.map(|word| words.get(word)).collect::<Option<_>>()?;
    for (at, times) in times.iter_mut().enumerate() {
        if shown.last().is_none_or(|scenes| scenes.binary_search(&at).is_err()) {
            *times = 0;
        }
    }
    let first = times.iter().position(|times| *times > 0)?;
    let known = shown.into_iter().filter_map(|scenes| scenes.first()).max();
    let is_sure = times.iter().sum::<u32>() >= NAMED && all.first() == Some(&first);
    is_sure.then(|| Named {
        name: persons.name(who).to_owned(),
        is_titled: name.split(' ').next().is_some_and(|word| {
            let word = word.trim_end_matches('.');
            parts.iter().all(|part| part != word)
        }),
        first,
        known: known.copied().unwrap_or(first),
        times,
        words: all.into_iter().collect(),
    })
}

/// Two, by the scenes that name them.
fn pair(of: [usize; 2], [one, other]: [&Named; 2], apart: usize) -> Pair {
    let both = |at: &usize| one.times[*at] >= BOTH && other.times[*at] >= BOTH;
    let together = (0..one.times.len()).filter(both).collect();
    let near = one.words.iter().flat_map(|a| {
        let near = other.words.iter().filter(|b| a.abs_diff(**b) <= apart);
        near.map(|b| *a.max(b))
    });
    Pair { of, together, near: near.min().unwrap_or(usize::MAX) }
}
