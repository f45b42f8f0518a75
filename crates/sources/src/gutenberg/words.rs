//! What the words of a short line say: a chapter and its number, a part, a preface, an index.
//!
//! English first, and the languages that Project Gutenberg has most of. No rule names a book.

use super::{
    lists::{
        ADVERTS, ALONE, BACK, CHAPTERS, CONTENTS, EDITION, ENDS, FRONT, LOOSE_BACK, LOOSE_FRONT,
        MAKER, NOTES, PARTS, SKETCH, TRANSCRIBER,
    },
    numbers::{self, arabic, counted, ordinal, roman},
};

/// What a short line is, by its words alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A part, book or volume above chapters.
    Part,
    /// A chapter, letter, stave; a prologue or epilogue.
    Chapter,
    /// A number and perhaps a title: `IV.`, `4. The Arrival`.
    Number,
    /// A table of contents or a list of pictures.
    Contents,
    /// A preface, a dedication, a note to the reader.
    Front,
    /// Notes, index, glossary.
    Back,
    /// Footnotes.
    Notes,
    /// A note of the transcriber.
    Transcriber,
    /// Books by the same author, announcements.
    Adverts,
    /// `THE END`.
    End,
    /// Anything else.
    Other,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Says {
    pub(crate) kind: Kind,
    /// The number, where there is one.
    pub(crate) number: Option<u32>,
    /// Whether nothing follows the number: `CHAPTER IV.`
    pub(crate) bare: bool,
    /// Whether the words may as well be the title of a story: `Mr. Harrison's Confessions`.
    pub(crate) loose: bool,
}

impl Says {
    /// Whether a section of such words counts as a story for its length alone.
    pub(crate) fn is_story_by_length(self) -> bool {
        self.loose && self.kind == Kind::Other
    }

    const fn only(kind: Kind) -> Self {
        Self { kind, number: None, bare: false, loose: false }
    }
}

/// What a line of at most 200 symbols says, by its words.
pub(crate) fn says(line: &str) -> Says {
    let line = line.trim();
    if line.is_empty() {
        return Says::only(Kind::Other);
    }
    if line.len() <= 400 && line.contains("--") {
        return says(&line.replace("--", "—"));
    }
    if line.len() > 400 {
        // Of a chapter's argument only its number counts.
        let says = says(&line[..line.floor_char_boundary(80)]);
        let argument = matches!(says.kind, Kind::Chapter | Kind::Part) && says.number.is_some();
        return if argument { Says { bare: false, ..says } } else { Says::only(Kind::Other) };
    }
    if let Some(says) = chinese(line) {
        return says;
    }
    let folded = fold(line);
    let mut words: Vec<&str> = folded.split(' ').collect();
    if let Some((word, number)) = glued(words[0]) {
        words.splice(..1, [word, number]);
    }
    if let Some(says) = numbered(line, &words) {
        return says;
    }
    let first = folded.as_bytes().first();
    let starts = |list: &[&str]| {
        list.iter().filter(|entry| entry.as_bytes().first() == first).any(|entry| {
            folded.strip_prefix(entry).is_some_and(|rest| {
                rest.is_empty()
                    || rest.starts_with(' ')
                    || entry.len() >= 6
                        && entry.is_ascii()
                        && !entry.ends_with('s')
                        && rest.len() < 30
            })
        })
    };
    let exact = |list: &[&str]| list.contains(&folded.as_str());
    let kind = if words.len() > 16 {
        Kind::Other
    } else if starts(&TRANSCRIBER) || folded.contains("transcriber") {
        Kind::Transcriber
    } else if exact(&ENDS) || ends(&folded) {
        Kind::End
    } else if exact(&CONTENTS)
        || starts(&["contents of", "list of illus", "table of cont", "contents and"])
    {
        Kind::Contents
    } else if exact(&NOTES) || starts(&["footnotes", "fußnoten"]) {
        Kind::Notes
    } else if ALONE.contains(&words[0]) && (words.len() <= 3 || names_opening(line, &words))
        || words.len() == 2 && words[0] == "the" && ALONE.contains(&words[1])
    {
        return Says { bare: words.len() == 1, ..Says::only(Kind::Chapter) };
    } else if starts(&BACK) || starts(&LOOSE_BACK) {
        Kind::Back
    } else if starts(&ADVERTS) && words.len() > 1
        || exact(&["advertisements", "adverts", "announcements"])
    {
        Kind::Adverts
    } else if starts(&FRONT)
        || starts(&LOOSE_FRONT)
        || words.len() <= 5
            && ["preface", "introduction", "foreword", "dedication"]
                .iter()
                .any(|word| words.contains(word))
    {
        Kind::Front
    } else {
        Kind::Other
    };
    let lists = [&ENDS, &CONTENTS, &NOTES, &BACK, &LOOSE_BACK, &ADVERTS, &FRONT, &LOOSE_FRONT];
    let said = || lists.iter().any(|list| list.contains(&folded.as_str()));
    let title = match kind {
        Kind::Transcriber => !folded.starts_with("transcri"),
        Kind::Front => starts(&LOOSE_FRONT),
        Kind::Back => starts(&LOOSE_BACK),
        kind => kind != Kind::Other,
    };
    Says { loose: title && !said() && !is_of_edition(&words), ..Says::only(kind) }
}

