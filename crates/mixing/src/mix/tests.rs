use proptest::prelude::*;
use storymill_core::{Document, Scope};

use super::*;
use crate::unmix;

fn ends(text: &str) -> Vec<usize> {
    let mut ends: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 2).collect();
    ends.push(text.len());
    ends
}

fn options(levels: &[u32]) -> Options {
    Options {
        levels: levels.to_vec(),
        heading: None,
        disperse: false,
        nested: true,
        same_depth: true,
        balance: true,
        confusing: true,
        replace: true,
        flag: false,
        bare: false,
    }
}

/// A set of questions and documents in made-up words.
fn rows(questions: usize, documents: usize, words: usize) -> Vec<SetQuestion> {
    let text = |at: usize| -> String {
        let words = (0..words + at % 7).map(|word| {
            let end = if word % 9 == 8 { "." } else { "" };
            format!("w{}x{end}", (at * 31 + word * 17) % 97)
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let question = |at: usize| SetQuestion {
        id: format!("q{at}"),
        language: "en".into(),
        question: format!("Where did Pell{at} go?"),
        answers: vec![format!("to Orm{at}")],
        keywords: format!("Orm{at}"),
        documents: vec![
            Document {
                title: String::new(),
                text: format!("Pell{at} went to Orm{at}. {}", text(at)),
            },
            Document {
                title: "Second".into(),
                text: format!("Pell{at} came back. {}", text(at + 500)),
            },
        ],
        supporting: vec![0, 1],
        confusing: vec![format!("Pell{at} never slept."), format!("Someone else went to Ulm{at}.")],
        rules: vec![Rule {
            from: format!("Orm{at}"),
            to: format!("Vask{at}"),
            scope: vec![Scope::Context, Scope::Answer],
        }],
        ..SetQuestion::default()
    };
    let others = SetQuestion {
        id: "pool".into(),
        language: "en".into(),
        documents: (0..documents)
            .map(|at| Document { title: String::new(), text: text(at + 1_000) })
            .collect(),
        ..SetQuestion::default()
    };
    (0..questions).map(question).chain([others]).collect()
}

fn all(rows: &[SetQuestion], options: &Options, seed: u64) -> Vec<(Vec<Context>, Vec<String>)> {
    let set: UnitId = "t".parse().unwrap();
    let pool = Pool::new(&set, rows, Language::English, |at| !rows[at].question.is_empty());
    let asked = rows.iter().enumerate().filter(|(_, row)| !row.question.is_empty());
    asked
        .map(|(at, row)| {
            let mut texts = Vec::new();
            let mut each = |_: &Context, text: &str| texts.push(text.to_owned());
            let mixed = mix(&set, at, row, &pool, options, at, Seed::new(seed), &ends, &mut each);
            assert_eq!(mixed.unmixable, []);
            for (context, text) in mixed.contexts.iter().zip(&texts) {
                let replacer = Replacer::new(&context.rules, Language::English);
                let passages: Vec<&str> =
                    context.passages.iter().map(|number| pool.text(*number)).collect();
                assert_eq!(unmix(context, &replacer, text).unwrap(), passages);
                assert!(
                    !context
                        .passages
                        .iter()
                        .enumerate()
                        .any(|(at, number)| context.passages[..at].contains(number))
                );
                assert_eq!(context.length, length(text, Language::English));
                for evidence in &context.evidence {
                    assert!(text[evidence.span.bytes()].contains("Pell"));
                }
                for insertion in &context.insertions {
                    assert_eq!(insertion.text, text[insertion.span.bytes()]);
                    assert!(context.confusing.contains(&insertion.text));
                }
            }
            (mixed.contexts, texts)
        })
        .collect()
}

#[test]
fn depths_are_balanced_and_hold_at_all_levels() {
    let rows = rows(20, 400, 30);
    let found = all(&rows, &options(&[1_000, 2_000, 8_000]), 5);
    let mut tenths = [0; 10];
    for (contexts, _) in &found {
        for context in contexts {
            assert_eq!(context.evidence.len(), 1);
            assert_eq!(
                u16::from(context.decile),
                (context.evidence[0].depth_pm / 100).min(9),
                "{}",
                context.id
            );
        }
        tenths[usize::from(contexts[0].decile)] += 1;
    }
    assert_eq!(tenths, [2; 10]);
}

#[test]
fn levels_may_draw_their_own_passages() {
    let rows = rows(10, 400, 30);
    let own = Options { nested: false, ..options(&[1_000, 2_000]) };
    let nested = |context: &[Context]| {
        context[0].passages.iter().all(|number| context[1].passages.contains(number))
    };
    let found = all(&rows, &own, 5);
    assert!(found.iter().all(|(contexts, _)| !nested(contexts)));
    assert!(found.iter().all(|(contexts, _)| contexts[0].decile == contexts[1].decile));
    let free = all(&rows, &Options { same_depth: false, ..own }, 5);
    assert!(free.iter().any(|(contexts, _)| contexts[0].decile != contexts[1].decile));
    for at in 0..2 {
        let mut tenths: Vec<u8> = free.iter().map(|(contexts, _)| contexts[at].decile).collect();
        tenths.sort_unstable();
        assert_eq!(tenths, (0..10).collect::<Vec<u8>>());
    }
}

#[test]
fn facts_stand_between_two_sentences() {
    let mut rows = rows(1, 200, 30);
    // Most passages are a single sentence, and have no place between two.
    for document in &mut rows[1].documents[10..] {
        document.text = document.text.replace('.', "");
    }
    for seed in 0..5 {
        let (contexts, texts) = &all(&rows, &options(&[5_900]), seed)[0];
        for insertion in &contexts[0].insertions {
            let span = insertion.span.bytes();
            let text = &texts[0];
            assert!(text[..span.start].ends_with(". ") && !text[span.end..].starts_with('\n'));
        }
    }
}

#[test]
fn without_a_context_there_is_one_recipe() {
    let rows = rows(2, 5, 30);
    for (replace, name) in [(true, "bare+kpr"), (false, "bare")] {
        let found = all(&rows, &Options { bare: true, replace, ..options(&[1_000]) }, 5);
        let (contexts, texts) = &found[0];
        assert_eq!((contexts.len(), &texts[0][..], contexts[0].level), (1, "", 0));
        assert_eq!((&contexts[0].ablation[..], &contexts[0].id[..]), (name, "t_0/q0"));
        assert_eq!(contexts[0].answers[0], if replace { "to Vask0" } else { "to Orm0" });
        assert!(contexts[0].confusing.is_empty() && contexts[0].evidence.is_empty());
    }
}

#[test]
fn documents_are_dispersed() {
    let rows = rows(10, 400, 30);
    let found = all(&rows, &Options { disperse: true, ..options(&[2_000, 4_000]) }, 5);
    for (contexts, _) in &found {
        for context in contexts {
            let depths: Vec<u16> = context.evidence.iter().map(|one| one.depth_pm).collect();
            assert_eq!(depths.len(), 2);
            assert!(depths[1].abs_diff(depths[0]).abs_diff(500) < 60, "{depths:?}");
        }
    }
}

#[test]
fn what_is_missing_is_told() {
    let set: UnitId = "t".parse().unwrap();
    let rows = rows(1, 3, 20);
    let pool = Pool::new(&set, &rows, Language::English, |at| at == 0);
    let run = |level: u32, rows: &[SetQuestion]| {
        let mixed = mix(
            &set,
            0,
            &rows[0],
            &pool,
            &options(&[level]),
            0,
            Seed::new(1),
            &ends,
            &mut |_, _| (),
        );
        mixed.unmixable[0].reason.clone()
    };
    let reason = run(1_000, &rows);
    assert_eq!(&*reason.code, "too-few-distractors");
    assert!(reason.detail.contains("words are missing to reach 1000"), "{}", reason.detail);
    assert_eq!(&*run(10, &rows).code, "evidence-too-long");
    let mut bare = rows.clone();
    bare[0].supporting.clear();
    assert_eq!(&*run(100, &bare).code, "no-evidence");
}

#[test]
fn a_long_document_distracts_in_pieces_and_is_evidence_whole() {
    let mut rows = rows(2, 20, 30);
    let novel = |name: &str| {
        let chapter =
            |at: usize| format!("CHAPTER {at}\n\n{}\n\n", format!("{name} slept. ").repeat(700));
        let text = (1..40).map(chapter).collect();
        Document { title: name.into(), text }
    };
    rows[0].documents[0].text += &novel("Dray").text;
    for name in ["Crane", "Loft", "Marsh"] {
        rows[2].documents.push(novel(name));
    }
    let levels = [16_000, 32_000, 64_000];
    let found = all(&rows[1..], &options(&levels), 5);
    for context in &found[0].0 {
        let over = context.length - context.level;
        assert!(over < crate::LONGEST + 10, "{} is {}", context.id, context.length);
    }
    let mixed = all(&[rows.remove(0), rows.pop().unwrap()], &options(&[128_000]), 5);
    let (contexts, texts) = &mixed[0];
    let evidence = &texts[0][contexts[0].evidence[0].span.bytes()];
    assert_eq!(evidence.matches("Dray slept.").count(), 39 * 700);
    assert_eq!(texts[0].matches("Dray slept.").count(), 39 * 700);
}

#[test]
fn a_context_that_edits_make_too_long_is_refused() {
    let mut rows = rows(1, 200, 30);
    rows[0].confusing = vec!["It rained. ".repeat(400)];
    let set: UnitId = "t".parse().unwrap();
    let pool = Pool::new(&set, &rows, Language::English, |at| at == 0);
    let (options, seed) = (options(&[1_000]), Seed::new(1));
    let mixed = mix(&set, 0, &rows[0], &pool, &options, 0, seed, &ends, &mut |_, _| ());
    assert_eq!((mixed.contexts.len(), &*mixed.unmixable[0].reason.code), (0, "over-level"));
    let detail = &mixed.unmixable[0].reason.detail;
    assert!(detail.ends_with("words, and the level is 1000"), "{detail}");
}

#[test]
fn a_passage_more_changes_few_choices() {
    let less = rows(1, 300, 30);
    let mut more = less.clone();
    more[1].documents.push(Document { title: String::new(), text: "w1x w2x. ".repeat(15) });
    let [a, b] =
        [&less, &more].map(|rows| all(rows, &options(&[4_000]), 3)[0].0[0].passages.clone());
    let kept = a.iter().filter(|number| b.contains(number)).count();
    assert!(kept + 2 >= a.len(), "{kept} of {}", a.len());
}

#[test]
fn passages_that_hold_the_answer_distract_nobody() {
    let mut rows = rows(1, 200, 30);
    for at in [3, 40, 70] {
        rows[1].documents[at].text.push_str(" It was to Orm0 that he went.");
    }
    // All of the pool but the last passage is wanted.
    let found = all(&rows, &Options { replace: false, ..options(&[6_000]) }, 1);
    assert!(!found[0].1[0].replace("Pell0 went to Orm0", "").contains("Orm0"));
    let flagged = all(&rows, &Options { replace: false, flag: true, ..options(&[6_000]) }, 1);
    assert!(!flagged[0].0[0].flagged.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Lengths are reached within a passage, shorter contexts are nested in longer ones, and no
    /// replaced word is left.
    #[test]
    fn laws(seed in any::<u64>(), words in 12_usize..40, disperse in any::<bool>(), confusing in any::<bool>()) {
        let rows = rows(2, 160, words);
        let options = Options { disperse, confusing, ..options(&[400, 900, 1_600]) };
        for (contexts, texts) in all(&rows, &options, seed) {
            for (context, text) in contexts.iter().zip(&texts) {
                let edits = if confusing { 9 } else { 0 };
                let passage = u32::try_from(words).unwrap() + 7 + 3;
                prop_assert!((context.level..context.level + passage + edits).contains(&context.length));
                let old = format!("Orm{}", &context.item[1..]);
                prop_assert!(!text.contains(&old) && !context.question.contains(&old));
                prop_assert!(context.answers[0].starts_with("to Vask"));
                prop_assert_eq!(context.insertions.len(), if confusing { 2 } else { 0 });
            }
            for pair in contexts.windows(2) {
                let kept: Vec<u32> = pair[1].passages.iter().copied().filter(|number| pair[0].passages.contains(number)).collect();
                prop_assert_eq!(&kept, &pair[0].passages);
            }
        }
    }
}

#[test]
fn passages_that_say_what_a_rule_does_not_mean_distract_nobody() {
    let mut rows = rows(1, 60, 30);
    rows[0].rules = vec![
        Rule { from: "map".into(), to: "harp".into(), scope: vec![] },
        Rule { from: "Merry Jane".into(), to: "Lucky Prudence".into(), scope: vec![] },
    ];
    rows[0].documents[0].text += " The map of the Merry Jane.";
    let others = &mut rows.last_mut().unwrap().documents;
    for (at, document) in others.iter_mut().enumerate() {
        let more =
            [" Ordnance Survey maps.", " And Jane Bennet came.", " They saw Jane.", ""][at % 4];
        document.text += more;
    }
    let (contexts, texts) = all(&rows, &options(&[400]), 3).remove(0);
    assert_eq!(contexts.len(), 1);
    for word in ["Survey", "Bennet", "saw Jane", "saw Prudence"] {
        assert!(!texts[0].contains(word), "{word}");
    }
}
