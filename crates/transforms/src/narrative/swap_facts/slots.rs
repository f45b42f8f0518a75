//! Where a retelling can be made false: each place with what may be told there instead.

use std::collections::HashSet;
use std::ops::Range;

use storymill_core::Scene;

use super::tables::{BEFORE_NOUN, FIXED, NOUNS, REVERSALS, UNLESS, WORDS};
use crate::{
    Language,
    narrative::{
        lexicon::{NUMBERS, base_of, is_past, number_of},
        names::{Gender, Mention, Name, NameKind, Names},
    },
    sentence,
    word::{Word, words},
};

/// A replacement of some bytes of the retelling.
pub(super) type Change = (Range<usize>, String);

/// A fact that can be swapped, with everything that can be told instead.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) kind: SlotKind,
    /// The sentence it stands in.
    pub(super) sentence: Range<usize>,
    /// What is swapped, in small letters: nothing is swapped twice in one retelling.
    pub(super) key: String,
    /// The false tellings, each a list of replacements.
    pub(super) tellings: Vec<Vec<Change>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SlotKind {
    /// Two persons change places.
    Exchange,
    /// Somebody else does it.
    Person,
    /// It happens elsewhere.
    Place,
    /// The opposite happens.
    Reversal,
    /// It is refused, or does not happen.
    Refusal,
    /// Another thing, colour, day or number.
    Thing,
    Number,
}

impl SlotKind {
    /// How gladly it is drawn.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Exchange => 6,
            Self::Person => 9,
            Self::Place => 5,
            Self::Reversal => 8,
            Self::Refusal => 4,
            Self::Thing => 4,
            Self::Number => 4,
        }
    }
}

/// What a book offers for swapping.
#[derive(Debug)]
pub(super) struct Stock<'n> {
    names: &'n Names,
    /// Every word of the book in small letters.
    words: HashSet<String>,
    /// Persons by mentions, the most first.
    persons: Vec<(&'n str, &'n Name)>,
    places: Vec<&'n str>,
}

impl<'n> Stock<'n> {
    pub(super) fn of(scenes: &[Scene], names: &'n Names) -> Self {
        let all = scenes.iter().flat_map(|scene| words(&scene.text));
        let words = all.map(|word| word.text.to_lowercase()).collect();
        let of_kind = |kind| {
            let mut found: Vec<(&str, &Name)> = names
                .all
                .iter()
                .filter(|(_, name)| name.kind == kind && name.mentions >= 2)
                .map(|(text, name)| (text.as_str(), name))
                .collect();
            found.sort_by_key(|(text, name)| (std::cmp::Reverse(name.mentions), *text));
            found
        };
        let places = of_kind(NameKind::Place).into_iter().map(|place| place.0).take(20).collect();
        let mut persons = of_kind(NameKind::Person);
        persons.truncate(40);
        Self { names, words, persons, places }
    }

    /// All slots of a retelling, in the order of its text.
    pub(super) fn slots(&self, text: &str) -> Vec<Slot> {
        let mut slots = Vec::new();
        let mut start = 0;
        for end in sentence::ends(text, Language::English) {
            let range = start..start + text[start..end].trim_end().len();
            start = end;
            let all: Vec<Word<'_>> = words(&text[range.clone()])
                .map(|w| Word { start: w.start + range.start, end: w.end + range.start, ..w })
                .collect();
            let mentions: Vec<Mention> = self
                .names
                .mentions(&text[range.clone()])
                .into_iter()
                .map(|m| Mention { start: m.start + range.start, end: m.end + range.start, ..m })
                .collect();
            let line = Line { text, range, words: all, mentions };
            self.of_names(&line, &mut slots);
            line.reversals(&mut slots);
            line.refusals(self.names, &mut slots);
            self.of_words(&line, &mut slots);
            self.of_numbers(&line, &mut slots);
        }
        slots
    }

