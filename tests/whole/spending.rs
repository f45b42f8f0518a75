//! Whole runs against a scripted model: what is refused stops a stage, what a plan says of the bill holds,
//! and a pilot pays for nothing twice.

use std::time::Duration;

use serde_json::Value;

use crate::{
    models::{Server, build},
    project::Project,
};

const WHO: [&str; 12] = [
    "baker", "sailor", "miller", "porter", "tailor", "glazier", "cobbler", "fiddler", "tinker",
    "cooper", "weaver", "sexton",
];
const DEED: [&str; 10] = [
    "hid", "sold", "mended", "buried", "stole", "painted", "burned", "borrowed", "polished",
    "weighed",
];
const THING: [&str; 10] = [
    "kettle", "saddle", "barrel", "anvil", "ladder", "trumpet", "compass", "mirror", "carpet",
    "hammer",
];
const PLACE: [&str; 8] =
    ["bakery", "quarry", "orchard", "granary", "tannery", "ferry", "cellar", "smithy"];

const LATER: [&str; 6] = ["wept", "sneezed", "whistled", "prayed", "yawned", "stumbled"];
const FALSE: [&str; 8] =
    ["violin", "teapot", "harpoon", "pigeon", "telescope", "melon", "wig", "chessboard"];

/// One of some words, by lot of a text.
fn lot(of: &str, words: &[&'static str]) -> &'static str {
    words[usize::from(blake3::hash(of.as_bytes()).as_bytes()[0]) % words.len()]
}

/// Sentences that hang on a text alone.
fn sentences(of: &str, count: usize) -> Vec<String> {
    let sentence = |at: usize| {
        let word = |words, place: u8| lot(&format!("{at} {place} {of}"), words);
        format!(
            "The {} {} a {} behind that {}, and somebody {} over the {}.",
            word(&WHO, 0),
            word(&DEED, 1),
            word(&THING, 2),
            word(&PLACE, 3),
            word(&LATER, 4),
            word(&WHO, 5)
        )
    };
    (0..count).map(sentence).collect()
}

fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let start = text.rfind(from).unwrap() + from.len();
    &text[start..start + text[start..].find(to).unwrap()]
}

/// A fit answer to any prompt of `summarize`, `hierarchy` and `distort`.
fn fit(prompt: &str) -> String {
    const BEGIN: &str = "### BEGIN ANSWER ###\n";
    if prompt.contains("<events>\n") {
        let events =
            between(prompt, "<events>\n", "\n</events>").replace("- ", "").replace('\n', " ");
        let rest =
            "After that nobody spoke of it for a long while, and the whole street went to bed.";
        return format!("{BEGIN}{events} {rest}");
    }
    if prompt.contains("TRUE: the true event") {
        let account = between(prompt, "<account>\n", "\n</account>");
        let events = account.split_inclusive('.').map(str::trim).filter(|event| !event.is_empty());
        let pair = |event: &str| {
            let words: Vec<&str> = event.split(' ').collect();
            let thing = lot(&format!("{event} {prompt}"), &FALSE);
            let (who, rest) = (words[..2].join(" "), words[5..].join(" "));
            format!("TRUE: {event}\nFALSE: {who} swallowed a {thing} {rest}")
        };
        let pairs: Vec<String> = events.take(3).map(pair).collect();
        return format!("{BEGIN}{}", pairs.join("\n"));
    }
    let count = if prompt.contains("<accounts>") { 12 } else { 3 };
    format!("{BEGIN}{}", sentences(prompt, count).join(" "))
}

const EXCUSE: &str = "I am sorry, but I cannot help with that.";

/// Refuses so many of a hundred requests, by their texts.
fn refuses(of_hundred: u64) -> impl Fn(u32, &str) -> String + Send + Sync {
    move |_, prompt| {
        let hash = blake3::hash(format!("lot {prompt}").as_bytes());
        let lot = u64::from_le_bytes(*hash.as_bytes().first_chunk().unwrap()) % 100;
        if lot < of_hundred { EXCUSE.to_owned() } else { fit(prompt) }
    }
}

/// Books, retellings, retellings of these, false ones.
fn project(server: &Server, books: usize, asking: &str) -> Project {
    let project = Project::new();
    for book in 0..books {
        project.book(&format!("b{book}"), 6);
    }
    let text = format!(
        "name = \"mine\"\nversion = \"1.0.0\"\nseed = 7\n{asking}\n\
         [publish]\ntitle = \"Mine\"\nlicense = \"mit\"\ncanary = \"storymill-canary-0123456789\"\n\n\
         [model.default]\nurl = \"http://127.0.0.1:{}/v1\"\nmodel = \"teller\"\nmax_tokens = 300\n\n\
         [source.books.folder]\npath = \"books\"\n\n\
         [stage.scenes.chunk]\nfrom = \"books\"\nmax = 400\n\n\
         [stage.summaries.summarize]\nfrom = \"scenes\"\ntries = 10\n\n\
         [stage.levels.hierarchy]\nfrom = \"summaries\"\npack = 3000\n\n\
         [stage.distortions.distort]\nscenes = \"scenes\"\nsummaries = \"levels\"\n\n\
         [dataset.summaries]\nfrom = \"levels\"\n\n[dataset.distortions]\nfrom = \"distortions\"\n",
        server.port
    );
    project.write("my.toml", text);
    project.write("prices.toml", "[\"teller\"]\ninput = 1.0\noutput = 2.0\n");
    project
}

fn json(project: &Project, args: &[&str]) -> Value {
    let all: Vec<&str> = args.iter().copied().chain(["--format", "json"]).collect();
    let ran = project.run(&all);
    serde_json::from_str(&ran.out())
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.out(), ran.err()))
}

