//! Real pages against editions made by hand, and the laws over every page of the set.
//!
//! Four pages of two books of our own come with the project (`tests/golden`); real ones may lie beside the checkout.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "a test may fail loudly"
)]

use std::{collections::HashMap, fs, path::Path};

use storymill_core::{Decisions, Env, Known, Reviews, Source};
use storymill_sources::{Cleaned, Folder, clean};

mod hold;
#[path = "../../../tests/golden/sets.rs"]
mod sets;
use hold::hold;
use sets::sets;

/// The pages of the set by file name, cleaned.
fn pages(books: &Path) -> Vec<(String, Cleaned)> {
    let mut names: Vec<_> = fs::read_dir(books)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains(".html"))
        .collect();
    names.sort();
    let page = |name: String| {
        let bytes = fs::read(books.join(&name)).unwrap();
        let cleaned = clean(&bytes, &name).unwrap();
        (name, cleaned)
    };
    names.into_iter().map(page).collect()
}

/// The words of a text, spelling differences of editors left out as far as folding can.
fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .replace(['’', '\'', '‘'], "")
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// How many words two texts have in common, in order: over anchors of four words that are unique.
fn common(ours: &[String], gold: &[String]) -> usize {
    const SIZE: usize = 4;
    let mut places: HashMap<&[String], usize> = HashMap::new();
    for (at, gram) in gold.windows(SIZE).enumerate() {
        places.entry(gram).and_modify(|at| *at = usize::MAX).or_insert(at);
    }
    let (mut i, mut j, mut hits) = (0, 0, 0);
    while i < ours.len() && j < gold.len() {
        if ours[i] == gold[j] {
            (i, j, hits) = (i + 1, j + 1, hits + 1);
            continue;
        }
        // The nearest place where both go on together.
        let next = (i..ours.len().saturating_sub(SIZE)).take(4_000).find_map(|at| {
            let place = *places.get(&ours[at..at + SIZE])?;
            (place != usize::MAX && place >= j && place - j < 4_000).then_some((at, place))
        });
        let Some((next_i, next_j)) = next else { break };
        // Short gaps of one shape differ in spelling alone.
        if next_i - i <= 6 && next_j - j <= 6 {
            hits += (next_i - i).min(next_j - j);
        }
        (i, j) = (next_i, next_j);
    }
    hits
}

#[test]
fn pages_with_a_gold_text_match_it() {
    for books in sets("books") {
        match_gold(&books);
    }
}

fn match_gold(books: &Path) {
    let mut reader = csv::Reader::from_path(books.join("catalog.csv")).unwrap();
    let (mut sum, mut count, mut chapters_off) = (0.0, 0.0, 0);
    for record in reader.records() {
        let record = record.unwrap();
        let (file, gold) = (&record[0], &record[10]);
        if gold.is_empty() {
            continue;
        }
        let bytes = fs::read(books.join(file)).unwrap();
        let ours = clean(&bytes, file).unwrap().lines();
        let gold = fs::read_to_string(books.join(gold)).unwrap();
        let body = |text: &str| {
            let lines =
                text.lines().filter(|line| !line.starts_with("# ") && !line.starts_with("? "));
            words(&lines.collect::<Vec<_>>().join(" "))
        };
        let heads = |text: &str| text.lines().filter(|line| line.starts_with("# ")).count();
        chapters_off += heads(&ours).abs_diff(heads(&gold));
        let (ours, gold) = (body(&ours), body(&gold));
        let hits = common(&ours, &gold) as f64;
        let (precision, recall) = (hits / ours.len() as f64, hits / gold.len() as f64);
        let f1 = 2.0 * precision * recall / (precision + recall);
        assert!(f1 >= 0.965, "{file}: F1 {f1:.4}, precision {precision:.4}, recall {recall:.4}");
        sum += f1;
        count += 1.0;
    }
    assert!(sum / count >= 0.985, "mean F1 {:.4}", sum / count);
    assert!(chapters_off <= 25, "{chapters_off} headings more or fewer than in the gold");
}

