//! Word lists and punctuation for the keyword-gated F1: ours, or the user's from a file.

use std::collections::BTreeSet;

use serde::Deserialize;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::{ids::Set, unicode::is_space};

/// Words that say little, and the punctuation of Chinese.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordLists {
    name: String,
    english: Set<String>,
    chinese: Set<String>,
    /// None: every symbol or punctuation mark of Unicode.
    punctuation: Option<BTreeSet<char>>,
}

/// A word list file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("word lists, line {line}, column {column}: not as expected")]
pub struct WordListError {
    /// Line of the fault, from 1.
    pub line: usize,
    /// Column of the fault, from 1.
    pub column: usize,
    source: serde_json::Error,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    blacklist_en: Vec<String>,
    blacklist_zh: Vec<String>,
    punctuation_zh: String,
    #[serde(default, rename = "source")]
    _source: Option<String>,
}

impl WordLists {
    /// Our own lists: function words of both languages; punctuation by its Unicode category.
    pub fn ours() -> Self {
        let set = |words: &str| words.split_whitespace().map(str::to_owned).collect();
        Self {
            name: "storymill-lists-1".into(),
            english: set(ENGLISH),
            chinese: set(CHINESE),
            punctuation: None,
        }
    }

    /// Reads lists from JSON: `blacklist_en`, `blacklist_zh`, `punctuation_zh`, and a free `source`.
    ///
    /// The name then holds a checksum of the lists, so that two sets never share a variant.
    pub fn parse(json: &str) -> Result<Self, WordListError> {
        let file: File = serde_json::from_str(json).map_err(|source| WordListError {
            line: source.line(),
            column: source.column(),
            source,
        })?;
        let mut sum = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |text: &str| {
            for byte in text.bytes().chain([0]) {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        let english: BTreeSet<String> = file.blacklist_en.into_iter().collect();
        let chinese: BTreeSet<String> = file.blacklist_zh.into_iter().collect();
        let punctuation: BTreeSet<char> = file.punctuation_zh.chars().collect();
        for word in &english {
            add(word);
        }
        add("");
        for word in &chinese {
            add(word);
        }
        add(&punctuation.iter().collect::<String>());
        Ok(Self {
            name: format!("lists-{sum:016x}"),
            english: english.into_iter().collect(),
            chinese: chinese.into_iter().collect(),
            punctuation: Some(punctuation),
        })
    }

    /// The name that results carry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether an English word in normal form is listed.
    pub fn has_english(&self, word: &str) -> bool {
        self.english.contains(word)
    }

    /// Whether a cleaned Chinese word is listed.
    pub fn has_chinese(&self, word: &str) -> bool {
        self.chinese.contains(word)
    }

    /// A Chinese word in lower case, without ASCII punctuation, listed punctuation and spaces.
    pub fn clean(&self, word: &str) -> String {
        word.to_lowercase()
            .chars()
            .filter(|&c| !c.is_ascii_punctuation() && !is_space(c) && !self.is_punctuation(c))
            .collect()
    }

    fn is_punctuation(&self, c: char) -> bool {
        match &self.punctuation {
            Some(listed) => listed.contains(&c),
            None => matches!(
                c.general_category_group(),
                GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol
            ),
        }
    }
}

/// Pronouns, auxiliaries, prepositions, conjunctions and question words.
const ENGLISH: &str = "
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves
    this that these those such same own
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must
    and or but nor so yet if then else because although though while unless until since as than
    of in on at by for from to into onto with without within about above below under over between
    among through during before after against along across behind beside upon near off out up down
    not no too very just only also even still again ever there here
    what which who whom whose when where why how";

/// Particles, auxiliaries, pronouns, prepositions, conjunctions, common measure words.
const CHINESE: &str = "
    的 地 得 着 了 过 吗 呢 吧 啊 呀 嘛 之 所 者
    是 有 在 为 会 能 可 可以 应 应该 要 将 被 把 让 使 给
    我 你 您 他 她 它 我们 你们 他们 她们 它们 自己 这 那 这个 那个 这些 那些 此 其 该 各 每
    什么 谁 哪 哪里 怎么 为什么 多少 几
    和 与 及 以及 或 或者 而 而且 但 但是 并 并且 因为 所以 如果 虽然 由于 因此 然后 首先 其次
    于 从 自 由 到 至 向 对 对于 关于 以 用 按 根据 通过 比 跟 同 除了
    不 没 没有 也 都 就 才 又 还 再 很 更 最 太 已 已经 正在 只 仅
    个 种 一种 一个 些 等 等等 上 下 中 里 内 外 前 后 时 时候";

#[cfg(test)]
mod tests {
    use super::WordLists;

    #[test]
    fn ours_clean_by_category() {
        let lists = WordLists::ours();
        assert_eq!(lists.clean("《Harry》 波特。"), "harry波特");
        assert!(
            lists.has_english("because") && lists.has_chinese("的") && !lists.has_english("doctor")
        );
    }

    #[test]
    fn the_name_tells_lists_apart() {
        let parse = |json: &str| WordLists::parse(json).map(|lists| lists.name().to_owned());
        let one =
            parse(r#"{"blacklist_en":["a","b"],"blacklist_zh":[],"punctuation_zh":"。"}"#).unwrap();
        let same =
            parse(r#"{"blacklist_en":["b","a"],"blacklist_zh":[],"punctuation_zh":"。"}"#).unwrap();
        let other =
            parse(r#"{"blacklist_en":["a"],"blacklist_zh":["b"],"punctuation_zh":"。"}"#).unwrap();
        assert!(one == same && one != other);
        let fault = parse("{\"blacklist_en\":[],\n\"wrong\":1}").unwrap_err();
        assert!(fault.to_string().contains("line 2"), "{fault}");
    }
}
