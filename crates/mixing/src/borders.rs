//! Where a sentence may be put into a passage: between two sentences of running prose, so that nothing
//! but what it says tells it from the others.
//!
//! Not at the beginning or the end of a line, so neither under a title nor behind a heading or between
//! verses; not in direct speech, brackets or emphasis; not in lists and tables.

use storymill_text::Language;

/// How much of its line stands before a place and behind it at least, in symbols: verses, headings,
/// datelines and numbers are shorter.
fn room(language: Language) -> usize {
    if language == Language::Chinese { 10 } else { 40 }
}

/// The ends of sentences, in bytes, behind which another sentence may stand.
pub(crate) fn borders(text: &str, ends: &[usize], language: Language) -> Vec<usize> {
    // A list has lines that do not look like one.
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let listed = lines.clone().filter(|line| is_list(line) || is_table(line)).count();
    if listed > 1 && listed * 4 >= lines.count() {
        return Vec::new();
    }
    let fits = |at: &&usize| {
        let start = text[..**at].rfind('\n').map_or(0, |at| at + 1);
        let end = text[**at..].find('\n').map_or(text.len(), |end| **at + end);
        let (before, behind) = (&text[start..**at], &text[**at..end]);
        let long = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        // Letters alone are counted, so a little less than all symbols.
        let least = room(language) * 4 / 5;
        long(before) >= least
            && long(behind) >= least
            && !is_list(before)
            && !is_list(behind)
            && !is_table(&text[start..end])
            && !is_open(before)
            && !is_closed(behind)
    };
    ends.iter().filter(fits).copied().collect()
}

/// Whether a text begins with the number or the mark of a list: `4.`, `iv)`, `四、`, `-`, `#`.
fn is_list(text: &str) -> bool {
    let text = text.trim_start();
    if text.starts_with(['#', '*', '•', '·', '–', '|']) || text.starts_with("- ") {
        return true;
    }
    let text = text.trim_start_matches(['(', '（', '[']);
    let number = |c: &char| c.is_ascii_digit() || "ivxlcIVXLC一二三四五六七八九十百第".contains(*c);
    let digits: String = text.chars().take_while(number).collect();
    let rest = text[digits.len()..].chars().next();
    !digits.is_empty()
        && digits.chars().count() < 6
        && digits != "I"
        && rest.is_some_and(|c| ".)）]、．：:".contains(c))
}

/// Whether a line holds columns, or figures at every turn: prices, weights, hours.
fn is_table(line: &str) -> bool {
    if line.contains(['\t', '|']) || line.trim().contains("   ") {
        return true;
    }
    let figure = |c: &char| c.is_numeric() || "二三四五六七八九十百千两半".contains(*c);
    let pairs = line.chars().zip(line.chars().skip(1));
    if pairs.filter(|(one, coin)| figure(one) && "文元角斤钱".contains(*coin)).count() > 1 {
        return true;
    }
    let signs = line.chars().filter(|c| c.is_alphanumeric()).count();
    line.chars().filter(figure).count() * 10 > signs
}

/// Whether something that a line opened is not closed at its end: speech, brackets, emphasis.
fn is_open(before: &str) -> bool {
    let (mut double, mut single, mut brackets) = (0_u32, 0_u32, 0_u32);
    let (mut straight, mut emphasis) = (false, false);
    let mut last = ' ';
    let mut signs = before.chars().peekable();
    while let Some(c) = signs.next() {
        let next = signs.peek().copied().unwrap_or(' ');
        match c {
            '“' | '「' | '『' | '«' | '„' => double += 1,
            '”' | '」' | '』' | '»' => double = double.saturating_sub(1),
            '(' | '[' | '（' | '【' | '《' => brackets += 1,
            ')' | ']' | '）' | '】' | '》' => brackets = brackets.saturating_sub(1),
            '"' => straight = !straight,
            '_' => emphasis = !emphasis,
            '‘' => single += 1,
            '’' if !next.is_alphanumeric() => single = single.saturating_sub(1),
            '\'' if single > 0 && !next.is_alphanumeric() => single -= 1,
            '\'' if next.is_alphanumeric() && !last.is_alphanumeric() => single += 1,
            _ => (),
        }
        last = c;
    }
    double > 0 || single > 0 || brackets > 0 || straight || emphasis
}

