//! Changes that people make to a cast.

use storymill_core::{ChangedPerson, Fault, NameApart, NameChange, NamedPerson, who_is_who};
use storymill_text::word::fold;

use super::{CastFile, Character, ChosenName, Gender, group};

impl CastFile {
    /// The characters as people see them, the most named first.
    pub fn people(&self) -> Vec<NamedPerson> {
        let person = |one: &Character| NamedPerson {
            name: one.name.clone(),
            names: one.given.iter().chain(&one.family).cloned().collect(),
            gender: one.gender.word().to_owned(),
            seen: one.seen,
            keep: one.keep,
        };
        self.characters.iter().map(person).collect()
    }

    /// Makes changes, in whatever order they stand. `text` is the book, in which a name that becomes somebody else's is
    /// counted.
    ///
    /// # Errors
    ///
    /// A change of somebody who is not in the cast, or that leaves somebody without a name; changes that contradict
    /// each other.
    pub fn change(&mut self, changes: &[NameChange], text: &str) -> Result<(), Fault> {
        let changed = who_is_who(&self.people(), changes, fold)?;
        let mut characters = Vec::new();
        for NameApart { of, name, keep } in changed.apart {
            let alone = self.take_apart(of, &name, keep, text, &characters);
            characters.push(alone);
        }
        characters.extend(changed.people.iter().map(|one| self.whole(one)));
        self.characters = characters;
        for change in changes {
            if let NameChange::Substitute { name, by } = change {
                self.substitutes.retain(|one| fold(&one.part) != fold(name));
                self.substitutes.push(ChosenName { part: name.clone(), by: by.clone() });
            }
        }
        self.characters.sort_by(|one, other| {
            other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name))
        });
        group::agree(&mut self.characters);
        self.check()
    }

    /// Several characters as the one that they are.
    fn whole(&self, changed: &ChangedPerson) -> Character {
        let mut all = changed.of.iter().map(|at| self.characters[*at].clone());
        let mut whole = all.next().expect("a person is somebody of the cast");
        let take = |own: &mut Vec<String>, more: Vec<String>| {
            for part in more {
                if !own.iter().any(|known| fold(known) == fold(&part)) {
                    own.push(part);
                }
            }
        };
        for other in all {
            take(&mut whole.given, other.given);
            take(&mut whole.husband, other.husband);
            take(&mut whole.family, other.family);
            whole.seen = whole.seen.saturating_add(other.seen);
            if whole.gender == Gender::Unknown {
                whole.gender = other.gender;
            }
        }
        let said = changed.gender.as_deref().and_then(Gender::of_word);
        Character { gender: said.unwrap_or(whole.gender), keep: changed.keep, ..whole }
    }

    /// Takes a name from a character, for somebody of that name alone.
    fn take_apart(
        &mut self,
        of: usize,
        name: &str,
        keep: bool,
        text: &str,
        others: &[Character],
    ) -> Character {
        let is = |part: &String| fold(part) == fold(name);
        let one = &mut self.characters[of];
        let given = one.given.iter().any(is);
        for parts in [&mut one.given, &mut one.husband, &mut one.family] {
            parts.retain(|part| !is(part));
        }
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
        let seen = words.filter(|word| *word == name).count();
        let part = vec![name.to_owned()];
        let (given, family) = if given { (part, Vec::new()) } else { (Vec::new(), part) };
        Character {
            name: self.free(name, others),
            gender: Gender::Unknown,
            given,
            husband: Vec::new(),
            family,
            seen: u32::try_from(seen).unwrap_or(u32::MAX),
            keep,
        }
    }

    /// A name that nobody in the cast goes by.
    fn free(&self, name: &str, others: &[Character]) -> String {
        let taken = |name: &str| self.characters.iter().chain(others).any(|one| one.name == name);
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !taken(name)).expect("names do not end")
    }
}

