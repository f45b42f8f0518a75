//! The forms of a word or phrase: plural, capital, capitals.

use storymill_text::Language;

/// Every form of a phrase, with the form that stands for it; its own first.
pub(crate) fn forms(from: &str, to: &str, language: Language) -> Vec<(String, String)> {
    let mut pairs = vec![(from.to_owned(), to.to_owned())];
    if language != Language::Chinese && from.ends_with(char::is_alphabetic) {
        pairs.push((plural(from), plural(to)));
    }
    let mut all = Vec::new();
    for (from, to) in pairs {
        all.push((from.clone(), to.clone()));
        if from.starts_with(char::is_lowercase) {
            all.push((capital(&from), capital(&to)));
            // As in a title; of a single word that is its capital.
            if from.contains(' ') && to.contains(' ') {
                all.push((titled(&from), titled(&to)));
            }
        }
        if from.chars().filter(|c| c.is_alphabetic()).nth(1).is_some() && !is_caps(&from) {
            all.push((from.to_uppercase(), to.to_uppercase()));
        }
    }
    let set: Vec<_> = all.iter().flat_map(|(from, to)| set_otherwise(from, to)).collect();
    all.extend(set);
    // A form that is another's already says nothing new.
    let mut seen = std::collections::BTreeSet::new();
    all.retain(|(from, _)| seen.insert(from.clone()));
    all
}

/// A phrase as it is set elsewhere: broken at the end of a line, with the other apostrophe.
fn set_otherwise(from: &str, to: &str) -> Vec<(String, String)> {
    let gaps = |text: &str| text.match_indices(' ').map(|(at, _)| at).collect::<Vec<_>>();
    let (own, other) = (gaps(from), gaps(to));
    let broken = |text: &str, at: usize| format!("{}\n{}", &text[..at], &text[at + 1..]);
    let mut all: Vec<_> = (0..own.len())
        .map(|gap| {
            let at = other.get(gap.min(other.len().saturating_sub(1)));
            (broken(from, own[gap]), at.map_or_else(|| to.to_owned(), |at| broken(to, *at)))
        })
        .collect();
    for (one, another) in [('\'', "’"), ('’', "'")] {
        if from.contains(one) {
            all.push((from.replace(one, another), to.replace(one, another)));
        }
    }
    all
}

fn is_caps(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn titled(text: &str) -> String {
    text.split(' ').map(capital).collect::<Vec<_>>().join(" ")
}

/// The regular plural of the last word of a phrase.
fn plural(phrase: &str) -> String {
    let low = phrase.to_lowercase();
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| low.ends_with(end));
    let before_y = low.strip_suffix('y').and_then(|rest| rest.chars().next_back());
    if hisses {
        format!("{phrase}es")
    } else if before_y.is_some_and(|c| !"aeiou".contains(c))
        && phrase.starts_with(char::is_lowercase)
    {
        format!("{}ies", &phrase[..phrase.len() - 1])
    } else {
        format!("{phrase}s")
    }
}
