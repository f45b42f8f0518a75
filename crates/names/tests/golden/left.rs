//! Names that are left, against casts by hand of ten novels: what the search finds of what is left, and what it takes
//! for a name that is none. The casts lie beside the checkout; their words are never printed but where a test is read.
//!
//! What is left is counted as the script beside the casts counts it: a mention of a person or a family, longest
//! alias first, of which some word of the name still stands.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use serde_json::Value;
use storymill_core::Seed;
use storymill_names::{
    CastFile, NameTagger, NamesLeft, Perceptron, Policy, Replacement, Substitutes, Sure, Words,
    decide,
};
use storymill_sources::clean;

use crate::full;
#[cfg(feature = "litner")]
use crate::litner;

/// Words that stand in aliases and name nobody.
const TITLES: &str = "Mr Sir Lord Master Uncle Monsieur Herr Signor Don Duke Count Squire Father Brother King Prince Marquis Earl Señor Grandfather \
    Mrs Miss Lady Madame Madam Mme Mademoiselle Mlle Aunt Duchess Countess Mother Sister Queen Princess Dame Marchioness Mistress Granny Missy \
    Misses Señora Grandmother Citizeness Widow M Messrs Dr Doctor Captain Cap Capt Colonel Col Major General Professor Rev Reverend Inspector \
    Superintendent Lieutenant Sergeant Sergt Judge Justice Parson Deacon Cousin Nurse Friend Citizen Young Old Poor Little Dear Dowager Honourable \
    Papa Mamma The St Baron Bishop";
/// Parts of aliases that are let be where others stand beside them.
const PARTS: &str = "Van Von De Du Des Del La Le VAN VON DE DU LA LE Long One Two Three Four Five";
/// What a sentence may begin behind.
const START: &str = ".!?:;“‘\"”’—–-_(*[";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    Person,
    Minor,
    Other,
}

/// A cast by hand.
pub(crate) struct Gold {
    patterns: BTreeMap<String, Vec<(Vec<String>, Of)>>,
    titles: BTreeSet<String>,
    careful: BTreeSet<String>,
    /// Lower-cased words of names of persons and families, and of persons of history and letters.
    persons: BTreeSet<String>,
    real: BTreeSet<String>,
}

/// The pieces of a text as the casts are written in them.
pub(crate) fn pieces(text: &str) -> Vec<String> {
    let words = Words::new(text);
    (0..words.len()).map(|at| words.surface(at).replace('\'', "’")).collect()
}

pub(crate) fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|one| one.as_str().unwrap().to_owned()).collect()
}

impl Gold {
    pub(crate) fn read(path: &Path) -> Self {
        let cast: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let mut persons = Vec::new();
        for one in cast["characters"].as_array().unwrap() {
            persons.extend(texts(&one["aliases"]));
        }
        for one in cast["families"].as_array().unwrap() {
            persons.push(one["name"].as_str().unwrap().to_owned());
            persons
                .extend(texts(&one["plural"]).into_iter().filter(|one| !one.starts_with("the ")));
        }
        let minor = texts(&cast["minor"]);
        let other = ["places", "not_people", "other_capitals"];
        let other: Vec<String> = other.iter().flat_map(|key| texts(&cast[*key])).collect();
        let mut titles: BTreeSet<String> = TITLES.split_whitespace().map(str::to_owned).collect();
        if let Some(own) = cast["titles"].as_object() {
            titles.extend(own.keys().cloned());
        }
        let (mut patterns, mut seen) = (BTreeMap::<String, Vec<_>>::new(), BTreeSet::new());
        for (names, of) in [(&persons, Of::Person), (&minor, Of::Minor), (&other, Of::Other)] {
            for name in names {
                let plain = pieces(name);
                let caps = |word: &String| {
                    if word.chars().count() > 1 { word.to_uppercase() } else { word.clone() }
                };
                for pattern in [plain.clone(), plain.iter().map(caps).collect()] {
                    if seen.insert(pattern.clone()) {
                        patterns.entry(pattern[0].clone()).or_default().push((pattern, of));
                    }
                }
            }
        }
        for list in patterns.values_mut() {
            list.sort_by_key(|(pattern, of)| (usize::MAX - pattern.len(), *of));
        }
        let words = |names: &[String]| {
            let words = names.iter().flat_map(|name| pieces(name));
            words.map(|word| word.to_lowercase()).collect::<BTreeSet<_>>()
        };
        Self {
            careful: texts(&cast["careful"]).into_iter().collect(),
            persons: words(&[persons, minor].concat()),
            real: words(&texts(&cast["real"])),
            patterns,
            titles,
        }
    }

