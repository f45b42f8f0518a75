//! Commands and options that had other names once: what is typed in the old way is done, and the new way is named.

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

/// Options of a command: what was typed, and what is typed now. What ends with `=` takes the word that follows; where nothing stands,
/// the option is not needed any more.
const OPTIONS: [(&str, &str, &str); 13] = [
    ("claims draft", "--out", "--into"),
    ("export", "--jsonl", ""),
    ("fetch", "--allow-main-site", "--allow-host=www.gutenberg.org"),
    ("init", "--set", "--for=claims --books"),
    ("inspect", "--answer", "--show=answer"),
    ("inspect", "--question-only", "--show=question"),
    ("inspect", "--types", "--show=types"),
    ("plan", "--shards", "--steps="),
    ("review", "--disputed", "--list=disputed"),
    ("review", "--open", "--list=open"),
    ("shelf add", "--public-domain", "--rights=public-domain"),
    ("verify", "--revealed", ""),
    ("reviews", "--open", "--list=open"),
];

fn is_own(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_uppercase())
}

/// What was typed as it is typed now, and what to say of each old word; none if there is none.
pub(crate) fn renamed(typed: &[OsString]) -> Option<(Vec<OsString>, Vec<String>)> {
    let (typed, said) = match command(typed) {
        Some((typed, said)) => (typed, Some(said)),
        None => (typed.to_vec(), None),
    };
    let (typed, of_options) = options(typed);
    let said: Vec<String> = said.into_iter().chain(of_options).collect();
    (!said.is_empty()).then_some((typed, said))
}

fn command(typed: &[OsString]) -> Option<(Vec<OsString>, String)> {
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
    let shown: Vec<&str> = old.into_iter().take_while(|word| !is_own(word)).collect();
    Some((all, format!("`{}` is `{new}` by now", shown.join(" "))))
}

fn options(typed: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let takes = |command: &str| {
        let mut words = typed.iter().skip(1);
        command.split(' ').all(|word| words.next().is_some_and(|typed| typed == word))
    };
    let known: Vec<_> = OPTIONS.into_iter().filter(|(command, ..)| takes(command)).collect();
    let (mut words, mut now, mut said) = (typed.into_iter(), Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(OsString::from(value))),
            None => (&*text, None),
        };
        let Some((_, old, new)) = known.iter().find(|(_, old, _)| *old == name) else {
            let ends = word == "--";
            now.push(word);
            if ends {
                now.extend(words);
                break;
            }
            continue;
        };
        let mut value = value.or_else(|| new.ends_with('=').then(|| words.next()).flatten());
        now.extend(new.split_whitespace().map(|part| {
            let mut part = OsString::from(part);
            if part.to_string_lossy().ends_with('=') {
                part.push(value.take().unwrap_or_default());
            }
            part
        }));
        now.extend(value);
        let shown = if new.ends_with('=') { format!("{new}N") } else { (*new).to_owned() };
        said.push(match *new {
            "" => format!("`{old}` is not needed any more"),
            _ => format!("`{old}` is `{shown}` by now"),
        });
    }
    (now, said)
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
            ("x context out/a 1/x --answer", "x inspect out/a 1/x --show=answer"),
            ("x plan my.toml --steps --shards 4", "x plan my.toml --steps --steps=4"),
            ("x plan my.toml --shards=4 --steps", "x plan my.toml --steps=4 --steps"),
            ("x init my.toml --set s", "x init my.toml --for=claims --books s"),
            ("x init my.toml --set=s", "x init my.toml --for=claims --books s"),
            ("x verify 3.json --revealed p.json", "x verify 3.json p.json"),
            ("x review SET --open -- --open", "x review SET --list=open -- --open"),
            ("x shelf add a.epub --public-domain", "x shelf add a.epub --rights=public-domain"),
        ] {
            assert_eq!(renamed(&typed(line)).unwrap().0, typed(expected), "{line}");
        }
        assert!(renamed(&typed("x claims list family")).is_none());
        assert!(renamed(&typed("x build my.toml --shards 4")).is_none());
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
