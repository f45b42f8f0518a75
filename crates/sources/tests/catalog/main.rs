//! Catalogs in CSV.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod filters;

use std::{collections::BTreeSet, io::Write};

use filters::ids;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use storymill_sources::{
    catalog::{Catalog, Filter, Row, csv},
    clean,
};

/// Six books.
const CSV: &str = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\r\n\
    1342,Text,1998-06-01,Pride and Prejudice,en,\"Austen, Jane, 1775-1817; Brock, C. E., 1870-1938 [Illustrator]\",\"England -- Fiction; Young women -- Fiction\",PR,Category: Novels; Best Books Ever Listings\r\n\
    2199,Text,2000-05-01,\"The Iliad\nRendered into English\nProse\",en,\"Homer, 751? BCE-651? BCE; Butler, Samuel, 1835-1902 [Translator]\",Epic poetry,PA,\r\n\
    5427,Text,2004-04-01,\"Émile, ou de l'éducation\",fr; en,\"Rousseau, Jean-Jacques, 1712-1778\",Education,LB; B,\r\n\
    100,Sound,2001-01-01,A Reading,en,\"Nobody, N., 1950- [Narrator]\",,,\r\n\
    7,Text,2010-12-31,The Twins,en,\"Old, Ann, 1850-1910; Young, Bob, 1890-1980\",Fiction,PZ,\r\n\
    8,Text,2011-01-01,Anon,de,Anonymous,Fiction,PT,\r\n";