    /// Mentions of persons and families in a text: ranges of words, and those of them that name.
    pub(crate) fn mentions(&self, words: &Words<'_>) -> Vec<(Range<usize>, Vec<usize>)> {
        self.all(words)
            .into_iter()
            .filter(|one| one.2 == Of::Person)
            .map(|one| (one.0, one.1))
            .collect()
    }

    /// Words of a text that the cast says are nobody's: no person's, no family's, and of nobody in history and letters.
    pub(crate) fn nobody(&self, words: &Words<'_>) -> Vec<usize> {
        let others = self.all(words).into_iter().filter(|one| one.2 == Of::Other);
        let somebody = |at: &usize| {
            let low = words.surface(*at).to_lowercase();
            self.persons.contains(&low) || self.real.contains(&low)
        };
        others.flat_map(|one| one.0).filter(|at| !somebody(at)).collect()
    }

    fn all(&self, words: &Words<'_>) -> Vec<(Range<usize>, Vec<usize>, Of)> {
        let all: Vec<String> =
            (0..words.len()).map(|at| words.surface(at).replace('\'', "’")).collect();
        let (mut mentions, mut at) = (Vec::new(), 0);
        'words: while at < all.len() {
            for (pattern, of) in self.patterns.get(&all[at]).into_iter().flatten() {
                if all.get(at..at + pattern.len()) != Some(pattern) {
                    continue;
                }
                let whole = at..at + pattern.len();
                let before = at.checked_sub(1).map_or(".", |before| &all[before]);
                let line = at == 0 || {
                    let gap = words.all()[at - 1].end as usize..words.all()[at].start as usize;
                    words.text()[gap].contains(['\n', '_'])
                };
                let start = line || START.contains(before);
                let person = *of == Of::Person;
                if person && pattern.len() == 1 && self.careful.contains(&all[at]) && start {
                    continue;
                }
                let names = self.name_words(pattern);
                if !names.is_empty() || !person {
                    let names = names.iter().map(|name| at + name).collect();
                    mentions.push((whole.clone(), names, *of));
                }
                at = whole.end;
                continue 'words;
            }
            at += 1;
        }
        mentions
    }

    pub(crate) fn name_words(&self, pattern: &[String]) -> Vec<usize> {
        let capitalised = |word: &str| {
            let mut chars = word.chars();
            let first = chars.next().into_iter().flat_map(char::to_uppercase);
            first.chain(chars.flat_map(char::to_lowercase)).collect::<String>()
        };
        let all: Vec<usize> = (0..pattern.len())
            .filter(|at| pattern[*at].starts_with(char::is_uppercase))
            .filter(|at| {
                let word = &pattern[*at];
                !self.titles.contains(word) && !self.titles.contains(&capitalised(word))
            })
            .collect();
        let long = |at: &&usize| {
            let word = &pattern[**at];
            word.chars().count() > 1 && !PARTS.split_whitespace().any(|part| part == word)
        };
        let some: Vec<usize> = all.iter().filter(long).copied().collect();
        if some.is_empty() { all } else { some }
    }
}

/// A text written anew with some of its edits.
struct Anew {
    text: String,
    /// Ends of edits in the old text, and in the new one.
    ends: Vec<(usize, usize)>,
}

impl Anew {
    fn new(old: &str, new: &str, edits: &[&Replacement]) -> Self {
        let (mut text, mut ends, mut at) = (String::new(), Vec::new(), 0);
        for edit in edits {
            text += &old[at..edit.old.start];
            text += &new[edit.new.clone()];
            at = edit.old.end;
            ends.push((at, text.len()));
        }
        text += &old[at..];
        Self { text, ends }
    }

