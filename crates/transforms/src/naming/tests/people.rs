//! What is put before people.

use super::*;

#[test]
fn what_people_decide_of_names_is_done() {
    // Fox is a word too, and nothing tells whether Zorka is a woman or a man.
    let told = "Harriet Fox came in. “Come,” said Mr. Fox to Zorka. A fox ran by. Zorka came too, and Zorka said so. ";
    let book = tests::book(&told.repeat(30));
    let stage: CastStage = toml::from_str("from = 'books'\ntagger = 'perceptron'").unwrap();
    let cast = |decided: &[(&storymill_core::Review, &str)]| {
        let (rows, trace) = tests::run_decided(&stage, vec![book.clone()].into(), decided);
        (storymill_names::CastFile::parse(&rows.unwrap()[0].toml).unwrap(), trace)
    };
    let (plain, trace) = cast(&[]);
    assert!(!trace.reviews.is_empty(), "{plain:#?}");
    for review in &trace.reviews {
        match &*review.code {
            "gender" => {
                let (file, _) = cast(&[(review, "female")]);
                let women = |file: &storymill_names::CastFile| {
                    let of = storymill_names::Gender::Female;
                    file.characters.iter().filter(|one| one.gender == of).count()
                };
                assert_eq!(women(&file), women(&plain) + 1);
            }
            "name-or-word" => {
                let (file, _) = cast(&[(review, "everywhere")]);
                assert_eq!(file.careful.len() + 1, plain.careful.len());
                assert_eq!(file.characters, plain.characters);
                let (file, trace) = cast(&[(review, "nowhere")]);
                assert_eq!(file.careful.len() + 1, plain.careful.len());
                assert_ne!(file.characters, plain.characters);
                assert_eq!(trace.decided, [(review.id(), "nowhere".to_owned())]);
            }
            "cast" => {
                let said = serde_json::json!({ "names": [
                    { "gender": { "of": "Zorka", "gender": "female" } },
                    { "keep": { "of": "Zorka" } },
                ] });
                let line = |choice: &str| {
                    let id = review.id();
                    serde_json::json!({ "review": id, "choice": choice, "said": said }).to_string()
                };
                let cast = |line: String| {
                    let (rows, trace) =
                        tests::run_lines(&stage, vec![book.clone()].into(), &[line]);
                    (storymill_names::CastFile::parse(&rows.unwrap()[0].toml).unwrap(), trace)
                };
                let (file, trace) = cast(line("changed"));
                let zorka = file.characters.iter().find(|one| one.name == "Zorka").unwrap();
                let female = storymill_names::Gender::Female;
                assert_eq!((zorka.gender, zorka.keep, trace.said.len()), (female, true, 1));
                // What is said with another choice changes nothing.
                assert_eq!(cast(line("as found")).0, plain);
                // What cannot be done costs this book its cast, and nobody else.
                let rejected = |change: serde_json::Value| {
                    let id = review.id();
                    let line = serde_json::json!({
                        "review": id, "choice": "changed", "said": { "names": [change] },
                    });
                    let (rows, trace) =
                        tests::run_lines(&stage, vec![book.clone()].into(), &[line.to_string()]);
                    assert!(trace.reviews.contains(review), "it can still be decided anew");
                    match rows {
                        Err(Stop::Reject(reason)) => (reason.code, reason.detail),
                        other => panic!("{other:?}"),
                    }
                };
                let put =
                    |by: &str| serde_json::json!({ "substitute": { "name": "Zorka", "by": by } });
                let nobody = serde_json::json!({ "keep": { "of": "Nobody" } });
                for (change, says) in [
                    (put("Came"), "the book has that word already"),
                    (put("Sherlock"), "known from famous fiction"),
                    (nobody, "nobody in the cast"),
                ] {
                    let (code, detail) = rejected(change);
                    assert_eq!(code, "cast-changes");
                    assert!(detail.contains(says), "{detail}");
                }
            }
            other => panic!("{other}"),
        }
    }
    let codes: std::collections::BTreeSet<_> = trace.reviews.iter().map(|one| &*one.code).collect();
    assert_eq!(codes.len(), 3, "{codes:?}: {plain:#?}");
}

#[test]
fn a_book_in_another_language_has_no_names_and_says_so() {
    let book = Book { language: "fr".into(), ..tests::book(STORY) };
    let stage: CastStage = toml::from_str("from = 'books'\ntagger = 'perceptron'").unwrap();
    let (rows, trace) = tests::run(&stage, vec![book].into());
    assert!(!rows.unwrap()[0].toml.contains("[[character]]"));
    assert_eq!(trace.reviews[0].code, "names-not-english");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn scenes_joined_are_the_substituted_book(cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..5)) {
        let book = tests::book(STORY);
        let rows = substitutes(&book);
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(STORY.len())).filter(|at| STORY.is_char_boundary(*at)).collect();
        at.extend([0, STORY.len()]);
        at.sort_unstable();
        let texts: Vec<&str> = at.windows(2).map(|pair| &STORY[pair[0]..pair[1]]).collect();
        let new = scenes(&tests::scenes(&texts), &rows);
        let whole = scenes(&tests::scenes(&[STORY]), &rows);
        let joined: String = new.iter().map(|scene| &*scene.text).collect();
        prop_assert_eq!(&joined, &whole[0].text);
        for scene in &new {
            prop_assert_eq!(&joined[scene.span.bytes()], &scene.text);
        }
    }
}

#[test]
fn a_first_name_that_several_bear_is_one_name_and_is_told() {
    let page = "Mr. Charles Weston smiled. “Come,” said Mr. Charles Lorne. Charles laughed, and Mr. Lorne rode home. \
        Mr. Charles Lorne met Mr. Charles Weston, and Mr. Weston asked Charles to stay. ";
    let book = tests::book(&page.repeat(4));
    let stage: CastStage = toml::from_str("from = 'books'\ntagger = 'perceptron'").unwrap();
    let (_, trace) = tests::run(&stage, vec![book.clone()].into());
    let shared: Vec<_> = trace.reviews.iter().filter(|one| one.code == "shared-name").collect();
    assert_eq!(shared.len(), 1, "{:#?}", trace.reviews);
    assert_eq!(shared[0].about, "Charles");
    assert!(["Weston", "Lorne"].iter().all(|name| shared[0].excerpt.contains(name)), "{shared:?}");
    let rows = substitutes(&book);
    assert_eq!(rows.iter().filter(|row| row.part == "Charles").count(), 1);
    let (alone, _) = tests::run(&stage, vec![tests::book(STORY)].into());
    assert!(alone.is_ok());
}

#[test]
fn of_what_follows_the_substitutes_nobody_is_asked() {
    let told = "Mr. Weston sat. “Come,” said Tom to Emma Weston. The Westons went, and the house was theirs. ";
    let book = tests::book(&told.repeat(6));
    let stage: CastStage = toml::from_str("from = 'books'\ntagger = 'perceptron'").unwrap();
    let (_, trace) = tests::run_decided(&stage, vec![book].into(), &[]);
    let missed: Vec<_> = trace.reviews.iter().filter(|one| one.code == "missed").collect();
    assert!(missed.is_empty(), "{missed:?}");
}