fn planned(project: &Project) -> Value {
    json(project, &["plan", "my.toml", "--cost", "--prices", "prices.toml"])
}

#[test]
fn a_model_of_which_nothing_can_be_used_is_asked_twenty_times() {
    let server = Server::scripted(Duration::ZERO, |_, _| EXCUSE.to_owned());
    let project = project(&server, 3, "");
    let (code, text) = build(&project, &[]);
    assert_eq!((code, server.requests()), (16, 20), "{text}");
    for said in [
        "asking: 20 requests for `summaries` (",
        "`summaries`, round 1: 0 accepted, 20 refused; the first, b0/0000: tag-missing",
        "`summaries` was stopped: 20 of its 20 first answers were refused",
        "the answer begins: I am sorry, but I cannot help with that.",
        "hint: every answer is kept",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    // What was paid for is kept, and nothing is paid for again.
    let (code, text) = build(&project, &[]);
    assert_eq!((code, server.requests()), (16, 20), "{text}");
    project.run(&["explain", "16"]).exits(0).says("refused");
}

#[test]
fn few_questions_are_not_asked_again_and_again() {
    let server = Server::scripted(Duration::ZERO, |_, _| EXCUSE.to_owned());
    let project = project(&server, 1, "");
    let text = project.read("my.toml").replace("max = 400", "max = 2000");
    project.write("my.toml", text);
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 16, "{text}");
    let requests = server.requests();
    assert!((20..40).contains(&requests), "{requests} requests\n{text}");
    assert!(text.contains(&format!("{requests} of its {requests} answers were refused")), "{text}");
}

#[test]
fn who_wants_to_go_on_goes_on_and_is_not_told_to_expect_it() {
    let server = Server::scripted(Duration::ZERO, |_, _| EXCUSE.to_owned());
    let project = project(&server, 1, "[asking]\nmost_refused = 1");
    let text = project.read("my.toml").replace("tries = 10", "tries = 2");
    project.write("my.toml", text);
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 15, "{text}");
    assert!(text.contains("`summaries`, round 2: 0 accepted"), "{text}");
    assert!(text.contains("nothing is published"), "{text}");
    assert!(!text.contains("expected_rejects ="), "{text}");
}

#[test]
fn a_model_that_turns_bad_is_noticed_and_one_that_is_sometimes_bad_is_not_stopped() {
    let turns =
        Server::scripted(
            Duration::ZERO,
            |count, prompt| {
                if count < 40 { fit(prompt) } else { EXCUSE.to_owned() }
            },
        );
    let project = project(&turns, 6, "");
    let (code, text) = build(&project, &[]);
    assert_eq!(code, 16, "{text}");
    let before = turns.requests();
    assert!((40..400).contains(&before), "{before} requests\n{text}");
    // The good answers in the log do not hide for long that the model is bad now.
    let (code, text) = build(&project, &[]);
    assert_eq!((code, turns.requests()), (16, before + 20), "{text}");

    let half = Server::scripted(Duration::ZERO, refuses(50));
    let project = self::project(&half, 2, "");
    let (code, text) = build(&project, &[]);
    assert!(code == 0 || code == 5, "{text}");
}

#[test]
fn an_option_of_the_table_is_checked() {
    let server = Server::scripted(Duration::ZERO, |_, prompt| fit(prompt));
    let project = project(&server, 1, "[asking]\nlook_at = 0\nmost_refused = 80\nmost = 1");
    project
        .run(&["build", "my.toml"])
        .exits(3)
        .says("`look_at` must be at least 1")
        .says("`most_refused` must be from 0 to 1")
        .says("unknown option `most` in `[asking]`");
}

/// What was reckoned of what was asked, in hundredths.
fn off_by(reckoned: &Value, asked: u32) -> u64 {
    100 * reckoned.as_u64().unwrap() / u64::from(asked)
}

#[test]
fn a_plan_reckons_what_comes_later() {
    let server = Server::scripted(Duration::ZERO, refuses(0));
    let project = project(&server, 3, "");
    let plan = planned(&project);
    assert_eq!(server.requests(), 0, "a plan asks nothing");
    let next = plan["next_requests"][0]["requests"].as_u64().unwrap();
    let told = project.run(&["plan", "my.toml", "--cost", "--prices", "prices.toml"]).exits(0);
    let told = told.says("out, in one wave; with every try").says("with every try at most");
    told.says("in all about").says("as if each question were asked once").says("--pilot 20");
    assert_eq!(plan["next_requests"][0]["most_requests"].as_u64().unwrap(), 10 * next);

    let (code, text) = build(&project, &["--prices", "prices.toml"]);
    assert!(code == 0 || code == 5, "{text}");
    let asked = server.requests();
    assert!(u64::from(asked) > 3 * next, "{asked} requests, {next} of them in the first wave");
    let reckoned = &plan["in_all"]["requests"];
    assert!((75..=133).contains(&off_by(reckoned, asked)), "reckoned {reckoned}, asked {asked}");
    println!("reckoned {reckoned}, asked {asked}, first wave {next}");
    assert_eq!(planned(&project)["in_all"]["requests"], 0, "nothing is left to ask");
}