    fn known(&self, mention: &Mention) -> Option<&'n Name> {
        self.names.all.get(&mention.name)
    }

    fn of_names(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        let mut seen: Vec<&str> = Vec::new();
        for mention in &line.mentions {
            let Some(name) = self.known(mention) else { continue };
            if seen.contains(&&mention.name[..]) || line.is_fixed_name(mention) {
                continue;
            }
            seen.push(&mention.name);
            let (kind, others) = match name.kind {
                NameKind::Person if name.gender != Gender::Unclear => {
                    (SlotKind::Person, self.others(line, mention, name))
                }
                NameKind::Place => (SlotKind::Place, self.elsewhere(line, mention)),
                _ => continue,
            };
            let again = line.mentions.iter().filter(|other| other.name == mention.name);
            let places: Vec<Range<usize>> = again.map(|other| other.start..other.end).collect();
            let tellings = others.into_iter().map(|other| {
                places.iter().map(|place| (place.clone(), other.to_owned())).collect()
            });
            line.slot(kind, &mention.name, tellings.collect(), slots);
        }
        self.exchanges(line, slots);
    }

    /// Other persons of the same gender and bearing, main characters first.
    fn others(&self, line: &Line<'_>, mention: &Mention, name: &Name) -> Vec<&'n str> {
        // Another name of somebody in the sentence would make it say nothing or nonsense.
        let free =
            |other: &str| !line.mentions.iter().any(|m| self.names.may_be_same(&m.name, other));
        let plural = line.text[mention.end..].starts_with("es ") || mention.name.ends_with("sons");
        self.persons
            .iter()
            .filter(|(_, other)| other.gender == name.gender && !plural)
            .map(|(text, _)| *text)
            .filter(|other| free(other))
            .take(8)
            .collect()
    }

    fn elsewhere(&self, line: &Line<'_>, mention: &Mention) -> Vec<&'n str> {
        let free = |other: &&&str| {
            !line.mentions.iter().any(|m| self.names.may_be_same(&m.name, other))
                && other.contains(' ') == mention.name.contains(' ')
        };
        self.places.iter().filter(free).copied().take(8).collect()
    }

    /// Two persons of one sentence that can change places: who did what to whom.
    fn exchanges(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        let is_person =
            |m: &&Mention| self.known(m).is_some_and(|name| name.kind == NameKind::Person);
        let persons: Vec<&Mention> = line.mentions.iter().filter(is_person).collect();
        let [one, other] = persons[..] else { return };
        let gender = |m| self.known(m).map_or(Gender::Unclear, |name| name.gender);
        let same_gender = gender(one) == gender(other) && gender(one) != Gender::Unclear;
        let pronoun = line.words.iter().any(|w| {
            matches!(w.text, "he" | "him" | "his" | "she" | "her" | "hers" | "himself" | "herself")
        });
        let between: Vec<&Word<'_>> =
            line.words.iter().filter(|w| w.start > one.end && w.start < other.start).collect();
        // `Anne and Diana`, `Anne met Diana` are as true the other way round.
        let mutual = ["and", "or", "met", "married", "nor", "with", "like", "resembled", "but"];
        let one_sided = between.iter().any(|w| is_past(w.text))
            && !between.iter().any(|w| mutual.contains(&w.text));
        let owned = |m: &Mention| line.text[m.end..].starts_with(['’', '\'']);
        if !one_sided
            || self.names.may_be_same(&one.name, &other.name)
            || pronoun && !same_gender
            || owned(one)
            || owned(other)
            || line.is_fixed_name(one)
            || line.is_fixed_name(other)
        {
            return;
        }
        let changes = vec![
            (one.start..one.end, other.name.clone()),
            (other.start..other.end, one.name.clone()),
        ];
        line.slot(SlotKind::Exchange, &one.name, vec![changes], slots);
    }

    /// Nouns, colours, days: swapped for others of their class that the book knows.
    fn of_words(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for at in 0..line.words.len() {
            let word = &line.words[at];
            let before = at.checked_sub(1).map(|at| line.words[at].text);
            let noun = NOUNS.iter().find(|class| class.split(' ').any(|w| w == word.text));
            let noun = noun.filter(|_| line.is_thing(at));
            let plain = || WORDS.iter().find(|class| class.split(' ').any(|w| w == word.text));
            let Some(class) = noun.or_else(plain) else { continue };
            if line.is_fixed(at)
                || line.mentions.iter().any(|m| m.start <= word.start && word.start < m.end)
            {
                continue;
            }
            if word.text == "second" && before != Some("the") && before != Some("a") {
                continue;
            }
            if matches!(
                word.text,
                "minutes"
                    | "hours"
                    | "days"
                    | "weeks"
                    | "months"
                    | "years"
                    | "feet"
                    | "miles"
                    | "inches"
                    | "yards"
            ) && !before.is_some_and(|w| {
                number_of(w).is_some() || matches!(w, "few" | "several" | "many" | "some")
            }) {
                continue;
            }
            let fits = |other: &&str| {
                *other != word.text
                    && self.words.contains(&other.to_lowercase())
                    && !same_thing(other, word.text)
                    && !line.words.iter().any(|w| w.text == *other)
            };
            let tellings = class.split(' ').filter(fits).map(|other| vec![line.replace(at, other)]);
            line.slot(SlotKind::Thing, word.text, tellings.collect(), slots);
        }
    }

    /// Number words for others that the book knows, digits for others of like size.
    fn of_numbers(&self, line: &Line<'_>, slots: &mut Vec<Slot>) {
        for at in 0..line.words.len() {
            let word = line.words[at].text;
            let before = at.checked_sub(1).map_or("", |at| line.words[at].text);
            if matches!(
                before,
                "Chapter"
                    | "chapter"
                    | "the"
                    | "No"
                    | "these"
                    | "those"
                    | "All"
                    | "all"
                    | "or"
                    | "and"
            ) && !word.starts_with(|c: char| c.is_ascii_digit())
            {
                continue;
            }
            let others: Vec<String> = if let Some(value) = number_of(word) {
                self.numbers_like(value).into_iter().map(str::to_owned).collect()
            } else if let Some((tens, ones)) = word.split_once('-').filter(|(tens, ones)| {
                number_of(tens).is_some() && (number_of(ones).is_some() || *ones == "one")
            }) {
                NUMBERS[..8]
                    .iter()
                    .filter(|n| n.0 != ones && n.1 < 10)
                    .map(|n| format!("{tens}-{}", n.0))
                    .collect()
            } else {
                digits_like(word)
            };
            let tellings = others.iter().map(|other| vec![line.replace(at, other)]);
            line.slot(SlotKind::Number, word, tellings.collect(), slots);
        }
    }

    fn numbers_like(&self, value: u32) -> Vec<&'static str> {
        let near = |other: u32| match value {
            2..=12 => (2..=12).contains(&other),
            13..=19 => (11..=19).contains(&other),
            100.. => other >= 100,
            _ => (20..=90).contains(&other),
        };
        let others = NUMBERS.iter().filter(|(word, other)| {
            *other != value && near(*other) && (*other <= 12 || self.words.contains(*word))
        });
        others.map(|(word, _)| *word).collect()
    }
}

