//! Tests of `sort`.

use proptest::prelude::*;

use super::*;
use crate::tests::{book, run, run_decided};

fn sort(options: &str) -> Sort {
    toml::from_str(&format!("from = 'books'\n{options}")).unwrap()
}

/// A novel of so many chapters: people who talk, throughout.
fn novel(chapters: usize) -> String {
    let scene = "“Where were you?” said Anna, and she looked at Boris, who turned away from the door. “I saw nothing,” he \
                 answered; then Clara laughed, for Boris and Anna and Clara had known each other a long time. ";
    let chapter = |at| format!("# CHAPTER {at}\n\n{}", scene.repeat(24));
    (1..=chapters).map(chapter).collect::<Vec<_>>().join("\n\n")
}

fn treatise() -> String {
    let page = "The form of government is such that these laws are known among most states, and it may be found in \
                several systems of the same period, such as that of 1848, which has a general power. ";
    let chapter = |at| format!("# CHAPTER {at}\n\n{}", page.repeat(14));
    (1..=12).map(chapter).collect::<Vec<_>>().join("\n\n")
}

#[track_caller]
fn check(text: &str, options: &str, expected: Result<&str, &str>) -> storymill_core::Trace {
    let mut book = book(text.trim_end());
    book.kind = String::new();
    let (rows, trace) = run(&sort(options), vec![book].into());
    let got = match rows {
        Ok(rows) => Ok(rows[0].kind.clone()),
        Err(Stop::LeftOut(reason)) => Err(format!("{}: {}", reason.code, reason.detail)),
        Err(stop) => panic!("{stop:?}"),
    };
    match expected {
        Ok(kind) => assert_eq!(got.as_deref(), Ok(kind)),
        Err(begins) => assert!(got.as_ref().is_err_and(|why| why.starts_with(begins)), "{got:?}"),
    }
    trace
}

#[test]
fn novels_are_kept_and_others_left_out() {
    assert_eq!(check(&novel(12), "kinds = ['novel']", Ok("novel")).reviews, []);
    check(&treatise(), "kinds = ['novel']", Err("other-kind: nonfiction"));
    check(&treatise(), "", Ok("nonfiction"));
    let play = "ANNA. Where were you?\n\nBORIS. Nowhere.\n\n".repeat(60);
    check(&play, "kinds = ['novel']", Err("other-kind: play"));
}

/// A title decides nothing: where it says otherwise than the text, people are asked.
#[test]
fn titles_turn_no_novel_into_anything_else() {
    for title in [
        "The Mill, and Other Tales and Stories",
        "Short Stories: Tales, Fables and Fairy Tales",
        "Essays, Lectures, Sermons and Speeches: a Treatise",
        "Memoirs, Recollections and Reminiscences: an Autobiography",
        "Letters of Anna: her Correspondence and Diary of a Journey",
        "Poems, Sonnets and Ballads",
        "Plays: a Comedy in Three Acts",
        "Tales, Essays, Poems, Plays, Letters of Friends, and a Journal",
    ] {
        let mut one = book(novel(12).trim_end());
        (one.kind, one.title) = (String::new(), title.into());
        let (rows, _) = run(&sort("kinds = ['novel']"), vec![one].into());
        assert!(rows.is_ok(), "{title}: {rows:?}");
    }
    // Where the text is near to the fence, the title makes it doubtful and does not push it over.
    let mut one = book(novel(7).trim_end());
    (one.kind, one.title) = (String::new(), "Tales and Short Stories, and Other Fables".into());
    let (rows, trace) = run(&sort("kinds = ['novel']"), vec![one].into());
    assert_eq!((rows.unwrap()[0].kind.as_str(), trace.reviews.len()), ("novel", 1));
    assert!(trace.reviews[0].excerpt.contains("the title says stories, and nothing else does"));
}

/// Entries of days without a year, in which people speak.
#[test]
fn a_journal_that_was_invented_is_a_novel_or_is_asked_about() {
    let entry = |at: usize| {
        let scene = "“Where were you?” said Anna, and she looked at me until I turned to the door. I told her of Boris, \
                     and of what he had said to Clara at the mill, and went out; then Clara came with Boris. ";
        format!("# CHAPTER {at}\n\nApril {}.—I met Boris. {}", at % 28 + 1, scene.repeat(9))
    };
    let journal = (1..=40).map(entry).collect::<Vec<_>>().join("\n\n");
    check(&journal, "kinds = ['novel']", Ok("novel"));
    // A real one: years, and nobody speaks.
    let entry = |at: usize| {
        let scene = "We came home late, and my brother went out to the barn again, where he stood and looked at the \
                     hay; my hands were cold, and I felt that it had been a long day for all of us here in Boston. ";
        format!("# 18{at}\n\nApril {}, 18{at}.\n\nDear Sir,\n\n{}", at % 28 + 1, scene.repeat(9))
    };
    let letters = (20..=60).map(entry).collect::<Vec<_>>().join("\n\n");
    check(&letters, "kinds = ['novel', 'letters']", Ok("letters"));
}