/// What the catalog of the set says of a book, without remarks on the edition: `Emma (3 vols)`.
fn unremarked(text: &str) -> String {
    let text = text.split(" (").next().unwrap_or(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_name_title_and_author_as_the_catalog_does() {
    for books in sets("books") {
        say_title_and_author(&books);
    }
}

fn say_title_and_author(books: &Path) {
    let mut reader = csv::Reader::from_path(books.join("catalog.csv")).unwrap();
    let (mut pages, mut titles, mut begun, mut authors, mut none) = (0, 0, 0, 0, Vec::new());
    for record in reader.records() {
        let record = record.unwrap();
        let bytes = fs::read(books.join(&record[0])).unwrap();
        let says = clean(&bytes, &record[0]).unwrap().says;
        let (title, author) = (unremarked(&record[2]), unremarked(&record[3]));
        let found = says.authors.join("; ");
        pages += 1;
        titles += usize::from(says.title == title);
        begun += usize::from(says.title.starts_with(&title));
        authors += usize::from(found == author || author == "unknown" && found.is_empty());
        if says.title.is_empty() || found.is_empty() && author != "unknown" {
            none.push(record[0].to_owned());
        }
        if says.title != title || found != author {
            println!("{}: {} | {found}; catalog: {title} | {author}", &record[0], says.title);
        }
    }
    println!("of {pages}: {titles} titles as in the catalog, {begun} begin so, {authors} authors");
    assert!(none.is_empty(), "title or author not found: {none:?}");
    // Of the 43 real ones; the catalog of that set has titles of its own.
    let [all, some, most] = if pages < 43 { [pages; 3] } else { [25, 32, 40] };
    assert!(titles >= all && begun >= some && authors >= most, "{titles}, {begun}, {authors}");
}

#[test]
fn no_page_keeps_a_word_of_its_makers() {
    for books in sets("books") {
        keep_nothing_of_their_makers(&books);
    }
}

fn keep_nothing_of_their_makers(books: &Path) {
    for (name, cleaned) in pages(books) {
        let text = cleaned.lines().to_lowercase();
        for phrase in
            ["project gutenberg", "transcriber", "pgdp.net", "[illustration", " e-text", " etext"]
        {
            assert!(!text.contains(phrase), "{name} keeps `{phrase}`");
        }
        cleaned.check(30).unwrap_or_else(|reason| panic!("{name}: {}", reason.detail));
    }
}

#[test]
fn every_page_is_accounted_for() {
    for books in sets("books") {
        are_accounted_for(&books);
    }
}

fn are_accounted_for(books: &Path) {
    for (name, cleaned) in pages(books) {
        println!("{name}");
        hold(&cleaned);
    }
}

#[test]
fn the_set_lists_and_reads_as_a_folder() {
    for books in sets("books") {
        read_as_a_folder(&books);
    }
}

fn read_as_a_folder(books: &Path) {
    let wanted = ["11.html", "84.html.gz", "1342.html.gz", "90001.html", "90002.html"];
    let mut files = wanted.to_vec();
    files.retain(|file| books.join(file).exists());
    let ids: Vec<_> = files.iter().map(|file| file.split('.').next().unwrap()).collect();
    let options =
        serde_json::json!({ "path": ".", "catalog": "catalog.csv", "ids": ids, "files": files });
    let folder: Folder = serde_json::from_value(options).unwrap();
    let folder = folder.open(&Env::at(books)).unwrap();
    let listing = folder.units(&Known::default()).unwrap();
    assert!(listing.units.len() == files.len() && files.len() >= 2);
    for unit in &listing.units {
        let [book] = &folder.read(unit, &mut Reviews::new(Decisions::NONE)).unwrap()[..] else {
            panic!("one book a page")
        };
        assert_eq!(book.authors.len(), 1);
        let gold = fs::metadata(books.join(format!("gold/{}.txt", book.id))).unwrap();
        assert!(!book.chapters.is_empty() && book.text.len() as u64 * 10 > gold.len() * 9);
        for paragraph in &book.paragraphs {
            assert!(!book.text[paragraph.text.bytes()].is_empty());
        }
    }
}

#[test]
fn plain_texts_have_their_facts_and_chapters() {
    let expect: [&[(&str, &str, usize)]; 2] = [
        &[
            ("A Debt in Rye Street", "Ambrose Tolley", 3),
            ("The Lamp on Gull Rock", "Edith Marlow", 3),
        ],
        &[
            ("Anne of Green Gables", "L. M. Montgomery", 38),
            ("The Great Gatsby", "F. Scott Fitzgerald", 9),
        ],
    ];
    for (books, expect) in sets("nocha/books").iter().zip(expect) {
        let folder: Folder = serde_json::from_str(r#"{ "path": "." }"#).unwrap();
        let folder = folder.open(&Env::at(books)).unwrap();
        let read = |unit| folder.read(unit, &mut Reviews::new(Decisions::NONE)).unwrap();
        let listing = folder.units(&Known::default()).unwrap();
        let found: Vec<_> = listing.units.iter().map(|unit| read(unit).remove(0)).collect();
        let found: Vec<_> = found
            .iter()
            .map(|book| (&*book.title, &*book.authors[0].name, book.chapters.len()))
            .collect();
        assert_eq!(found, expect);
    }
}
