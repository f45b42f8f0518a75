//! Words and phrases replaced in one pass.
//!
//! All rules are searched at once and what was written is never read again, so there are no chains
//! and no order of rules. English words are whole words, in the singular, the plural and the
//! possessive, and keep their capitals; the article before them goes by what is written, and the
//! parts of a name are replaced where the name is. Chinese phrases are replaced wherever they stand.

use std::{collections::BTreeMap, ops::Range};

use aho_corasick::{AhoCorasick, Input, MatchKind};
use storymill_core::Rule;
use storymill_text::{Language, word::is_han};

use crate::{
    agreement::possessive,
    forms::{Form, forms, forms_of_parts},
    parts::is_meant,
};

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
    patterns: Vec<Pattern>,
}

/// A form with the rule that it is of. Where texts are put back its sides are turned.
#[derive(Clone, Debug)]
struct Pattern {
    form: Form,
    rule: usize,
}

impl Replacer {
    /// Makes rules ready. Rules with a blank side do nothing.
    pub fn new(rules: &[Rule], language: Language) -> Self {
        let mut forth: BTreeMap<String, Pattern> = BTreeMap::new();
        let mut back: BTreeMap<String, Pattern> = BTreeMap::new();
        let mut torn = None;
        let mut add = |form: Form, rule: usize| {
            if form.from.is_empty() || form.to.is_empty() {
                return;
            }
            if let Some(other) = forth.get(&form.from)
                && other.rule != rule
                && other.form.to != form.to
                && torn.is_none()
            {
                torn = Some((other.rule, rule, form.from.clone()));
            }
            // The first form of a word is the rule's own; derived ones give way.
            let turned = Pattern { form: form.turned(), rule };
            back.entry(form.to.clone()).or_insert(turned);
            forth.entry(form.from.clone()).or_insert(Pattern { form, rule });
        };
        for (at, rule) in rules.iter().enumerate() {
            for form in forms(rule.from.trim(), rule.to.trim(), language) {
                add(form, at);
            }
        }
        for (form, at) in parts_of(rules, language) {
            if !forth.contains_key(&form.from) {
                let turned = Pattern { form: form.turned(), rule: at };
                back.entry(form.to.clone()).or_insert(turned);
                forth.insert(form.from.clone(), Pattern { form, rule: at });
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
        self.forth.patterns.iter().flat_map(|one| [&one.form.from[..], &one.form.to[..]])
    }

    /// Writes a text with everything replaced behind `out`; calls `edit` with the rule, the old
    /// bytes and the new ones for each replacement, in order.
    ///
    /// Law: nothing that a rule replaces is left, and nothing else is changed; an article that does
    /// not fit what is written is of the replacement.
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

    /// The text without what is replaced, as many blanks in its place.
    pub(crate) fn rest(&self, text: &str) -> String {
        let (mut rest, mut from) = (String::with_capacity(text.len()), 0);
        while let Some((_, found)) = self.forth.next(text, from) {
            rest.push_str(&text[from..found.start]);
            rest.extend(std::iter::repeat_n(' ', found.len()));
            from = found.end;
        }
        rest.push_str(&text[from..]);
        rest
    }

    /// What would no longer agree in a text, and by which rule.
    pub(crate) fn slip(&self, text: &str) -> Option<(usize, String)> {
        let mut from = 0;
        while let Some((at, found)) = self.forth.next(text, from) {
            let Pattern { form, rule } = &self.forth.patterns[at];
            let behind = &text[found.end..];
            let english = form.an[1].is_some();
            let slip = possessive(&form.from, &form.to, form.plural, behind).filter(|_| english);
            if let Some(slip) = slip {
                return Some((*rule, slip));
            }
            from = found.end;
        }
        None
    }

    /// The first place where a rule hits, and which rule: in bytes of the text.
    pub fn first(&self, text: &str) -> Option<(usize, Range<usize>)> {
        self.forth.next(text, 0).map(|(pattern, found)| (self.forth.patterns[pattern].rule, found))
    }

    /// How often each rule hits in a text.
    pub fn hits(&self, text: &str, rules: usize) -> Vec<u32> {
        let mut hits = vec![0; rules];
        let mut from = 0;
        while let Some((pattern, found)) = self.forth.next(text, from) {
            hits[self.forth.patterns[pattern].rule] += 1;
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
            _ => self.slip(text).is_none() && self.restored(&self.replaced(text)) == text,
        }
    }
}

/// The parts of the rules' names. A part that two names would write otherwise is nobody's.
fn parts_of(rules: &[Rule], language: Language) -> Vec<(Form, usize)> {
    let of_rule = |(at, rule): (usize, &Rule)| {
        let forms = forms_of_parts(rule.from.trim(), rule.to.trim(), language);
        forms.into_iter().map(move |form| (form, at))
    };
    let all: Vec<(Form, usize)> = rules.iter().enumerate().flat_map(of_rule).collect();
    let agreed = |(form, _): &&(Form, usize)| {
        all.iter().all(|(other, _)| other.from != form.from || other.to == form.to)
    };
    all.iter().filter(agreed).cloned().collect()
}

impl Search {
    fn new(found: BTreeMap<String, Pattern>) -> Self {
        let patterns: Vec<_> = found.into_values().collect();
        let search = (!patterns.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(patterns.iter().map(|pattern| &pattern.form.from))
                .expect("the rules of one question are few and short")
        });
        Self { search, patterns }
    }

    /// The next whole match at or behind a byte.
    fn next(&self, text: &str, mut from: usize) -> Option<(usize, Range<usize>)> {
        let search = self.search.as_ref()?;
        while let Some(found) = search.find(Input::new(text).span(from..text.len())) {
            if self.fits(found.pattern().as_usize(), text, &found.range()) {
                return Some((found.pattern().as_usize(), found.range()));
            }
            // A shorter phrase may end here where the longest one is cut inside a word.
            let start = found.start();
            let shorter = |(at, pattern): &(usize, &Pattern)| {
                text[start..].starts_with(&pattern.form.from)
                    && self.fits(*at, text, &(start..start + pattern.form.from.len()))
            };
            let all = self.patterns.iter().enumerate().filter(shorter);
            if let Some((at, pattern)) = all.max_by_key(|(_, pattern)| pattern.form.from.len()) {
                return Some((at, start..start + pattern.form.from.len()));
            }
            from = start + text[start..].chars().next().map_or(1, char::len_utf8);
        }
        None
    }

    fn fits(&self, pattern: usize, text: &str, found: &Range<usize>) -> bool {
        let form = &self.patterns[pattern].form;
        is_whole(text, found) && is_meant(form.care, form.loud, text, found.start)
    }

    fn apply(
        &self,
        text: &str,
        out: &mut String,
        mut edit: impl FnMut(usize, Range<usize>, Range<usize>),
    ) {
        let mut done = 0;
        while let Some((pattern, found)) = self.next(text, done) {
            let Pattern { form, rule } = &self.patterns[pattern];
            let article = form.article(&text[..found.start]).filter(|(at, _)| at.start >= done);
            let old = article.as_ref().map_or(found.start, |(at, _)| at.start)..found.end;
            out.push_str(&text[done..old.start]);
            let start = out.len();
            if let Some((at, fitting)) = article {
                out.push_str(fitting);
                out.push_str(&text[at.end..found.start]);
            }
            out.push_str(&form.to);
            done = found.end;
            edit(*rule, old, start..out.len());
        }
        out.push_str(&text[done..]);
    }
}

/// Whether no letter or digit runs on at either side. Chinese characters part words by themselves.
pub(crate) fn is_whole(text: &str, found: &Range<usize>) -> bool {
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
    use storymill_text::article;

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
        check(&[("thief", "child")], en, "Thieves, a thief", "Children, a child");
        check(
            &[("贝多芬", "大卫")],
            Language::Chinese,
            "他叫贝多芬。贝多芬贝多芬",
            "他叫大卫。大卫大卫",
        );
        check(&[("GPS", "雷达")], Language::Chinese, "用GPS定位，GPSX", "用雷达定位，GPSX");
    }