    /// Where a byte of the old text that no edit covers lies in the new one.
    fn place(&self, old: usize) -> usize {
        let before = self.ends.partition_point(|(end, _)| *end <= old);
        before.checked_sub(1).map_or(old, |at| self.ends[at].1 + old - self.ends[at].0)
    }
}

#[derive(Debug, Default)]
struct Score {
    left: usize,
    found: usize,
    flagged: usize,
    /// Forms that are nobody's, and how often each was taken for a name.
    wrong: BTreeMap<String, usize>,
    /// The same for persons of history and letters.
    real: BTreeMap<String, usize>,
    missed: BTreeMap<String, usize>,
    words: u32,
}

/// What the search makes of a novel of which so many mentions in a hundred are put back.
fn score(gold: &Gold, own: &str, substitutes: &Substitutes, places: &[usize], back: u64) -> Score {
    let words = Words::new(own);
    let replaced = substitutes.apply(own, Sure::At(places));
    let mentions = gold.mentions(&words);
    let bytes = |word: usize| words.all()[word].start as usize..words.all()[word].end as usize;
    let mut state = 7_u64;
    let mut dropped = BTreeSet::new();
    for (whole, _) in &mentions {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (state >> 33) % 100 < back {
            dropped.extend(whole.clone());
        }
    }
    let inside: BTreeMap<usize, usize> =
        (0..words.len()).map(|word| (bytes(word).start, word)).collect();
    let kept: Vec<&Replacement> = replaced
        .edits
        .iter()
        .filter(|edit| inside.get(&edit.old.start).is_none_or(|word| !dropped.contains(word)))
        .collect();
    let stands = |word: usize| {
        let word = bytes(word);
        let next = kept.partition_point(|edit| edit.old.end <= word.start);
        kept.get(next).is_none_or(|edit| edit.old.start >= word.end)
    };
    let anew = Anew::new(own, &replaced.text, &kept);
    let look = NamesLeft::new(own, Some(&anew.text)).look(&anew.text, false);
    let starts: BTreeSet<usize> = look.left.iter().map(|left| left.bytes.start).collect();
    let mut score = Score { flagged: look.left.len(), words: look.words, ..Score::default() };
    for (whole, names) in &mentions {
        if names.iter().any(|name| stands(*name)) {
            score.left += 1;
            let mut standing = whole.clone().filter(|word| stands(*word));
            if standing.any(|word| starts.contains(&anew.place(bytes(word).start))) {
                score.found += 1;
            } else {
                let alias = &own[bytes(whole.start).start..bytes(whole.end - 1).end];
                *score.missed.entry(alias.to_owned()).or_default() += 1;
            }
        }
    }
    for left in &look.left {
        let form = anew.text[left.bytes.clone()].to_lowercase();
        if gold.persons.contains(&form) {
            continue;
        }
        let list = if gold.real.contains(&form) { &mut score.real } else { &mut score.wrong };
        *list.entry(format!("{form} ({})", left.sign.name())).or_default() += 1;
    }
    score
}

pub(crate) fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if shared.join("golden/casts").exists() {
        return Some(shared);
    }
    println!("skip: ../shared/golden/casts is not here");
    None
}

/// A file of the folder that `STORYMILL_CASTS` names: `ID.cast.toml`, and `ID.txt` that it was made of.
fn made(file: &str) -> Option<String> {
    let folder = std::env::var_os("STORYMILL_CASTS")?;
    fs::read_to_string(Path::new(&folder).join(file)).ok()
}

pub(crate) fn novel(shared: &Path, id: &str) -> Option<String> {
    let page = || {
        let name = format!("{id}.html.gz");
        let page = fs::read(shared.join("books").join(&name)).ok()?;
        Some(clean(&page, &name).unwrap().book(id.parse().unwrap(), None).text)
    };
    made(&format!("{id}.txt")).or_else(page)
}

