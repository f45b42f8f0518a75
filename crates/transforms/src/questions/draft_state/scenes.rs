//! Which scenes are drafted from: those whose retellings share a rare name or noun, and that lie far apart.
//!
//! Whether a word is a noun is seen from its place: a name stands in capitals inside a sentence, a noun ends what an
//! article or the like began, "the golden *key*". That is roughly right, and whoever drafts may say that nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::{Stream, Summary};
use storymill_text::{
    Language,
    lists::{is_small, is_speech},
    stem::stem,
    word::{Word, words},
};

/// Scenes that are drafted from, in the order of the text, and the words that the first and the last of their retellings
/// share, the rarest first, as the first has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picked {
    pub(super) scenes: Vec<u32>,
    pub(super) things: Vec<String>,
}

/// How many are wanted, and how they lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Scenes that are drafted from at once.
    pub(super) places: usize,
    /// Scenes that lie between two of them at least.
    pub(super) apart: u32,
    /// How often scenes are drafted from at most.
    pub(super) limit: usize,
}

/// A word of more retellings is not rare; nor is one of more than a third of them.
const RARE: usize = 6;
/// How many words that they share are named at most.
const SHOWN: usize = 3;
/// How often a scene is drafted from at most.
const USES: usize = 2;

/// Draws what is drafted from: those more often that share more, and rarer, words; those that share one alone where no
/// others are left, for most of these share it by chance. Each word is the rarest of one draft at most.
pub(super) fn pick(told: &[&Summary], wanted: Wanted, draw: &mut Stream) -> Vec<Picked> {
    let things: Vec<BTreeMap<String, String>> =
        told.iter().map(|told| things(&told.text)).collect();
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, things) in things.iter().enumerate() {
        for thing in things.keys() {
            places.entry(thing).or_default().push(at);
        }
    }
    let rare = RARE.min(told.len() / 3).max(wanted.places);
    places.retain(|_, places| (wanted.places..=rare).contains(&places.len()));
    let apart = |one: usize, other: usize| told[one].at.abs_diff(told[other].at) > wanted.apart;
    let mut pairs: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for (thing, places) in &places {
        for (number, first) in places.iter().enumerate() {
            for last in places[number + 1..].iter().filter(|last| apart(*first, **last)) {
                pairs.entry((*first, *last)).or_default().push(thing);
            }
        }
    }
    let mut left: Vec<((usize, usize), Vec<&str>)> = pairs.into_iter().collect();
    let (mut picked, mut asked, mut uses) = (Vec::new(), BTreeSet::new(), vec![0; told.len()]);
    while picked.len() < wanted.limit {
        left.retain(|((first, last), _)| uses[*first] < USES && uses[*last] < USES);
        for (_, shared) in &mut left {
            shared.retain(|thing| !asked.contains(thing));
        }
        left.retain(|(_, shared)| !shared.is_empty());
        let several = left.iter().any(|(_, shared)| shared.len() > 1);
        let weight = |shared: &[&str]| match shared.len() {
            1 if several => 0,
            many => {
                let rare = shared.iter().map(|thing| SCALE / count(&places[thing]));
                rare.sum::<u32>() * square(many)
            }
        };
        let weights: Vec<u32> = left.iter().map(|(_, shared)| weight(shared)).collect();
        let Some(at) = weighed(&weights, draw) else { break };
        let ((first, last), mut shared) = left.swap_remove(at);
        shared.sort_by_key(|thing| places[*thing].len());
        let thing = shared[0];
        asked.insert(thing);
        let between = places[thing].iter().copied().filter(|at| (first..last).contains(at));
        let mut scenes = vec![first, last];
        for at in between.filter(|at| uses[*at] < USES) {
            if scenes.len() < wanted.places && scenes.iter().all(|one| apart(*one, at)) {
                scenes.push(at);
            }
        }
        if scenes.len() == wanted.places {
            scenes.sort_unstable();
            for at in &scenes {
                uses[*at] += 1;
            }
            let words = shared.iter().map(|thing| things[first][*thing].clone());
            let scenes = scenes.into_iter().map(|at| told[at].at).collect();
            picked.push(Picked { scenes, things: words.take(SHOWN).collect() });
        }
    }
    picked.sort_by(|one, other| one.scenes.cmp(&other.scenes));
    picked.dedup_by(|one, other| one.scenes == other.scenes);
    picked
}