    #[test]
    fn articles_go_by_what_is_written() {
        let en = Language::English;
        let rules =
            [("harp", "accordion"), ("old", "young"), ("Ivo Marsh", "Otto Unwin"), ("11", "12")];
        check(
            &rules,
            en,
            "A harp, an old “harp”, a Harp",
            "An accordion, a young “accordion”, an Accordion",
        );
        check(
            &rules,
            en,
            "AN OLD HARP. An 11 and an Ivo Marsh",
            "A YOUNG ACCORDION. A 12 and an Otto Unwin",
        );
        check(
            &rules,
            en,
            "vitamin A harp; a half-harp; a sharp, an owl",
            "vitamin A accordion; a half-accordion; a sharp, an owl",
        );
        check(
            &[("owl", "unicorn"), ("mile", "hour")],
            en,
            "an owl in a mile",
            "a unicorn in an hour",
        );
        check(&[("lion", "ox")], Language::Other, "a lion", "a ox");
    }

    #[test]
    fn parts_of_a_name_go_with_it() {
        let rules = [("Dorian Gray", "Everard Finch"), ("May Orr", "Ann Lee")];
        let text = "Dorian’s eyes. Mr. Gray and the Grays met Lady Gray; DORIAN GRAY, Dorian\nGray. A gray Dorian.";
        let other = "Everard’s eyes. Mr. Finch and the Finches met Lady Finch; EVERARD FINCH, Everard\nFinch. A gray Everard.";
        check(&rules, Language::English, text, other);
        // Nobody can tell these: they are left, and looked for by `left`.
        let left = "Gray clouds hung in May.";
        check(&rules, Language::English, left, left);
        check(&rules, Language::English, "Miss May saw an Orr.", "Miss Ann saw a Lee.");
        let two = [("Ada Penn", "Lise Crane"), ("Otto Penn", "Karl Wick")];
        check(
            &two,
            Language::English,
            "Ada met Otto; Penn did not.",
            "Lise met Karl; Penn did not.",
        );
    }

