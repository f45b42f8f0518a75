//! Where sentences end in running text.
//!
//! The base is Unicode's rule (UAX 29), which knows neither titles nor quotations. Its borders
//! are put right here by one table of abbreviations and a few rules: titles and initials go on,
//! a closing quotation mark belongs to what it closes, what goes on in small letters has not
//! ended, and a line break always ends a sentence.

use std::{collections::HashSet, sync::LazyLock};

use unicode_segmentation::UnicodeSegmentation;

use crate::{
    Language,
    lists::{is_speech, lines},
};

/// The sentences of a text, each with the blanks behind it. Joined, they are the text.
///
/// ```
/// use storymill_text::{Language, sentence::sentences};
/// let text = "“Is it far?” said Mr. Pym. It was.";
/// let found: Vec<_> = sentences(text, Language::English).collect();
/// assert_eq!(found, ["“Is it far?” said Mr. Pym. ", "It was."]);
/// ```
pub fn sentences(text: &str, language: Language) -> impl Iterator<Item = &str> {
    let mut from = 0;
    ends(text, language).into_iter().map(move |end| {
        let sentence = &text[from..end];
        from = end;
        sentence
    })
}

/// The bytes behind the blanks behind each sentence; the last is the end of the text.
pub fn ends(text: &str, language: Language) -> Vec<usize> {
    let mut ends: Vec<usize> = Vec::new();
    for border in borders(text) {
        let from = ends.last().copied().unwrap_or(0);
        let Some(end) = settle(text, from, border, language) else { continue };
        if end > from && end < text.len() {
            ends.push(end);
        }
    }
    if !text.is_empty() {
        ends.push(text.len());
    }
    ends
}

/// Unicode's borders, and those behind an ellipsis sign, which Unicode does not count as an end.
fn borders(text: &str) -> impl Iterator<Item = usize> {
    let mut ellipses = text.match_indices('…').map(|(at, sign)| at + sign.len()).peekable();
    let mut borders = text.split_sentence_bound_indices().map(|(at, _)| at).skip(1).peekable();
    std::iter::from_fn(move || match (ellipses.peek(), borders.peek()) {
        (Some(ellipsis), Some(border)) if ellipsis < border => ellipses.next(),
        (Some(_), None) => ellipses.next(),
        _ => borders.next(),
    })
}

/// Moves a border behind the closing marks and blanks that follow it; none if the sentence goes
/// on there.
fn settle(text: &str, from: usize, border: usize, language: Language) -> Option<usize> {
    let right = text[border..].trim_start();
    let closers = right.len() - right.trim_start_matches(|c| closes(c, language)).len();
    let mut end = text.len() - right.len();
    let quoted = !text[border..end].contains(LINE_ENDS) && closers > 0;
    if quoted {
        let right = &right[closers..];
        end = text.len() - right.trim_start().len();
    }
    if language == Language::Chinese {
        // Nothing parts a full stop from the mark that opens the next sentence.
        end = text[..end].trim_end_matches(['「', '『', '“', '‘', '（', '《', '〈']).len();
    }
    let left = text[from.min(end)..end].trim_end();
    let gap = &text[from.min(end) + left.len()..end];
    if left.is_empty() {
        return None;
    }
    if gap.contains(LINE_ENDS) {
        return Some(end);
    }
    if gap.is_empty() && !left.trim_end_matches(CLOSING).ends_with(WIDE_ENDS) {
        return None;
    }
    let right = &text[end..];
    let goes_on = if left.ends_with(['…', '”', '"', '»', '」', '』', '’', '\''])
        && left.trim_end_matches(CLOSING).ends_with('…')
    {
        !ends_in_ellipsis(gap, right, language)
    } else {
        false
    };
    let goes_on = goes_on
        || right.starts_with(char::is_lowercase)
        || speech_follows(left, right, language)
        || abbreviated(left, right, language);
    (!goes_on).then_some(end)
}

const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

const CLOSING: [char; 11] = ['”', '"', '»', '」', '』', '’', '\'', ')', '）', ']', '“'];

/// Full stops that no blank follows.
const WIDE_ENDS: [char; 4] = ['。', '！', '？', '｡'];

/// Whether a mark can only close something. The straight quotation mark is not among them: behind
/// a blank it opens.
fn closes(c: char, language: Language) -> bool {
    match c {
        '”' | '’' | ')' | ']' | '」' | '』' | '）' => true,
        '»' => language != Language::German,
        '«' | '“' => language == Language::German,
        _ => false,
    }
}

