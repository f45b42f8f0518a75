//! Changes that people make to a cast.

use storymill_core::{Fault, FaultKind, NameChange, NamedPerson};
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

    /// Makes changes, one after the other. `text` is the book, in which a name that becomes somebody else's is counted.
    ///
    /// # Errors
    ///
    /// A change of somebody who is not in the cast, or that leaves somebody without a name; a cast that contradicts
    /// itself afterwards.
    pub fn change(&mut self, changes: &[NameChange], text: &str) -> Result<(), Fault> {
        for change in changes {
            match change {
                NameChange::Merge { one, with } => self.merge(one, with)?,
                NameChange::Split { of, name } => self.split(of, name, text)?,
                NameChange::Gender { of, gender } => {
                    let read = Gender::of_word(gender);
                    self.named(of)?.gender =
                        read.ok_or_else(|| input(format!("`{gender}` is not a gender")))?;
                }
                NameChange::Keep { of } => self.named(of)?.keep = true,
                NameChange::Substitute { name, by } => {
                    self.substitutes.retain(|one| fold(&one.part) != fold(name));
                    self.substitutes.push(ChosenName { part: name.clone(), by: by.clone() });
                }
            }
        }
        self.characters.sort_by(|one, other| {
            other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name))
        });
        group::agree(&mut self.characters);
        let stays = |name: &str| self.characters.iter().all(|one| one.name != name || one.keep);
        for change in changes {
            if let NameChange::Keep { of } = change
                && !stays(of)
            {
                let message =
                    format!("`{of}` shares a name with somebody whose names are replaced");
                return Err(input(message).hint("keep both, or neither"));
            }
        }
        self.check()
    }

    fn named(&mut self, name: &str) -> Result<&mut Character, Fault> {
        let found = self.characters.iter_mut().find(|one| one.name == name);
        found.ok_or_else(|| input(format!("`{name}` is nobody in the cast of {}", self.book)))
    }

    fn merge(&mut self, one: &str, with: &str) -> Result<(), Fault> {
        if one == with {
            return Err(input(format!("`{one}` cannot be merged with itself")));
        }
        self.named(one)?;
        let at = self.characters.iter().position(|other| other.name == with);
        let at =
            at.ok_or_else(|| input(format!("`{with}` is nobody in the cast of {}", self.book)))?;
        let other = self.characters.remove(at);
        let whole = self.named(one)?;
        let take = |own: &mut Vec<String>, more: Vec<String>| {
            for part in more {
                if !own.iter().any(|known| fold(known) == fold(&part)) {
                    own.push(part);
                }
            }
        };
        take(&mut whole.given, other.given);
        take(&mut whole.husband, other.husband);
        take(&mut whole.family, other.family);
        whole.seen = whole.seen.saturating_add(other.seen);
        whole.keep &= other.keep;
        if whole.gender == Gender::Unknown {
            whole.gender = other.gender;
        }
        Ok(())
    }

    fn split(&mut self, of: &str, name: &str, text: &str) -> Result<(), Fault> {
        let one = self.named(of)?;
        let is = |part: &String| fold(part) == fold(name);
        let (given, family) = (one.given.iter().any(is), one.family.iter().any(is));
        if !given && !family {
            return Err(input(format!("`{name}` is not a name of `{of}`")));
        }
        for parts in [&mut one.given, &mut one.husband, &mut one.family] {
            parts.retain(|part| !is(part));
        }
        if one.given.is_empty() && one.family.is_empty() {
            return Err(input(format!("`{name}` is the only name of `{of}`")));
        }
        let keep = one.keep;
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
        let seen = words.filter(|word| *word == name).count();
        let part = vec![name.to_owned()];
        let (given, family) = if given { (part, Vec::new()) } else { (Vec::new(), part) };
        self.characters.push(Character {
            name: self.free(name),
            gender: Gender::Unknown,
            given,
            husband: Vec::new(),
            family,
            seen: u32::try_from(seen).unwrap_or(u32::MAX),
            keep,
        });
        Ok(())
    }

    /// A name that nobody in the cast goes by.
    fn free(&self, name: &str) -> String {
        let taken = |name: &str| self.characters.iter().any(|one| one.name == name);
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

fn input(message: String) -> Fault {
    Fault::new(FaultKind::Input, message)
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
            file.change(&[NameChange::Substitute { name: "Ada".into(), by: by.into() }], TEXT)
                .unwrap();
            let file = CastFile::parse(&file.to_toml()).unwrap();
            crate::Substitutes::draw(&file, &words, storymill_core::Seed::new(7))
        };
        let drawn = draw("Wilhelmina").unwrap();
        let of = |part: &str| drawn.pairs().iter().find(|pair| pair.part == part).unwrap();
        assert_eq!(of("Ada").substitute, "Wilhelmina");
        assert!(of("Kell").substitute != "Kell");
        let fault = draw("Kell").unwrap_err();
        assert!(fault.message.contains("has that word already"), "{fault}");
    }
}
