//! Words and phrases replaced in one pass.
//!
//! All rules are searched at once and what was written is never read again, so there are no chains
//! and no order of rules. English words are whole words, in the singular, the plural and the
//! possessive, and keep their capitals; the article before them goes by what is written, and the
//! parts of a name are replaced where the name is. Chinese phrases are replaced wherever they stand.

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use aho_corasick::{AhoCorasick, Input, MatchKind};
use storymill_core::Rule;
use storymill_text::{Language, word::is_han};

use crate::{
    agreement::{number, possessive},
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
    /// Made where it is first asked: most rules are never put back.
    search: OnceLock<AhoCorasick>,
    patterns: Vec<Pattern>,
}

/// A form with the rule that it is of. Where texts are put back its sides are turned.
#[derive(Clone, Debug)]
struct Pattern {
    form: Form,
    rule: usize,
    /// Whether it is a part of the rule's name, which alone may be somebody else's.
    part: bool,
}

/// A place where a rule hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) rule: usize,
    pub(crate) found: Range<usize>,
    /// Whether a part of the rule's name stands there, and not the whole phrase.
    pub(crate) part: bool,
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
            let turned = Pattern { form: form.turned(), rule, part: false };
            back.entry(form.to.clone()).or_insert(turned);
            forth.entry(form.from.clone()).or_insert(Pattern { form, rule, part: false });
        };
        for (at, rule) in rules.iter().enumerate() {
            for form in forms(rule.from.trim(), rule.to.trim(), language) {
                add(form, at);
            }
        }
        for (form, at) in parts_of(rules, language) {
            if !forth.contains_key(&form.from) {
                let turned = Pattern { form: form.turned(), rule: at, part: true };
                back.entry(form.to.clone()).or_insert(turned);
                forth.insert(form.from.clone(), Pattern { form, rule: at, part: true });
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
            let Pattern { form, rule, .. } = &self.forth.patterns[at];
            let behind = &text[found.end..];
            let english = form.an[1].is_some();
            let slip = || {
                let [from, to] = &form.pair;
                let number = || number(from, to, &text[..found.start], behind);
                let marked = possessive(&form.from, &form.to, form.plural, behind);
                marked.or_else(|| number().filter(|_| !form.plural))
            };
            let slip = english.then(slip).flatten();
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
        self.places(text).for_each(|hit| hits[hit.rule] += 1);
        hits
    }

    /// Every place where a rule hits, in order.
    pub(crate) fn places<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Hit> + 't {
        let mut from = 0;
        std::iter::from_fn(move || {
            let (at, found) = self.forth.next(text, from)?;
            from = found.end;
            let Pattern { rule, part, .. } = &self.forth.patterns[at];
            Some(Hit { rule: *rule, found, part: *part })
        })
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
        Self { search: OnceLock::new(), patterns: found.into_values().collect() }
    }

    /// The next whole match at or behind a byte.
    fn next(&self, text: &str, mut from: usize) -> Option<(usize, Range<usize>)> {
        if self.patterns.is_empty() {
            return None;
        }
        let search = self.search.get_or_init(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(self.patterns.iter().map(|pattern| &pattern.form.from))
                .expect("the rules of one question are few and short")
        });
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
            let Pattern { form, rule, .. } = &self.patterns[pattern];
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
mod tests;
