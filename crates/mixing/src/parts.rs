//! The parts of a name, which stand alone where the whole name was said before: `Dorian`, `Mr. Gray`.
//!
//! Where a whole name is replaced its parts are too, each by the part at its place, wherever they
//! stand with a capital; so titles, possessives and plurals of them are. What may be another word is
//! left, and found: `Gray clouds`, `in May`.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    sync::LazyLock,
};

use storymill_text::{Language, word::is_han};

/// Where a part of a name may be another word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Care {
    /// Nowhere.
    #[default]
    None,
    /// Where a sentence begins: `Gray`.
    Opening,
    /// Everywhere but behind a title: `May`.
    Titled,
}

static LISTS: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
    let list = const { storymill_data::text("mixing/names-too.txt") };
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let parted = lines.filter_map(|line| line.split_once(": "));
    parted.map(|(key, words)| (key, words.split(' ').collect())).collect()
});

fn listed(list: &str, word: &str) -> bool {
    LISTS.get(list).is_some_and(|words| words.contains(word))
}

/// Whether a word, without its full stop, is a title.
pub(crate) fn is_title(word: &str) -> bool {
    listed("title", word)
}

/// Whether a part is shared by so many names that it tells none.
pub(crate) fn is_common(part: &str) -> bool {
    listed("common", part)
}

/// The words of a name with a capital, without titles before it; none where there is a word that no
/// name has, or where it is one word and no title.
pub(crate) fn words_of_name(name: &str) -> Vec<&str> {
    const PARTICLES: [&str; 16] = [
        "of", "the", "de", "du", "des", "da", "di", "della", "von", "van", "der", "den", "la",
        "le", "y", "and",
    ];
    let bare = |word: &'_ str| -> Option<usize> { word.find(|c: char| c.is_alphanumeric()) };
    let mut words = Vec::new();
    let mut titled = false;
    for word in name.split_whitespace() {
        let Some(start) = bare(word) else { continue };
        let word = word[start..].trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word);
        if words.is_empty() && is_title(word) {
            titled = true;
        } else if word.starts_with(char::is_uppercase) {
            words.push(word);
        } else if !PARTICLES.contains(&word) {
            return Vec::new();
        }
    }
    if words.len() > 1 || titled { words } else { Vec::new() }
}

/// The parts of a name that have a part to stand for them: at the same place where both names have
/// as many words, else the first and the last.
pub(crate) fn parts(from: &str, to: &str, language: Language) -> Vec<(String, String, Care)> {
    if language == Language::Chinese {
        return Vec::new();
    }
    let (own, other) = (words_of_name(from), words_of_name(to));
    let pairs: Vec<(&str, &str)> = match (own.len(), other.len()) {
        (0, _) | (_, 0) => Vec::new(),
        (one, two) if one == two => own.into_iter().zip(other).collect(),
        (1, _) | (_, 1) => Vec::new(),
        (one, two) => vec![(own[0], other[0]), (own[one - 1], other[two - 1])],
    };
    let tells = |word: &str| word.chars().count() > 1 && !is_common(word);
    let pairs = pairs.into_iter().filter(|(part, by)| tells(part) && by.chars().count() > 1);
    pairs.map(|(part, by)| (part.to_owned(), by.to_owned(), care_of(part))).collect()
}

fn care_of(part: &str) -> Care {
    if listed("else", part) {
        Care::Titled
    } else if listed("word", &part.to_lowercase()) {
        Care::Opening
    } else {
        Care::None
    }
}

/// Whether a part of a name that stands at a byte is the name, as far as its surroundings tell.
pub(crate) fn is_meant(care: Care, loud: bool, text: &str, at: usize) -> bool {
    let before = &text[..at];
    let titled = || {
        let bare = before.trim_end_matches([' ', '\u{a0}']);
        let word = bare.trim_end_matches('.').rsplit(|c: char| !c.is_alphabetic()).next();
        bare.len() < before.len() && word.is_some_and(is_title)
    };
    match care {
        Care::None => true,
        Care::Titled => titled(),
        Care::Opening => titled() || !loud && !opens(before),
    }
}

/// A word with a capital beside a place that makes another name of what stands there: `Stag` before
/// `Head`, `Bennet` behind `Jane`. Titles, the words of the rule's `own` names and what begins a
/// sentence make none.
pub(crate) fn neighbour<'t>(text: &'t str, found: &Range<usize>, own: &[&str]) -> Option<&'t str> {
    if is_caps(&text[found.clone()]) {
        return None;
    }
    let blank = |c: char| c.is_whitespace();
    let names = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word.chars().nth(1).is_some()
            && !is_title(word)
            && !listed("beside", word)
            && !own.contains(word)
    };
    let before = text[..found.start].trim_end_matches(blank);
    let start = before.trim_end_matches(|c: char| c.is_alphanumeric() || "-’'".contains(c)).len();
    let word = before[start..].trim_start_matches(['’', '\'', '-']);
    let parted = before.len() == found.start || word.ends_with("’s") || word.ends_with("'s");
    let first = Some(word).filter(|_| !parted && !opens(&text[..start]));
    let behind = &text[found.end..];
    let rest = behind.trim_start_matches(blank);
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let last = Some(&rest[..end]).filter(|_| rest.len() < behind.len());
    first.filter(names).or_else(|| last.filter(names))
}