/// An ellipsis ends a sentence before a capital, in Chinese only before a closing mark.
fn ends_in_ellipsis(gap: &str, right: &str, language: Language) -> bool {
    if language == Language::Chinese {
        return false;
    }
    let next = right.trim_start_matches(['“', '"', '«', '„', '‘', ' ', '\u{a0}']);
    let pronoun = next.starts_with("I ") || next.starts_with("I’") || next.starts_with("I'");
    !gap.is_empty() && next.starts_with(char::is_uppercase) && !pronoun
}

/// Whether a quotation has just closed and the words that follow say who spoke.
fn speech_follows(left: &str, right: &str, language: Language) -> bool {
    let bare = left.trim_end_matches(CLOSING);
    if bare.len() == left.len() || bare.ends_with(['.', '。']) {
        return false;
    }
    let clause = right
        .split(['.', ',', ';', '!', '?', '—', '"', '“', '\n', '，', '。', '：', '「'])
        .next()
        .unwrap_or_default();
    match language {
        Language::Chinese => {
            clause.chars().count() <= 8
                && clause.ends_with(['说', '說', '道', '问', '問', '喊', '叫', '答'])
        }
        Language::English => clause.split_whitespace().take(4).any(is_speech),
        _ => false,
    }
}

/// Whether the full stop at the end belongs to an abbreviation, an initial or an ordinal.
fn abbreviated(left: &str, right: &str, language: Language) -> bool {
    let Some(bare) = left.strip_suffix('.') else { return false };
    let at = bare.rfind(|c: char| !c.is_alphanumeric() && c != '.' && c != '-');
    let word = at.map_or(bare, |at| bare[at..].trim_start_matches(|c: char| !c.is_alphanumeric()));
    let before = bare[..bare.len() - word.len()].trim_end();
    let capital = right.starts_with(char::is_uppercase);
    let number = right.starts_with(|c: char| c.is_ascii_digit());
    let known = |word: &str| {
        [Role::GoesOn, Role::BeforeNumber, Role::BeforeNumeral]
            .into_iter()
            .find(|role| has_role(word, *role, language))
    };
    if let Some(role) = known(word).or_else(|| known(&from_capitals(word)?)) {
        return match role {
            Role::BeforeNumber => number,
            Role::BeforeNumeral => number || starts_with_numeral(right),
            _ => true,
        };
    }
    if let Some(initial) = last_initial(word) {
        // `I` is far more often the pronoun; it is an initial only among others.
        let alone = initial == 'I' && word.len() == 1;
        let another = right.chars().nth(1) == Some('.');
        let small = initial.is_lowercase() && language != Language::German;
        return if alone { another } else { capital && !small };
    }
    language == Language::German && german_ordinal(word, before, right)
}

/// The letter of a word that is one initial or several joined by full stops: `J`, `J.H`.
fn last_initial(word: &str) -> Option<char> {
    let single = |part: &str| part.chars().count() == 1 && part.starts_with(char::is_alphabetic);
    let all = word.split(['.', '-']).all(single);
    if all { word.chars().next_back() } else { None }
}

/// Whether a Roman numeral stands there: `XII`.
fn starts_with_numeral(text: &str) -> bool {
    let word: &str = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    !word.is_empty() && word.chars().all(|c| "IVXLCDM".contains(c))
}

/// Whether a number with its full stop is an ordinal: `am 3. Mai`, `der 2. Band`.
fn german_ordinal(word: &str, before: &str, right: &str) -> bool {
    if word.len() > 2 || !word.bytes().all(|b| b.is_ascii_digit()) || word.is_empty() {
        return false;
    }
    let next = right.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let previous = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    has_role(next, Role::AfterOrdinal, Language::German)
        || has_role(&previous.to_lowercase(), Role::BeforeOrdinal, Language::German)
}

/// What a word beside a full stop says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Role {
    GoesOn,
    BeforeNumber,
    BeforeNumeral,
    /// An ordinal follows: `am 3.`
    BeforeOrdinal,
    /// An ordinal goes before: `3. Mai`.
    AfterOrdinal,
}