fn read(bytes: &[u8]) -> Catalog {
    Catalog::parse(bytes).unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn rows_of_csv() {
    for bytes in [CSV.as_bytes().to_vec(), gz(CSV.as_bytes())] {
        let catalog = read(&bytes);
        let iliad = catalog.get("2199").unwrap();
        assert_eq!(iliad.title, "The Iliad Rendered into English Prose");
        let homer = &iliad.authors[0];
        assert_eq!((homer.birth_year, homer.death_year), (Some(-751), Some(-651)));
        assert_eq!(iliad.others[0].role, "translator");
        assert_eq!(iliad.others[0].agent.name, "Butler, Samuel");
        let emile = catalog.get("5427").unwrap();
        assert_eq!((emile.language.as_str(), emile.locc.len()), ("fr; en", 2));
        assert_eq!(catalog.get("1342").unwrap().subjects[1], "Young women -- Fiction");
        assert_eq!(catalog.get("100").unwrap().others[0].agent.birth_year, Some(1950));
        assert_eq!(catalog.rows().len(), 6);
    }
}

#[test]
fn rdf_and_archives_are_refused_with_what_to_take_instead() {
    let rdf = b"<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"x\"></rdf:RDF>".to_vec();
    let mut tar = b"cache/epub/1/pg1.rdf".to_vec();
    tar.resize(257, 0);
    tar.extend_from_slice(b"ustar\0");
    // More than a page may unpack to: the beginning is enough.
    tar.resize(70 << 20, 0);
    let packed = |bytes: &[u8]| [bytes.to_vec(), gz(bytes)];
    let archives = [packed(b"PK\x03\x04x"), packed(b"BZh91AY"), packed(&tar)].concat();
    for (files, what) in [(packed(&rdf).to_vec(), "RDF"), (archives, "an archive")] {
        for bytes in files {
            let fault = Catalog::parse(&bytes).unwrap_err();
            assert_eq!(fault.to_string(), format!("the catalog is {what}, not CSV"));
            assert!(fault.hint.unwrap().contains("`pg_catalog.csv`"));
        }
    }
    let packed = gz(CSV.as_bytes());
    let fault = Catalog::parse(&packed[..packed.len() - 20]).unwrap_err();
    assert!(fault.to_string().contains("damaged"), "{fault}");
}

#[test]
fn copyrighted_books_are_left_out_unless_rights_are_tested() {
    let catalog = read(b"id,title,rights\n2199,A,Public domain in the USA.\n9,B,Copyrighted.\n");
    let chosen = catalog.choose(&Filter::all()).unwrap();
    assert_eq!((chosen.rows.len(), chosen.copyrighted), (1, 1));
    let filter = Filter::parse("rights ~ copyrighted").unwrap();
    assert_eq!(catalog.choose(&filter).unwrap().rows.len(), 1);
}

#[test]
fn quotes_that_do_not_close_are_told_with_their_line() {
    let fault = |text: &str| Catalog::parse(text.as_bytes()).unwrap_err().to_string();
    let rows = |text: &str| read(text.as_bytes()).rows().len();
    // To the end of the file; to the next quote, behind which the rows would come right again.
    assert!(fault("id,title\n1,A\n2,\"B\n3,C\n4,D\n").contains("line 3: a field begins"));
    assert!(fault("id,title\n1,A\n2,\"B\n3,C\n4,\"D, E\"\n5,F\n").contains("line 3:"));
    assert!(fault("id,title\n1,\"A\nB\"\n2,\"C\n").contains("line 4:"));
    assert_eq!(rows("id,title\n1,\"A, \"\"the\"\"\nB\"\r\n2,C \"D\" E\n3,\"F\" \n4,\"\""), 4);
    // A comma outside of quotes.
    let fault = fault("id,title,language\n1,A,en\n2,B, or C,en\n");
    assert!(fault.contains("line 3: the row has 4 fields, and the header names 3"), "{fault}");
    assert_eq!(rows("id,title,language\n1,A\n2,B,en,,\n"), 2);
}

#[test]
fn flags_come_from_lists_and_go_into_books() {
    let mut catalog = read(CSV.as_bytes());
    let list: BTreeSet<_> = ["7", "1342", "77"].iter().map(|id| id.parse().unwrap()).collect();
    for _ in 0..2 {
        assert_eq!(catalog.flag("pg19", &list), [&"77".parse().unwrap()]);
    }
    catalog.flag("good", &["7".parse().unwrap()].into());
    assert_eq!(ids(&catalog, "flag = pg19"), ["1342", "7"]);
    assert_eq!(ids(&catalog, "flag = pg19 and flag != good"), ["1342"]);
    assert_eq!(ids(&catalog, "flag = \"\""), ["2199", "5427", "100", "8"]);
    let again = read(&csv(catalog.rows()).unwrap());
    let row = again.get("7").unwrap();
    assert_eq!(row.flags, ["pg19", "good"]);
    let page = format!("<html><body><p>{}</p></body></html>", "It was the river. ".repeat(40));
    let book = clean(page.as_bytes(), "7.html").unwrap().book("7".parse().unwrap(), Some(row));
    assert_eq!(book.flags, ["pg19", "good"]);
}

#[test]
fn rights() {
    for (rights, copyrighted) in [
        ("Public domain in the USA.", false),
        ("Copyrighted. Read the copyright notice inside this book for details.", true),
        ("Not copyrighted in the United States.", false),
        ("", false),
        ("COPYRIGHTED", true),
    ] {
        let mut row = Row::of("1".parse().unwrap());
        rights.clone_into(&mut row.rights);
        assert_eq!(row.is_copyrighted(), copyrighted, "{rights}");
    }
}

fn name() -> impl Strategy<Value = String> {
    "[A-Z][a-zé]{1,8}(, [A-Z][a-z]{1,6})?"
}

fn agent() -> impl Strategy<Value = String> {
    let year = || (-800_i32..2000).prop_filter("there is no year 0", |year| *year != 0);
    let written = |year: i32| if year < 0 { format!("{} BCE", -year) } else { year.to_string() };
    (name(), proptest::option::of(year()), proptest::option::of(year()), 0_usize..3).prop_map(
        move |(name, birth, death, role)| {
            let mut text = name;
            if birth.is_some() || death.is_some() {
                let (birth, death) = (birth.map(written), death.map(written));
                text += &format!(", {}-{}", birth.unwrap_or_default(), death.unwrap_or_default());
            }
            text + ["", " [Translator]", " [Editor]"][role]
        },
    )
}

proptest! {
    #[test]
    fn rows_written_are_rows_read(agents in proptest::collection::vec(agent(), 0..4), title in "\\PC{0,20}", subjects in proptest::collection::vec("[A-Z][a-z ,\"]{0,9}[a-z]", 0..3)) {
        let title: String = title.nfc_line();
        let mut row = Row::of("1342".parse().unwrap());
        row.title = title;
        let head = "id,title,authors,subjects\n";
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let text = format!("{head}7,x,{},{}\n", quoted(&agents.join("; ")), quoted(&subjects.join("; ")));
        let first = read(text.as_bytes()).get("7").unwrap().clone();
        (row.authors, row.others, row.subjects) = (first.authors, first.others, first.subjects);
        let again = read(&csv([&row]).unwrap());
        prop_assert_eq!(again.get("1342").unwrap(), &row);
    }

    #[test]
    fn no_bytes_make_it_panic(at in 0_usize..3000, byte in 0_u8..=255) {
        let mut bytes = CSV.as_bytes().to_vec();
        let at = at % bytes.len();
        bytes[at] = byte;
        let _ = Catalog::parse(&bytes);
        bytes.truncate(at);
        let _ = Catalog::parse(&bytes);
    }
}

trait Line {
    /// As a catalog keeps a title: in one line and composed.
    fn nfc_line(&self) -> String;
}

impl Line for String {
    fn nfc_line(&self) -> String {
        use unicode_normalization::UnicodeNormalization;
        let clean: String = self.nfc().filter(|c| !"ÃÂ\u{feff}\u{1f}".contains(*c)).collect();
        clean.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
