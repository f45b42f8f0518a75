//! Tests of `chunk`.

use proptest::prelude::*;

use super::*;
use crate::tests::{book, run, sets};

fn chunk(max: u32, at: At) -> Chunk {
    Chunk { from: Edge::to("books"), max, at, chapters: None, tokens: Vec::new() }
}

fn texts(stage: &Chunk, text: &str) -> Vec<String> {
    let (rows, _) = run(stage, vec![book(text)].into());
    rows.unwrap().into_iter().map(|scene| scene.text).collect()
}

/// `|` stands where a scene must end.
#[track_caller]
fn check(stage: &Chunk, marked: &str) {
    let found = texts(stage, &marked.replace('|', ""));
    assert_eq!(found.join("|"), marked);
}

#[test]
fn scenes_end_with_sentences() {
    let at = |max| chunk(max, At::Sentence);
    check(&at(100), "One short text.");
    check(&at(12), "It rained. |He left. |It rained.");
    check(&at(30), "Mr. Pym left it. |He met Mrs. Venn there.");
    check(&at(20), "A sentence, |much too long; |for one scene.");
    check(&at(12), "Nocommahere |but blanks. |Yes.");
    check(&at(5), "Unbre|akabl|e.");
    check(&at(8), "他走了，她來了、|誰也沒有走。");
}

#[test]
fn chapters_begin_scenes() {
    let at = |max| chunk(max, At::Sentence);
    let story = "It rained and it rained. The river rose.";
    check(&at(100), &format!("# I\n\n{story}\n\n|# II\n\n{story}"));
    check(&at(40), &format!("# I\n\n{}", story.replace("The", "|The")));
    // A heading never ends a scene; a tiny chapter shares the next one's.
    check(&at(27), "It rained and it rained.\n\n|# Two\n\nIt rained again.");
    check(&at(400), &format!("# Part\n\n# I\n\n{story}\n\n|# II\n\n{story}"));
    check(&at(400), &format!("# I\n\nShort.\n\n# II\n\n{story}\n\n|# III\n\n{story}"));
    check(&at(400), &format!("# I\n\n{story}\n\n# II\n\nShort."));
    let flat = Chunk { chapters: Some(false), ..at(100) };
    check(&flat, "# I\n\nIt rained and rained.\n\n# II\n\nIt rained again.");
}

#[test]
fn a_tiny_rest_is_shared() {
    let ten = "Aaaa bbbb. ";
    let found = texts(&chunk(100, At::Sentence), &format!("{}Yes.", ten.repeat(9)));
    assert_eq!(found.iter().map(String::len).collect::<Vec<_>>(), [44, 59]);
}

#[test]
fn dots_are_the_originals() {
    let at = |max| chunk(max, At::Dot);
    check(&at(12), "Mr. Pym.| He left...| Yes");
    check(&at(8), "one two| three| four.");
    check(&at(8), "one,two|,three|,four.");
    check(&at(4), "unbr|eaka|ble.");
    check(&at(3), "éàü|éàü");
}

#[test]
fn spans_and_chapters_are_told() {
    let text = "Éloge.\n\n# I\n\nÉté. Hiver.";
    let (rows, _) = run(&chunk(11, At::Sentence), vec![book(text)].into());
    let rows = rows.unwrap();
    assert!(rows.iter().all(|scene| text[scene.span.bytes()] == scene.text));
    assert_eq!(
        rows.iter().map(|scene| scene.chapter).collect::<Vec<_>>(),
        [None, Some(0), Some(0)]
    );
    assert_eq!(rows.iter().map(|scene| scene.span.start.symbol).collect::<Vec<_>>(), [0, 8, 18]);
}

#[test]
fn an_empty_book_is_a_reject() {
    let (rows, _) = run(&chunk(10, At::Sentence), vec![book("")].into());
    assert!(matches!(rows, Err(Stop::Reject(reason)) if reason.code == "no-text"));
}

#[test]
fn options_are_checked() {
    let faults = |stage: &Chunk| stage.check().into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(faults(&chunk(3000, At::Dot)), [] as [&str; 0]);
    let wrong = Chunk { chapters: Some(true), ..chunk(0, At::Dot) };
    assert_eq!(faults(&wrong), ["max", "chapters"]);
    assert!(toml::from_str::<Chunk>("from = 'books'\nmaximum = 3").is_err());
}