#[cfg(feature = "litner")]
fn tagger() -> Box<dyn NameTagger> {
    if full() { Box::new(litner("litner.onnx")) } else { Box::new(Perceptron::new()) }
}

#[cfg(not(feature = "litner"))]
fn tagger() -> Box<dyn NameTagger> {
    Box::new(Perceptron::new())
}

/// The substitutes of a novel: of a cast that was made before, else of the cast that the table finds, or with
/// `CI_FULL=1` the model.
pub(crate) fn substitutes(id: &str, own: &str) -> (Substitutes, Vec<usize>) {
    let words = Words::new(own);
    let toml = made(&format!("{id}.cast.toml")).unwrap_or_else(|| {
        let tagger = tagger();
        let found = decide(&words, &tagger.tag(&words).unwrap(), tagger.weights());
        CastFile::new(id, &words, &found, Policy::default()).to_toml()
    });
    let cast = CastFile::parse(&toml).unwrap();
    let places = cast.places_in(own).unwrap();
    (Substitutes::draw(&cast, &words, Seed::new(0)).unwrap(), places)
}

/// Whether the words that were found are printed, for reading.
fn shown() -> bool {
    std::env::var_os("STORYMILL_SHOWN").is_some()
}

#[test]
fn what_is_left_is_found_without_the_cast() {
    let Some(shared) = shared() else { return };
    let novels = ["84", "98", "308", "345", "541", "1342", "6053", "17396", "64317", "69087"];
    // Without optimisation ten novels take long.
    let novels = if full() { &novels[..] } else { &["84", "98", "64317"] };
    let mut all = [(0, 0); 2];
    for id in novels {
        let gold = Gold::read(&shared.join(format!("golden/casts/{id}.json")));
        let own = novel(&shared, id).unwrap();
        let (substitutes, places) = substitutes(id, &own);
        for (at, back) in [0, 20].into_iter().enumerate() {
            let score = score(&gold, &own, &substitutes, &places, back);
            println!(
                "{id:>5}, {back:>2} % put back: {} left, {} found; flagged {} in {} words; wrong {} forms, {} places; \
                 of history and letters {} forms, {} places",
                score.left,
                score.found,
                score.flagged,
                score.words,
                score.wrong.len(),
                score.wrong.values().sum::<usize>(),
                score.real.len(),
                score.real.values().sum::<usize>(),
            );
            if shown() {
                println!("      wrong {:?}", score.wrong);
                println!("      real {:?}", score.real);
                println!("      missed {:?}", score.missed);
            }
            all[at].0 += score.left;
            all[at].1 += score.found;
            assert!(score.wrong.len() <= 5, "{id}: {:?}", score.wrong);
            assert!(back == 0 || 100 * score.found >= 95 * score.left, "{id}: {:?}", score.missed);
        }
    }
    println!("all: {all:?}");
    assert!(all[1].0 > 100, "nothing was put back");
}

/// Novels that nobody wrote a cast of: what is flagged in them is read by eye; here it must stay little.
#[test]
fn in_other_novels_little_is_flagged() {
    let Some(shared) = shared() else { return };
    let novels = ["1661", "76", "174", "2814", "62", "8164", "27681", "25344"];
    for id in if full() { &novels[..] } else { &novels[2..3] } {
        let Some(own) = novel(&shared, id) else { continue };
        let (substitutes, places) = substitutes(id, &own);
        let new = substitutes.apply(&own, Sure::At(&places)).text;
        let look = NamesLeft::new(&own, Some(&new)).look(&new, false);
        let mut forms: BTreeMap<String, usize> = BTreeMap::new();
        for left in &look.left {
            let form = new[left.bytes.clone()].to_lowercase();
            *forms.entry(format!("{form} ({})", left.sign.name())).or_default() += 1;
        }
        println!(
            "{id:>5}: {} places of {} forms in {} words",
            look.left.len(),
            forms.len(),
            look.words
        );
        if shown() {
            println!("      {forms:?}");
        }
        assert!(forms.len() <= 15, "{id}: {forms:?}");
    }
}
