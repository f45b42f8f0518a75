//! Who is who in a cast that people changed. Their changes are read together, so that no order of them plays a part.

use std::collections::BTreeSet;

use crate::{Fault, FaultKind, NameChange, NamedPerson};

/// A cast after changes. People are told by their places in the cast as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedCast {
    /// Everybody, in the order of the cast as it was.
    pub people: Vec<ChangedPerson>,
    /// Names that turned out to be somebody else's.
    pub apart: Vec<NameApart>,
}

/// Somebody of a changed cast, who may be several people of the cast as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedPerson {
    /// Who they are: first the one whose name stays, then the others.
    pub of: Vec<usize>,
    /// The gender that people said.
    pub gender: Option<String>,
    /// Whether their names stay as they are.
    pub keep: bool,
}

/// A name that is a person of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameApart {
    /// Whose name it was.
    pub of: usize,
    /// The name.
    pub name: String,
    /// Whether it stays as it is.
    pub keep: bool,
}

/// Makes changes of a cast. Genders and names that stay count for a whole person, whichever of its parts they were said
/// of; names are taken apart before people are made one. `fold` gives names that count as one the same form.
///
/// # Errors
///
/// Changes of somebody who is not in the cast, or that cannot all be made.
///
/// ```
/// use storymill_core::{NameChange, NamedPerson, who_is_who};
/// let person = |name: &str| NamedPerson { name: name.into(), names: vec![name.into()], ..NamedPerson::default() };
/// let people = [person("Ada"), person("Addie"), person("Kell")];
/// let merge = |one: &str, with: &str| NameChange::Merge { one: one.into(), with: with.into() };
/// let cast = who_is_who(&people, &[merge("Addie", "Ada"), merge("Ada", "Kell")], str::to_lowercase).unwrap();
/// assert_eq!(cast.people[0].of, [1, 0, 2]);
/// ```
pub fn who_is_who(
    people: &[NamedPerson],
    changes: &[NameChange],
    fold: impl Fn(&str) -> String,
) -> Result<ChangedCast, Fault> {
    let cast = Cast { people, changes, fold };
    let kept: Vec<bool> = cast.kept()?;
    let apart = cast.apart(&kept)?;
    let people = cast.groups()?.into_iter().map(|of| cast.person(of)).collect::<Result<_, _>>()?;
    let changed = ChangedCast { people, apart };
    let replaced = cast.replaced(&changed)?;
    cast.chosen(&replaced)?;
    Ok(changed)
}

struct Cast<'c, F> {
    people: &'c [NamedPerson],
    changes: &'c [NameChange],
    fold: F,
}

