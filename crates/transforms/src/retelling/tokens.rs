//! Words as the checks see them: folded, parted from their endings, and numbered for comparing.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{Language, sentence::sentences};

/// The words of a text in small letters. A Chinese or Japanese sign is a word of its own;
/// a possessive ending is none.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        if is_sign(c) {
            flush(&mut word, &mut found);
            found.push(c.to_string());
        } else if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        } else if matches!(c, '\'' | '’') && !word.is_empty() {
            word.push('\'');
        } else if c != '\u{ad}' {
            flush(&mut word, &mut found);
        }
    }
    flush(&mut word, &mut found);
    found
}

fn flush(word: &mut String, found: &mut Vec<String>) {
    let bare = word.trim_end_matches('\'');
    let bare = bare.strip_suffix("'s").unwrap_or(bare);
    if !bare.is_empty() {
        found.push(bare.to_owned());
    }
    word.clear();
}

/// Whether a character is a word by itself.
fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// The words that carry meaning, in order, without endings. A negation is always `not`.
pub(crate) fn content(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens(text) {
        if NEGATIONS.contains(&&token[..]) {
            found.push("not".to_owned());
        } else if let Some(verb) = token.strip_suffix("n't") {
            let verb = if verb == "wo" { "will" } else { verb };
            found.extend((!is_small(verb)).then(|| stem(verb)));
            found.push("not".to_owned());
        } else if !is_small(&token) {
            found.push(stem(&token));
        }
    }
    found
}

const NEGATIONS: [&str; 8] = ["not", "never", "no", "neither", "nor", "cannot", "none", "nobody"];

/// Whether a word (in small letters) says nothing of its own.
pub(crate) fn is_small(token: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| SMALL.split(' ').collect());
    WORDS.contains(token)
}

/// Function words and fillers of English, and the commonest of French and German.
const SMALL: &str = "a an the and or but of to in on at by for from with without into onto upon up \
    down out off over under about as than that this these those there here it its he him his she \
    her hers they them their theirs we us our i me my you your who whom whose which what when \
    where while is are was were be been being am do does did done has have had having will would \
    shall should can could may might must so then also just very quite really rather too again \
    own other some any all both each if because since until after before during through between \
    themselves himself herself itself s t le la les et de des du un une que qui il elle dans pas \
    ne est der die das und ein eine den dem des zu mit von sich auf es er sie ist war";

/// A word without the ending that tense and number give it. English only, and only so fine that
/// `refuses`, `refused` and `refusing` are one word.
pub(crate) fn stem(token: &str) -> String {
    static BASES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let forms =
            IRREGULAR.iter().flat_map(|(base, forms)| forms.split(' ').map(|form| (form, *base)));
        forms.collect()
    });
    let base = BASES.get(token).copied().unwrap_or(token);
    if !base.is_ascii() || base.len() < 4 {
        return base.to_owned();
    }
    let cut = ["ing", "ied", "ies", "ed", "es", "ly", "s"].into_iter().find_map(|ending| {
        let left = base.strip_suffix(ending)?;
        let fits = left.len() >= 3 && !(ending == "s" && left.ends_with('s'));
        fits.then(|| if ending.starts_with("ie") { format!("{left}y") } else { left.to_owned() })
    });
    let mut word = cut.unwrap_or_else(|| base.to_owned());
    let doubled =
        word.len() > 3 && word.as_bytes()[word.len() - 1] == word.as_bytes()[word.len() - 2];
    if doubled && !word.ends_with("ss") && !word.ends_with("ll") {
        word.pop();
    }
    if word.len() > 3 && word.ends_with('e') {
        word.pop();
    }
    if word.ends_with('y') {
        word.pop();
        word.push('i');
    }
    word
}

