//! Requests: every claim of a set under one prompt, for others to run; and the key that stays.
//!
//! A request says nothing of the pair it belongs to. Its id is a digest over a secret that is drawn
//! for the bundle, and requests stand in the order of their ids; so neither id nor order tells
//! twins or truth. The key has both, and stays with whoever scores.

mod prompt;

use std::{borrow::Cow, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use serde_json::json;
use storymill_core::{Digest, Encoding, Question};
use storymill_metrics::bm25::{Cut, Index, Parameters};

pub use prompt::{Form, Prompt};
pub use storymill_text::excerpt::{WORDS, excerpts};

use crate::{
    import::Set,
    mistake::{Mistake, Mistakes},
    pair::{Half, Pair},
    standing::words_of,
};
use prompt::Filling;

/// What of the book is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of it.
    Book,
    /// The story that the pair names; all of it where the pair names none.
    Story,
    /// The best excerpts for the claim by BM25.
    Bm25 {
        /// How many.
        k: usize,
        /// Whether they stand in the order of the book, not by rank as in the paper.
        book_order: bool,
    },
}

impl Shown {
    /// What scores call it: `book`, `bm25:5`, `bm25:5-in-book-order`.
    pub fn name(self) -> String {
        match self {
            Self::Book => "book".to_owned(),
            Self::Story => "story".to_owned(),
            Self::Bm25 { k, book_order } => {
                format!("bm25:{k}{}", if book_order { "-in-book-order" } else { "" })
            }
        }
    }
}

/// How requests are made.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The prompt.
    pub prompt: &'p Prompt,
    /// What of the book is shown.
    pub shown: Shown,
    /// The model's name, as its server wants it.
    pub model: &'p str,
    /// The most tokens of an answer.
    pub max_tokens: u32,
    /// The model's window in tokens of `cl100k_base`, prompt and answer together; a claim that does
    /// not fit is not asked.
    pub window: Option<u64>,
    /// Bits that nobody can guess, drawn for this bundle.
    pub secret: &'p [u8; 32],
    /// The set's canary, if it has one.
    pub canary: Option<&'p str>,
}

impl Plan<'_> {
    /// Prompt and what is shown, as scores tell them: `explain-first@1f0c22d1a9be book`.
    pub fn name(&self) -> String {
        format!("{} {}", self.prompt.id(), self.shown.name())
    }
}

/// A line of the key: which claim a request is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyLine {
    /// The request's id.
    pub custom_id: String,
    /// The pair.
    pub pair: String,
    /// Which claim of it.
    pub claim: Half,
    /// The model.
    pub model: String,
    /// Prompt and what was shown.
    pub prompt: String,
    /// Tokens of the prompt in `cl100k_base`, at most two or three off; none if they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Why it is not asked: `too-long`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The digest of the claim's words as they were asked; none in keys from before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Digest>,
}

impl KeyLine {
    /// Whether the claim of the set is the one that was asked. A pair that the set does not have is not another one.
    pub fn is_of(&self, set: &Set) -> bool {
        let pair = set.pairs.iter().find(|pair| pair.id == self.pair);
        let same = |pair: &Pair, words: Digest| words_of(pair.claim(self.claim)) == words;
        pair.zip(self.words).is_none_or(|(pair, words)| same(pair, words))
    }
}

/// What a bundle says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// The version of this form.
    pub format: u32,
    /// What a private set calls these requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The canary: a text that holds it must not be trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<String>,
    /// Whose batch interface its files are for (`anthropic`); none where they are one file that is asked as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// How many requests.
    pub requests: usize,
    /// BLAKE3 of `requests.jsonl`.
    pub digest: Digest,
    /// Prompt and what is shown.
    pub prompt: String,
    /// The model.
    pub model: String,
    /// The most tokens of an answer.
    pub max_tokens: u32,
    /// Public keys that answers are sealed to, if the requests are private.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers_to: Vec<String>,
    /// Endpoints that private requests may be sent to, beside those on the machine of whoever runs them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub send_private_to: Vec<String>,
}

