//! Rules that hit in a passage what they are not about: somebody else's name, another sense of a word.
//!
//! In a question's own texts a rule is about what it hits. In the passages of others nobody knows:
//! the map of a county is no portrait because a map was asked for, and the Stag Head is another
//! headland than the Gaunt Head. Such passages distract nobody.

use storymill_core::Rule;
use storymill_text::Language;

use crate::{
    Replacer,
    parts::{is_common_noun, neighbour, words_of_name},
};

/// What a rule hits in another's passage without being about it: which rule, and the words. `known`
/// says of a rule whether its whole name stands in other passages too; then its parts are its own.
pub(crate) fn stray(
    replacer: &Replacer,
    text: &str,
    rules: &[Rule],
    language: Language,
    known: &dyn Fn(usize) -> bool,
) -> Option<(usize, String)> {
    if language != Language::English {
        return None;
    }
    let mut whole = vec![false; rules.len()];
    let mut parts: Vec<(usize, &str)> = Vec::new();
    for hit in replacer.places(text) {
        let said = &text[hit.found.clone()];
        let (from, to) = (rules[hit.rule].from.trim(), rules[hit.rule].to.trim());
        if is_common_noun(from, language) {
            return Some((hit.rule, said.to_owned()));
        }
        let single = !from.contains(char::is_whitespace);
        if hit.part || single {
            let own: Vec<&str> = words_of_name(from).into_iter().chain(words_of_name(to)).collect();
            if let Some(word) = neighbour(text, &hit.found, &own) {
                return Some((hit.rule, format!("{said} beside {word}")));
            }
        }
        if hit.part {
            parts.push((hit.rule, said));
        } else {
            whole[hit.rule] = true;
        }
    }
    let alone = parts.into_iter().find(|(rule, _)| !whole[*rule] && !known(*rule));
    alone.map(|(rule, part)| (rule, part.to_owned()))
}

/// The rules that are no name and stand in other texts, each with how many of them: there the phrase
/// may mean something else, and the passage distracts nobody.
///
/// ```
/// use storymill_core::Rule;
/// use storymill_mixing::common_nouns;
/// use storymill_text::Language;
///
/// let rule = |from: &str, to: &str| Rule { from: from.into(), to: to.into(), scope: vec![] };
/// let rules = [rule("map", "portrait"), rule("Ivo Marsh", "Jonas Thrale")];
/// let others = ["The Ordnance Survey maps.", "Ivo Marsh came.", "A mapper."];
/// assert_eq!(common_nouns(&rules, Language::English, others), [(0, 1)]);
/// ```
pub fn common_nouns<'t>(
    rules: &[Rule],
    language: Language,
    others: impl IntoIterator<Item = &'t str>,
) -> Vec<(usize, u32)> {
    let common = |at: &usize| is_common_noun(rules[*at].from.trim(), language);
    let common: Vec<usize> = (0..rules.len()).filter(common).collect();
    if common.is_empty() {
        return Vec::new();
    }
    let replacer = Replacer::new(rules, language);
    let mut counts = vec![0; rules.len()];
    for text in others {
        let hits = replacer.hits(text, rules.len());
        counts.iter_mut().zip(hits).for_each(|(count, hits)| *count += u32::from(hits > 0));
    }
    common.into_iter().map(|at| (at, counts[at])).filter(|(_, count)| *count > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, text: &str, known: bool, expected: Option<&str>) {
        let rules = [Rule { from: from.into(), to: to.into(), scope: vec![] }];
        let replacer = Replacer::new(&rules, Language::English);
        let found = stray(&replacer, text, &rules, Language::English, &|_| known);
        assert_eq!(found.map(|(_, said)| said).as_deref(), expected, "{from}: {text}");
    }

    #[test]
    fn words_in_small_letters_have_other_senses() {
        check("map", "portrait", "our own Ordnance Survey maps", true, Some("maps"));
        check(
            "two parishes",
            "seven guilds",
            "It lies in two parishes.",
            true,
            Some("two parishes"),
        );
        check("1874", "1883", "in 1874", true, Some("1874"));
        check("Latin", "Welsh", "a Latin book", true, Some("Latin"));
        check("Kell", "Orm", "the road to Kell", false, None);
        check("map", "portrait", "a mapper", false, None);
    }

    #[test]
    fn a_part_of_a_name_may_be_of_another() {
        let jane =
            |text, known, expected| check("Merry Jane", "Lucky Prudence", text, known, expected);
        jane("and Jane Bennet came", true, Some("Jane beside Bennet"));
        jane("She saw Jane there.", false, Some("Jane"));
        jane("She saw Jane there.", true, None);
        jane("The Merry Jane. She saw Jane there.", false, None);
        jane("The Merry Jane. She saw Jane Eyre.", false, Some("Jane beside Eyre"));
        let oake = |text, expected| check("Barnaby Oake", "Emmerich Tull", text, true, expected);
        oake("and Barnaby Thorne went", Some("Barnaby beside Thorne"));
        oake("and Mr. Oake said to Captain Oake that poor Old Barnaby", None);
        oake("Then Barnaby went. Yesterday Barnaby came.", None);
        oake("a house of Thorne’s, Barnaby’s House", None);
        oake("at Thorne\nBarnaby", Some("Barnaby beside Thorne"));
        oake("BARNABY OAKE WENT HOME", None);
        check("Cass", "Dunning", "and Lewis Cass said", true, Some("Cass beside Lewis"));
        check("Cass", "Dunning", "and Lieutenant Cass said", true, None);
    }

    #[test]
    fn what_many_names_share_is_kept() {
        let rules = [Rule { from: "Gaunt Head".into(), to: "Corbel Rise".into(), scope: vec![] }];
        let replacer = Replacer::new(&rules, Language::English);
        let text = "They lay behind the Stag Head, and under the Head.";
        assert_eq!(replacer.replaced(text), text);
    }
}