/// What a word weighs that one retelling has.
const SCALE: u32 = 60;

/// More shared words than ten weigh no more.
fn square(shared: usize) -> u32 {
    u32::try_from((shared * shared).min(100)).unwrap_or(100)
}

fn count(places: &[usize]) -> u32 {
    u32::try_from(places.len()).unwrap_or(u32::MAX)
}

/// Draws a place by weight.
fn weighed(weights: &[u32], draw: &mut Stream) -> Option<usize> {
    let sum: u32 = weights.iter().sum();
    let mut left = (sum > 0).then(|| draw.below(sum))?;
    weights.iter().position(|weight| {
        let here = left < *weight;
        left = left.saturating_sub(*weight);
        here
    })
}

/// What nouns follow in a language.
fn determiners(language: Language) -> BTreeSet<&'static str> {
    let words = match language {
        Language::French => {
            "le la les l un une des du ce cette ces son sa ses leur leurs mon ma mes"
        }
        Language::German => {
            "der die das den dem des ein eine einen einem einer sein seine seinen ihr ihre ihren mein meine"
        }
        _ => "a an the this these those his her its their my your our some every another",
    };
    words.split_whitespace().collect()
}

/// Nouns that stand in scenes of any kind, and words that only stand where nouns do.
const ANYWHERE: &str = "time times day days year years week month hour hours minute minutes moment instant night morning \
    evening afternoon today monday tuesday wednesday thursday friday saturday sunday way ways side sides end place point word words \
    thing things something nothing anything everything man men woman women person people fellow head face eye eyes ear ears mouth lip \
    lips nose chin neck shoulder shoulders arm arms hand hands finger fingers knee knees foot feet heart mind voice tone air silence \
    question answer mr mrs miss sir lady hon first last next same more most less till together whether middle sort kind part rest \
    use want effort attempt degree length effect instinct sense chief back long east west north south beside breast felt heard got \
    ran stood struck";
/// What words end in that name no thing, as "happiness".
const ABSTRACT: [&str; 6] = ["ness", "tion", "sion", "ence", "ance", "tude"];

/// The names and nouns of a retelling: their stems, each with the word as it stands.
fn things(text: &str) -> BTreeMap<String, String> {
    let determiners = determiners(Language::of_text(text));
    let all: Vec<Word<'_>> = words(text).collect();
    let small = |at: usize| all[at].small().into_owned();
    // Whether nothing but blanks, and a possessive ending, stands between two words.
    let joined = |one: usize, other: usize| {
        let between = &text[all[one].end..all[other].start];
        between.trim_start_matches(['\'', '’', 's']).trim().is_empty()
    };
    let owned = |at: usize| text[all[at].end..].starts_with(['\'', '’']);
    let begins = |at: usize| owned(at) || determiners.contains(&*small(at));
    let noun = |at: usize| {
        let word = small(at);
        let ends = at + 1 == all.len()
            || !joined(at, at + 1)
            || owned(at)
            || is_small(&small(at + 1))
            || is_speech(&small(at + 1))
            || small(at + 1).ends_with("ed");
        if !ends || at == 0 || !joined(at - 1, at) {
            return false;
        }
        // One word may stand before it; a name there would rather be who does it.
        let through = at > 1
            && joined(at - 2, at - 1)
            && begins(at - 2)
            && !all[at - 1].is_capital()
            && !is_small(&small(at - 1))
            && !["ed", "ing", "ly"].iter().any(|ending| word.ends_with(ending));
        begins(at - 1) || through
    };
    let name = |at: usize| all[at].is_capitalised() && at > 0 && inside(&text[..all[at].start]);
    let tells = |word: &str| {
        word.chars().count() > 2
            && !ANYWHERE.split_whitespace().any(|one| one == word)
            && !is_small(word)
            && !is_speech(word)
            && !word.starts_with(|c: char| c.is_numeric())
    };
    let real = |word: &str| {
        let one = word.strip_suffix('s').filter(|one| !one.ends_with('s')).unwrap_or(word);
        !ABSTRACT.iter().any(|ending| one.ends_with(ending))
    };
    let found = (0..all.len())
        .filter(|at| tells(&small(*at)) && (name(*at) || noun(*at) && real(&small(*at))));
    let mut things = BTreeMap::new();
    for at in found {
        things.entry(stem(&small(at))).or_insert_with(|| all[at].text.to_owned());
    }
    things
}

