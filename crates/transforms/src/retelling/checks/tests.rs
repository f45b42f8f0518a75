//! Tests of the checks, each over a table of small texts.

use super::*;

#[track_caller]
fn check(found: Result<(), Reason>, expected: Result<(), &str>) {
    let found = found.map_err(|reason| reason.code.into_owned());
    assert_eq!(found, expected.map_err(str::to_owned));
}

#[test]
fn lengths() {
    let checks = Checks { longest: Some(60), ..Checks::default() };
    check(checks.length("The old clerk closed his book and went home."), Ok(()));
    check(checks.length("He went."), Err("too-short"));
    check(checks.length("  "), Err("empty"));
    check(checks.length(&"He went home. ".repeat(9)), Err("too-long"));
    check(checks.length("她走進房間看見那封信"), Ok(()));
}

#[test]
fn loops() {
    let checks = Checks::default();
    let clause = "and that she is very good at making people happy, ";
    check(checks.looped(&clause.repeat(2)), Ok(()));
    check(checks.looped(&clause.repeat(3)), Err("loop"));
    check(checks.looped(&"no ".repeat(10)), Err("loop"));
    check(checks.looped("She went to town. Then she went to town and to town again."), Ok(()));
    check(Checks { loop_times: 0, ..checks }.looped(&clause.repeat(9)), Ok(()));
}

#[test]
fn copies() {
    let checks = Checks::default();
    let words: Vec<String> = (0..100).map(|at| format!("w{at}")).collect();
    let source = words.join(" ");
    let own = "These many words are not in the source at all and so they are our own. ".repeat(8);
    check(checks.copied(&(own.clone() + &words[..39].join(", ")), &source), Ok(()));
    check(checks.copied(&(own + &words[..40].join(", ")), &source), Err("copied"));
    check(checks.copied(&words[..12].join(" ").to_uppercase(), &source), Err("copied"));
    check(checks.copied(&words[..11].join(" "), &source), Ok(()));
}

#[test]
fn languages() {
    let checks = Checks::default();
    let english = "The carter was late, and she had not waited for him at the gate of the inn in \
                   the rain of that night.";
    let german = "Der Fuhrmann kam zu spät, und sie hatte nicht auf ihn gewartet, denn es war die \
                  Nacht, in der das Tor zu war.";
    let chinese =
        "她走進房間，看見那封信。他說：「走吧。」她走進房間，看見那封信。他說：「走吧。」";
    let russian = "Он вошёл в комнату и увидел письмо которое лежало на столе у окна и сказал что ему \
                   пора идти домой потому что ночь уже близко";
    check(checks.language(english, &[Language::English]), Ok(()));
    check(checks.language(german, &[Language::English]), Err("wrong-language"));
    check(checks.language(german, &[Language::English, Language::German]), Ok(()));
    check(checks.language(english, &[Language::Chinese]), Err("wrong-language"));
    check(checks.language(chinese, &[Language::English]), Err("wrong-language"));
    check(checks.language(russian, &[Language::English]), Err("wrong-language"));
    check(checks.language(russian, &[Language::Other]), Ok(()));
    check(checks.language(english, &[Language::Other]), Ok(()));
    check(checks.language("Anne, Ben, Carl.", &[Language::German]), Ok(()));
    check(checks.language(english, &[]), Ok(()));
}

#[test]
fn talk_of_the_task() {
    let task =
        "Retell the passage below in about a hundred words, in the past tense, and add nothing.";
    check(about_prompt("Anne refuses the offer and goes home.", task), Ok(()));
    check(about_prompt("As an AI, I retell.", task), Err("about-prompt"));
    check(about_prompt("Here is the summary: Anne leaves.", task), Err("about-prompt"));
    check(about_prompt("Anne leaves. This summary keeps the setting.", task), Err("about-prompt"));
    check(
        about_prompt("Retell the passage below in about a hundred words, in the past.", task),
        Err("about-prompt"),
    );
    check(about_prompt("Certainly not, she says, and he laughs.", ""), Ok(()));
}

#[test]
fn nearness() {
    let truth = "Anne refused the offer and went home with her brother in the rain.";
    check(too_near(truth, truth, 800), Err("too-near"));
    check(
        too_near("ANNE refused the offer, and went home with her brother in the rain", truth, 0),
        Err("too-near"),
    );
    let tail = "But this time it was not so, and nobody in the whole wide town could ever say why it was not.";
    check(too_near(&format!("{truth} {tail}"), truth, 800), Err("too-near"));
    check(
        too_near("Anne refused the offer and went home with her sister in the rain.", truth, 800),
        Err("too-near"),
    );
    check(
        too_near("Anne took the money gladly and left for Paris with a stranger.", truth, 800),
        Ok(()),
    );
    assert_eq!(similarity_pm("", ""), 1000);
    assert_eq!(similarity_pm("a b", "c d"), 0);
    assert_eq!(similarity_pm("a b c d", "a b d c"), 750);
}

#[test]
fn limits_are_looked_at() {
    assert_eq!(Checks::default().faults(), []);
    let odd = Checks { loop_times: 1, copy_pm: 2000, longest: Some(1), ..Checks::default() };
    assert_eq!(odd.faults().len(), 3);
}
