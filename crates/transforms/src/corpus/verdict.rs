//! Whether two forms of a name are one person's.
//!
//! Years weigh most: who was born and died in the same years and has the same family name is one person, and
//! who was not is another, whatever the name. Without years given names must agree word by word, an initial
//! with the name that it begins.

use super::{
    name::{self, Form, Word},
    people::Writer,
};

/// What two forms are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// One person.
    Same,
    /// One person, if nobody else has a better claim.
    Fits,
    /// Nothing is known.
    Open,
    /// Two people.
    Apart,
}

/// What is known of a writer.
pub(super) struct Person {
    forms: Vec<Form>,
    /// All words of the name, sorted: `Lu Xun` is `Xun Lu`.
    words: String,
    /// A catalog's own id.
    id: Option<String>,
    birth: Option<i32>,
    death: Option<i32>,
}

impl Person {
    pub(super) fn of(writer: &Writer) -> Self {
        Self {
            forms: name::forms(&writer.name),
            words: name::sorted_words(&writer.name).join(" "),
            id: writer.own_id.then(|| writer.id.clone()),
            birth: writer.birth,
            death: writer.death,
        }
    }

    /// What it is looked up by.
    pub(super) fn handles(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().map(|form| form.family.as_str()).chain([self.words.as_str()])
    }

    /// Whether this and the other are one.
    pub(super) fn verdict(&self, other: &Self) -> Verdict {
        let years = Years::between((self.birth, self.death), (other.birth, other.death));
        if years == Years::Differ {
            return Verdict::Apart;
        }
        let best = |form: &Form| {
            let others = other.forms.iter().filter(|other| other.family == form.family);
            others.map(|other| form.likeness(other)).max()
        };
        let mut likeness = self.forms.iter().filter_map(best).max();
        if self.words == other.words {
            likeness = likeness.max(Some(Likeness::Full));
        }
        let likeness = likeness.unwrap_or(Likeness::None);
        let told_apart = matches!((&self.id, &other.id), (Some(one), Some(other)) if one != other);
        match (years, likeness) {
            (Years::Both, Likeness::First | Likeness::Part | Likeness::Full)
            | (Years::One, Likeness::Part | Likeness::Full) => Verdict::Same,
            (Years::Unknown, _) if told_apart => Verdict::Apart,
            (Years::Unknown, Likeness::Full) => Verdict::Fits,
            (Years::One, Likeness::First) | (Years::Unknown, Likeness::Part) => Verdict::Open,
            _ => Verdict::Apart,
        }
    }
}

/// What two pairs of years say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Years {
    Differ,
    Unknown,
    One,
    Both,
}

impl Years {
    fn between(one: (Option<i32>, Option<i32>), other: (Option<i32>, Option<i32>)) -> Self {
        let far = |one: Option<i32>, other: Option<i32>| Some(one?.abs_diff(other?));
        let pairs = [far(one.0, other.0), far(one.1, other.1)];
        // Catalogs disagree by a year now and then.
        if pairs.iter().flatten().any(|years| *years > 1) {
            return Self::Differ;
        }
        match pairs.iter().flatten().filter(|years| **years == 0).count() {
            0 => Self::Unknown,
            1 => Self::One,
            _ => Self::Both,
        }
    }
}

/// How far the given names of two forms with one family name agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// They do not: `Emily` and `Anne`.
    None,
    /// The first begins with one letter: `Leo` and `Lev`.
    First,
    /// They do not contradict: `H.` and `Herbert George`; or one of the two may be known by her husband's name.
    Part,
    /// Enough to be one person: `H. G.` and `Herbert George`, `Mary` and `Mary Wollstonecraft`.
    Full,
}

impl Form {
    fn likeness(&self, other: &Self) -> Likeness {
        if self.suffix != other.suffix && self.suffix.is_some() && other.suffix.is_some() {
            return Likeness::None;
        }
        let (short, long) =
            if self.given.len() <= other.given.len() { (self, other) } else { (other, self) };
        let likeness = match matched(&short.given, &long.given) {
            Some(matched) => matched.likeness(short, long),
            None => short.first_alike(long),
        };
        // `Jr.` on one of the two alone.
        if self.suffix == other.suffix { likeness } else { likeness.min(Likeness::Part) }
    }

    fn first_alike(&self, other: &Self) -> Likeness {
        if self.wife || other.wife {
            return Likeness::Part;
        }
        let first = |form: &Self| form.given.first().and_then(|word| word.text.chars().next());
        if first(self) == first(other) { Likeness::First } else { Likeness::None }
    }
}

/// How the words of the shorter of two given names stand in the longer.
struct Matched {
    /// Words that are the same.
    whole: usize,
    /// Initials and the words that they begin.
    begun: usize,
    /// Whole words of the longer before the first that matches.
    skipped: usize,
}

/// Finds every word of the shorter in the longer, in order.
fn matched(short: &[Word], long: &[Word]) -> Option<Matched> {
    let mut found = Matched { whole: 0, begun: 0, skipped: 0 };
    let mut rest = long.iter();
    for word in short {
        loop {
            let next = rest.next()?;
            if word.text == next.text {
                // Two equal initials are no more than initials.
                if word.short {
                    found.begun += 1;
                } else {
                    found.whole += 1;
                }
                break;
            }
            if word.begins(next) || next.begins(word) {
                found.begun += 1;
                break;
            }
            if found.whole + found.begun == 0 && !next.short {
                found.skipped += 1;
            }
        }
    }
    Some(found)
}

impl Matched {
    fn likeness(&self, short: &Form, long: &Form) -> Likeness {
        if short.given.is_empty() {
            // `Lord Byron`, `Mrs. Gaskell`; `Voltaire`, who has no other name here.
            let alone = short.titled || long.given.is_empty();
            return if alone { Likeness::Full } else { Likeness::Part };
        }
        let sure = match (self.whole, self.begun) {
            (0, 1) => long.given.len() == 1,
            _ => self.skipped == 0,
        };
        if sure { Likeness::Full } else { Likeness::Part }
    }
}