/// Whether a word behind this text stands inside a sentence.
fn inside(before: &str) -> bool {
    let last = before.trim_end_matches(|c: char| c.is_whitespace() || "\"'“‘«([".contains(c));
    last.ends_with(|c: char| c.is_alphanumeric() || ",;’'".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storymill_core::Seed;

    use super::*;

    fn told(texts: &[String]) -> Vec<Summary> {
        let one = |(at, text): (u32, &String)| Summary {
            book: "t".parse().unwrap(),
            level: 0,
            at,
            first_scene: at,
            last_scene: at,
            protocol: "told".into(),
            text: text.clone(),
            answers: Vec::new(),
        };
        (0..).zip(texts).map(one).collect()
    }

    fn picked(texts: &[String], wanted: Wanted, seed: u64) -> Vec<Picked> {
        let told = told(texts);
        let mut draw = Seed::new(seed).derive("t", &"t".parse().unwrap(), "t", "t");
        pick(&told.iter().collect::<Vec<_>>(), wanted, &mut draw)
    }

    #[test]
    fn names_and_nouns_are_found_by_their_place() {
        let text = "Old Anne hid the sealed letter and quickly walked to Ben’s mill. She kissed the miller out of the kindness of her heart, and the key fitted \
                    none. A grey horse waited, where Carl had sold an apple.";
        let found: Vec<String> = things(text).into_values().collect();
        assert_eq!(
            found,
            ["Anne", "apple", "Ben", "Carl", "horse", "key", "letter", "mill", "miller"]
        );
    }

    #[test]
    fn what_two_scenes_share_is_picked() {
        let texts = [
            "She hid the letter.",
            "They ate.",
            "He slept.",
            "They left.",
            "A storm came.",
            "She burned the letter.",
        ];
        let texts = texts.map(str::to_owned);
        let wanted = Wanted { places: 2, apart: 3, limit: 9 };
        assert_eq!(
            picked(&texts, wanted, 1),
            [Picked { scenes: vec![0, 5], things: vec!["letter".into()] }]
        );
        assert_eq!(picked(&texts, Wanted { apart: 5, ..wanted }, 1), []);
        assert_eq!(picked(&texts, Wanted { places: 3, ..wanted }, 1), []);
    }

    proptest! {
        /// Every pick shares its word, lies apart, and stands within the limits; the seed alone says which they are.
        #[test]
        fn picks_keep_their_laws(
            nouns in prop::collection::vec(prop::collection::vec(0_usize..30, 0..6), 2..50),
            places in 2_usize..5, apart in 0_u32..6, limit in 1_usize..20, seed in 0_u64..100,
        ) {
            let noun = |number: &usize| format!("There stood the n{number}q, and ");
            let texts: Vec<String> = nouns.iter().map(|one| one.iter().map(noun).collect()).collect();
            let wanted = Wanted { places, apart, limit };
            let all = picked(&texts, wanted, seed);
            prop_assert_eq!(&all, &picked(&texts, wanted, seed));
            prop_assert!(all.len() <= limit);
            let things: BTreeSet<&str> = all.iter().map(|one| &one.things[0][..]).collect();
            prop_assert_eq!(things.len(), all.len());
            for one in &all {
                prop_assert_eq!(one.scenes.len(), places);
                prop_assert!(one.scenes.windows(2).all(|two| two[0] + apart < two[1]));
                prop_assert!(one.scenes.iter().all(|at| texts[*at as usize].contains(&one.things[0])));
                let ends = [one.scenes[0], one.scenes[places - 1]];
                prop_assert!(one.things.iter().all(|thing| ends.iter().all(|at| texts[*at as usize].contains(thing))));
            }
            for at in 0..texts.len() {
                let uses = all.iter().filter(|one| one.scenes.contains(&u32::try_from(at).unwrap()));
                prop_assert!(uses.count() <= USES);
            }
        }
    }
}
