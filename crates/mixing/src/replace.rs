//! Words and phrases replaced in one pass.
//!
//! All rules are searched at once and what was written is never read again, so there are no chains
//! and no order of rules. English words are whole words, in the singular, the plural and the
//! possessive, and keep their capitals; Chinese phrases are replaced wherever they stand.

use std::{collections::BTreeMap, ops::Range};

use aho_corasick::{AhoCorasick, Input, MatchKind};
use storymill_core::Rule;
use storymill_text::{Language, word::is_han};

use crate::forms::forms;

/// Rules, ready to be applied to any number of texts.
#[derive(Debug)]
pub struct Replacer {
    forth: Search,
    back: Search,
    /// Two rules that want different things of one form, if there are any.
    pub(crate) torn: Option<(usize, usize, String)>,
}

/// Patterns and what stands for them.
#[derive(Debug)]
struct Search {
    search: Option<AhoCorasick>,
    patterns: Vec<(String, String, usize)>,
}

impl Replacer {
    /// Makes rules ready. Rules with a blank side do nothing.
    pub fn new(rules: &[Rule], language: Language) -> Self {
        let mut forth: BTreeMap<String, (String, usize)> = BTreeMap::new();
        let mut back: BTreeMap<String, (String, usize)> = BTreeMap::new();
        let mut torn = None;
        for (at, rule) in rules.iter().enumerate() {
            for (from, to) in forms(rule.from.trim(), rule.to.trim(), language) {
                if from.is_empty() || to.is_empty() {
                    continue;
                }
                if let Some((other, by)) = forth.get(&from)
                    && *by != at
                    && *other != to
                    && torn.is_none()
                {
                    torn = Some((*by, at, from.clone()));
                }
                // The first form of a word is the rule's own; derived ones give way.
                back.entry(to.clone()).or_insert_with(|| (from.clone(), at));
                forth.entry(from).or_insert((to, at));
            }
        }
        Self { forth: Search::new(forth), back: Search::new(back), torn }
    }

    /// Whether there is nothing to replace.
    pub fn is_empty(&self) -> bool {
        self.forth.patterns.is_empty()
    }

    /// Every form of both sides of every rule.
    pub(crate) fn forms(&self) -> impl Iterator<Item = &str> {
        self.forth.patterns.iter().flat_map(|(from, to, _)| [&from[..], &to[..]])
    }

    /// Writes a text with everything replaced behind `out`; calls `edit` with the rule, the old
    /// bytes and the new ones for each replacement, in order.
    ///
    /// Law: nothing that a rule replaces is left, and nothing else is changed.
    pub fn apply(
        &self,
        text: &str,
        out: &mut String,
        edit: impl FnMut(usize, Range<usize>, Range<usize>),
    ) {
        self.forth.apply(text, out, edit);
    }

    /// The text with everything replaced.
    ///
    /// ```
    /// use storymill_core::Rule;
    /// use storymill_mixing::Replacer;
    /// use storymill_text::Language;
    ///
    /// let rule = |from: &str, to: &str| Rule { from: from.into(), to: to.into(), scope: vec![] };
    /// let rules = [rule("Ann", "Mary"), rule("Mary", "Zoe"), rule("baker", "miller")];
    /// let replacer = Replacer::new(&rules, Language::English);
    /// let text = "Ann’s BAKER met Mary, Ann and the bakers; Anna did not.";
    /// let other = "Mary’s MILLER met Zoe, Mary and the millers; Anna did not.";
    /// assert_eq!(replacer.replaced(text), other);
    /// ```
    pub fn replaced(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        self.apply(text, &mut out, |_, _, _| ());
        out
    }

    /// The text with everything put back.
    pub fn restored(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 16);
        self.back.apply(text, &mut out, |_, _, _| ());
        out
    }

    /// The text without what is replaced, a blank in its place.
    pub(crate) fn rest(&self, text: &str) -> String {
        let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
        while let Some((_, found)) = self.forth.next(text, from) {
            rest.push_str(&text[from..found.start]);
            rest.push(' ');
            from = found.end;
        }
        rest.push_str(&text[from..]);
        rest
    }

    /// The first place where a rule hits, and which rule: in bytes of the text.
    pub fn first(&self, text: &str) -> Option<(usize, Range<usize>)> {
        self.forth.next(text, 0).map(|(pattern, found)| (self.forth.patterns[pattern].2, found))
    }

    /// How often each rule hits in a text.
    pub fn hits(&self, text: &str, rules: usize) -> Vec<u32> {
        let mut hits = vec![0; rules];
        let mut from = 0;
        while let Some((pattern, found)) = self.forth.next(text, from) {
            hits[self.forth.patterns[pattern].2] += 1;
            from = found.end;
        }
        hits
    }

    /// Whether a text can be replaced and put back as it was. Not if it says a substitute already.
    pub fn is_clean(&self, text: &str) -> bool {
        // Nearly every passage holds neither side; then nothing has to be written.
        match (self.forth.next(text, 0), self.back.next(text, 0)) {
            (None, None) => true,
            (None, Some(_)) => false,
            _ => self.restored(&self.replaced(text)) == text,
        }
    }
}