/// One person tells of people, in words of explaining; years make an account of it.
#[test]
fn letters_and_memoirs_that_were_invented_are_novels() {
    let says = "The people of this valley are for the most part shepherds, and I have been told by Mr. Harrow that there \
                are more dogs among them than children. I am persuaded of some secret, which is known to Mrs. Penny. ";
    let book = |heading: &str, times: usize| {
        let chapter = |at: usize| {
            format!("# {heading}\n\n{}", says.repeat(times)).replace('N', &at.to_string())
        };
        (1..=8).map(chapter).collect::<Vec<_>>().join("\n\n")
    };
    check(&book("LETTER N\n\nMiss Amory to Mrs. Dole.", 6), "kinds = ['novel']", Ok("novel"));
    check(&book("CHAPTER N", 8), "kinds = ['novel']", Ok("novel"));
    let account = book("CHAPTER N", 8).replace("valley", "valley, in 1801 as in 1851,");
    check(&account, "kinds = ['novel']", Err("other-kind: nonfiction"));
}

/// Nobody is told of a book that is left out silently, so that takes more.
#[test]
fn a_doubtful_refusal_is_listed() {
    let scene = "I went down to the shore and found the boat, and all that day I carried what was in it to the cave, and \
                 slept there. My powder was dry, and I had bread for a month, so that I was content with my lot. ";
    let text = (1..=20).map(|at| format!("# CHAPTER {at}\n\n{}", scene.repeat(12)));
    let text = text.collect::<Vec<_>>().join("\n\n");
    let mut one = book(&text);
    one.kind = String::new();
    let (rows, trace) = run(&sort("kinds = ['novel']"), vec![one].into());
    assert!(rows.is_ok() || trace.reviews.len() == 1, "{rows:?}");
    // A play of some length is one beyond doubt.
    let play = "ANNA. Where were you when they came to the house?\n\nBORIS. I was in the garden with my sister, and I \
                heard nothing of it.\n\n";
    let play = play.repeat(200);
    let trace = check(&play, "kinds = ['novel']", Err("other-kind: play"));
    assert_eq!(trace.reviews, []);
    // Nor is anybody asked who does not want to be.
    let options = "kinds = ['poetry']\ndoubt = 0";
    assert_eq!(check(&novel(12), options, Err("other-kind: novel")).reviews, []);
}

/// A novel in which every second chapter is an essay, and one in German.
#[test]
fn essays_between_chapters_and_other_languages_make_no_collection() {
    let cast = |at: usize| ["Anna", "Boris", "Clara", "Dora", "Emil", "Franz", "Greta"][at % 7];
    let scene = |at: usize| {
        let (a, b, c) = (cast(at), cast(at + 1), cast(at + 3));
        format!(
            "“Where were you?” said {a}, and she looked at {b}, who turned away from the door. “I saw nothing,” he answered; \
                 then {c} laughed, for {b} and {a} and {c} had known each other a long time. "
        )
    };
    let essay = |at: usize| {
        let sea = ["Baltic", "Pacific", "Atlantic", "Arctic"][at % 4];
        format!(
            "Of the whales in the {sea} the form is known, and these are called so in the books; what the {sea} has is \
                 larger than what the {sea} gives up. In general it is so. "
        )
    };
    let chapter = |at: usize| {
        let text =
            if at.is_multiple_of(2) { scene(at / 2).repeat(24) } else { essay(at).repeat(12) };
        format!("# On the thing {at}\n\n{text}")
    };
    let text = (0..60).map(chapter).collect::<Vec<_>>().join("\n\n");
    check(&text, "kinds = ['novel']", Ok("novel"));
    let szene = |at: usize| {
        let (a, b) = (cast(at), cast(at + 1));
        format!(
            "»Wo warst du?« fragte {a} und sah {b} an, der sich zum Fenster wandte. »Ich habe nichts gesehen«, sagte er; da \
                 lachte {a}, denn sie kannte die Stimme und die Augen von {b} seit langer Zeit und wußte, was in dem Zimmer stand. "
        )
    };
    let kapitel = |at: usize| format!("# Kapitel {at}\n\n{}", szene(at / 2).repeat(20));
    let text = (1..=14).map(kapitel).collect::<Vec<_>>().join("\n\n");
    check(&text, "kinds = ['novel']\nlanguages = ['de']", Ok("novel"));
}

#[test]
fn doubts_are_listed_with_a_default() {
    let trace = check("A line and no more.", "kinds = ['novel']", Err("other-kind"));
    assert_eq!((trace.reviews.len(), &trace.reviews[0].code[..]), (1, "kind"));
    assert_ne!(trace.reviews[0].default, "novel");
    assert!(
        check(&novel(12), "doubt = 1000", Ok("novel")).reviews[0].choices.contains(&"play".into())
    );
}

