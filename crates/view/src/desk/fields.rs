//! Which fields the form of an item has.

use storymill_core::ReviewForm;

/// The field that says what the page showed when it was made.
pub(super) const SHOWN: &str = "shown";

/// How often a field may stand in the form of an item; none if the item does not take it.
pub(super) fn stands(name: &str, form: &ReviewForm) -> Option<Stands> {
    let parts: Vec<&str> = name.split('.').collect();
    let number = |text: &str, below: usize| text.parse::<usize>().is_ok_and(|at| at < below);
    let takes = match (form, &parts[..]) {
        (_, ["choice" | "note" | "seconds" | "do" | SHOWN])
        | (ReviewForm::Text { .. }, ["text"]) => Stands::Once,
        (ReviewForm::Names { people, .. }, ["gender" | "keep" | "split" | "into", at])
            if number(at, people.len()) =>
        {
            Stands::Once
        }
        (ReviewForm::Names { people, .. }, ["by", at, name])
            if number(at, people.len())
                && at.parse().is_ok_and(|at: usize| number(name, people[at].names.len())) =>
        {
            Stands::Once
        }
        (ReviewForm::Labels { sentences, .. }, ["label" | "why", at])
            if number(at, sentences.len()) =>
        {
            Stands::Once
        }
        (ReviewForm::Labels { sentences, .. }, ["kind", at]) if number(at, sentences.len()) => {
            Stands::Often
        }
        (ReviewForm::Fields { fields, .. }, ["field", ..])
            if fields.iter().any(|field| name == format!("field.{}", field.name)) =>
        {
            Stands::Once
        }
        (ReviewForm::Grounds { .. }, ["kind"]) => Stands::Often,
        (form, ["span" | "kept"]) if form.takes_evidence() => Stands::Often,
        _ => return None,
    };
    Some(takes)
}

/// How often a field may stand in a form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    Once,
    Often,
}
