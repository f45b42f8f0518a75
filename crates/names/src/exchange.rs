//! One book's names in place of another's, so that a text about the one may stand among texts about the other.
//!
//! Characters are matched by gender and by how often their books name them, places by how often; the
//! parts of their names then go one to one. NarrativeXL draws a name of the same type and gender
//! (section 4); matched as whole characters, given and family names stay together.

use std::collections::{BTreeMap, BTreeSet};

use storymill_core::Fault;
use storymill_text::word::fold;

use crate::{
    cast::{CastFile, Character, Gender},
    substitute::{Pair, Substitutes, Sure},
};

/// The names of one book, each with a name of another in its stead.
#[derive(Debug)]
pub struct Exchange {
    substitutes: Substitutes,
    /// The pairs for which the other book has nobody left: they stand for themselves.
    alone: BTreeSet<usize>,
    /// The careful parts, folded: where one stays, nobody knows whether it is a name.
    careful: BTreeSet<String>,
}

/// A text in the other book's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// The text.
    pub text: String,
    /// The parts of the other book's names that stand in it now.
    pub names: BTreeSet<String>,
}

impl Exchange {
    /// Matches the names of two books. Names that their cast keeps as they are (`keep = true`) stay
    /// if they are people's; places go all the same, since a place tells which book it is.
    ///
    /// Laws: one to one; of the same kind and, where both are known, of the same gender; no part of
    /// `to` that is a common word too is used, since it could not be replaced again in a short text.
    pub fn between(from: &CastFile, to: &CastFile) -> Result<Self, Fault> {
        let mut matched = Matched::new(to);
        let pairs = matched.pairs(from);
        let alone = |at: &usize| {
            pairs[*at].part == pairs[*at].substitute && !matched.is_image(&pairs[*at].part)
        };
        let alone = (0..pairs.len()).filter(alone).collect();
        let careful =
            pairs.iter().filter(|pair| pair.careful).map(|pair| fold(&pair.part)).collect();
        Ok(Self { substitutes: Substitutes::of(pairs)?, alone, careful })
    }

    /// A text about the one book in the other's names. None if it has a name that nothing stands for.
    pub fn tell(&self, text: &str) -> Option<Exchanged> {
        let replaced = self.substitutes.apply(text, Sure::Beside);
        let pairs = self.substitutes.pairs();
        if replaced.edits.iter().any(|edit| self.alone.contains(&edit.pair)) {
            return None;
        }
        let is_left = |(at, word): (usize, &str)| {
            word.starts_with(char::is_uppercase)
                && self.careful.contains(&fold(word))
                && !replaced.edits.iter().any(|edit| edit.old.contains(&at))
        };
        if words(text).any(is_left) {
            return None;
        }
        let names = replaced.edits.iter().map(|edit| pairs[edit.pair].substitute.clone()).collect();
        Some(Exchanged { text: replaced.text, names })
    }
}

/// The words of a text, each with the byte that it begins at.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(move |word| (word.as_ptr() as usize - start, word))
}

/// The other book's names, and which of them are taken.
struct Matched<'t> {
    characters: Vec<&'t Character>,
    taken: BTreeSet<usize>,
    /// Parts that may be used, by role, the most named first.
    parts: Vec<(Role, &'t str)>,
    /// Folded parts of the one, and what stands for each.
    images: BTreeMap<String, &'t str>,
    used: BTreeSet<&'t str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Given(Gender),
    Family,
    Place,
}

impl Role {
    fn fits(self, other: Self) -> bool {
        match (self, other) {
            (Self::Given(one), Self::Given(two)) => {
                one == two || one == Gender::Unknown || two == Gender::Unknown
            }
            _ => self == other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Given(Gender::Female) => "female",
            Self::Given(Gender::Male) => "male",
            Self::Given(Gender::Unknown) => "given",
            Self::Family => "family",
            Self::Place => "place",
        }
    }
}

/// The characters of a cast that have names of their own, the most named first.
fn people(cast: &CastFile) -> Vec<&Character> {
    let mut people: Vec<_> = cast.characters.iter().filter(|one| !one.keep).collect();
    people.sort_by_key(|one| std::cmp::Reverse(one.seen));
    people
}