/// Whether the rest of a line closes first what it does not open: speech that runs over lines.
fn is_closed(behind: &str) -> bool {
    let mark = |c: char| "“”「」『』«»".contains(c);
    behind.chars().find(|c| mark(*c)).is_some_and(|c| "”」』»".contains(c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The places of `|` in a text that is otherwise prose.
    #[track_caller]
    fn check(text: &str, fits: bool) {
        let at = text.find('^').unwrap();
        let text = text.replace('^', "");
        let language = if text.is_ascii() || text.contains('e') {
            Language::English
        } else {
            Language::Chinese
        };
        assert_eq!(borders(&text, &[at], language), if fits { vec![at] } else { vec![] }, "{text}");
    }

    #[test]
    fn a_sentence_stands_between_two_of_prose() {
        let prose = "The keeper counted the steps aloud every single night of the year. ";
        check(&format!("{prose}^{prose}"), true);
        check(&format!("“{prose}” {prose}^{prose}“No.”"), true);
        check(&format!("The boys’ hats. It wasn't so; {prose}^{prose}"), true);
        check(&format!("The Title\n^{prose}{prose}"), false);
        check(&format!("{prose}{prose}\n^{prose}"), false);
        check(&format!("{prose}{prose}^\n{prose}"), false);
        check(&format!("# A heading. {prose}^{prose}"), false);
        check(&format!("4. {prose}^{prose}"), false);
        check(&format!("{prose}^5) {prose}"), false);
        check(&format!("From a Correspondent. ^{prose}"), false);
        check(&format!("“{prose}^{prose}”"), false);
        check(&format!("{prose}^{prose}” he said."), false);
        check(&format!("‘{prose}^{prose}’"), false);
        check(&format!("'{prose}^{prose}'"), false);
        check(&format!("\"{prose}^{prose}\" {prose}"), false);
        check(&format!("({prose}^{prose})"), false);
        check(&format!("_{prose}^{prose}_"), false);
        check(
            &format!("Bell, 10 cwt. 1 qr. 6 lb. 12s. 4d. 300 ^ 17 lb. 14s. {}", &prose[..50]),
            false,
        );
    }

    #[test]
    fn a_chinese_sentence_stands_between_two_of_prose() {
        let prose = "渡口两边都是峭壁，早晚雾气不散，对面说话听得见。";
        check(&format!("{prose}^{prose}"), true);
        check(&format!("「{prose}^{prose}」"), false);
        check(&format!("他说：“{prose}^{prose}”"), false);
        check(&format!("四、{prose}^{prose}"), false);
        check(&format!("{prose}^四、{prose}"), false);
        check("代写书信，送到村口，五文一封。^报喜的三文；报丧的，不要钱；要债的，十文。", false);
        let list = format!("一、凳子自带。\n二、不收学费。\n{prose}^{prose}\n三、烧一壶水。");
        check(&list, false);
    }

    proptest! {
        /// Law: what was opened before a place is closed there, and it parts a line of prose.
        #[test]
        fn no_place_is_in_speech(text in "([a-z]{8,20} |“|”|\n|\\. ){0,60}") {
            let mut ends: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 2).collect();
            ends.push(text.len());
            for at in borders(&text, &ends, Language::English) {
                let line = text[..at].rsplit('\n').next().unwrap();
                let balance = line.chars().fold(0_i32, |depth, c| match c {
                    '“' => depth + 1,
                    '”' => (depth - 1).max(0),
                    _ => depth,
                });
                prop_assert_eq!(balance, 0);
                prop_assert!(!text[..at].ends_with('\n') && !text[at..].starts_with('\n'));
            }
        }
    }
}