/// Numbers of as many digits: a year some years off, otherwise another leading digit.
fn digits_like(word: &str) -> Vec<String> {
    let Ok(value) = word.parse::<u32>() else { return Vec::new() };
    match value {
        2..=12 => (2..=12).filter(|other| *other != value).map(|n| n.to_string()).collect(),
        13..=31 => (13..=29).filter(|other| *other != value).map(|n| n.to_string()).collect(),
        1000..=2100 => [2, 3, 5, 8, 12]
            .iter()
            .flat_map(|by| [value - by, value + by])
            .map(|n| n.to_string())
            .collect(),
        32..=9999 => [value / 2, value * 2, value / 3].iter().map(u32::to_string).collect(),
        _ => Vec::new(),
    }
}

/// Spellings of one thing.
fn same_thing(one: &str, other: &str) -> bool {
    const SAME: &[&str] = &[
        "grey gray",
        "parlour parlor",
        "luncheon lunch dinner",
        "wagon cart",
        "minister vicar parson priest curate",
        "rose",
        "scarlet crimson red",
        "policeman constable",
        "oxen cows",
        "photograph picture",
        "photographs pictures",
        "shelf cupboard",
        "forest wood",
        "coach carriage cab",
        "notebook book ledger",
        "cap hat bonnet",
        "dress gown",
        "dollars crowns",
        "evening night",
        "boat ship ferry barge",
        "armchair chair",
        "settle bench",
        "garret attic",
        "calf cow",
        "lamb sheep",
        "pony horse",
        "note letter",
    ];
    SAME.iter()
        .any(|group| group.split(' ').any(|w| w == one) && group.split(' ').any(|w| w == other))
}

/// One sentence of a retelling, taken apart.
struct Line<'t> {
    text: &'t str,
    range: Range<usize>,
    words: Vec<Word<'t>>,
    mentions: Vec<Mention>,
}