impl Search {
    fn new(found: BTreeMap<String, (String, usize)>) -> Self {
        let patterns: Vec<_> =
            found.into_iter().map(|(from, (to, rule))| (from, to, rule)).collect();
        let search = (!patterns.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(patterns.iter().map(|pattern| &pattern.0))
                .expect("the rules of one question are few and short")
        });
        Self { search, patterns }
    }

    /// The next whole match at or behind a byte.
    fn next(&self, text: &str, mut from: usize) -> Option<(usize, Range<usize>)> {
        let search = self.search.as_ref()?;
        while let Some(found) = search.find(Input::new(text).span(from..text.len())) {
            if is_whole(text, &found.range()) {
                return Some((found.pattern().as_usize(), found.range()));
            }
            // A shorter phrase may end here where the longest one is cut inside a word.
            let start = found.start();
            let shorter = |(_, pattern): &(usize, &(String, String, usize))| {
                text[start..].starts_with(&pattern.0)
                    && is_whole(text, &(start..start + pattern.0.len()))
            };
            let all = self.patterns.iter().enumerate().filter(shorter);
            if let Some((at, pattern)) = all.max_by_key(|(_, pattern)| pattern.0.len()) {
                return Some((at, start..start + pattern.0.len()));
            }
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
        }
        None
    }

    fn apply(
        &self,
        text: &str,
        out: &mut String,
        mut edit: impl FnMut(usize, Range<usize>, Range<usize>),
    ) {
        let mut done = 0;
        while let Some((pattern, found)) = self.next(text, done) {
            let (_, to, rule) = &self.patterns[pattern];
            out.push_str(&text[done..found.start]);
            let start = out.len();
            out.push_str(to);
            done = found.end;
            edit(*rule, found, start..out.len());
        }
        out.push_str(&text[done..]);
    }
}

/// Whether no letter or digit runs on at either side. Chinese characters part words by themselves.
fn is_whole(text: &str, found: &Range<usize>) -> bool {
    let runs = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_han(c));
    let [before, first] =
        [text[..found.start].chars().next_back(), text[found.start..].chars().next()];
    let [last, behind] = [text[..found.end].chars().next_back(), text[found.end..].chars().next()];
    let runs_on = |one, other| runs(one) && runs(other);
    !runs_on(before, first) && !runs_on(last, behind)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use storymill_core::Scope;

    use super::*;

    fn rules(pairs: &[(&str, &str)]) -> Vec<Rule> {
        let rule = |(from, to): &(&str, &str)| Rule {
            from: (*from).into(),
            to: (*to).into(),
            scope: vec![Scope::Context],
        };
        pairs.iter().map(rule).collect()
    }

    #[track_caller]
    fn check(pairs: &[(&str, &str)], language: Language, text: &str, expected: &str) {
        let replacer = Replacer::new(&rules(pairs), language);
        assert_eq!(replacer.replaced(text), expected);
    }

    #[test]
    fn words_are_whole_and_keep_their_form() {
        let en = Language::English;
        check(
            &[("York", "Bath")],
            en,
            "Yorkshire, York-born, YORK’s",
            "Yorkshire, Bath-born, BATH’s",
        );
        check(&[("city", "fort")], en, "City cities CITIES", "Fort forts FORTS");
        check(&[("two mills", "nine wells")], en, "The Two Mills", "The Nine Wells");
        check(&[("Church", "Abbey")], en, "Churches", "Abbeys");
        check(
            &[("New York", "Old Bath"), ("New", "Low")],
            en,
            "New Yorker, New York",
            "Low Yorker, Old Bath",
        );
        check(&[("Ann", "Lea"), ("Lea", "Ann")], en, "Ann Lea Ann", "Lea Ann Lea");
        check(&[("", "x"), ("y", "")], en, "x y", "x y");
        check(
            &[("贝多芬", "大卫")],
            Language::Chinese,
            "他叫贝多芬。贝多芬贝多芬",
            "他叫大卫。大卫大卫",
        );
        check(&[("GPS", "雷达")], Language::Chinese, "用GPS定位，GPSX", "用雷达定位，GPSX");
    }

    proptest! {
        /// One pass: what is written is never replaced again, and a clean text comes back.
        #[test]
        fn clean_texts_come_back(
            text in "((ab|cd|ef|gh|Ab|AB|abs) ?){0,12}",
            pairs in prop::collection::btree_map("(ab|cd|ef|gh|ab cd)", "(kl|mn|op|kl mn)", 0..4),
        ) {
            let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&**a, &**b)).collect();
            let replacer = Replacer::new(&rules(&pairs), Language::English);
            let other = replacer.replaced(&text);
            // The substitutes are no words of any rule's left side, so a second pass finds nothing.
            prop_assert_eq!(&replacer.replaced(&other), &other);
            if replacer.is_clean(&text) {
                prop_assert_eq!(replacer.restored(&other), text);
            }
        }
    }
}
