mod asked;
mod people;

use proptest::prelude::*;
use storymill_core::{
    Answer, Asked, Asker, Book, Cast, Content, Cx, Fault, Record, RequestKey, Rows, Scene, Seed,
    Stage, Stop, Substitution, UnitId,
};

use super::{
    cast::CastStage,
    count::CountNames,
    leaks::CheckNames,
    looked::Undecoded,
    recognise::Recognise,
    rows::{SubstituteBooks, SubstituteScenes},
    substitutes::Substitutes,
};
use crate::tests;

const STORY: &str = "CHAPTER I\n\nMr. Weston smiled. “Come,” said Emma Weston to Harriet Lorne. Mr. Weston’s horse was lame, and \
    Harriet laughed. “Will you ride?” asked Emma. “I will,” said Harriet.\n\nThe Westons rode home with Harriet.\n";

fn cast(book: &Book) -> Rows<Cast> {
    let stage: CastStage = toml::from_str("from = 'books'\ntagger = 'perceptron'").unwrap();
    tests::run(&stage, vec![book.clone()].into()).0.unwrap().into()
}

fn substitutes(book: &Book) -> Rows<Substitution> {
    let stage: Substitutes = toml::from_str("from = 'casts'\nbooks = 'books'").unwrap();
    let input = (cast(book), vec![book.clone()].into());
    tests::run(&stage, input).0.unwrap().into()
}

fn scenes(scenes: &[Scene], substitutes: &Rows<Substitution>) -> Vec<Scene> {
    let stage: SubstituteScenes = toml::from_str("from = 'a'\nsubstitutes = 'b'").unwrap();
    tests::run(&stage, (scenes.to_vec().into(), substitutes.clone())).0.unwrap()
}

#[test]
fn scenes_are_the_book_with_other_names() {
    let catalog = || vec!["Weston family -- Fiction".to_owned()];
    let book = Book {
        subjects: catalog(),
        bookshelves: catalog(),
        kind_evidence: catalog(),
        ..tests::book(STORY)
    };
    let rows = substitutes(&book);
    let parts: Vec<_> = rows.iter().map(|row| (row.part.as_str(), row.count, &*row.role)).collect();
    for part in [("Weston", 3, "family"), ("Emma", 2, "female"), ("Harriet", 4, "female")] {
        assert!(parts.contains(&part), "{part:?} in {parts:?}");
    }
    let stage: SubstituteBooks = toml::from_str("from = 'a'\nsubstitutes = 'b'").unwrap();
    let other = tests::run(&stage, (vec![book.clone()].into(), rows.clone())).0.unwrap().remove(0);
    for name in ["Weston", "Emma", "Harriet", "Lorne"] {
        assert!(!other.text.contains(name), "{name} in {}", other.text);
    }
    assert_eq!(other.chapters[0].title, "CHAPTER I");
    for catalog in [&other.subjects, &other.bookshelves, &other.kind_evidence] {
        assert!(catalog.is_empty(), "{catalog:?}");
    }
    for (old, new) in book.paragraphs.iter().zip(&other.paragraphs) {
        let [old, new] = [&book.text[old.text.bytes()], &other.text[new.text.bytes()]];
        assert_eq!(old.split(' ').count(), new.split(' ').count());
    }
    // A border in the middle of a name leaves it whole.
    let at = STORY.find("ton smiled").unwrap();
    let cut = scenes(&tests::scenes(&[&STORY[..at], &STORY[at..]]), &rows);
    assert_eq!(cut.iter().map(|scene| &*scene.text).collect::<String>(), other.text);
}

#[test]
fn a_cast_that_somebody_wrote_is_taken() {
    let book = tests::book(STORY);
    let made = cast(&book)[0].toml.clone();
    let changed = made.replace("gender = \"female\"", "gender = \"male\"");
    assert_ne!(changed, made);
    let mut stage: CastStage =
        toml::from_str("from = 'books'\ntagger = 'litner'\ncasts = ['t.cast.toml']").unwrap();
    let taken = |stage: &mut CastStage, text: &str| {
        stage.casts[0].fill(text.as_bytes());
        tests::run(stage, vec![book.clone()].into()).0
    };
    let rows = taken(&mut stage, &changed).unwrap();
    assert!(!rows[0].toml.contains("female") && rows[0].toml.contains("male"));
    let refused = |result: Result<Vec<Cast>, Stop>| match result {
        Err(Stop::Reject(reason)) => reason,
        other => panic!("{other:?}"),
    };
    // However the line of the book is written, it is this book's.
    let broken = made.replace("version = 1", "version = 7");
    for spaced in [" = ", "=", "  =\t"] {
        let broken = broken.replace("book = \"t\"", &format!("book{spaced}'t' # ours"));
        assert!(!broken.contains("book = \"t\""));
        assert_eq!(refused(taken(&mut stage, &broken)).code, "cast-unreadable");
    }
    let nobodys = made.replace("book = ", "# book = ");
    assert_eq!(refused(taken(&mut stage, &nobodys)).code, "cast-unreadable");

    let mut stage: CastStage =
        toml::from_str("from = 'books'\ntagger = 'perceptron'\ncasts = ['a.toml', 'b.toml']")
            .unwrap();
    stage.casts[0].fill(changed.as_bytes());
    stage.casts[1].fill(made.replace("\"t\"", "\"u\"").as_bytes());
    let rows = tests::run(&stage, vec![book.clone()].into()).0.unwrap();
    assert!(!rows[0].toml.contains("female"));
    stage.casts[1].fill(made.as_bytes());
    let reason = refused(tests::run(&stage, vec![book.clone()].into()).0);
    assert_eq!(reason.code, "two-casts");
    assert!(reason.detail.contains("a.toml") && reason.detail.contains("b.toml"), "{reason:?}");
}