/// A line of `requests.jsonl`, in the form that batch runners of the OpenAI API read: `custom_id`, `method`, `url`, `body`.
/// It is given in three parts, so that a text that many requests show can be kept once.
#[derive(Clone, Copy, Debug)]
pub struct Line<'l> {
    /// The request's id.
    pub custom_id: &'l str,
    /// What stands before the text that is shown.
    pub head: &'l str,
    /// The text that is shown, as JSON writes it between quotation marks; empty where it stands in `head`.
    pub shown: &'l str,
    /// What stands behind it.
    pub tail: &'l str,
    /// The number of the text: that of every other line that shows the same; none if no other line does.
    pub text: Option<usize>,
}

impl Line<'_> {
    /// The whole line.
    pub fn whole(&self) -> String {
        [self.head, self.shown, self.tail].concat()
    }
}

/// Makes the requests of a set, one by one in the order of their ids, and gives the key.
///
/// `take` gets each line of `requests.jsonl`. `count` counts tokens of `cl100k_base`; none if nothing can.
pub fn requests<E: From<Mistakes>>(
    set: &Set,
    texts: &BTreeMap<String, &str>,
    plan: &Plan<'_>,
    count: &dyn Fn(&str, Encoding) -> Option<u64>,
    take: &mut dyn FnMut(&Line<'_>) -> Result<(), E>,
) -> Result<Vec<KeyLine>, E> {
    let missing: Mistakes = set
        .pairs
        .iter()
        .filter(|pair| !texts.contains_key(&pair.book))
        .map(|pair| Mistake::new("the set has no text of its book").pair(&pair.id))
        .collect();
    if !missing.is_empty() {
        return Err(missing.into());
    }
    let symbols: BTreeMap<&str, u32> = texts
        .iter()
        .map(|(book, text)| (&book[..], u32::try_from(text.chars().count()).unwrap_or(u32::MAX)))
        .collect();
    let mut order: Vec<(String, &Pair, Half, Question)> = Vec::with_capacity(2 * set.pairs.len());
    for pair in &set.pairs {
        for half in Half::BOTH {
            let question = pair.question(half, symbols[&pair.book[..]]).map_err(|one| vec![one])?;
            order.push((custom_id(plan, pair, half), pair, half, question));
        }
    }
    order.sort_by(|a, b| a.0.cmp(&b.0));
    let mut shelf =
        Library { set, texts, count, stories: BTreeMap::new(), indexes: BTreeMap::new() };
    let mut escaped: BTreeMap<Place, (usize, String)> = BTreeMap::new();
    let mut key = Vec::with_capacity(order.len());
    for (custom_id, pair, half, question) in order {
        let claim = question.given();
        let page = shelf.page(plan.shown, pair, claim).map_err(|fault| vec![fault])?;
        let (prompt, story) = (plan.prompt, page.story);
        let book_order = matches!(plan.shown, Shown::Bm25 { book_order: true, .. });
        let fill = |book: &str| {
            prompt.fill(Filling { book, claim, story, book_order }).map_err(|fault| vec![fault])
        };
        let frame = fill("")?;
        let tokens = page.tokens.zip(count(&frame, Encoding::Cl100kBase)).map(|(a, b)| a + b);
        let too_long = match (plan.window, tokens) {
            (None, _) => false,
            (Some(window), Some(tokens)) => tokens + u64::from(plan.max_tokens) > window,
            (Some(_), None) => {
                let fault =
                    Mistake::new("this build cannot count tokens, so no window can be kept");
                return Err(vec![fault].into());
            }
        };
        if !too_long {
            let line = |prompt: &str| {
                json!({
                    "custom_id": custom_id,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": {
                        "model": plan.model,
                        "messages": [{ "role": "user", "content": prompt }],
                        "temperature": 0,
                        "max_tokens": plan.max_tokens,
                    },
                })
                .to_string()
            };
            // A word that nobody can guess stands where the text goes.
            let here = format!("here-goes-the-text-{custom_id}");
            let split = match &page.place {
                Some(place) if plan.prompt.is_plain() => {
                    let line = line(&fill(&here)?);
                    let parts: Vec<String> = line.split(&here).map(str::to_owned).collect();
                    <[String; 2]>::try_from(parts).ok().map(|parts| (place.clone(), parts))
                }
                _ => None,
            };
            if let Some((place, [head, tail])) = split {
                let number = escaped.len();
                let (number, shown) = escaped.entry(place).or_insert_with(|| {
                    let quoted = json!(page.text).to_string();
                    (number, quoted[1..quoted.len() - 1].to_owned())
                });
                let text = Some(*number);
                take(&Line { custom_id: &custom_id, head: &head, shown, tail: &tail, text })?;
            } else {
                let head = line(&fill(&page.text)?);
                take(&Line {
                    custom_id: &custom_id,
                    head: &head,
                    shown: "",
                    tail: "",
                    text: None,
                })?;
            }
        }
        key.push(KeyLine {
            custom_id,
            pair: pair.id.clone(),
            claim: half,
            model: plan.model.to_owned(),
            prompt: plan.name(),
            tokens,
            skipped: too_long.then(|| "too-long".to_owned()),
            words: Some(words_of(claim)),
        });
    }
    Ok(key)
}