/// Whether a phrase names nothing: in English small letters or figures alone, or a language, nation
/// or month. Such a phrase has other senses in other texts.
pub(crate) fn is_common_noun(phrase: &str, language: Language) -> bool {
    language == Language::English
        && phrase
            .split(|c: char| !c.is_alphanumeric())
            .all(|word| !word.starts_with(char::is_uppercase) || listed("else", word))
}

/// Whether a capital behind a text says nothing: a sentence begins.
fn opens(before: &str) -> bool {
    let marks = |c: char| c.is_whitespace() && c != '\n' || "“‘\"'_*([—-–".contains(c);
    let bare = before.trim_end_matches(marks);
    bare.is_empty() || bare.ends_with(['.', '!', '?', ':', ';', '…', '\n', '”', '’'])
}

/// The parts of a Chinese name that stand alone: the given name of two characters, and the surname
/// with a title.
pub(crate) fn chinese_parts(name: &str) -> Vec<String> {
    const SURNAMES: &str = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水\
        窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康\
        伍余元卜顾孟平黄和穆萧尹姚邵湛汪祁毛禹狄米贝明臧计伏成戴谈宋茅庞熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾\
        路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应宗丁宣邓郁单杭洪包诸左石崔吉龚程\
        邢裴陆荣翁荀羊甄曲封芮储靳焦巴弓牧隗山谷车侯宓蓬全班仰秋仲伊宫宁仇栾甘厉戎祖武符刘景詹束龙叶幸司韶\
        白丰辛易廖耿欧丘";
    const TITLES: [&str; 16] = [
        "先生", "小姐", "太太", "夫人", "女士", "氏", "老师", "师傅", "大夫", "医生", "掌柜",
        "老爷", "姑娘", "大人", "公子", "家的",
    ];
    let signs: Vec<char> = name.chars().collect();
    let [surname, given @ ..] = &signs[..] else { return Vec::new() };
    let person =
        SURNAMES.contains(*surname) && given.len() == 2 && signs.iter().all(|c| is_han(*c));
    if !person {
        return Vec::new();
    }
    let titled = TITLES.iter().map(|title| format!("{surname}{title}"));
    let called = ["老", "小", "阿"].iter().map(|call| format!("{call}{surname}"));
    std::iter::once(given.iter().collect()).chain(titled).chain(called).collect()
}

pub(crate) fn is_caps(text: &str) -> bool {
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, to: &str, expected: &[(&str, &str, Care)]) {
        let found = parts(from, to, Language::English);
        let found: Vec<_> = found.iter().map(|(one, by, care)| (&**one, &**by, *care)).collect();
        assert_eq!(found, expected, "{from} {to}");
    }

    #[test]
    fn each_part_has_its_own() {
        let (none, opening, titled) = (Care::None, Care::Opening, Care::Titled);
        check(
            "Dorian Gray",
            "Everard Finch",
            &[("Dorian", "Everard", none), ("Gray", "Finch", opening)],
        );
        check("Mr. Gray", "Mr. Finch", &[("Gray", "Finch", opening)]);
        check("Jo March", "Una Pell", &[("Jo", "Una", none), ("March", "Pell", titled)]);
        check("Anna de Witt Orr", "Lise Crane", &[("Anna", "Lise", none), ("Orr", "Crane", none)]);
        check("New York", "Old Bathwick", &[("York", "Bathwick", titled)]);
        for (from, to) in [
            ("Kell", "Orm"),
            ("Ada Penn", "Orm"),
            ("salt mine", "dry dock"),
            ("Penn kept", "Orr sold"),
        ] {
            check(from, to, &[]);
        }
        assert!(chinese_parts("许望舒").contains(&"望舒".to_owned()));
        assert!(chinese_parts("修伞").is_empty());
    }

    #[test]
    fn what_may_be_a_word_is_left() {
        for (care, text, expected) in [
            (Care::Opening, "He saw ", true),
            (Care::Opening, "", false),
            (Care::Opening, "It rained. “", false),
            (Care::Opening, "It rained. Mr. ", true),
            (Care::Titled, "in ", false),
            (Care::Titled, "Mrs. ", true),
            (Care::None, "", true),
        ] {
            assert_eq!(is_meant(care, false, text, text.len()), expected, "{text}");
        }
    }
}