static ROLES: LazyLock<HashSet<(&str, Role, &str)>> = LazyLock::new(|| {
    let rows = lines(include_str!("../data/sentences.txt")).filter_map(|line| {
        let (head, words) = line.split_once(':')?;
        let (language, role) = head.split_once(' ')?;
        let role = match role {
            "goes-on" => Role::GoesOn,
            "before-number" => Role::BeforeNumber,
            "before-numeral" => Role::BeforeNumeral,
            "before-ordinal" => Role::BeforeOrdinal,
            _ => Role::AfterOrdinal,
        };
        Some(words.split_whitespace().map(move |word| (language, role, word)))
    });
    rows.flatten().collect()
});

fn has_role(word: &str, role: Role, language: Language) -> bool {
    let language = match language {
        Language::French | Language::German => language.tag(),
        _ => "en",
    };
    ROLES.contains(&(language, role, word))
}

/// The word with all letters but the first made small, if it is all capitals: chapters often open so
/// (`MRS. Rachel Lynde lived`).
fn from_capitals(word: &str) -> Option<String> {
    let capitals = word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase());
    capitals.then(|| word[..1].to_owned() + &word[1..].to_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `|` stands where a sentence must end.
    #[track_caller]
    fn check(language: Language, marked: &str) {
        let text = marked.replace('|', "");
        let found: Vec<_> = sentences(&text, language).collect();
        assert_eq!(found.join("|"), marked);
    }

    #[test]
    fn english() {
        let check = |marked| check(Language::English, marked);
        check("It rained. |He left.");
        check("MRS. Rachel lived. |MR. PYM DID. |NO. |NO. 7.");
        check("Mr. Pym met Dr. Venn at St. Ives. |They spoke.");
        check("J. H. Watson came. |So did I. |Then we ate.");
        check("The U.S. Navy came. |It left.");
        check("Capt. R. Vane took No. 5 and vol. II. of it. |“No. |I won’t.” |He sat.");
        check("“Is it so?” said she. |“It is!” |Anne sat.");
        check("\"Is it so?\" said she. |\"It is!\" |Anne sat.");
        check("“Never!” Holmes cried. |“Never!” I said. |“Oh! how nice!” |He rose.");
        check("(He was late.) |She was not.");
        check("He waited... |Then he left. |He waited . . . |Then he left.");
        check("He waited… |Then he left… and came… I think.");
        check("The lines\n|of a verse. |And\n|the next");
        check("A paragraph\n\n|Another one.\n\n");
        check("He left?#2 It rained!Then");
        check("etc. |And so on, Esq. |He had e.g. Two.");
        check("At 3.15 p.m. he left. |It cost 3.5 pounds.");
        check("");
        check("no end");
        check("  blank before. |And after.  ");
    }

    #[test]
    fn french() {
        let check = |marked| check(Language::French, marked);
        check("M. Rouault et Mme. Bovary sont là. |Ils partent.");
        check("« Est-ce vrai ? » dit-elle. |« Oui ! » |Il sortit.");
        check("Il attendit… |Puis il partit. |Voir p. 7 et t. IV.");
    }

    #[test]
    fn german() {
        let check = |marked| check(Language::German, marked);
        check("Hr. Albers kam am 3. Mai. |Es waren nur 12. |Dann ging er.");
        check("Er las z. B. Gedichte, d. h. Verse. |Dr. Venn lachte.");
        check("„Ist es wahr?“ fragte sie. |„Ja!“ |Er ging.");
        check("»Ist es wahr?« fragte sie. |»Ja!« |Er ging.");
    }

    #[test]
    fn chinese() {
        let check = |marked| check(Language::Chinese, marked);
        check("他走了。|她來了！|「是嗎？」他問。|『好。』|天黑了……他還在走。");
        check("“是这样吗？”她说。|“是。”|他坐下了。");
    }

    proptest! {
        #[test]
        fn joined_they_are_the_text(text in "[ A-Za-z.!?…\"“”’»«\n。」3]{0,200}") {
            for language in [Language::English, Language::French, Language::German, Language::Chinese] {
                prop_assert_eq!(sentences(&text, language).collect::<String>(), &text[..]);
                prop_assert!(sentences(&text, language).all(|sentence| !sentence.is_empty()));
            }
        }

        #[test]
        fn paragraphs_do_not_change_each_other(one in "[ A-Za-z.!?…\"“”]{0,80}", two in "[A-Z][ a-z.!?“”]{0,80}") {
            let alone = ends(&two, Language::English);
            let both = ends(&format!("{one}.\n\n{two}"), Language::English);
            let shift = one.len() + 3;
            let tail: Vec<usize> = both.into_iter().filter(|end| *end > shift).map(|end| end - shift).collect();
            prop_assert_eq!(tail, alone);
        }
    }
}