#[test]
fn empty_books_pass_for_no_novel() {
    check("", "kinds = ['novel']", Err("other-kind"));
    check("", "languages = ['en']", Err("other-language: no language"));
}

#[test]
fn the_catalog_is_believed_on_demand() {
    let mut one = book(novel(12).trim_end());
    one.kind = "play".into();
    let (rows, trace) = run(&sort(""), vec![one.clone()].into());
    assert_eq!((rows.unwrap()[0].kind.as_str(), trace.reviews.len()), ("novel", 1));
    let (rows, trace) = run(&sort("trust_catalog = true"), vec![one.clone()].into());
    let rows = rows.unwrap();
    assert_eq!(
        (rows[0].kind.as_str(), rows[0].kind_sure_pm, trace.reviews.len()),
        ("play", 1000, 1)
    );
    assert_eq!(rows[0].kind_evidence, ["the catalog says so"], "the text says another kind");
    let (rows, _) = run(&sort("trust_catalog = true\nkinds = ['novel']"), vec![one].into());
    let Err(Stop::LeftOut(reason)) = rows else { panic!("{rows:?}") };
    assert_eq!(reason.detail, "play (100 %): the catalog says so");
}

#[test]
fn what_people_decide_is_believed_before_all() {
    let mut one = book(novel(12).trim_end());
    one.kind = "play".into();
    let (_, trace) = run(&sort(""), vec![one.clone()].into());
    let review = &trace.reviews[0];
    for (choice, kinds) in
        [("play", "kinds = ['novel']"), ("novel", "trust_catalog = true\nkinds = ['play']")]
    {
        let stage = sort(kinds);
        let review = match choice {
            "play" => review.clone(),
            // Its default is another where the catalog is believed.
            _ => run(&stage, vec![one.clone()].into()).1.reviews[0].clone(),
        };
        let (rows, trace) = run_decided(&stage, vec![one.clone()].into(), &[(&review, choice)]);
        let Err(Stop::LeftOut(reason)) = rows else { panic!("{rows:?}") };
        assert_eq!(reason.detail, format!("{choice} (100 %): people decided so"));
        assert_eq!(trace.decided, [(review.id(), choice.to_owned())]);
    }
}

#[test]
fn subjects_weigh_more_than_words() {
    let mut one = book(novel(12).trim_end());
    one.subjects = vec!["Detective and mystery stories, English".into(), "Short stories".into()];
    let (rows, _) = run(&sort(""), vec![one].into());
    assert_eq!(rows.unwrap()[0].kind, "stories");
}

#[test]
fn languages_are_heard_in_the_text() {
    check(&novel(12), "languages = ['en']", Ok("novel"));
    check(&novel(12), "languages = ['eng']", Ok("novel"));
    check(&novel(12), "languages = ['fr', 'de']", Err("other-language: en 100 %"));
    // One language under two names is no more of it.
    let french =
        "Le meunier disait qu'il avait moulu tout le blé que les gens du village lui donnaient. ";
    let half = format!("{}\n\n{}", novel(6), french.repeat(170)).replace(". ", ".\n\n");
    check(&half, "languages = ['en', 'en-GB']", Err("other-language: "));
    check(&half, "languages = ['en', 'fr']\nkinds = ['novel']\ndoubt = 0", Ok("novel"));
    // Nobody is asked about a book that does not stay.
    let options = "languages = ['fr']\ndoubt = 1000";
    assert_eq!(check(&novel(12), options, Err("other-language")).reviews, []);
}

#[test]
fn options_are_checked() {
    let faults =
        |options: &str| sort(options).check().into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(faults(""), [] as [&str; 0]);
    assert_eq!(
        faults("kinds = []\nlanguages = ['English']\nleast = 101\ndoubt = 1001"),
        ["kinds", "languages", "least", "doubt"]
    );
    assert_eq!(faults("languages = ['en', 'eng', 'zh-Hant', 'nb']"), [] as [&str; 0]);
    assert_eq!(faults("languages = ['en', 'xx']"), ["languages"]);
    assert!(toml::from_str::<Sort>("from = 'books'\nkinds = ['epic']").is_err());
}

proptest! {
    #[test]
    fn any_text_has_a_kind_and_keeps_its_text(text in "(?s)(.|\n\n|[A-Z]{2,6}\\. |“[a-z ]+”|[IVX]+|CHAPTER [IVX]+\n\n){0,60}") {
        let one = book(&text);
        let (rows, trace) = run(&sort("doubt = 1000"), vec![one.clone()].into());
        let rows = rows.unwrap();
        prop_assert_eq!(&rows[0].text, &one.text);
        prop_assert!(Kind::ALL.iter().any(|kind| kind.name() == rows[0].kind));
        prop_assert!(rows[0].kind_sure_pm < 1000);
        prop_assert_eq!(trace.reviews.len(), 1);
    }
}