#[test]
fn a_pilot_tells_what_all_will_take_and_pays_for_nothing_twice() {
    let server = Server::scripted(Duration::ZERO, refuses(40));
    let project = project(&server, 6, "");
    project.run(&["build", "my.toml", "--pilot", "0"]).exits(2);
    let (code, text) = build(&project, &["--pilot", "12", "--prices", "prices.toml"]);
    assert_eq!(code, 0, "{text}");
    for said in [
        "the pilot takes 12 scenes of 6 books",
        "accepted at once",
        "in all about",
        "the pilot is in",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let piloted = server.requests();
    assert!(!project.path("out/mine").exists(), "the dataset is not published");
    project.run(&["inspect", "out/mine-pilot"]).exits(0);
    let reckoned = planned(&project)["in_all"].clone();

    // The same pilot asks nothing anew.
    let again = json(&project, &["build", "my.toml", "--pilot", "12"]);
    assert_eq!((again["answers"]["asked"].as_u64(), server.requests()), (Some(0), piloted));
    let rows = |step: &str| {
        let steps = again["steps"].as_array().unwrap().iter();
        steps
            .filter(|one| one["step"] == step)
            .map(|one| one["rows"].as_u64().unwrap())
            .sum::<u64>()
    };
    assert!(rows("scenes") > 60 && (1..=12).contains(&rows("summaries")), "{again}");

    let (code, text) = build(&project, &["--prices", "prices.toml"]);
    assert!(code == 0 || code == 5, "{text}");
    let asked = server.requests() - piloted;
    let off = off_by(&reckoned["requests"], asked);
    println!("pilot {piloted}; reckoned {}, asked {asked}", reckoned["requests"]);
    assert!((75..=133).contains(&off), "reckoned {}, asked {asked}", reckoned["requests"]);
    assert!(server.once(), "no request is sent twice");

    // What was built without a pilot is the same.
    let fresh = self::project(&server, 6, "");
    build(&fresh, &[]);
    assert_eq!(fresh.manifest("out/mine"), project.manifest("out/mine"));
}

#[test]
fn a_pilot_takes_scenes_that_the_build_asks_about() {
    let server = Server::scripted(Duration::ZERO, refuses(0));
    let project = project(&server, 3, "");
    let step = "[stage.summaries.summarize]";
    let few = project.read("my.toml").replace(step, &format!("{step}\nmost = 4"));
    project.write("my.toml", few);
    let pilot = json(&project, &["build", "my.toml", "--pilot", "9"]);
    let steps = pilot["steps"].as_array().unwrap();
    let summaries = steps.iter().find(|one| one["step"] == "summaries").unwrap();
    assert_eq!(summaries["rows"], 9, "{pilot}");
}

#[test]
fn a_pilot_needs_a_model_that_is_asked_about_scenes() {
    let project = Project::new();
    project.book("b0", 4).workflow(&[]);
    project.run(&["build", "my.toml", "--pilot"]).exits(4).says("there is nothing to try");
}

#[test]
fn a_pilot_that_comes_to_nothing_says_so_and_one_that_cannot_be_named_asks_nothing() {
    let server = Server::scripted(Duration::ZERO, refuses(100));
    let project = project(&server, 2, "[asking]\nmost_refused = 1");
    let pilot = ["build", "my.toml", "--pilot", "2"];
    project.run(&pilot).exits(15).says("nothing is published: the pilot came to no row");
    assert!(!project.path("out/mine-pilot").exists());
    let asked = server.requests();
    assert!(asked > 0);
    let long = project.read("my.toml").replace("mine", &"m".repeat(60));
    project.write("my.toml", long);
    project.run(&pilot).exits(4).says("`name` of at most 58 letters");
    assert_eq!(server.requests(), asked);
}

#[test]
fn most_of_what_a_pilot_has_asked_is_off_the_bill() {
    let server = Server::scripted(Duration::ZERO, refuses(0));
    let project = project(&server, 3, "");
    let all = planned(&project)["in_all"]["requests"].as_u64().unwrap();
    let (code, text) = build(&project, &["--pilot", "999"]);
    assert_eq!(code, 0, "{text}");
    let piloted = server.requests();
    let reckoned = planned(&project)["in_all"]["requests"].as_u64().unwrap();
    build(&project, &[]);
    let asked = u64::from(server.requests() - piloted);
    println!("at first {all}; after a pilot of every scene {reckoned}, asked {asked}");
    assert!(reckoned * 10 < all && asked * 10 < all, "{reckoned} reckoned, {asked} asked of {all}");
}
