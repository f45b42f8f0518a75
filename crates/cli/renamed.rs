//! Commands that had other names once: what is typed in the old way is done, and the new way is told.

use std::ffi::OsString;

/// What was typed, and what is typed now. Words in capitals stand for words of the user's; of two rows the longer comes first.
const NOW: [(&str, &str); 23] = [
    ("status", "plan"),
    ("context", "inspect"),
    ("materialize", "export"),
    ("clean", "book clean"),
    ("cast", "book cast"),
    ("substitute", "book substitute"),
    ("eval names", "score names"),
    ("claims reviews SET --of pairs", "review SET --queue adequacy"),
    ("claims reviews SET --of explanations", "review SET --queue explanations"),
    ("claims reviews", "review"),
    ("claims agreement SET VOTES", "review SET --import VOTES"),
    ("claims agreement", "review --agreement"),
    ("claims show", "claims list"),
    ("claims balance", "claims lint --balance"),
    ("shelf key", "shelf init --key-only"),
    ("shelf lock", "shelf unlock --end"),
    ("shelf trust", "shelf rekey --trust"),
    ("shelf pairs SET FILE", "claims import FILE --into SET"),
    ("shelf retire SET PAIR", "shelf state SET --retire PAIR"),
    ("shelf reveal SET PAIR", "shelf state SET --reveal PAIR"),
    ("shelf proof verify", "verify"),
    ("shelf check --shelf DIR", "verify --shelf DIR"),
    ("shelf check", "verify --shelf shelf"),
];

fn is_own(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase())
}

/// The words of an old command as the new one, and what to say of it; none if it is no old one.
pub(crate) fn renamed(typed: &[OsString]) -> Option<(Vec<OsString>, String)> {
    let asks = typed.get(1).is_some_and(|word| word == "help");
    let (before, typed) = typed.split_at_checked(if asks { 2 } else { 1 })?;
    let (old, new) = NOW.into_iter().find(|(old, _)| {
        let mut words = typed.iter();
        old.split(' ').all(|word| {
            let typed = words.next().and_then(|typed| typed.to_str());
            typed.is_some_and(|typed| typed == word || is_own(word) && !typed.starts_with('-'))
        })
    })?;
    let old: Vec<&str> = old.split(' ').collect();
    let word = |word: &str| {
        let at = old.iter().position(|own| is_own(own) && *own == word);
        at.map_or_else(|| OsString::from(word), |at| typed[at].clone())
    };
    // `help` takes commands alone.
    let words = new.split(' ').take_while(|word| !asks || !word.starts_with('-')).map(word);
    let rest = typed[old.len()..].iter().cloned();
    let all = before.iter().cloned().chain(words).chain(rest).collect();
    let told: Vec<&str> = old.into_iter().take_while(|word| !is_own(word)).collect();
    Some((all, format!("`{}` is `{new}` by now", told.join(" "))))
}

#[cfg(test)]
mod tests {

    use super::*;

    /// What stands for a word of the user's.
    fn typed(line: &str) -> Vec<OsString> {
        line.split(' ').map(|word| word.replace("SET", "family").into()).collect()
    }

    #[test]
    fn old_names_are_done_under_the_new_ones() {
        for (line, expected) in [
            ("x claims show family n01/1 --texts", "x claims list family n01/1 --texts"),
            ("x shelf retire family n01/1 --undo", "x shelf state family --retire n01/1 --undo"),
            ("x claims agreement family v.csv", "x review family --import v.csv"),
            (
                "x claims agreement family --format json",
                "x review --agreement family --format json",
            ),
            (
                "x claims reviews family --of pairs --by b",
                "x review family --queue adequacy --by b",
            ),
            ("x help substitute", "x help book substitute"),
            ("x help claims balance", "x help claims lint"),
            ("x status my.toml --store s", "x plan my.toml --store s"),
            ("x context out/a 84/1/x --ask", "x inspect out/a 84/1/x --ask"),
            ("x clean 84.html --explain", "x book clean 84.html --explain"),
            ("x shelf check --key k", "x verify --shelf shelf --key k"),
        ] {
            assert_eq!(renamed(&typed(line)).unwrap().0, typed(expected), "{line}");
        }
        assert!(renamed(&typed("x claims list family")).is_none());
        assert!(renamed(&typed("x")).is_none());
    }

    /// Every new way of the table is one that the program knows.
    #[test]
    fn new_names_can_be_typed() {
        for (old, new) in NOW {
            let needs = match new {
                "claims list" | "claims lint --balance" | "review" | "review --agreement" => {
                    " family"
                }
                "verify" => " one.json",
                "plan" | "inspect" | "export" | "book clean" | "book cast" | "score names" => {
                    " one"
                }
                "book substitute" => " one --cast cast.toml --out other.txt",
                new if new.contains("--retire") => " --reason why",
                new if new.contains("--reveal ") => " --out pair.json",
                _ => "",
            };
            let parsed = crate::Args::read(&typed(&format!("storymill {new}{needs}")));
            assert!(parsed.is_ok(), "{old}: {}", parsed.unwrap_err());
        }
    }
}