    #[test]
    fn what_cannot_be_put_back_is_not_clean() {
        let rules = rules(&[("hotel", "inn"), ("James", "Marsh")]);
        let replacer = Replacer::new(&rules, Language::English);
        for (text, clean) in [
            ("a hotel", true),
            ("an hotel", false),
            ("James’s hotel", true),
            ("James’ hotel", false),
            ("an inn", false),
        ] {
            assert_eq!(replacer.is_clean(text), clean, "{text}");
        }
    }

    proptest! {
        /// What `edit` is told is what was written, and nothing else is changed; articles agree; a clean
        /// text comes back.
        #[test]
        fn edits_are_what_was_written(
            text in "((a|an|A|the|owl|Owl|pear|hour|hours|Ada Penn|Ada|Penn|Penn’s|AN|OWL|it|was)[ ,.\n]{1,2}){0,14}",
            pairs in prop::collection::btree_map("(owl|pear|hour|Ada Penn)", "(ox|lute|unit|Ella Orr|Tom Kidd)", 0..4),
        ) {
            let pairs: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (&**a, &**b)).collect();
            let replacer = Replacer::new(&rules(&pairs), Language::English);
            let (mut out, mut edits) = (String::new(), Vec::new());
            replacer.apply(&text, &mut out, |_, old, new| edits.push((old, new)));
            let (mut old_end, mut new_end) = (0, 0);
            for (old, new) in &edits {
                prop_assert_eq!(&text[old_end..old.start], &out[new_end..new.start]);
                prop_assert!(article::slips(&out[new.clone()]).next().is_none());
                (old_end, new_end) = (old.end, new.end);
            }
            prop_assert_eq!(&text[old_end..], &out[new_end..]);
            if pairs.is_empty() {
                prop_assert_eq!(&out, &text);
            }
            if replacer.is_clean(&text) {
                prop_assert_eq!(replacer.restored(&out), text);
            }
        }

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