/// The parts of a cast's names with their roles, each part once.
fn parts(cast: &CastFile) -> Vec<(Role, &str)> {
    let mut seen = BTreeSet::new();
    let of_people = people(cast).into_iter().flat_map(|one| {
        let given = one.given.iter().map(|part| {
            let his = one.husband.contains(part);
            (Role::Given(if his { Gender::Male } else { one.gender }), part.as_str())
        });
        given.chain(one.family.iter().map(|part| (Role::Family, part.as_str())))
    });
    let mut places: Vec<_> = cast.places.iter().collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.seen));
    let of_places = places
        .into_iter()
        .flat_map(|place| place.parts.iter().map(|part| (Role::Place, part.as_str())));
    of_people.chain(of_places).filter(|(_, part)| seen.insert(fold(part))).collect()
}

impl<'t> Matched<'t> {
    fn new(to: &'t CastFile) -> Self {
        let careful: BTreeSet<String> = to.careful.iter().map(|one| fold(&one.part)).collect();
        let mut parts = parts(to);
        parts.retain(|(_, part)| !careful.contains(&fold(part)));
        Self {
            characters: people(to),
            taken: BTreeSet::new(),
            parts,
            images: BTreeMap::new(),
            used: BTreeSet::new(),
        }
    }

    fn is_image(&self, part: &str) -> bool {
        self.images.get(&fold(part)).is_some_and(|image| *image == part)
    }

    /// What stands for each part of a cast's names; a part without a counterpart for itself.
    fn pairs(&mut self, from: &CastFile) -> Vec<Pair> {
        for one in people(from) {
            let Some(at) = self.counterpart(one) else { continue };
            self.taken.insert(at);
            let other = self.characters[at];
            if one.husband.is_empty() && other.husband.is_empty() {
                self.join(&one.given, &other.given);
            }
            self.join(&one.family, &other.family);
        }
        let careful: BTreeSet<String> = from.careful.iter().map(|one| fold(&one.part)).collect();
        let pair = |(role, part): (Role, &str)| Pair {
            part: part.to_owned(),
            substitute: self.image(role, part).unwrap_or(part).to_owned(),
            careful: careful.contains(&fold(part)),
            role: role.name().to_owned(),
            written: Vec::new(),
        };
        parts(from).into_iter().map(pair).collect()
    }

    /// Somebody of the same gender whose name has the same kinds of parts, else of the same gender.
    fn counterpart(&self, one: &Character) -> Option<usize> {
        let free = || (0..self.characters.len()).filter(|at| !self.taken.contains(at));
        let fits =
            |at: &usize| Role::Given(one.gender).fits(Role::Given(self.characters[*at].gender));
        let shape = |one: &Character| (one.given.is_empty(), one.family.is_empty());
        let alike = |at: &usize| {
            let other = self.characters[*at];
            other.gender == one.gender && shape(other) == shape(one)
        };
        free().find(alike).or_else(|| free().find(fits))
    }

    /// Lets parts stand for parts, in order, where neither has a partner yet.
    fn join(&mut self, from: &[String], to: &'t [String]) {
        for (one, other) in from.iter().zip(to) {
            let free = self.parts.iter().any(|(_, part)| part == other)
                && !self.used.contains(other.as_str());
            if free && !self.images.contains_key(&fold(one)) {
                self.images.insert(fold(one), other);
                self.used.insert(other);
            }
        }
    }

