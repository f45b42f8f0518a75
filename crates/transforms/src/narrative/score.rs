//! How much a sentence tells: the scores behind `extract`.

use std::collections::HashMap;

use storymill_text::{
    Language, one_line,
    word::{Word, words},
    word_count,
};

use super::{
    extract::Candidate,
    lexicon::{IN_PLACE, PRESENT, SPEAKERS, TITLES, Words, is_past, is_person, is_verb},
    names::{Gender, Mention, NameKind, Names},
    narration::Told,
};

/// Scores the sentences of one book.
#[derive(Debug)]
pub(crate) struct Scorer<'n> {
    names: &'n Names,
    /// In how many scenes each word stands.
    spread: HashMap<String, u32>,
    scenes: u32,
    pub(crate) language: Language,
}

impl<'n> Scorer<'n> {
    pub(crate) fn new(
        names: &'n Names,
        spread: HashMap<String, u32>,
        scenes: usize,
        language: Language,
    ) -> Self {
        let scenes = u32::try_from(scenes).unwrap_or(u32::MAX);
        Self { names, spread, scenes, language }
    }

    /// The sentences that may be picked, with their scores.
    pub(crate) fn candidates(&self, told: &[Told<'_>]) -> Vec<Candidate> {
        (0..told.len()).filter_map(|at| self.candidate(told, at)).collect()
    }

    fn candidate(&self, told: &[Told<'_>], at: usize) -> Option<Candidate> {
        let sentence = told[at];
        let english = self.language == Language::English;
        if !usable(&sentence) {
            return None;
        }
        let mut text = tidy(sentence.text);
        if english {
            text = without_opener(&text, self.names);
        }
        let mut score = 0;
        let after = text.clone();
        let first = words(&after).next()?;
        if english && PRONOUNS.contains(&first.text) {
            match self.antecedent(told, at, first.text) {
                Some(name) => text = named(&text, &first, &name),
                None => score -= 14,
            }
        }
        let length = self.length(&text);
        if !(5..=60).contains(&length) {
            return None;
        }
        let all: Vec<Word<'_>> = words(&text).collect();
        if english && !has_verb(&all) {
            return None;
        }
        let mentions = self.names.mentions_in(&text, &all);
        if english && !PRONOUNS.contains(&first.text) && leans_inside(&all, &mentions) {
            score -= 5;
        }
        score += self.weight(&all, &mentions) + shape(&text, &all, length);
        score -= if sentence.quoted > 0 { 10 } else { 0 };
        Some(Candidate { at: sentence.at, order: at, text, after, words: length, score })
    }

    fn length(&self, text: &str) -> u32 {
        if self.language == Language::Chinese {
            let signs = text.chars().filter(|c| c.is_alphabetic()).count();
            return u32::try_from(signs).unwrap_or(u32::MAX);
        }
        word_count(text)
    }

    /// What its words say: who, where, how many, what happens, and how rare they are in the book.
    fn weight(&self, all: &[Word<'_>], mentions: &[Mention]) -> i32 {
        let mut score = 0;
        for (at, mention) in mentions.iter().enumerate() {
            let again = mentions[..at].iter().any(|other| other.name == mention.name);
            score += match self.names.all.get(&mention.name).map(|name| name.kind) {
                _ if again || at > 3 => 0,
                Some(NameKind::Person) if mention.start == 0 => 9,
                Some(NameKind::Person) => 5,
                Some(NameKind::Place) => 4,
                _ => 2,
            };
        }
        let (mut rare, mut count, mut acts) = (0, 0, 0);
        for word in all {
            let low = word.small();
            let spread = self.spread.get(&low[..]).copied().unwrap_or(1).max(1);
            // Names would count as rare words a second time.
            if !self.names.is_part(word.text) {
                rare += (self.scenes.max(1) / spread.min(self.scenes.max(1))).max(1).ilog2();
                count += 1;
            }
            let number = word.text.starts_with(|c: char| c.is_ascii_digit())
                || super::lexicon::number_of(&low).is_some();
            score += i32::from(number) * 2;
            acts += i32::from(is_past(&low));
        }
        let rare = i32::try_from(rare * 4 / u32::max(count, 6)).unwrap_or(0);
        score + rare + 3 * acts.min(3)
    }

    /// Who `He` or `She` at the beginning of a sentence is: the person of that gender with whom the
    /// sentence before begins; none where anybody else in the paragraph so far may be meant.
    fn antecedent(&self, told: &[Told<'_>], at: usize, pronoun: &str) -> Option<String> {
        let gender = match pronoun {
            "He" | "His" => Gender::Male,
            "She" | "Her" => Gender::Female,
            _ => return None,
        };
        let paragraph = told[at].paragraph;
        let from =
            told[..at].iter().rposition(|one| one.paragraph != paragraph).map_or(0, |at| at + 1);
        let before = &told[from..at];
        let subject = self.subject(before, gender)?;
        let same = |mention: &Mention| mention.name == subject;
        let other = |one: &Told<'_>| {
            let persons = self.persons(one.text);
            let named = persons.iter().any(|m| self.may_be(m, gender) && !same(m));
            let leads = persons.first().is_some_and(|m| m.start == 0 && same(m));
            named || is_somebody_else(one.text, gender, leads)
        };
        let rival = self.persons(told[at].text).iter().any(|mention| self.may_be(mention, gender));
        (!rival && !before.iter().any(other)).then_some(subject)
    }

    /// The person of a gender with whom the last sentence begins, or the one before that if the last
    /// begins with the pronoun.
    fn subject(&self, before: &[Told<'_>], gender: Gender) -> Option<String> {
        let again = if gender == Gender::Male { "He" } else { "She" };
        for one in before.iter().rev().take(2) {
            if one.quoted > 0 {
                return None;
            }
            let persons = self.persons(one.text);
            let Some(first) = persons.first().filter(|first| first.start == 0) else {
                if words(one.text).next()?.text == again && persons.is_empty() {
                    continue;
                }
                return None;
            };
            let sure = self.names.all.get(&first.name)?.gender == gender;
            let owner = one.text[first.end..].starts_with(['’', '\'']);
            return (sure && !owner).then(|| first.name.clone());
        }
        None
    }

    /// Whether a name may be that of somebody of a gender.
    fn may_be(&self, mention: &Mention, gender: Gender) -> bool {
        self.names.all.get(&mention.name).is_none_or(|name| {
            name.gender == gender || name.gender == Gender::Unclear && name.kind != NameKind::Place
        })
    }

    fn persons(&self, text: &str) -> Vec<Mention> {
        let mut mentions = self.names.mentions(text);
        let is_place = |mention: &Mention| {
            self.names.all.get(&mention.name).is_some_and(|name| name.kind == NameKind::Place)
        };
        mentions.retain(|mention| !is_place(mention));
        mentions
    }
}

/// Whether a pronoun stands in it before anybody is named: `When he reached home`.
fn leans_inside(all: &[Word<'_>], mentions: &[Mention]) -> bool {
    let pronouns = ["he", "him", "his", "she", "her", "they", "them", "their", "it"];
    let pronoun = all.iter().find(|word| pronouns.contains(&word.text));
    let named = mentions.first().map(|mention| mention.start);
    pronoun.is_some_and(|pronoun| named.is_none_or(|named| pronoun.start < named))
}

/// Whether a sentence speaks of somebody of a gender without a name: `his father`, `a stranger`, `him`.
/// `leads` says that the one who is meant begins it: then `he` goes on about him.
fn is_somebody_else(text: &str, gender: Gender, leads: bool) -> bool {
    let male = gender == Gender::Male;
    let begins = if male { ["He", "His"] } else { ["She", "Her"] };
    let all: Vec<Word<'_>> = words(text).collect();
    let on = leads || all.first().is_some_and(|first| begins.contains(&first.text));
    all.iter().enumerate().any(|(at, word)| {
        let low = word.small();
        let behind = all.get(at + 1).map_or("", |next| &text[word.end..next.start]);
        let object = match &low[..] {
            "him" => male,
            // `her hat` is hers, `to her.` may be another's.
            "her" => !male && behind != " ",
            "he" | "she" => !on && (low == "he") == male,
            _ => false,
        };
        object || is_person(&low, male)
    })
}

/// Whether a sentence tells at all: no question, no scrap, no speech without a speaker.
fn usable(sentence: &Told<'_>) -> bool {
    let text = sentence.text;
    let bare = text.trim_end_matches(['”', '"', '’', '」', '』', ')', '»']);
    let begins = text.trim_start_matches(['“', '"', '‘', '「', '『', '«', '„', '»']);
    let plain = sentence.quoted == 0;
    // Speech is usable where it is whole, short, and the sentence says who spoke.
    let spoken = sentence.whole
        && sentence.quoted * 10 <= text.len() * 7
        && !bare.ends_with('?')
        && text.len() < 220;
    let starts =
        begins.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c > '\u{2e80}');
    starts
        && (plain || spoken)
        && bare.ends_with(['.', '。', '!', '！'])
        && !text.contains(['[', ']', '*', '|', '='])
}

/// Whether it can be a sentence at all, and not a line of a bill.
fn has_verb(all: &[Word<'_>]) -> bool {
    all.iter().any(|word| is_verb(word.text) || is_past(word.text))
}

/// Without the signs of italics and doubled blanks.
fn tidy(text: &str) -> String {
    one_line(&text.replace('_', ""))
}

/// Points for how it is built.
fn shape(text: &str, all: &[Word<'_>], length: u32) -> i32 {
    let words = i32::try_from(length).unwrap_or(i32::MAX);
    let said = |list: &Words| i32::try_from(said(all, list)).unwrap_or(i32::MAX);
    let mut score = 0;
    score -= (words - 32).max(0) / 2;
    score -= (9 - words).max(0) * 2;
    score -= i32::from(text.ends_with('!')) * 8;
    score -= i32::from(text.contains('(')) * 3;
    score -= i32::from(text.contains(';')) * 2;
    score -= said(&SPEAKERS).min(2) * 2;
    score -= said(&PRESENT).min(2) * 3;
    // An adverb or a demonstrative that leans on what came before.
    let leaning = [
        "This",
        "That",
        "These",
        "Those",
        "Such",
        "Thus",
        "Hence",
        "Here",
        "There",
        "Nor",
        "Neither",
        "Still",
        "Besides",
        "Otherwise",
        "Or",
        "How",
        "What",
        "Which",
        "Who",
        "Whose",
        "Yes",
        "No",
        "Oh",
        "Ah",
    ];
    let first = text.split_whitespace().next().unwrap_or_default();
    score -= i32::from(leaning.contains(&first)) * 7;
    score + said(&IN_PLACE).min(2)
}

/// How many of the words are in a list.
fn said(all: &[Word<'_>], list: &Words) -> usize {
    all.iter().filter(|word| list.contains(word.text)).count()
}

const PRONOUNS: &[&str] = &["He", "She", "It", "They", "His", "Her", "Its", "Their", "Him", "Them"];

/// Takes away a first word that leans on the sentence before: `But he went` becomes `He went`.
fn without_opener(text: &str, names: &Names) -> String {
    const ANY: &[&str] = &[
        "But",
        "And",
        "So",
        "Yet",
        "Then",
        "Now",
        "However",
        "Nevertheless",
        "Therefore",
        "Accordingly",
        "Moreover",
        "Indeed",
        "Well",
        "For",
        "Besides",
        "Meanwhile",
        "Also",
    ];
    const SUBJECTS: &[&str] = &["he", "she", "it", "they", "we", "I", "there"];
    const ARTICLES: &[&str] = &["the", "his", "her", "their", "my", "our", "one"];
    let mut all = words(text);
    let (Some(first), Some(next)) = (all.next(), all.next()) else { return text.to_owned() };
    let name = names.is_part(next.text) || TITLES.contains(next.text);
    let subject = SUBJECTS.contains(&next.text) || name;
    let article = ARTICLES.contains(&next.text) && first.text != "For";
    if !ANY.contains(&first.text) || first.start > 0 || !(subject || article) {
        return text.to_owned();
    }
    let mut rest = text[next.start..].chars();
    rest.next().map_or_else(String::new, |c| c.to_uppercase().chain(rest).collect())
}

/// Puts a name in the place of the pronoun that the sentence begins with.
fn named(text: &str, pronoun: &Word<'_>, name: &str) -> String {
    let rest = &text[pronoun.end..];
    let possessive = match pronoun.text {
        "His" | "Her" if name.ends_with('s') => "’",
        "His" | "Her" => "’s",
        _ => "",
    };
    format!("{}{name}{possessive}{rest}", &text[..pronoun.start])
}
