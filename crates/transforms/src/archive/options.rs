//! Takes the text of an archived question apart into its options.

use storymill_core::Reason;

/// What stands before the options, and the options.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked<'t> {
    pub(super) stem: &'t str,
    pub(super) options: Vec<&'t str>,
}

/// How options may be numbered, at the beginning of a line.
const MARKS: [[&str; 2]; 5] = [["", ") "], ["", ". "], ["", ": "], ["(", ") "], ["Option ", ": "]];

/// Takes a question apart. Its options begin lines with their numbers, in one of the usual ways.
pub(super) fn parse(text: &str) -> Result<Asked<'_>, Reason> {
    let mut unfit = Reason::new("no-options", "the question has no numbered options");
    for mark in MARKS {
        match numbered(text, mark) {
            Ok(asked) => return Ok(asked),
            Err(reason) if &*unfit.code == "no-options" => unfit = reason,
            Err(_) => {}
        }
    }
    Err(unfit)
}

/// Takes a question apart whose options are numbered like this. Summaries may hold lists of that
/// kind themselves; where a number begins two lines nobody can tell which one is meant.
fn numbered<'t>(text: &'t str, [before, behind]: [&str; 2]) -> Result<Asked<'t>, Reason> {
    let mut starts = Vec::new();
    for number in 1.. {
        let mark = format!("{before}{number}{behind}");
        let begins = |at: usize| at == 0 || text.as_bytes()[at - 1] == b'\n';
        let mut found = text.match_indices(&mark[..]).map(|(at, _)| at).filter(|at| begins(*at));
        let Some(at) = found.next() else { break };
        if found.next().is_some() {
            let detail = format!("two lines begin with `{}`", mark.trim_end());
            return Err(Reason::new("options-unclear", detail));
        }
        starts.push((at, at + mark.len()));
    }
    if !starts.is_sorted() {
        return Err(Reason::new("options-unclear", "the numbers of the options are out of order"));
    }
    let ends = starts.iter().skip(1).map(|(mark, _)| *mark).chain([text.len()]);
    let options: Vec<_> =
        starts.iter().zip(ends).map(|((_, from), to)| text[*from..to].trim()).collect();
    let stem = text[..starts.first().map_or(text.len(), |(mark, _)| *mark)].trim();
    match options.split_last() {
        None => Err(Reason::new("no-options", "the question has no numbered options")),
        Some((last, _)) if !is_none(last) => {
            Err(Reason::new("no-none", "the last option is not none of the above"))
        }
        Some((_, [])) => Err(Reason::new("no-options", "none of the above is the only option")),
        Some((_, shown)) => match shown.iter().position(|option| option.is_empty()) {
            Some(at) => Err(Reason::new("empty-option", format!("option {} is blank", at + 1))),
            None => Ok(Asked { stem, options }),
        },
    }
}

fn is_none(option: &str) -> bool {
    option.trim_end_matches('.').eq_ignore_ascii_case("none of the above")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<(&str, &[&str]), &str>) {
        let found = parse(text);
        let found = found.as_ref().map(|asked| (asked.stem, &asked.options[..]));
        assert_eq!(found.map_err(|reason| &*reason.code), expected);
    }

    #[test]
    fn options_are_taken_apart() {
        let none = "None of the above.";
        check(
            "Which?\n1) One.\n2) Two\nlines.\n3) None of the above.\n",
            Ok(("Which?", &["One.", "Two\nlines.", none])),
        );
        check("1) A (2) b.\n2) None of the above.", Ok(("", &["A (2) b.", none])));
        check(
            "Which?\n1) One: 2) two.\n2) None of the above",
            Ok(("Which?", &["One: 2) two.", "None of the above"])),
        );
        check("Which?\n1. A\n2. b\n3. None of the above.", Ok(("Which?", &["A", "b", none])));
        check("Option 1: A\nOption 2: None of the above.", Ok(("", &["A", none])));
        check("Which?\n(1) A\n1) b\n(2) None of the above.", Ok(("Which?", &["A\n1) b", none])));
        check("Which?\n1) A\n2) b\n2) Two.\n3) None of the above.", Err("options-unclear"));
        check("Which?\n2) A\n1) b\n3) None of the above.", Err("options-unclear"));
        check("Which?\n1) A\n2) B", Err("no-none"));
        check("Which?\n1)  \n2) None of the above.", Err("empty-option"));
        check("Which?\n1) None of the above.", Err("no-options"));
        check("Which?", Err("no-options"));
    }

    proptest! {
        /// Options come back as they were written, or nothing does.
        #[test]
        fn options_come_back(options in prop::collection::vec("[a-z1-9)\n ]{1,20}", 1..6)) {
            let all = options.iter().map(String::as_str).chain(["None of the above."]);
            let lines: Vec<_> = (1..).zip(all).map(|(at, option)| format!("{at}) {option}\n")).collect();
            let text = format!("Which?\n{}", lines.concat());
            if let Ok(asked) = parse(&text) {
                prop_assert_eq!(asked.stem, "Which?");
                let (_, shown) = asked.options.split_last().unwrap();
                let written: Vec<_> = options.iter().map(|option| option.trim()).collect();
                prop_assert_eq!(shown, &written[..]);
            }
        }
    }
}
