//! People whom everybody knows and of whom a book only speaks: Homer, Sir Walter Scott, Queen Anne. Their names stay.

use storymill_text::word::fold;

use super::{
    parts::Census,
    person::Person,
    signs::{is_called, is_listed},
};
use crate::{
    knowledge::is_given,
    titles::Title,
    words::{Case, Words},
};

/// Who comes or is called so often is in the story, whatever the name.
const PRESENT: usize = 2;

/// A book that names so many persons of plays speaks of the plays.
const ROLES: usize = 4;

/// Whether somebody is of history, letters or scripture, and nobody of the story.
pub(super) fn is_known(words: &Words<'_>, census: &Census, person: &Person, name: &str) -> bool {
    let ruler = |title: &String| matches!(title.as_str(), "king" | "queen" | "emperor" | "empress");
    let rules = person.titles.iter().filter(|(title, _)| ruler(title)).map(|(_, count)| count);
    let reigns = 2 * rules.sum::<u32>() >= person.seen;
    let acted = census.parts.iter().filter(|part| is_role(&part.shown)).count() >= ROLES;
    let known = |part: &usize| {
        let part = &census.parts[*part];
        let key = fold(&part.shown).to_lowercase();
        part.known.only_people()
            || is_listed("known", &key)
            || (reigns && is_listed("rulers", &key))
            || (acted && is_role(&part.shown))
    };
    // Whom a family's name makes known has any first name: Gustave Flaubert.
    let first = |part: &usize| is_given(&census.parts[*part].shown.to_lowercase());
    let listed = |part: &usize| is_listed("known", &fold(&census.parts[*part].shown));
    let by_family = !person.family.is_empty() && person.family.iter().all(listed);
    let mut parts =
        person.given.keys().filter(|part| !by_family || !first(part)).chain(&person.family);
    let full = fold(name).to_lowercase().replace(' ', "_");
    let mister = |title: &String| Title::of(title).has(Title::FAMILY) || title == "miss";
    let known = parts.all(known) && !person.titles.keys().any(mister);
    let present = person.at.iter().filter(|at| is_present(words, **at));
    (known || is_listed("known-full", &full)) && present.count() < PRESENT
}

/// Whether a name is that of a person of Shakespeare's plays. Others bear such names too.
fn is_role(shown: &str) -> bool {
    is_listed("plays", &shown.to_lowercase())
}

/// Whether somebody named at a word is there: comes, looks or is called.
fn is_present(words: &Words<'_>, at: usize) -> bool {
    let mut end = at + 1;
    while words.all().get(end).is_some_and(|next| next.case == Case::Inside && words.gap(end)) {
        end += 1;
    }
    is_called(words, at) || is_listed("presence", words.low(Some(end)))
}
