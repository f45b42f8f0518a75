use storymill_core::{Gated, Judgement, Label, MadeBy, PartVerdict, Status, Summary};

use super::CompareSummaries;
use crate::tests::{run, scenes};

fn summary(at: u32, text: &str) -> Summary {
    Summary {
        book: "t".parse().unwrap(),
        level: 0,
        at,
        first_scene: at,
        last_scene: at,
        protocol: "tag".to_owned(),
        text: text.to_owned(),
        answers: Vec::new(),
    }
}

fn judgement(at: u32, protocol: &str, faithful: Option<bool>) -> Judgement {
    let part = PartVerdict {
        sentence: None,
        text: "whole".to_owned(),
        status: Status::Answered,
        label: faithful.map(|yes| if yes { Label::Faithful } else { Label::Unfaithful }),
        reason: String::new(),
    };
    Judgement {
        id: format!("t/{at:04}/s0/{protocol}/j"),
        of: "t".parse().unwrap(),
        retelling: format!("t/{at:04}/s0"),
        story: "t".to_owned(),
        protocol: protocol.to_owned(),
        judge: "j".to_owned(),
        written_by: String::new(),
        split: String::new(),
        status: Status::Answered,
        faithful,
        meant_false: false,
        parts: vec![part],
        gold: None,
        difficulty: None,
        answers: Vec::new(),
    }
}

fn compared(told: &[Summary], kept: &[Summary]) -> (Vec<Gated>, Vec<String>) {
    let stage = "from = 'a'\nkept = 'b'\nscenes = 's'\njudgements = 'j'\nothers = 'o'";
    let stage: CompareSummaries = toml::from_str(stage).unwrap();
    let texts = ["One two three. ", "Four five. ", "Six. "];
    let judgements = vec![judgement(0, "binary", Some(false)), judgement(1, "binary", Some(true))];
    let others = vec![judgement(0, "claims", None)];
    let input = (
        told.to_vec().into(),
        kept.to_vec().into(),
        scenes(&texts).into(),
        judgements.into(),
        Some(others.into()),
    );
    let (rows, trace) = run(&stage, input);
    (rows.unwrap(), trace.rejects.iter().map(|one| one.reason.code.to_string()).collect())
}

#[test]
fn each_retelling_has_its_length_its_place_and_what_was_said() {
    let told = [summary(0, "A b."), summary(1, "Ä b c."), summary(2, "D.")];
    let (rows, rejects) = compared(&told, &told[1..]);
    assert!(rejects.is_empty());
    let kept: Vec<bool> = rows.iter().map(|row| row.kept).collect();
    assert_eq!(kept, [false, true, true]);
    let [first, second, third] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((first.words, first.symbols, second.symbols), (2, 4, 6));
    // 15, 11 and 5 symbols.
    assert_eq!((first.place_pm, first.to_end_words, first.to_end_symbols), (0, 6, 31));
    assert_eq!((second.place_pm, second.to_end_words, second.to_end_symbols), (483, 3, 16));
    let said: Vec<_> = first.said.iter().map(|flag| (&*flag.protocol, flag.flagged)).collect();
    assert_eq!(said, [("binary", Some(true)), ("claims", None)]);
    assert_eq!((second.said[0].flagged, third.said.len()), (Some(false), 0));
    assert_eq!((&*first.protocol, first.made_by, first.meant_false), ("tag", MadeBy::Rule, false));
}

#[test]
fn a_scene_that_is_not_there_is_named() {
    assert_eq!(compared(&[summary(7, "A.")], &[]), (Vec::new(), vec!["no-scene".to_owned()]));
}