/// What `check-names` finds in rows, given two substitutes.
#[track_caller]
fn check_leaks_in<R: Record>(edge: &str, rows: &[R], careful: bool, expected: &[&str]) {
    let row = Substitution {
        book: "t".parse().unwrap(),
        part: "Renée".into(),
        substitute: "Odette".into(),
        role: "female".into(),
        written: Vec::new(),
        count: 1,
        careful,
        at: Vec::new(),
    };
    let irish = Substitution {
        part: "O'Brien".into(),
        substitute: "Power".into(),
        careful: false,
        ..row.clone()
    };
    let parts = [Substitution::encode(&[row, irish]).unwrap(), R::encode(rows).unwrap()];
    let run = |fail: bool| {
        let lines = format!("substitutes = 'a'\n{edge} = 'b'\nfail = {fail}");
        let stage: CheckNames = toml::from_str(&lines).unwrap();
        tests::run(&stage, Undecoded::of(parts.to_vec())).0
    };
    let left = run(false).unwrap();
    let ids: std::collections::BTreeSet<String> =
        left.iter().map(storymill_core::Leak::id).collect();
    assert_eq!(ids.len(), left.len());
    let left: Vec<_> = left.iter().map(|leak| &*leak.part).collect();
    assert_eq!(left, expected);
    assert_eq!(matches!(run(true), Err(Stop::Fault(_))), !expected.is_empty());
}

#[track_caller]
fn check_leaks(text: &str, careful: bool, expected: &[&str]) {
    check_leaks_in("scenes", &tests::scenes(&[text]), careful, expected);
}

#[test]
fn every_text_of_a_book_is_looked_through() {
    let name = || vec!["Letters to Renée".to_owned()];
    let plain = || tests::book("Nobody.");
    check_leaks_in("books", &[plain()], false, &[]);
    for book in [
        Book { subjects: name(), ..plain() },
        Book { bookshelves: name(), ..plain() },
        Book { kind_evidence: name(), ..plain() },
        Book { title: "Renée".into(), ..plain() },
        Book { source_url: "https://example.org/Renée/".into(), ..plain() },
        tests::book("CHAPTER Renée"),
    ] {
        let times = if book.chapters.is_empty() { 1 } else { 2 };
        check_leaks_in("books", &[book], false, &["Renée"].repeat(times));
    }
}

#[test]
fn names_that_are_left_end_the_build() {
    check_leaks("Odette saw Mr. Power.", false, &[]);
    check_leaks("I saw RENEE and Renée’s hat.", false, &["Renée", "Renée"]);
    check_leaks("I saw Re-\nnée once.", false, &["Renée"]);
    check_leaks("O’Brien saw Re-\nnée in Odet-\nte.", false, &["O'Brien", "Renée"]);
    check_leaks("Re-\nnée saw Mr. O’Brien and Re-\n", false, &["O'Brien", "Renée"]);
    check_leaks("Mr. O’Brien came.", false, &["O'Brien"]);
    check_leaks("They were renée.", false, &[]);
    check_leaks("Renée came.", true, &[]);
}

/// A question whose first option tells of another book.
fn asked(texts: &[&str]) -> storymill_core::ReadAlongQuestion {
    use storymill_core::{Choice, Demand, Form, OptionKind, Question, QuestionType, Recipe};
    let option = |(at, text): (usize, &&str)| Choice {
        kind: OptionKind::Decoy(QuestionType::OtherBook),
        text: (*text).to_owned(),
        from: String::new(),
        book: Some(if at == 0 { "u" } else { "t" }.parse().unwrap()),
        scene: None,
        demand: None,
        names: Vec::new(),
    };
    let options = texts.iter().enumerate().map(option).collect();
    storymill_core::ReadAlongQuestion(Question {
        id: "t/0001/other-book".into(),
        of: "t".parse().unwrap(),
        kind: "other-book".into(),
        task: "Which of these was read?".into(),
        form: Form::Options { given: Vec::new(), options, right: 0 },
        about: Vec::new(),
        evidence: Vec::new(),
        demands: Vec::new(),
        demand: Demand::default(),
        context: Recipe::Nothing,
        made_by: None,
    })
}