impl Gender {
    /// Its word in files: `female`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
            Self::Unknown => "unknown",
        }
    }

    /// The gender of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Female, Self::Male, Self::Unknown].into_iter().find(|one| one.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Words;

    fn cast() -> CastFile {
        let person = |name: &str, given: &[&str], family: &[&str], seen: u32| Character {
            name: name.into(),
            gender: Gender::Unknown,
            given: given.iter().map(|part| (*part).to_owned()).collect(),
            husband: Vec::new(),
            family: family.iter().map(|part| (*part).to_owned()).collect(),
            seen,
            keep: false,
        };
        let words = Words::new(TEXT);
        let mut file = CastFile::new("t", &words, &[], crate::Policy::default());
        file.characters = vec![
            person("Ada Penn", &["Ada", "Addie"], &["Penn"], 5),
            person("Kell", &["Kell"], &[], 3),
        ];
        file
    }

    const TEXT: &str = "Ada Penn met Kell. Addie, said Kell. Addie Penn went.";

    #[track_caller]
    fn check(change: NameChange, expected: Result<&str, &str>) {
        let mut file = cast();
        match (file.change(&[change], TEXT), expected) {
            (Ok(()), Ok(expected)) => {
                let told: Vec<String> = file
                    .people()
                    .iter()
                    .map(|one| {
                        format!("{}: {} {} {}", one.name, one.names.join(" "), one.gender, one.seen)
                    })
                    .collect();
                assert_eq!(told.join("; "), expected);
                // What was changed is a cast that can be read.
                assert_eq!(CastFile::parse(&file.to_toml()).unwrap(), file);
            }
            (Err(fault), Err(says)) => assert!(fault.message.contains(says), "{fault}"),
            (other, _) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_cast_is_changed_as_people_say() {
        let merge =
            |one: &str, with: &str| NameChange::Merge { one: one.into(), with: with.into() };
        let split = |of: &str, name: &str| NameChange::Split { of: of.into(), name: name.into() };
        check(merge("Ada Penn", "Kell"), Ok("Ada Penn: Ada Addie Kell Penn unknown 8"));
        check(merge("Kell", "Ada Penn"), Ok("Kell: Kell Ada Addie Penn unknown 8"));
        check(merge("Kell", "Nobody"), Err("nobody in the cast"));
        let apart = "Ada Penn: Ada Penn unknown 5; Kell: Kell unknown 3; Addie: Addie unknown 2";
        check(split("Ada Penn", "Addie"), Ok(apart));
        check(split("Kell", "Kell"), Err("the only name"));
        check(split("Kell", "Ada"), Err("not a name of"));
        let gender = NameChange::Gender { of: "Kell".into(), gender: "male".into() };
        check(gender, Ok("Ada Penn: Ada Addie Penn unknown 5; Kell: Kell male 3"));
    }

    #[test]
    fn a_chosen_substitute_stands_where_one_was_drawn() {
        let words = Words::new(TEXT);
        let draw = |by: &str| {
            let mut file = cast();
            file.change(&[NameChange::Substitute { name: "Ada".into(), by: by.into() }], TEXT)?;
            let file = CastFile::parse(&file.to_toml()).unwrap();
            crate::Substitutes::draw(&file, &words, storymill_core::Seed::new(7))
        };
        let drawn = draw("Wilhelmina").unwrap();
        let of = |part: &str| drawn.pairs().iter().find(|pair| pair.part == part).unwrap();
        assert_eq!(of("Ada").substitute, "Wilhelmina");
        assert!(of("Kell").substitute != "Kell");
        let fault = draw("Addie").unwrap_err();
        assert!(fault.message.contains("the cast has that name already"), "{fault}");
        let fault = draw("met").unwrap_err();
        assert!(fault.message.contains("the book has that word already"), "{fault}");
    }

    #[test]
    fn chained_merges_are_one_person_in_any_order() {
        let merge =
            |one: &str, with: &str| NameChange::Merge { one: one.into(), with: with.into() };
        let keep = NameChange::Keep { of: "Kell".into() };
        let gender = NameChange::Gender { of: "Ina".into(), gender: "female".into() };
        let split = NameChange::Split { of: "Ada Penn".into(), name: "Addie".into() };
        let changes = [merge("Kell", "Ada Penn"), merge("Ada Penn", "Ina"), keep, gender, split];
        let changed = |order: &[usize]| {
            let mut file = cast();
            let ina = Character {
                name: "Ina".into(),
                given: vec!["Ina".into()],
                seen: 1,
                ..file.characters[1].clone()
            };
            file.characters.push(ina);
            let changes: Vec<NameChange> = order.iter().map(|at| changes[*at].clone()).collect();
            file.change(&changes, TEXT).unwrap();
            file.characters
        };
        let one = changed(&[0, 1, 2, 3, 4]);
        assert_eq!((&*one[0].name, one[0].given.join(" ")), ("Kell", "Kell Ada Ina".to_owned()));
        assert_eq!((one[0].seen, one[0].keep, one[0].gender), (9, true, Gender::Female));
        assert_eq!((&*one[1].name, one.len()), ("Addie", 2));
        for order in [[1, 0, 2, 3, 4], [4, 3, 2, 1, 0], [2, 4, 0, 3, 1]] {
            assert_eq!(changed(&order), one);
        }
    }
}
