//! Books in every layout that pages have had, scored against what they were made of: no rule of cleaning
//! may swallow a chapter or a story, and none may keep what the makers of a file say.
//!
//! The sample stories and a small golden set come with the project; the books beside it are tried where they are.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may fail loudly")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use storymill_sources::{clean, gold::score};

mod layouts;
mod pages;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;

use layouts::{LAYOUTS, Layout, Part};
use pages::{MAKERS, Makers, Story};

/// The sample stories, as their own pages give them.
fn samples() -> Vec<Story> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/books");
    let story = |number: usize| {
        let name = format!("sm0{number}.html");
        let cleaned = clean(&fs::read(folder.join(&name)).unwrap(), &name).unwrap();
        Story::of(&cleaned.says.title, &cleaned.lines())
    };
    (1..=7).map(story).collect()
}

/// A page of a book with what its makers put around it.
fn page(story: &Story, (_, makers): &Makers, (_, layout): &Layout) -> String {
    let (front, back) = makers(&story.title);
    let parts: Vec<Part> = front.into_iter().chain(story.printed()).chain(back).collect();
    format!(
        "<html><head><title>{}</title></head><body>{}</body></html>",
        story.title,
        layout(&parts)
    )
}

/// Tries a book in every layout, from all makers; tells each page that lost or leaked too much.
fn trouble(story: &Story) -> Vec<String> {
    let gold = story.gold();
    let mut trouble = Vec::new();
    for makers in MAKERS {
        for layout in LAYOUTS {
            let name = format!("{}: {}, {}", story.title, makers.0, layout.0);
            let cleaned = clean(page(story, makers, layout).as_bytes(), "page.html").unwrap();
            let lines = cleaned.lines();
            let score = score(&lines, &gold);
            if score.lost > 0.5 || score.f1() < 0.99 {
                let leak: f64 = score.leak.iter().sum();
                trouble.push(format!("{name}: lost {:.2}, leaked {leak:.2} %", score.lost));
            }
            for phrase in ["Gutenberg", "Etext of", "this etext", "Transcribed", "Produced by"] {
                if lines.contains(phrase) {
                    trouble.push(format!("{name}: keeps `{phrase}`"));
                }
            }
            if let Err(reason) = cleaned.check(50) {
                trouble.push(format!("{name}: {}", reason.detail));
            }
        }
    }
    trouble
}

#[track_caller]
fn check(stories: &[Story]) {
    let trouble: Vec<_> = stories.iter().flat_map(trouble).collect();
    assert!(trouble.is_empty(), "{} troubles:\n{}", trouble.len(), trouble.join("\n"));
}

#[test]
fn a_story_is_whole_in_every_layout() {
    check(&samples()[..3]);
}

#[test]
fn a_collection_has_all_its_stories_in_every_layout() {
    check(&[Story::collection("The Ferry, and Other Tales", &samples())]);
}

#[test]
fn a_story_is_kept_whatever_its_title_begins_with() {
    let titles = [
        "Mr. Harrow Goes to Town",
        "The End of the Tether",
        "A Note in Blue",
        "The Best of Friends",
        "Life of a Lamp",
        "Notes and Coins",
        "The Contents of the Chest",
    ];
    let mut stories = samples();
    for first in titles {
        // Each title once first, with the others behind it.
        let at = titles.iter().position(|title| *title == first).unwrap();
        for (story, title) in stories.iter_mut().zip(titles.iter().cycle().skip(at)) {
            (*title).clone_into(&mut story.title);
        }
        let book = Story::collection("Seven Tales", &stories);
        let (makers, layout) = (&MAKERS[3], &LAYOUTS[0]);
        let cleaned = clean(page(&book, makers, layout).as_bytes(), "page.html").unwrap();
        let score = score(&cleaned.lines(), &book.gold());
        assert!(score.lost < 0.5, "{first}: lost {:.2}", score.lost);
    }
}

#[test]
fn real_books_are_whole_in_every_layout() {
    let story = |(folder, id): (&PathBuf, &&str)| {
        let text = fs::read_to_string(folder.join(format!("{id}.txt"))).unwrap();
        Story::of(&format!("Book {id}"), &text)
    };
    let folders = sets::sets("books/gold");
    let wanted: [&[&str]; 2] = [&["90001"], &["11", "62"]];
    let wanted = folders.iter().zip(wanted);
    let wanted = wanted.flat_map(|(folder, ids)| ids.iter().map(move |id| (folder, id)));
    check(&wanted.map(story).collect::<Vec<_>>());
}