    /// What stands for a part: what was matched, else the first free one of its role.
    fn image(&mut self, role: Role, part: &str) -> Option<&'t str> {
        if let Some(image) = self.images.get(&fold(part)) {
            return Some(image);
        }
        let free =
            |(other, part): &&(Role, &'t str)| role.fits(*other) && !self.used.contains(part);
        let image = self.parts.iter().find(free)?.1;
        self.images.insert(fold(part), image);
        self.used.insert(image);
        Some(image)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cast(people: &str) -> CastFile {
        let head = "version = 1\nbook = '1'\ntext = ''\nculture = 'english'\n";
        CastFile::parse(&format!("{head}{people}")).unwrap()
    }

    fn who(name: &str, gender: &str, seen: u32) -> String {
        let (given, family) = name.split_once(' ').unwrap_or((name, ""));
        let list = |part: &str| if part.is_empty() { String::new() } else { format!("'{part}'") };
        format!(
            "[[character]]\nname = '{name}'\ngender = '{gender}'\ngiven = [{}]\nfamily = [{}]\nseen = {seen}\n",
            list(given),
            list(family)
        )
    }

    fn pride() -> CastFile {
        cast(
            &[
                who("Elizabeth Bennet", "female", 600),
                who("Jane Bennet", "female", 250),
                who("Fitzwilliam Darcy", "male", 400),
                who("Wickham", "male", 100),
                "[[place]]\nname = 'Longbourn'\nparts = ['Longbourn']\nseen = 80\nkeep = true\n"
                    .into(),
            ]
            .concat(),
        )
    }

    fn whale() -> CastFile {
        cast(
            &[
                who("Mina Murray", "female", 300),
                who("Lucy Westenra", "female", 200),
                who("Jonathan Harker", "male", 250),
                who("Renfield", "male", 90),
                "[[place]]\nname = 'Whitby'\nparts = ['Whitby']\nseen = 40\nkeep = true\n".into(),
            ]
            .concat(),
        )
    }

    #[test]
    fn characters_stay_together() {
        let exchange = Exchange::between(&pride(), &whale()).unwrap();
        let told = exchange
            .tell(
                "At Longbourn, Elizabeth Bennet tells Jane of Mr. Darcy's letter. WICKHAM leaves.",
            )
            .unwrap();
        assert_eq!(
            told.text,
            "At Whitby, Mina Murray tells Lucy of Mr. Harker's letter. RENFIELD leaves."
        );
        let names: Vec<_> = told.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["Harker", "Lucy", "Mina", "Murray", "Renfield", "Whitby"]);
    }

    #[test]
    fn a_name_without_a_counterpart_is_not_told() {
        let small = cast(&who("Mina Murray", "female", 3));
        let exchange = Exchange::between(&pride(), &small).unwrap();
        assert_eq!(exchange.tell("Elizabeth laughs.").unwrap().text, "Mina laughs.");
        assert_eq!(exchange.tell("Elizabeth laughs at Jane."), None);
        assert_eq!(exchange.tell("It rains.").unwrap().text, "It rains.");
    }

    #[test]
    fn a_word_that_may_be_a_name_is_not_told() {
        let careful = "[[careful]]\npart = 'Grace'\nat = [1]\n";
        let from = cast(&(who("Grace Poole", "female", 9) + careful));
        let exchange = Exchange::between(&from, &whale()).unwrap();
        assert_eq!(exchange.tell("Grace Poole laughs.").unwrap().text, "Mina Murray laughs.");
        assert_eq!(exchange.tell("They hear Grace laugh."), None);
        assert_eq!(exchange.tell("She bows with grace.").unwrap().text, "She bows with grace.");
        // Nor is it what stands for another's name.
        let to = cast(&(who("Grace Poole", "female", 9) + careful));
        assert_eq!(Exchange::between(&pride(), &to).unwrap().tell("Elizabeth laughs."), None);
    }

    proptest! {
        #[test]
        fn one_to_one(from in names(), to in names()) {
            let mut matched = Matched::new(&to);
            let pairs = matched.pairs(&from);
            let images: Vec<&&str> = matched.images.values().collect();
            let different: BTreeSet<_> = images.iter().collect();
            prop_assert_eq!(images.len(), different.len());
            prop_assert_eq!(pairs.len(), parts(&from).len());
            // Nothing is left over on both sides.
            for pair in pairs.iter().filter(|pair| !matched.images.contains_key(&fold(&pair.part))) {
                let (role, _) = parts(&from).into_iter().find(|(_, part)| *part == pair.part).unwrap();
                prop_assert!(matched.parts.iter().all(|(other, part)| !role.fits(*other) || matched.used.contains(part)));
            }
        }
    }

    fn names() -> impl Strategy<Value = CastFile> {
        let one = ("[A-F][a-c]{2}", prop::option::of("[G-K][a-c]{2}"), 0..3_usize, 0..50_u32);
        prop::collection::vec(one, 0..8).prop_map(|all| {
            let all = all.into_iter().map(|(given, family, gender, seen)| {
                let name = family.map_or(given.clone(), |family| format!("{given} {family}"));
                who(&name, ["female", "male", "unknown"][gender], seen)
            });
            cast(&all.collect::<String>())
        })
    }
}