/// Lengths of all scenes and hashes of the first equal the original program's, and those of its rule
/// written anew in Python.
#[test]
fn dot_equals_narrativexl() {
    for folder in sets("narrativexl") {
        equals_narrativexl(&folder);
    }
}

fn equals_narrativexl(folder: &std::path::Path) {
    let expected = std::fs::read(folder.join("expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    for (name, expected) in expected["chunks"].as_object().unwrap() {
        let text =
            std::fs::read_to_string(folder.join(format!("../nocha/books/{name}.txt"))).unwrap();
        assert_eq!(text.chars().count(), expected["chars"]);
        let scenes = texts(&chunk(3000, At::Dot), &text);
        let lengths: Vec<_> = scenes.iter().map(|scene| scene.chars().count()).collect();
        assert_eq!(serde_json::json!(lengths), expected["chunk_chars"], "{name}");
        let words: u32 = scenes.iter().map(|scene| word_count(scene)).sum();
        assert_eq!(words, expected["chunk_words_total"]);
        assert_eq!(scenes.concat(), text);
        let sha256 = |text: &String| {
            use sha2::{Digest, Sha256};
            let digest: [u8; 32] = Sha256::digest(text).into();
            storymill_core::Digest::from(digest).to_string()
        };
        let first: Vec<_> = scenes.iter().take(3).map(sha256).collect();
        assert_eq!(serde_json::json!(first), expected["sha256_first3"], "{name}");
    }
}

/// Every scene of a whole novel ends where a sentence does, and no word is cut.
#[test]
fn a_novel_is_cut_well() {
    let novels = ["the_lamp_on_gull_rock.txt", "anne_of_green_gables_lm_montgomery.txt"];
    for (folder, novel) in sets("nocha/books").iter().zip(novels) {
        is_cut_well(&std::fs::read_to_string(folder.join(novel)).unwrap());
    }
}

fn is_cut_well(text: &str) {
    for max in [500, 3000] {
        let scenes = texts(&chunk(max, At::Sentence), text);
        let whole: u32 = scenes.iter().map(|scene| word_count(scene)).sum();
        assert_eq!(whole, word_count(text));
        let good = |scene: &&String| {
            scene.trim_end().ends_with(['.', '!', '?', '”', '’', ')', ':', ';', ',', '—', '_'])
                || scene.ends_with('\n')
        };
        let bad: Vec<_> = scenes.iter().filter(|scene| !good(scene)).collect();
        assert!(bad.is_empty(), "{bad:#?}");
        assert!(scenes.iter().all(|scene| scene.chars().count() <= max as usize));
    }
}

proptest! {
    #[test]
    fn scenes_are_the_book(
        text in "[ A-Za-z.,!?é”“。，\n]{1,400}|(CHAPTER [IVX]\n\n|[A-Za-z ]{1,20}[.!?] ?|\n\n|# [A-Z]\n\n){1,40}",
        max in 1..200_u32,
        at in prop::sample::select(vec![At::Sentence, At::Dot]),
    ) {
        let (rows, _) = run(&chunk(max, at), vec![book(&text)].into());
        let rows = rows.unwrap();
        prop_assert_eq!(rows.iter().map(|scene| &scene.text[..]).collect::<String>(), &text[..]);
        for (position, scene) in (0..).zip(&rows) {
            prop_assert_eq!(scene.scene, position);
            prop_assert!((1..=max).contains(&scene.span.symbols()));
            prop_assert_eq!(&text[scene.span.bytes()], &scene.text);
            prop_assert_eq!(scene.words, word_count(&scene.text));
        }
        // A word is only cut where it and the blanks before it take more than a scene.
        let most = |keep: fn(char) -> bool| {
            text.split(|c: char| !keep(c)).map(|run| run.chars().count()).max().unwrap_or(0)
        };
        let longest = most(|c| !c.is_whitespace()) + most(char::is_whitespace);
        if at == At::Sentence && !text.contains(['。', '，']) && longest < max as usize {
            prop_assert_eq!(rows.iter().map(|scene| scene.words).sum::<u32>(), word_count(&text));
        }
    }

    #[test]
    fn neighbours_change_nothing(one in "[ A-Za-z.,\n]{1,200}", two in "[ A-Za-z.,\n]{1,200}", max in 1..50_u32) {
        let stage = chunk(max, At::Sentence);
        let both = run(&stage, vec![book(&one), book(&two)].into()).0.unwrap();
        let alone = [one, two].map(|text| run(&stage, vec![book(&text)].into()).0.unwrap()).concat();
        prop_assert_eq!(both, alone);
    }
}