impl Line<'_> {
    fn slot(&self, kind: SlotKind, key: &str, tellings: Vec<Vec<Change>>, slots: &mut Vec<Slot>) {
        if !tellings.is_empty() {
            let (sentence, key) = (self.range.clone(), key.to_lowercase());
            slots.push(Slot { kind, sentence, key, tellings });
        }
    }

    /// The replacement of a word, with its capital and with the article that it needs.
    fn replace(&self, at: usize, other: &str) -> Change {
        let word = &self.words[at];
        self.replace_run(at, at, &like(word.text, other))
    }

    /// The replacement of a run of words by a text.
    fn replace_run(&self, first: usize, last: usize, other: &str) -> Change {
        let (start, end) = (self.words[first].start, self.words[last].end);
        let article = first.checked_sub(1).map(|at| &self.words[at]).filter(|word| {
            matches!(word.text, "a" | "an" | "A" | "An") && &self.text[word.end..start] == " "
        });
        match article {
            Some(article) => {
                let sound = like(article.text, if sounds_like_vowel(other) { "an" } else { "a" });
                (article.start..end, format!("{sound} {other}"))
            }
            None => (start..end, other.to_owned()),
        }
    }

    /// Whether a noun at this place is a thing: an article or the like stands in front of it, and
    /// no noun behind it that it belongs to.
    fn is_thing(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map(|at| &self.words[at]);
        let owner = before.is_some_and(|w| self.text[w.end..].starts_with(['’', '\'']));
        let led = before.is_some_and(|w| BEFORE_NOUN.contains(&w.text)) || owner;
        let mass = matches!(
            self.words[at].text,
            "bread"
                | "cheese"
                | "butter"
                | "meat"
                | "soup"
                | "breakfast"
                | "dinner"
                | "supper"
                | "luncheon"
                | "lunch"
                | "tea"
                | "coffee"
                | "wine"
                | "beer"
                | "brandy"
                | "shillings"
                | "guineas"
                | "dollars"
                | "sovereigns"
                | "francs"
                | "pence"
                | "cents"
        );
        let hyphen = self.text[self.words[at].end..].starts_with('-');
        (led || mass) && !hyphen
    }

    fn is_fixed(&self, at: usize) -> bool {
        let pair = |one: usize, two: usize| {
            let (Some(one), Some(two)) = (self.words.get(one), self.words.get(two)) else {
                return false;
            };
            let pair = format!("{} {}", one.text.to_lowercase(), two.text.to_lowercase());
            FIXED.contains(&pair.as_str())
        };
        at > 0 && pair(at - 1, at) || pair(at, at + 1)
    }

    /// Whether a name is part of a longer fixed one: `Anne of Green Gables`, `the Venn farm`.
    fn is_fixed_name(&self, mention: &Mention) -> bool {
        let after = &self.text[mention.end..self.range.end];
        let before = &self.text[self.range.start..mention.start];
        after.starts_with('-')
            || before.ends_with('-')
            || after.starts_with(" of ") && after[4..].starts_with(char::is_uppercase)
            || before.ends_with(" of ")
                && before[..before.len() - 4].rsplit(' ').next().is_some_and(|w| {
                    w.starts_with(char::is_uppercase)
                        && w.len() > 3
                        && self.range.start + before.len() - 4 - w.len() != self.range.start
                })
            || before.ends_with("the ") && after.starts_with('s')
            || after.trim_start().starts_with(char::is_uppercase)
    }

    fn reversals(&self, slots: &mut Vec<Slot>) {
        let mut at = 0;
        while at < self.words.len() {
            let found = REVERSALS.iter().find_map(|(from, to)| {
                let last = self.matches(at, from)?;
                self.may_reverse(at, last, from).then_some((from, to, last))
            });
            let Some((from, to, last)) = found else {
                at += 1;
                continue;
            };
            let other = like(self.words[at].text, to);
            line_slot(self, at, last, from, &other, slots);
            at = last + 1;
        }
    }

    /// The last word of a phrase that stands at a place.
    fn matches(&self, at: usize, phrase: &str) -> Option<usize> {
        let mut last = at;
        for (offset, part) in phrase.split(' ').enumerate() {
            let word = self.words.get(at + offset)?;
            let same =
                if offset == 0 { word.text.eq_ignore_ascii_case(part) } else { word.text == part };
            let near =
                offset == 0 || &self.text[self.words[at + offset - 1].end..word.start] == " ";
            if !same || !near {
                return None;
            }
            last = at + offset;
        }
        let inside = |m: &Mention| m.start <= self.words[at].start && self.words[at].start < m.end;
        (!self.mentions.iter().any(inside)).then_some(last)
    }

    fn may_reverse(&self, at: usize, last: usize, phrase: &str) -> bool {
        let before =
            at.checked_sub(1).map_or(String::new(), |at| self.words[at].text.to_lowercase());
        let after = self.words.get(last + 1).map_or(String::new(), |w| w.text.to_lowercase());
        let negated = matches!(
            &before[..],
            "not" | "no" | "never" | "didn’t" | "didn't" | "as" | "so" | "how" | "too"
        );
        let listed = |list: &str, word: &str| list.split(' ').any(|w| w == word && !w.is_empty());
        let banned = UNLESS
            .iter()
            .any(|(word, b, a)| *word == phrase && (listed(b, &before) || listed(a, &after)));
        // `before` and `after` need something behind them; `than` and `as` compare.
        let open =
            matches!(phrase, "before" | "after" | "above" | "below" | "behind" | "in front of");
        let gap = self.words.get(last + 1).map(|w| &self.text[self.words[last].end..w.start]);
        let hyphen = self.text[self.words[last].end..].starts_with(['-', '’', '\''])
            || self.text[..self.words[at].start].ends_with('-');
        !negated
            && !banned
            && !hyphen
            && (!open || gap == Some(" "))
            && !(after == "as" || after == "than")
    }

    /// A subject with a verb right behind it: it refuses to, or does not.
    fn refusals(&self, names: &Names, slots: &mut Vec<Slot>) {
        for at in 1..self.words.len() {
            let (subject, verb) = (&self.words[at - 1], &self.words[at]);
            let person = matches!(
                subject.text,
                "he" | "He" | "she" | "She" | "they" | "They" | "I" | "we" | "We"
            ) || self.mentions.iter().any(|m| {
                m.end == subject.end
                    && names.all.get(&m.name).is_some_and(|n| n.kind == NameKind::Person)
            });
            let Some(base) = base_of(verb.text).filter(|_| person) else { continue };
            if &self.text[subject.end..verb.start] != " " || self.is_coordinated(at) {
                continue;
            }
            let not = vec![self.replace_run(at, at, &format!("did not {base}"))];
            let mut tellings = vec![not];
            let wilful = !matches!(
                base,
                "fall"
                    | "feel"
                    | "hear"
                    | "know"
                    | "see"
                    | "lose"
                    | "notice"
                    | "understand"
                    | "sleep"
                    | "receive"
                    | "win"
                    | "sink"
                    | "rise"
                    | "reach"
                    | "meet"
                    | "forget"
                    | "begin"
                    | "come"
                    | "want"
                    | "believe"
            );
            if wilful {
                tellings.push(vec![self.replace_run(at, at, &format!("refused to {base}"))]);
            }
            self.slot(SlotKind::Refusal, verb.text, tellings, slots);
        }
    }

    /// Whether another verb hangs on the same subject, behind the verb or in front of it.
    fn is_coordinated(&self, at: usize) -> bool {
        let rest = &self.words[at + 1..];
        let coordinated = rest.iter().zip(&self.words[at..]).any(|(word, before)| {
            let gap = &self.text[before.end..word.start];
            (matches!(before.text, "and" | "but" | "then" | "or") || gap.contains([',', ';', '—']))
                && (is_past(word.text)
                    || matches!(
                        word.text,
                        "was"
                            | "were"
                            | "had"
                            | "not"
                            | "did"
                            | "said"
                            | "put"
                            | "set"
                            | "never"
                            | "would"
                            | "could"
                    ))
        });
        let tag = rest.iter().any(|w| {
            matches!(
                w.text,
                "nothing" | "no" | "never" | "nobody" | "neither" | "only" | "not" | "nor"
            )
        });
        coordinated || tag
    }
}

fn line_slot(
    line: &Line<'_>,
    at: usize,
    last: usize,
    from: &str,
    other: &str,
    slots: &mut Vec<Slot>,
) {
    let change = line.replace_run(at, last, other);
    line.slot(SlotKind::Reversal, from, vec![vec![change]], slots);
}

/// The second word with the capital of the first.
fn like(model: &str, word: &str) -> String {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) if model.starts_with(char::is_uppercase) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => word.to_owned(),
    }
}

/// Whether `an` stands before a word.
pub(super) fn sounds_like_vowel(word: &str) -> bool {
    let low = word.to_lowercase();
    let silent = ["hour", "honest", "honour", "heir"].iter().any(|h| low.starts_with(h));
    let glide = ["one", "uni", "use", "eu", "once", "ewe"].iter().any(|g| low.starts_with(g))
        && !low.starts_with("unin");
    silent || low.starts_with(['a', 'e', 'i', 'o', 'u']) && !glide
}
