//! Tests of the stages over archives, and of what an archive answers.

use proptest::prelude::*;
use storymill_core::{
    Archive, ArchivedChunk, ArchivedQuestion, ArchivedRung, Asked, ByteSpan, Chat, Content,
    Distortion, PageFacts, Question, Request, Scene, Summary, Trace,
};

use super::{
    book::ArchivedBook, questions::ArchivedQuestions, recorded::Recorded, scenes::ArchivedScenes,
};
use crate::tests;

/// An archive of chunks, each with the blanks before it. Summaries and false ones are numbered.
fn archive(chunks: &[(&str, Option<&str>)]) -> Archive {
    let chunk = |(at, (text, gap)): (usize, &(&str, Option<&str>))| ArchivedChunk {
        text: (*text).to_owned(),
        gap: gap.map(str::to_owned),
        page: ByteSpan { start: 100, end: 200 },
        summary: format!("Summary of chunk {at}."),
        distortions: vec![format!("False one of chunk {at}.")],
        failure: "OK".to_owned(),
        comment: String::new(),
    };
    Archive {
        book: "t".parse().unwrap(),
        title: String::new(),
        authors: Vec::new(),
        language: String::new(),
        kind: String::new(),
        rights: String::new(),
        source_url: String::new(),
        page: PageFacts::default(),
        chunks: chunks.iter().enumerate().map(chunk).collect(),
        ladder: Vec::new(),
        questions: Vec::new(),
    }
}

fn scenes(archive: &Archive) -> Vec<Scene> {
    let stage: ArchivedScenes = toml::from_str("from = 'a'").unwrap();
    tests::run(&stage, vec![archive.clone()].into()).0.unwrap()
}

fn asked_at(at: &str, of: &str, options: &[&str], answer: &str, memload: &str) -> ArchivedQuestion {
    let options = options.iter().chain(&["None of the above."]).enumerate();
    let options: Vec<_> = options.map(|(at, text)| format!("{}) {text}\n", at + 1)).collect();
    ArchivedQuestion {
        row: 1,
        nth: 1,
        asked_at: at.to_owned(),
        fits: true,
        text: format!("Which?\n{}", options.concat()),
        answer: answer.to_owned(),
        of: of.to_owned(),
        memload: memload.to_owned(),
        broken: String::new(),
    }
}

fn ask(mut archive: Archive, questions: Vec<ArchivedQuestion>) -> (Vec<Question>, Trace) {
    archive.questions = questions;
    let stage = "from = 'a'\nscenes = 's'\nsummaries = 'r'\ndistortions = 'd'";
    let stage: ArchivedQuestions = toml::from_str(stage).unwrap();
    let scenes = scenes(&archive);
    let (summaries, distortions) = (Vec::<Summary>::new(), Vec::<Distortion>::new());
    let input = (vec![archive].into(), scenes.into(), summaries.into(), distortions.into());
    let (rows, trace) = tests::run(&stage, input);
    (rows.unwrap().into_iter().map(Question::from).collect(), trace)
}

fn four() -> Archive {
    archive(&[("A a.", None), ("B b.", Some("\n\n")), ("C c.", Some("")), ("D d.", None)])
}

#[test]
fn books_and_scenes_are_the_same_text() {
    let stage: ArchivedBook = toml::from_str("from = 'a'").unwrap();
    let (books, _) = tests::run(&stage, vec![four()].into());
    let book = books.unwrap().remove(0);
    assert_eq!(book.text, "A a.\n\nB b.C c. D d.");
    let texts: Vec<_> = scenes(&four()).iter().map(|scene| scene.text.clone()).collect();
    assert_eq!(texts, ["A a.\n\n", "B b.", "C c. ", "D d."]);
    let paragraphs: Vec<_> = book
        .paragraphs
        .iter()
        .map(|p| &book.text[p.text.start as usize..p.text.end as usize])
        .collect();
    assert_eq!(paragraphs, ["A a.", "B b.", "C c.", "D d."]);
    let (blank, _) = tests::run(&stage, vec![archive(&[("", None)])].into());
    assert!(
        matches!(blank, Err(storymill_core::Stop::Reject(reason)) if &*reason.code == "no-text")
    );
}

#[test]
fn a_question_gets_its_scene_context_and_demand() {
    let options = [
        "Summary of chunk 3.",
        "Summary  of\nchunk 1.",
        "Another one.",
        "Another.",
        "Yet another.",
    ];
    let (rows, trace) = ask(four(), vec![asked_at("2", "Lookahead", &options, "2", "1")]);
    assert!(trace.rejects.is_empty(), "{:?}", trace.rejects);
    let row = &rows[0];
    assert_eq!((&row.id[..], row.scene(), row.right()), ("t/0002/lookahead", Some(1), Some(1)));
    // What the original's recipe leaves out is there: scenes 0 to 2, the last one included.
    assert_eq!((row.context.length().scenes, row.context.length().symbols), (3, 15));
    assert_eq!((row.demand.to_start.scenes, row.demand.to_start.symbols), (2, 9));
    assert_eq!((row.demand.to_end_symbols, row.memload()), (5, 1));
    assert_eq!(row.options()[0].scene, Some(3));
    assert_eq!(row.options()[0].demand, None);
    assert_eq!(row.options().len(), 6);
}