fn custom_id(plan: &Plan<'_>, pair: &Pair, half: Half) -> String {
    let name = plan.name();
    let parts = [&plan.secret[..], pair.id.as_bytes(), half.name().as_bytes(), name.as_bytes()];
    Digest::of_parts("storymill 2026 claim request v1", parts).to_string()[..20].to_owned()
}

/// A book, or a story of it.
type Place = (String, Option<String>);

/// What is shown with a claim.
struct Page<'s> {
    text: Cow<'s, str>,
    /// What other claims are shown too; none for excerpts.
    place: Option<Place>,
    tokens: Option<u64>,
    story: bool,
}

/// Books, their stories and their excerpts, each worked out once.
struct Library<'s> {
    set: &'s Set,
    texts: &'s BTreeMap<String, &'s str>,
    count: &'s dyn Fn(&str, Encoding) -> Option<u64>,
    /// Tokens of each book or story.
    stories: BTreeMap<(String, Option<String>), Option<u64>>,
    indexes: BTreeMap<(String, Option<String>), (Vec<String>, Index)>,
}

impl<'s> Library<'s> {
    fn page(&mut self, shown: Shown, pair: &Pair, claim: &str) -> Result<Page<'s>, Mistake> {
        let story = pair.story.clone().filter(|_| shown != Shown::Book);
        let text = match &story {
            None => self.texts[&pair.book],
            Some(name) => self.story(pair, name)?,
        };
        let place = (pair.book.clone(), story);
        let story = place.1.is_some();
        let Shown::Bm25 { k, book_order } = shown else {
            let count = self.count;
            let tokens = *self
                .stories
                .entry(place.clone())
                .or_insert_with(|| count(text, Encoding::Cl100kBase));
            return Ok(Page { text: Cow::Borrowed(text), place: Some(place), tokens, story });
        };
        let (passages, index) = self.indexes.entry(place).or_insert_with(|| {
            let passages: Vec<String> =
                excerpts(text, WORDS).into_iter().map(|range| text[range].to_owned()).collect();
            let index = Index::new(&passages, Cut::Words, Parameters::default())
                .expect("the usual parameters are in range");
            (passages, index)
        });
        let mut hits: Vec<usize> = index.top(claim, k).iter().map(|hit| hit.passage).collect();
        if book_order {
            hits.sort_unstable();
        }
        let excerpt = |(at, hit): (usize, &usize)| {
            format!("<excerpt_{0}>\n{1}\n</excerpt_{0}>", at + 1, passages[*hit])
        };
        let text = hits.iter().enumerate().map(excerpt).collect::<Vec<_>>().join("\n\n");
        let tokens = (self.count)(&text, Encoding::Cl100kBase);
        Ok(Page { text: Cow::Owned(text), place: None, tokens, story })
    }

    /// The text of a story.
    fn story(&self, pair: &Pair, name: &str) -> Result<&'s str, Mistake> {
        let fault = |reason: &str| Mistake::new(reason).pair(&pair.id);
        let stories =
            self.set.book(&pair.book).map(|book| book.stories.as_slice()).unwrap_or_default();
        let story = stories.iter().find(|story| story.name == name);
        let story = story.ok_or_else(|| fault("its story is not among the stories of its book"))?;
        let text: &'s str = self.texts[&pair.book];
        let byte = |symbol: u32| {
            let mut starts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            starts.nth(symbol as usize)
        };
        match (byte(story.start), byte(story.end)) {
            (Some(start), Some(end)) if start < end => Ok(&text[start..end]),
            _ => Err(fault("its story ends behind the end of the book's text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_line_are_the_line_and_a_text_is_told_once() {
        let pair = |id: &str, book: &str| Pair {
            id: id.to_owned(),
            book: book.to_owned(),
            true_claim: format!("Ann said \"no\" to {id}."),
            false_claim: format!("Ann said \"yes\" to {id}."),
            ..Pair::default()
        };
        let set = Set {
            pairs: vec![pair("a/1", "a"), pair("a/2", "a"), pair("b/1", "b")],
            books: Vec::new(),
        };
        let book =
            |name: &str| format!("“Yes,” said {name}.\n\t\"No\\yes\" {{{{ claim }}}} — \u{1}end");
        let books = BTreeMap::from(["a", "b"].map(|id| (id.to_owned(), book(id))));
        let texts = books.iter().map(|(id, text)| (id.clone(), text.as_str())).collect();
        let own = Prompt::new("own", "{{ book }} / {{ claim }}").unwrap();
        let slots = Prompt::new("slots", "[book_text] / [claim]").unwrap();
        for (prompt, shares) in [(&Prompt::ours(Form::Simple), true), (&slots, true), (&own, false)]
        {
            let plan = Plan {
                prompt,
                shown: Shown::Book,
                model: "m",
                max_tokens: 9,
                window: None,
                secret: &[7; 32],
                canary: None,
            };
            let mut lines = BTreeMap::new();
            let key = requests::<Mistakes>(&set, &texts, &plan, &|_, _| None, &mut |line| {
                let said: serde_json::Value = serde_json::from_str(&line.whole()).unwrap();
                let said = said["body"]["messages"][0]["content"].as_str().unwrap().to_owned();
                lines.insert(line.custom_id.to_owned(), (said, line.text, line.shown.to_owned()));
                Ok(())
            })
            .unwrap();
            let mut numbers = BTreeMap::new();
            for one in &key {
                let (said, number, shown) = &lines[&one.custom_id];
                let pair = set.pairs.iter().find(|pair| pair.id == one.pair).unwrap();
                let filling = Filling {
                    book: &books[&pair.book],
                    claim: pair.claim(one.claim),
                    story: false,
                    book_order: false,
                };
                assert_eq!(*said, prompt.fill(filling).unwrap());
                assert_eq!((number.is_some(), shown.is_empty()), (shares, !shares));
                numbers
                    .entry(pair.book.clone())
                    .or_insert_with(Vec::new)
                    .push((*number, shown.clone()));
                assert!(one.is_of(&set));
            }
            assert!(numbers.values().all(|all| all.iter().all(|one| *one == all[0])));
            assert!(!shares || numbers["a"][0] != numbers["b"][0]);
            let mut other = set.clone();
            other.pairs[0].true_claim.push('!');
            let of_others: Vec<_> = key.iter().filter(|line| !line.is_of(&other)).collect();
            assert_eq!(of_others.len(), 1);
            assert_eq!((&*of_others[0].pair, of_others[0].claim), ("a/1", Half::True));
            other.pairs.remove(0);
            assert!(key.iter().all(|line| line.is_of(&other)));
        }
    }
}