impl<F: Fn(&str) -> String> Cast<'_, F> {
    fn at(&self, name: &str) -> Result<usize, Fault> {
        let at = self.people.iter().position(|one| one.name == name);
        at.ok_or_else(|| input(format!("`{name}` is nobody in the cast")))
    }

    /// Whether each one's names stay, as it was found or said.
    fn kept(&self) -> Result<Vec<bool>, Fault> {
        let mut kept: Vec<bool> = self.people.iter().map(|one| one.keep).collect();
        for change in self.changes {
            if let NameChange::Keep { of } = change {
                kept[self.at(of)?] = true;
            }
        }
        Ok(kept)
    }

    fn apart(&self, kept: &[bool]) -> Result<Vec<NameApart>, Fault> {
        let mut apart: Vec<NameApart> = Vec::new();
        for change in self.changes {
            let NameChange::Split { of, name } = change else { continue };
            let at = self.at(of)?;
            let is = |other: &String| (self.fold)(other) == (self.fold)(name);
            if !self.people[at].names.iter().any(is) {
                return Err(input(format!("`{name}` is not a name of `{of}`")));
            }
            if apart.iter().any(|one| one.of == at && is(&one.name)) {
                continue;
            }
            apart.push(NameApart { of: at, name: name.clone(), keep: kept[at] });
            if self.names(at, &apart).is_empty() {
                return Err(input(format!("`{name}` is the only name of `{of}`"))
                    .hint("leave everybody a name, or say that two are the same person"));
            }
        }
        // In the order of the cast, whatever the order in which it was said.
        apart.sort_by(|one, other| (one.of, &one.name).cmp(&(other.of, &other.name)));
        Ok(apart)
    }

    /// The names, folded, that somebody has when some were taken apart.
    fn names(&self, at: usize, apart: &[NameApart]) -> BTreeSet<String> {
        let mut names: BTreeSet<String> =
            self.people[at].names.iter().map(|name| (self.fold)(name)).collect();
        for one in apart.iter().filter(|one| one.of == at) {
            names.remove(&(self.fold)(&one.name));
        }
        names
    }

    /// Who is one person: of each the one whose name stays first, and then the others in order.
    fn groups(&self) -> Result<Vec<Vec<usize>>, Fault> {
        let mut group: Vec<usize> = (0..self.people.len()).collect();
        let mut goes = vec![false; self.people.len()];
        for change in self.changes {
            let NameChange::Merge { one, with } = change else { continue };
            let (stays, other) = (self.at(one)?, self.at(with)?);
            if stays == other {
                return Err(input(format!("`{one}` cannot be merged with itself")));
            }
            goes[other] = true;
            let (into, from) = (group[stays].min(group[other]), group[stays].max(group[other]));
            group.iter_mut().filter(|own| **own == from).for_each(|own| *own = into);
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.people.len()];
        for (at, own) in group.into_iter().enumerate() {
            groups[own].push(at);
        }
        groups.retain(|of| !of.is_empty());
        // Where each of two is said to be the other, the one who stands first in the cast stays.
        for of in &mut groups {
            of.sort_by_key(|at| (goes[*at], *at));
        }
        Ok(groups)
    }

    fn person(&self, of: Vec<usize>) -> Result<ChangedPerson, Fault> {
        let mut genders: Vec<Option<&String>> = vec![None; of.len()];
        let mut keep = of.iter().all(|at| self.people[*at].keep);
        for change in self.changes {
            match change {
                NameChange::Gender { of: name, gender } => {
                    if !["female", "male", "unknown"].contains(&gender.as_str()) {
                        let hint = "write `female`, `male` or `unknown`";
                        return Err(input(format!("`{gender}` is not a gender")).hint(hint));
                    }
                    let at = self.at(name)?;
                    if let Some(place) = of.iter().position(|one| *one == at) {
                        genders[place] = Some(gender);
                    }
                }
                NameChange::Keep { of: name } => keep |= of.contains(&self.at(name)?),
                _ => {}
            }
        }
        Ok(ChangedPerson { gender: genders.into_iter().flatten().next().cloned(), of, keep })
    }

    /// The names, folded, that are replaced. A name is kept or replaced as a whole: whoever shares one with somebody
    /// replaced is replaced too, which must be nobody of whom people said that they stay.
    fn replaced(&self, changed: &ChangedCast) -> Result<BTreeSet<String>, Fault> {
        let said = |at: &usize| {
            let name = &self.people[*at].name;
            self.changes.iter().any(|one| matches!(one, NameChange::Keep { of } if of == name))
        };
        let whole = |one: &ChangedPerson| {
            let names = one.of.iter().flat_map(|at| self.names(*at, &changed.apart));
            (one.of.iter().find(|at| said(at)).copied(), names.collect(), one.keep)
        };
        let alone = |one: &NameApart| (None, BTreeSet::from([(self.fold)(&one.name)]), one.keep);
        let all = changed.people.iter().map(whole).chain(changed.apart.iter().map(alone));
        let (mut kept, mut open): (Vec<_>, Vec<_>) = all.partition(|(_, _, keep)| *keep);
        let mut replaced: BTreeSet<String> = BTreeSet::new();
        while let Some((stays, names, _)) = open.pop() {
            if let Some(at) = stays {
                let name = &self.people[at].name;
                let message =
                    format!("`{name}` shares a name with somebody whose names are replaced");
                return Err(input(message).hint("keep both, or neither"));
            }
            replaced.extend(names);
            let shares = |(_, names, _): &(_, BTreeSet<String>, _)| !names.is_disjoint(&replaced);
            open.extend(kept.extract_if(.., |one| shares(one)));
        }
        Ok(replaced)
    }

    /// Checks what people want in the place of names.
    fn chosen(&self, replaced: &BTreeSet<String>) -> Result<(), Fault> {
        let cast: BTreeSet<String> =
            self.people.iter().flat_map(|one| &one.names).map(|name| (self.fold)(name)).collect();
        let mut taken: Vec<(String, String)> = Vec::new();
        for change in self.changes {
            let NameChange::Substitute { name, by } = change else { continue };
            let (part, new) = ((self.fold)(name), (self.fold)(by));
            if !cast.contains(&part) {
                return Err(input(format!("`{name}` is not a name in the cast")));
            }
            if !replaced.contains(&part) {
                let message = format!("`{name}` stays as it is, so `{by}` cannot stand for it");
                return Err(input(message));
            }
            if by.is_empty() || by.chars().any(|c| c.is_whitespace() || c.is_control()) {
                return Err(input(format!("`{by}` is not one word")));
            }
            if cast.contains(&new) {
                let message =
                    format!("`{by}` cannot stand for `{name}`: the cast has that name already");
                return Err(input(message).hint("choose a name that the cast does not have"));
            }
            for (other, by_other) in &taken {
                if (*other == part) != (*by_other == new) {
                    let message = if *other == part {
                        format!("two names are to stand for `{name}`")
                    } else {
                        format!("`{by}` is to stand for two names")
                    };
                    return Err(input(message).hint("choose one name for each"));
                }
            }
            taken.push((part, new));
        }
        Ok(())
    }
}

fn input(message: String) -> Fault {
    Fault::new(FaultKind::Input, message)
}

#[cfg(test)]
mod tests;
