//! Chinese phrases that are too short to stand for one thing. Chinese parts no words, so a phrase is replaced
//! wherever its characters stand: one character inside of many words, an ordinary word in whatever is told.

use std::{collections::BTreeSet, sync::LazyLock};

use crate::Idle;

static WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let list = const { storymill_data::text("mixing/chinese-words.txt") };
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": ")).flat_map(|(_, words)| words.split(' ')).collect()
});

/// Why a Chinese phrase cannot be replaced: a short stable word, and what is wrong in a few words.
pub(crate) fn too_short(from: &str, idle: &Idle) -> Option<(&'static str, String)> {
    match from.chars().count() {
        1 => {
            let detail = format!(
                "`{from}` is one character, and part of many words: say more of the phrase"
            );
            Some(("one-character", detail))
        }
        2 if WORDS.contains(from) || idle.is(from) => {
            let detail = format!(
                "`{from}` is an ordinary word too, and would be replaced wherever it stands: say more of the phrase"
            );
            Some(("ordinary-word", detail))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use storymill_text::Language;

    use super::*;

    #[track_caller]
    fn check(from: &str, code: Option<&str>) {
        let idle = Idle::of(Language::Chinese);
        assert_eq!(too_short(from, &idle).map(|(code, _)| code), code, "{from}");
    }

    #[test]
    fn two_characters_may_be_an_ordinary_word() {
        check("归", Some("one-character"));
        check("高兴", Some("ordinary-word"));
        check("我们", Some("ordinary-word"));
        check("望舒", None);
        check("“高兴”", None);
        check("高兴楼", None);
    }

    #[test]
    fn listed_words_have_two_characters() {
        for word in &*WORDS {
            assert_eq!(word.chars().count(), 2, "{word}");
        }
    }
}