#[test]
fn names_are_found_without_the_cast() {
    let book = tests::book(STORY);
    // Nobody found Harriet: the cast lacks her, and so do the substitutes.
    let all = substitutes(&book);
    let rows = all.iter().filter(|row| row.part != "Harriet").cloned();
    let rows: Rows<Substitution> = rows.collect::<Vec<_>>().into();
    let other = scenes(&tests::scenes(&[STORY]), &rows);
    let question = asked(&["Mr. Dunmore came with Harriet.", "Mr. Dunmore saw Emma."]);
    let parts = [
        Substitution::encode(&rows).unwrap(),
        Book::encode(&[book]).unwrap(),
        Scene::encode(&other).unwrap(),
        storymill_core::ReadAlongQuestion::encode(&[question]).unwrap(),
    ];
    let lines = "originals = 'b'\nscenes = 'c'\nquestions = 'd'\n";
    let stage: CheckNames =
        toml::from_str(&format!("substitutes = 'a'\nfail = false\n{lines}")).unwrap();
    let left = tests::run(&stage, Undecoded::of(parts.to_vec())).0.unwrap();
    let told = |leak: &storymill_core::Leak| {
        (leak.record.clone(), leak.part.clone(), leak.sign.clone(), leak.has_substitute)
    };
    let left: Vec<_> = left.iter().map(told).collect();
    let count = |record: &str, part: &str| {
        left.iter().filter(|(of, name, ..)| of == record && name == part).count()
    };
    assert_eq!((count("scene", "Harriet"), count("question", "Harriet")), (4, 1), "{left:?}");
    assert_eq!((count("question", "Emma"), count("scene", "Emma")), (1, 0));
    let of = |name: &str| left.iter().find(|(_, part, ..)| part == name).unwrap();
    assert!(of("Emma").3 && of("Emma").2 == "gone-elsewhere");
    assert!(!of("Harriet").3 && of("Harriet").2 == "as-persons");
    // Only an option that tells of another book may have names of another book.
    assert_eq!((count("question", "Dunmore"), &*of("Dunmore").2), (1, "other-book"));

    // Emma should have been replaced, and ends a build; the others are rows.
    let strict: CheckNames = toml::from_str(&format!("substitutes = 'a'\n{lines}")).unwrap();
    let said = tests::run(&strict, Undecoded::of(parts.to_vec())).0;
    assert!(matches!(said, Err(Stop::Fault(fault)) if fault.message.starts_with("1 names")));

    let stage: CountNames = toml::from_str(lines).unwrap();
    let counts = tests::run(&stage, Undecoded::of(parts[1..].to_vec())).0.unwrap();
    let counts: Vec<_> = counts.iter().map(|one| (&*one.record, one.left, one.words)).collect();
    assert_eq!(counts[0].0, "scene");
    assert_eq!(counts.iter().map(|(_, left, _)| *left as usize).sum::<usize>(), left.len());
    assert_eq!(counts[1], ("question", 3, 14));
}

/// Always guesses the same.
struct Guesses(&'static str, std::sync::Mutex<Vec<String>>);

impl Asker for Guesses {
    fn get(&self, _: &RequestKey) -> Result<Option<Answer>, Fault> {
        let text = format!("### BEGIN ANSWER ###\n{}", self.0);
        Ok(Some(Answer { text, finish_reason: "stop".into() }))
    }

    fn key(
        &self,
        unit: &UnitId,
        request: &storymill_core::Request,
        sample: u32,
        attempt: u32,
    ) -> Result<RequestKey, Fault> {
        self.1.lock().unwrap().push(format!("{:?}", request.content));
        Ok(request.key(unit, sample, attempt))
    }

    fn ask(&self, _: &[Asked]) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn the_same_passages_are_shown_whatever_their_names() {
    let book = tests::book(STORY);
    let own = tests::scenes(&STORY.split_inclusive(". ").collect::<Vec<_>>());
    let other = scenes(&own, &substitutes(&book));
    let stage: Recognise = toml::from_str("scenes = 'a'\nbooks = 'b'").unwrap();
    let unit: UnitId = "t".parse().unwrap();
    let run = |scenes: &[Scene], says| {
        let asker = Guesses(says, std::sync::Mutex::default());
        let mut cx = Cx::new(Recognise::KIND, &unit, Seed::new(1), &asker);
        let rows = stage.run((scenes.to_vec().into(), vec![book.clone()].into()), &mut cx).unwrap();
        (rows, asker.1.into_inner().unwrap().concat())
    };
    let (before, shown) = run(&own, "TITLE: T\nAUTHOR: A");
    let (after, hidden) = run(&other, "TITLE: unknown\nAUTHOR: unknown");
    assert_eq!(before.len(), 3);
    assert!(before.iter().all(|row| row.title_right && row.author_right));
    assert!(after.iter().all(|row| !row.title_right && row.title.is_empty()));
    let at =
        |rows: &[storymill_core::Recognition]| rows.iter().map(|row| row.scene).collect::<Vec<_>>();
    assert_eq!(at(&before), at(&after));
    let named = |text: &str| ["Weston", "Emma", "Harriet"].iter().any(|name| text.contains(name));
    assert!(named(&shown) && !named(&hidden));
}