#[test]
fn none_of_the_above_asks_for_all_that_was_read() {
    let options = ["False one of chunk 0.", "False one of chunk 2.", "Another one."];
    let (rows, _) = ask(four(), vec![asked_at("2", "Change", &options, "4", "2")]);
    let row = &rows[0];
    assert_eq!((row.scene(), &row.kind[..]), (None, "scene-distortion"));
    assert!(row.evidence.is_empty());
    assert_eq!(row.demand.to_start, row.context.length());
    assert_eq!(row.options()[1].scene, Some(2));
}

#[track_caller]
fn check_refused(question: ArchivedQuestion, code: &str, detail: &str) {
    let mut archive = four();
    archive.chunks[3].summary = "Summary of chunk 2.".to_owned();
    let (rows, trace) = ask(archive, vec![question]);
    assert!(rows.is_empty());
    let reason = &trace.rejects[0].reason;
    assert_eq!((&*reason.code, &reason.detail[..]), (code, detail));
    assert_eq!(trace.rejects[0].item, "t/questions/1/1");
}

#[test]
fn what_cannot_be_placed_is_refused() {
    let truth = ["Summary of chunk 1.", "X.", "Y."];
    let good = |at, of, answer, load| asked_at(at, of, &truth, answer, load);
    check_refused(
        good("9", "Change", "1", "8"),
        "no-such-scene",
        "asked after scene 9 of a book of 4",
    );
    check_refused(
        good("x", "Change", "1", "0"),
        "bad-number",
        "column WHEN_ASKED: `x` is no number here",
    );
    check_refused(good("1", "Mixed", "1", "0"), "unknown-type", "no decoys are called `Mixed`");
    check_refused(good("1", "Change", "0", "0"), "answer-out-of-range", "answer 0 of 4 options");
    check_refused(good("1", "Change", "5", "0"), "answer-out-of-range", "answer 5 of 4 options");
    let many: Vec<String> = (0..300).map(|at| format!("X {at}.")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    check_refused(
        asked_at("1", "Change", &many, "299", "0"),
        "answer-out-of-range",
        "answer 299 of 301 options",
    );
    check_refused(
        good("1", "Change", "2", "0"),
        "no-true-scene",
        "the true option is the summary of no scene",
    );
    check_refused(
        good("0", "Change", "1", "0"),
        "no-true-scene",
        "the true option tells of scene 1, behind scene 0",
    );
    check_refused(
        good("2", "Change", "1", "0"),
        "memload-disagrees",
        "the true option is the summary of scene 1, 1 before scene 2, and MEMLOADS says 0",
    );
    check_refused(
        good("2", "Change", "4", "2"),
        "decoy-was-read",
        "a wrong option is the summary of scene 1, which was read",
    );
    let twice = ["Summary of chunk 2.", "X."];
    check_refused(
        asked_at("3", "Change", &twice, "1", "1"),
        "two-scenes-match",
        "scenes 2 and 3 have the summary of the true option",
    );
    let other = ArchivedQuestion { fits: false, ..good("1", "Change", "1", "0") };
    check_refused(other, "chunk-disagrees", "its RAW_CHUNK is not chunk 1 of the book");
    let broken = ArchivedQuestion { broken: "3 cells".to_owned(), ..good("1", "Change", "1", "0") };
    check_refused(broken, "broken-row", "3 cells");
}

#[test]
fn the_same_question_twice_is_placed_once() {
    let question = asked_at("1", "Change", &["Summary of chunk 1.", "X."], "1", "0");
    let again = ArchivedQuestion { row: 2, ..question.clone() };
    let (rows, trace) = ask(four(), vec![question, again]);
    assert_eq!((rows.len(), &*trace.rejects[0].reason.code), (1, "asked-twice"));
}

fn told(
    recorded: &Recorded<'_>,
    stage: &'static str,
    item: &str,
    prompt: &str,
) -> Result<String, String> {
    let content = Content::Chat(Chat::new(prompt));
    let request = Request { model: "m".to_owned(), content, tries: 1 };
    let unit = "t".parse().unwrap();
    let key = request.key(&unit, 0, 0);
    let item = Some(item.to_owned());
    let asked = Asked { key, stage, unit, item, request, sample: 0, attempt: 0 };
    let told = recorded.told(&asked);
    let answer = recorded.answer(&asked);
    assert_eq!(answer.finish_reason == "stop", told.is_ok());
    assert_eq!(answer.text, told.clone().unwrap_or_default());
    told.map_err(|reason| reason.code.to_string())
}

#[test]
fn summaries_become_answers() {
    let mut archive = four();
    archive.chunks[3].summary.clear();
    "Fail".clone_into(&mut archive.chunks[3].failure);
    let rung = |row, level, truth: &str| ArchivedRung {
        row,
        level,
        truth: truth.to_owned(),
        lie: "A false whole.".to_owned(),
        broken: String::new(),
    };
    archive.ladder = vec![rung(1, 0, "No such one."), rung(2, 1, "The whole.")];
    let recorded = Recorded::of(&archive);
    let tagged = |text: &str| Ok(format!("### BEGIN ANSWER ###\n{text}\n### END ANSWER ###"));
    let refused = |code: &str| Err(code.to_owned());
    assert_eq!(told(&recorded, "summarize", "t/0001", ""), tagged("Summary of chunk 1."));
    assert_eq!(told(&recorded, "summarize", "t/0003", ""), refused("failed-in-original"));
    assert_eq!(told(&recorded, "distort", "t/0001/d0", ""), tagged("False one of chunk 1."));
    assert_eq!(told(&recorded, "distort", "t/0001/d1", ""), refused("nothing-recorded"));
    assert_eq!(told(&recorded, "distort", "t/L1/000/d0", ""), tagged("A false whole."));
    // A summary of summaries answers for exactly the summaries that it was made from.
    let pack = |numbers: &[usize]| {
        let entry =
            |(at, of): (usize, &usize)| format!("Summary {}:\nSummary of chunk {of}.", at + 1);
        numbers.iter().enumerate().map(entry).collect::<Vec<_>>().join("\n\n")
    };
    let ladder = |numbers: &[usize]| told(&recorded, "hierarchy", "t/L1/000", &pack(numbers));
    assert_eq!(ladder(&[0, 1, 2]), tagged("The whole."));
    assert_eq!(ladder(&[0, 2]), refused("packs-differ"));
    assert_eq!(ladder(&[0, 1, 2, 3]), refused("packs-differ"));
    let loose: Vec<_> = recorded.loose.iter().map(|(from, why)| (from.row, &*why.code)).collect();
    assert_eq!(loose, [(1, "no-such-summary")]);
}

#[test]
fn a_level_with_other_packs_answers_nothing() {
    let mut archive = four();
    let rung =
        ArchivedRung { row: 1, level: 1, truth: "Half.".to_owned(), ..ArchivedRung::default() };
    archive.ladder = vec![rung.clone(), rung];
    let recorded = Recorded::of(&archive);
    assert_eq!(told(&recorded, "hierarchy", "t/L1/000", ""), Err("packs-differ".to_owned()));
}

proptest! {
    /// Scenes tile the book, one for each chunk, whatever stands between.
    #[test]
    fn scenes_are_the_chunks(
        chunks in prop::collection::vec(("[a-zé]{1,8}( [a-zé]{1,8}){0,3}", prop::option::of("[ \n]{0,3}")), 1..9),
    ) {
        let chunks: Vec<_> = chunks.iter().map(|(text, gap)| (&text[..], gap.as_deref())).collect();
        let archive = archive(&chunks);
        let scenes = scenes(&archive);
        let stage: ArchivedBook = toml::from_str("from = 'a'").unwrap();
        let book = tests::run(&stage, vec![archive].into()).0.unwrap().remove(0);
        prop_assert_eq!(scenes.iter().map(|scene| &scene.text[..]).collect::<String>(), book.text);
        prop_assert_eq!(scenes.len(), chunks.len());
        for (scene, (text, _)) in scenes.iter().zip(&chunks) {
            prop_assert_eq!(scene.text.trim_end(), *text);
        }
        for pair in scenes.windows(2) {
            prop_assert_eq!(pair[0].span.end, pair[1].span.start);
        }
    }

    /// A question is placed at the scene that its true option tells of, and never with another
    /// figure than the original's: demand is that figure and the scene itself.
    #[test]
    fn demand_follows_the_true_scene(count in 1..9_usize, t in 0..9_usize, i in 0..9_usize, claimed in 0..9_usize) {
        let texts: Vec<String> = (0..count).map(|at| format!("Chunk {at} of this book.")).collect();
        let chunks: Vec<_> = texts.iter().map(|text| (&text[..], None)).collect();
        let truth = format!("Summary of chunk {i}.");
        let options = ["False.", &truth[..], "Wrong."];
        let question = asked_at(&t.to_string(), "Otherbook", &options, "2", &claimed.to_string());
        let (rows, _) = ask(archive(&chunks), vec![question]);
        let right = t < count && i <= t && claimed == t - i;
        prop_assert_eq!(rows.len(), usize::from(right));
        for row in rows {
            prop_assert_eq!(row.scene(), u32::try_from(i).ok());
            prop_assert_eq!(row.demand.to_start.scenes as usize, t - i + 1);
            prop_assert_eq!(row.context.length().scenes as usize, t + 1);
            prop_assert_eq!(row.demand.to_start.words as usize, 5 * (t - i + 1));
        }
    }
}
