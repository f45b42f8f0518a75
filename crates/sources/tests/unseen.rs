//! Pages of which people wrote down what is right before the program read them (`unseen/pages.txt`): headings, with
//! which words the text begins and ends, and what is in it. `cargo test -p storymill-sources --test unseen -- --nocapture`
//! prints how many of each half are right.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use storymill_core::ParagraphKind;
use storymill_sources::clean;

/// The halves, and how many pages of each are right at least.
const HALVES: [(&str, usize); 2] = [("developed", 75), ("held", 40)];

#[test]
fn pages_that_were_written_down_before_are_right() {
    for (half, least) in HALVES {
        let of_half = |page: &&Page<'_>| page.half == half;
        let pages = pages();
        let pages: Vec<&Page<'_>> = pages.iter().filter(of_half).collect();
        let mut wrong = 0;
        let mut of_kind = [("headings", 0), ("begins", 0), ("ends", 0), ("kept", 0), ("lost", 0)];
        for page in &pages {
            let faults = page.faults();
            for (kind, count) in &mut of_kind {
                *count += usize::from(faults.iter().any(|fault| fault.starts_with(*kind)));
            }
            if !faults.is_empty() {
                println!("{} ({half})\n  {}", page.name, faults.join("\n  "));
                wrong += 1;
            }
        }
        let of_kind = of_kind.map(|(kind, count)| format!("{kind} {count}")).join(", ");
        let right = pages.len() - wrong;
        println!("{half}: {right} of {} right; wrong: {of_kind}", pages.len());
        assert!(right >= least, "{half}: {right} are right, not {least}");
    }
}

struct Page<'p> {
    name: &'p str,
    half: &'p str,
    typed: bool,
    body: &'p str,
    right: &'p str,
}

fn pages() -> Vec<Page<'static>> {
    let text = include_str!("unseen/pages.txt");
    let pages = text.split("\n=== ").skip(1).map(|one| {
        let (head, rest) = one.split_once('\n').unwrap();
        let mut head = head.split(" | ");
        let (body, right) = rest.split_once("\n---\n").unwrap();
        Page {
            name: head.next().unwrap(),
            half: head.next().unwrap(),
            typed: head.next().is_some(),
            body,
            right,
        }
    });
    pages.collect()
}

/// Letters and digits, small.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

const HEADER: &str = "The Project Gutenberg EBook of Orrin, by Ellen Marsh Dyer\n\nThis eBook is for the use of anyone \
    anywhere at no cost and with\nalmost no restrictions whatsoever.\n\nTitle: Orrin\n\nAuthor: Ellen Marsh Dyer\n\n\
    *** START OF THIS PROJECT GUTENBERG EBOOK ORRIN ***\n\n\nProduced by Two Friends of Lights\n\n\n";
const FOOTER: &str = "\n\nEnd of the Project Gutenberg EBook of Orrin, by Ellen Marsh Dyer\n\n\
    *** END OF THIS PROJECT GUTENBERG EBOOK ORRIN ***\n";

impl Page<'_> {
    /// The page as a file, with the first and the last paragraph of the story in it.
    fn filled(&self) -> (String, &'static str, &'static str) {
        let story: Vec<&str> = include_str!("unseen/story.txt").lines().collect();
        let (mut page, mut next) = (String::new(), 0);
        let mut rest = self.body;
        while let Some((before, behind)) = rest.split_once('{') {
            let (number, behind) = behind.split_once('}').unwrap();
            page += before;
            if number == "12" {
                page += "{12}";
            } else {
                for _ in 0..number.parse().unwrap_or(3) {
                    let told = story[next % story.len()];
                    page += &if self.typed {
                        format!("{}\n\n", wrapped(told))
                    } else {
                        format!("<p>{told}</p>\n")
                    };
                    next += 1;
                }
            }
            rest = behind;
        }
        page += rest;
        let page = if self.typed {
            format!("{HEADER}{page}{FOOTER}")
        } else {
            format!(
                "<html><head><title>Orrin</title></head><body><pre>{HEADER}</pre>{page}<pre>{FOOTER}</pre></body></html>"
            )
        };
        (page, story[0], story[next.saturating_sub(1) % story.len()])
    }

    fn faults(&self) -> Vec<String> {
        let (page, first, last) = self.filled();
        let cleaned =
            clean(page.as_bytes(), if self.typed { "page.txt" } else { "page.html" }).unwrap();
        let heads = cleaned.paragraphs.iter().filter(|one| one.level.is_some());
        let heads: Vec<&str> = heads.map(|one| one.text.as_str()).collect();
        let text = cleaned
            .paragraphs
            .iter()
            .filter(|one| one.level.is_none() && one.kind != ParagraphKind::Break);
        let text: Vec<&str> = text.map(|one| one.text.as_str()).collect();
        let lines =
            |sign: &'static str| self.right.lines().filter_map(move |line| line.strip_prefix(sign));
        let mut faults = Vec::new();
        let right: Vec<(bool, &str)> = self
            .right
            .lines()
            .filter(|line| line.starts_with(['#', '?']))
            .map(|line| (line.starts_with('?'), &line[2..]))
            .collect();
        if !are_right(&right, &heads.iter().map(|head| plain(head)).collect::<Vec<_>>()) {
            faults.push(format!("headings {heads:?}"));
        }
        let first = lines("first: ").next().unwrap_or(first);
        if !plain(text[0]).starts_with(&plain(first)) {
            faults.push(format!("begins {:.70}", text[0]));
        }
        let end = text[text.len() - 1];
        let last = lines("last: ").next().unwrap_or(last);
        if !plain(end).ends_with(&plain(last)) {
            faults.push(format!("ends {end:.70}"));
        }
        let all = plain(&format!("{} {}", heads.join(" "), text.join(" ")));
        faults.extend(
            lines("has: ")
                .filter(|has| !all.contains(&plain(has)))
                .map(|has| format!("lost {has}")),
        );
        faults.extend(
            lines("lacks: ")
                .filter(|lacks| all.contains(&plain(lacks)))
                .map(|lacks| format!("kept {lacks}")),
        );
        faults
    }
}

/// A paragraph in lines as a typewriter makes them.
fn wrapped(text: &str) -> String {
    let (mut all, mut line) = (String::new(), 0);
    for word in text.split(' ') {
        if line + word.len() > 70 {
            all.push('\n');
            line = 0;
        } else if line > 0 {
            all.push(' ');
        }
        all += word;
        line += word.len() + 1;
    }
    all
}

/// Whether headings are what is right: each in one of its forms, as one or as several.
fn are_right(right: &[(bool, &str)], heads: &[String]) -> bool {
    let Some(((optional, forms), rest)) = right.split_first() else { return heads.is_empty() };
    if *optional && are_right(rest, heads) {
        return true;
    }
    forms.split(" | ").any(|form| {
        let most = form.split(" + ").count();
        let form = plain(form);
        (1..=most.min(heads.len()))
            .any(|upto| heads[..upto].concat() == form && are_right(rest, &heads[upto..]))
    })
}