#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("become", "became"), ("begin", "began begun"), ("break", "broke broken"), ("bring", "brought"),
    ("build", "built"), ("burn", "burnt"), ("buy", "bought"), ("catch", "caught"), ("choose", "chose chosen"),
    ("come", "came"), ("cut", "cutting"), ("draw", "drew drawn"), ("drink", "drank drunk"), ("drive", "drove driven"),
    ("eat", "ate eaten"), ("fall", "fell fallen"), ("feel", "felt"), ("fight", "fought"), ("find", "found"),
    ("fly", "flew flown"), ("forget", "forgot forgotten"), ("forgive", "forgave forgiven"), ("get", "got gotten"),
    ("give", "gave given"), ("go", "went gone goes going"), ("grow", "grew grown"), ("hang", "hung"), ("hear", "heard"),
    ("hide", "hid hidden"), ("hold", "held"), ("keep", "kept"), ("know", "knew known"), ("lay", "laid"), ("lead", "led"),
    ("leave", "left"), ("lend", "lent"), ("lie", "lay lain lying"), ("lose", "lost"), ("make", "made"), ("meet", "met"),
    ("pay", "paid"), ("ride", "rode ridden"), ("ring", "rang rung"), ("rise", "rose risen"), ("run", "ran"), ("say", "said"),
    ("see", "saw seen"), ("sell", "sold"), ("send", "sent"), ("shake", "shook shaken"), ("show", "shown"), ("sing", "sang sung"),
    ("sink", "sank sunk"), ("sit", "sat"), ("sleep", "slept"), ("speak", "spoke spoken"), ("spend", "spent"),
    ("stand", "stood"), ("steal", "stole stolen"), ("strike", "struck"), ("swear", "swore sworn"), ("swim", "swam swum"),
    ("take", "took taken"), ("teach", "taught"), ("tear", "tore torn"), ("tell", "told"), ("think", "thought"),
    ("throw", "threw thrown"), ("understand", "understood"), ("wake", "woke woken"), ("wear", "wore worn"),
    ("win", "won"), ("write", "wrote written"), ("child", "children"), ("man", "men"), ("woman", "women"),
];

/// What a text tells: its meaningful words, whole and sentence by sentence.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    /// All of them.
    pub(crate) words: HashSet<String>,
    /// Those of each sentence, in order.
    pub(crate) sentences: Vec<Vec<String>>,
}

impl Telling {
    pub(crate) fn of(text: &str, language: Language) -> Self {
        let sentences: Vec<Vec<String>> = sentences(text, language).map(content).collect();
        Self { words: sentences.iter().flatten().cloned().collect(), sentences }
    }

    /// Whether some sentence has all these words in this order, and denies as much as they do.
    pub(crate) fn tells(&self, event: &[String]) -> bool {
        let denies = |words: &[String]| words.iter().any(|word| word == "not");
        self.sentences.iter().any(|sentence| {
            let mut rest = sentence.iter();
            denies(sentence) == denies(event)
                && event.iter().all(|word| rest.any(|other| other == word))
        })
    }

    /// How many of these words stand anywhere, per mille; all, of no words.
    pub(crate) fn share_pm(&self, event: &[String]) -> u32 {
        let hits = event.iter().filter(|word| self.words.contains(*word)).count();
        pm(hits, event.len(), 1000)
    }
}

/// A share per mille, or `empty` of nothing.
pub(crate) fn pm(part: usize, whole: usize, empty: u32) -> u32 {
    let share = (part * 1000).checked_div(whole);
    share.map_or(empty, |share| u32::try_from(share).unwrap_or(u32::MAX))
}

/// Two texts as lists of numbers, one number for each different word.
pub(crate) fn numbered(one: &str, other: &str) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut list = |text: &str| {
        let mut list = Vec::new();
        for token in tokens(text) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            list.push(*numbers.entry(token).or_insert(next));
        }
        list
    };
    (list(one), list(other))
}

/// The longest run of words that both have.
pub(crate) fn longest_run(one: &[u32], other: &[u32]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    let mut longest = 0;
    for word in one {
        let mut diagonal = 0;
        for (at, against) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == against { diagonal + 1 } else { 0 };
            longest = longest.max(row[at + 1]);
            diagonal = above;
        }
    }
    longest
}

/// How many words both have in the same order.
pub(crate) fn in_order(one: &[u32], other: &[u32]) -> usize {
    let mut row = vec![0_usize; other.len() + 1];
    for word in one {
        let mut diagonal = 0;
        for (at, against) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == against { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_word() {
        for forms in [
            "refuse refuses refused refusing",
            "carry carries carried carrying",
            "stop stopped stopping stops",
            "give gave given gives",
            "letter letters",
        ] {
            let stems: HashSet<String> = forms.split(' ').map(stem).collect();
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
        assert_ne!(stem("accept"), stem("except"));
    }

    #[test]
    fn meaningful_words_keep_their_negation() {
        assert_eq!(content("She didn’t give Anne’s letter."), ["not", "giv", "ann", "letter"]);
        assert_eq!(tokens("她走了。Ok"), ["她", "走", "了", "ok"]);
    }

    #[test]
    fn runs_and_orders_are_counted() {
        let (one, other) = numbered("a b c d e", "x b c y d");
        assert_eq!((longest_run(&one, &other), in_order(&one, &other)), (2, 3));
        assert_eq!(longest_run(&[], &other), 0);
    }
}