/// A word for chapters and its number, where the blank between them is left out: `CHAPTERXXVII.`
fn glued(word: &str) -> Option<(&str, &str)> {
    let parts = |name: &&'static str| {
        let number = word.strip_prefix(name).filter(|_| name.len() >= 6)?;
        // `Capitoli` is a plural.
        let counts = number.len() > 1 || number.starts_with(|c: char| c.is_ascii_digit());
        (counts && roman(number).or_else(|| arabic(number)).is_some())
            .then(|| word.split_at(name.len()))
    };
    CHAPTERS.iter().find_map(parts)
}

/// Whether a longer line is a prologue all the same: `Prologue in the Mill`, `CONCLUSION: THE WHEEL STOPS`.
fn names_opening(line: &str, words: &[&str]) -> bool {
    let head = line.split_whitespace().next().unwrap_or("");
    let known = ["prolog", "prólog", "epilog", "épilog", "epílog"];
    words.len() <= 9
        && (head.ends_with([':', '.', '—']) || known.iter().any(|word| words[0].starts_with(word)))
}

/// Whether a title like that of a preface or of notes is none of a story: `The Author's Preface`, `Notes on the
/// Text`; but not `Notes and Coins`.
fn is_of_edition(words: &[&str]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    let notes = words.contains(&"notes")
        && !words
            .windows(2)
            .any(|two| two[0] == "notes" && matches!(two[1], "and" | "of" | "from"));
    notes || has(&EDITION) || has(&MAKER) && has(&SKETCH)
}

/// `End of Volume II`, `Here ends the tale`; but not `The End of the Tether`.
fn ends(folded: &str) -> bool {
    let long = |entry: &&&str| entry.len() > 7;
    ENDS.iter().filter(long).any(|entry| {
        folded.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }) || folded.strip_prefix("the ").is_some_and(|folded| {
        ENDS.iter()
            .filter(long)
            .any(|entry| entry.starts_with("end of ") && folded.starts_with(entry))
    })
}

/// Whether a line may say more than [`Kind::Other`] by a number: its first word is looked at.
pub(crate) fn may_count(line: &str) -> bool {
    let line = line.split("--").find(|part| !part.trim().is_empty()).unwrap_or(line);
    let first = line.split(parts_words).find(|word| !word.is_empty());
    let word = first.unwrap_or("").trim_matches(|c: char| !c.is_alphanumeric());
    let Some(head) = word.chars().next() else { return false };
    if head.is_ascii_digit() || head > '\u{2e80}' {
        return true;
    }
    if head.is_lowercase() || word.len() > 16 {
        return false;
    }
    let word = word.to_lowercase();
    CHAPTERS.contains(&word.as_str())
        || PARTS.contains(&word.as_str())
        || ALONE.contains(&word.as_str())
        || glued(&word).is_some()
        || roman(&word).is_some()
        || ordinal(&word).is_some()
        || matches!(word.as_str(), "the" | "la" | "le" | "das" | "der")
            && line.split_whitespace().count() <= 6
}

/// Whether a line is `THE END` or the like.
pub(crate) fn is_end(line: &str) -> bool {
    let plain = line.trim_matches(|c: char| !c.is_alphanumeric());
    let opens = plain.chars().next().is_some_and(|c| "TEFLAHKS完全".contains(c));
    opens && says(line).kind == Kind::End
}

/// Whether a sign stands between two words.
fn parts_words(c: char) -> bool {
    c.is_whitespace() || matches!(c, '—' | '–' | ':' | ';' | ',' | '(' | '[' | '{')
}

/// A line in small letters, without punctuation, its words separated by one blank.
pub(crate) fn fold(line: &str) -> String {
    let mut folded = String::with_capacity(line.len());
    for word in line.split(parts_words) {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if word.is_empty() {
            continue;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        if word.is_ascii() {
            let from = folded.len();
            folded.push_str(word);
            folded[from..].make_ascii_lowercase();
            continue;
        }
        for c in word.chars() {
            match c {
                '’' => folded.push('\''),
                c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
                c => folded.extend(c.to_lowercase()),
            }
        }
    }
    folded
}

fn numbered(line: &str, words: &[&str]) -> Option<Says> {
    let class = |word: &str| {
        if CHAPTERS.contains(&word) {
            Some(Kind::Chapter)
        } else if PARTS.contains(&word) {
            Some(Kind::Part)
        } else {
            None
        }
    };
    let first = *words.first()?;
    let made = |kind, number, used: usize| {
        Some(Says { number, bare: words.len() <= used, ..Says::only(kind) })
    };
    if let Some(kind) = class(first) {
        let the = usize::from(matches!(
            words.get(1),
            Some(&("the" | "no" | "the." | "number" | "nr" | "le" | "la" | "der" | "das"))
        ));
        let word = words.get(1 + the)?;
        return match counted(&words[1 + the..]) {
            Some((number, used)) => made(kind, Some(number), 1 + the + used),
            None if matches!(*word, "last" | "dernier" | "letzte") => made(kind, None, 2 + the),
            None => None,
        };
    }
    // `FIRST PART`, `THE SECOND BOOK`, `Erstes Kapitel`, `12. Kapitel`
    let the = usize::from(matches!(first, "the" | "la" | "le" | "das" | "der"));
    let behind = words.iter().skip(the + 1).take(2);
    if words.len() <= the + 10
        && behind.into_iter().any(|thing| class(thing).is_some())
        && let Some((number, used)) = words.get(the..).and_then(counted)
        && roman(words[the]).is_none()
        && let Some(kind) = words.get(the + used).and_then(|thing| class(thing))
    {
        return made(kind, Some(number), the + used + 1);
    }
    // `IV.`, `IV. The Arrival`, `4`
    let Some(number) = roman(first).or_else(|| arabic(first)) else {
        return in_words(line, words);
    };
    if words.len() == 1 {
        let plain = line.trim_matches(|c: char| !c.is_alphanumeric());
        let shown = plain.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
        return (shown && number <= 400).then_some(Says {
            number: Some(number),
            bare: true,
            ..Says::only(Kind::Number)
        });
    }
    let head = line.split_whitespace().next()?;
    let head = head.trim_start_matches(|c: char| !c.is_alphanumeric());
    let upper = head.bytes().next().is_some_and(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let stop = head.ends_with(['.', ':', ')', '—', '–', '-']) || head.contains(['—', '–']);
    let parted =
        stop || line.split_whitespace().nth(1).is_some_and(|w| w.starts_with(['—', '–', '-']));
    let caps = !line.chars().any(char::is_lowercase);
    (upper
        && number <= 400
        && (parted || caps || head.len() > 1 && head.bytes().all(|b| b.is_ascii_uppercase())))
    .then_some(Says { number: Some(number), ..Says::only(Kind::Number) })
}

/// `ONE`, `Twenty-Two.`, `Three: The Arrival`: a number in words, with nothing or a sign behind it.
fn in_words(line: &str, words: &[&str]) -> Option<Says> {
    if line.len() >= 90 || words.len() > 2 && !line.contains(['.', ':', '—', '–']) {
        return None;
    }
    let (number, used) = counted(words)?;
    let bare = words.len() == used;
    let shown = line.split(|c: char| ".:—–".contains(c)).next().unwrap_or("");
    let parted = fold(shown) == words[..used].join(" ");
    let plain = line.trim_start_matches(|c: char| !c.is_alphabetic());
    (parted && plain.starts_with(char::is_uppercase) && !line.ends_with(['!', '?', '”', '"']))
        .then_some(Says { number: Some(number), bare, ..Says::only(Kind::Number) })
}

/// `第十二回`, `卷一`, `目錄`.
fn chinese(line: &str) -> Option<Says> {
    let mut chars = line.chars().filter(|c| !c.is_whitespace());
    let first = chars.next()?;
    if !('\u{3400}'..='\u{9fff}').contains(&first) {
        return None;
    }
    let digits = "〇○零一二三四五六七八九十百千廿卅0123456789";
    if first == '第' {
        let rest: String = chars.by_ref().take(12).collect();
        let count = rest.chars().take_while(|c| digits.contains(*c)).count();
        let unit = rest.chars().nth(count)?;
        let kind = match unit {
            '回' | '章' | '節' | '节' | '話' | '话' | '則' | '则' => Kind::Chapter,
            '卷' | '部' | '集' | '編' | '编' => Kind::Part,
            _ => return None,
        };
        return (count > 0).then(|| Says {
            number: Some(numbers::chinese(&rest.chars().take(count).collect::<String>())),
            bare: rest.chars().count() == count + 1,
            ..Says::only(kind)
        });
    }
    let whole: String = line.chars().filter(|c| c.is_alphanumeric()).collect();
    let kind = match whole.as_str() {
        "目錄" | "目录" => Kind::Contents,
        "序" | "自序" | "前言" | "序言" | "序文" => Kind::Front,
        "完" | "全書完" | "全书完" => Kind::End,
        "楔子" | "尾聲" | "尾声" => Kind::Chapter,
        whole if whole.chars().all(|c| digits.contains(c)) => {
            let number = Some(numbers::chinese(whole));
            return Some(Says { number, bare: true, ..Says::only(Kind::Number) });
        }
        _ => return None,
    };
    Some(Says::only(kind))
}
