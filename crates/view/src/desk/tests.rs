use std::borrow::Cow;

use storymill_core::{
    Label, NamedPerson, Place, Review, ReviewField, ReviewForm, ReviewPassage, ReviewRule, Said,
    SaidFields, Span, Verdict,
};
use storymill_review::Item;

use super::*;

/// A desk whose lines lie in memory; several may share them, as several programs share a file.
pub(super) struct Shared {
    pub(super) desk: Desk,
    pub(super) lines: Arc<Mutex<Vec<Decision>>>,
}

impl Kept for Shared {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn refresh(&mut self) -> Result<(), Fault> {
        let lines = self.lines.lock().unwrap().clone();
        self.desk.stands(lines);
        Ok(())
    }

    fn save(&mut self, lines: &[Decision]) -> Result<(), Fault> {
        self.lines.lock().unwrap().extend(lines.iter().cloned());
        self.refresh()
    }

    fn forget_gone(&mut self) {
        self.desk.forget_gone();
    }
}

pub(super) struct One(pub(super) Arc<str>);

impl Books for One {
    fn text(&self, book: &str) -> Option<Arc<str>> {
        (book == "mill").then(|| Arc::clone(&self.0))
    }
}

pub(super) const TEXT: &str = "The mill stood still. It was “late” in the year.\n\nNobody came.";

pub(super) fn review(item: &str, code: &'static str, excerpt: &str) -> Review {
    Review {
        item: item.into(),
        code: Cow::Borrowed(code),
        question: "is this story or preface?".into(),
        excerpt: excerpt.into(),
        choices: vec!["keep".into(), "cut".into()],
        default: "keep".into(),
        ..Review::default()
    }
}

fn span(start: u32, end: u32) -> Span {
    let place = |symbol: u32| Place {
        byte: TEXT.chars().take(symbol as usize).collect::<String>().len().try_into().unwrap(),
        symbol,
    };
    Span { start: place(start), end: place(end) }
}

pub(super) type Lines = Arc<Mutex<Vec<Decision>>>;

pub(super) fn app(reviews: &[Review], rule: ReviewRule, lines: &Lines) -> App {
    app_of(TEXT.into(), reviews, rule, lines)
}

fn app_of(text: Arc<str>, reviews: &[Review], rule: ReviewRule, lines: &Lines) -> App {
    let item = |review: &Review| Item {
        step: "books".into(),
        unit: "mill".parse().unwrap(),
        review: review.clone(),
    };
    let desk = Desk::new(reviews.iter().map(item).collect(), Vec::new(), rule);
    let kept = Shared { desk, lines: Arc::clone(lines) };
    let setting = Setting {
        title: "mine 1.0.0".into(),
        uses: "storymill build my.toml".into(),
        names: "It stands in the file.".into(),
        warnings: vec![],
    };
    App::new(Box::new(kept), Box::new(One(text)), setting, "/base/", ("session", "s3cret")).unwrap()
}

pub(super) fn get(app: &App, path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    match app.answer(path, query, None) {
        Told::Page(reply) => reply.body,
        Told::Go(path) => format!("-> {path}"),
    }
}

pub(super) fn post(app: &App, path: &str, fields: &[(&str, &str)]) -> String {
    let form: Vec<(String, String)> =
        fields.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    match app.answer(path, "", Some(&form)) {
        Told::Page(reply) => format!("{} {}", reply.status, reply.body),
        Told::Go(path) => path,
    }
}

/// The value of a hidden field of a page.
pub(super) fn hidden(page: &str, name: &str) -> String {
    let start = format!("name=\"{name}\" value=\"");
    page.split_once(&start).and_then(|(_, rest)| rest.split_once('"')).unwrap().0.to_owned()
}

pub(super) fn id(review: &Review) -> String {
    review.id().to_string()
}

#[test]
fn a_queue_is_emptied_and_undone() {
    let (one, two) = (review("mill", "preface", "Once"), review("mill", "preface", "Twice"));
    let lines = Lines::default();
    let app = app(&[one.clone(), two.clone()], ReviewRule::PLAIN, &lines);
    assert!(get(&app, "").contains("Who decides?"));
    assert_eq!(get(&app, "q/cuts"), "-> /base/");
    assert!(post(&app, "who", &[("person", "  ")]).starts_with("422"));
    assert_eq!(post(&app, "who", &[("person", " ann  lee ")]), "/base/");
    let start = get(&app, "");
    assert!(
        start.contains("2 items wait for you") && start.contains("value=\"ann lee\""),
        "{start}"
    );
    let item = get(&app, &format!("q/cuts/{}", id(&one)));
    for wanted in [
        "is this story or preface?",
        "Once",
        "1 of 2",
        "name=\"session\" value=\"s3cret\"",
        "data-digit=\"2\"",
    ] {
        assert!(item.contains(wanted), "`{wanted}` in\n{item}");
    }
    assert!(!item.contains("checked"), "{item}");
    let path = format!("q/cuts/{}", id(&one));
    assert!(post(&app, &path, &[("choice", "burn")]).starts_with("422"));
    let next = post(&app, &path, &[("choice", "cut"), ("note", "a\r\nb"), ("seconds", "12")]);
    assert_eq!(next, format!("/base/q/cuts/{}?saved={}", id(&two), id(&one)));
    assert!(get(&app, &next[6..]).contains("Saved: cut (mill)"));
    let line = lines.lock().unwrap()[0].clone();
    assert_eq!(
        (&*line.by, &*line.note, line.seconds, &*line.protocol),
        ("ann lee", "a\nb", 12, "")
    );
    assert_eq!(line.seen, Some(one.seen()));
    let done = post(&app, &format!("q/cuts/{}", id(&two)), &[("choice", "keep")]);
    assert_eq!(done, format!("/base/q/cuts/done?saved={}", id(&two)));
    assert!(get(&app, &done[6..]).contains("Every queue is empty for you"));
    // Nobody else's tab takes it back.
    let of = hidden(&get(&app, ""), "of");
    assert!(post(&app, "undo", &[("of", "0")]).contains("made for somebody else"));
    let undone = post(&app, "undo", &[("of", &of)]);
    assert_eq!(undone, format!("/base/q/cuts/{0}?undone={0}", id(&two)));
    assert!(get(&app, &undone[6..]).contains("open again for you"));
    // Nobody is told of what is not so.
    assert!(!get(&app, &format!("q/cuts?saved={}", id(&two))).contains("Saved"));
    let list = get(&app, "q/cuts?show=mine");
    assert!(list.contains("yours: cut") && !list.contains("Twice"), "{list}");
}

#[test]
fn nobody_sees_other_votes_before_their_own() {
    let item = Review { proposal: "SEEN BY A MODEL".into(), ..review("mill", "preface", "Once") };
    let rule = ReviewRule {
        rule: Verdict::Adjudicator,
        voters: 2,
        adjudicators: vec!["eve".into()],
        ..ReviewRule::PLAIN
    };
    let lines = Lines::default();
    let apps: Vec<App> = ["ann", "bob", "eve"]
        .map(|person| app(std::slice::from_ref(&item), rule.clone(), &lines).with_person(person))
        .into();
    let path = format!("q/cuts/{}", id(&item));
    let vote =
        |at: usize, choice: &str| post(&apps[at], &path, &[("choice", choice), ("note", "SAID")]);
    vote(0, "cut");
    let hidden = get(&apps[1], &path);
    assert!(
        !hidden.contains("SAID") && !hidden.contains("SEEN BY A MODEL") && !hidden.contains("ann")
    );
    assert!(hidden.contains("shown after your own vote"), "{hidden}");
    vote(1, "keep");
    let shown = get(&apps[1], &path);
    assert!(
        shown.contains("SEEN BY A MODEL")
            && shown.contains("ann")
            && shown.contains("People differ")
    );
    assert!(!shown.contains("Settle it"));
    let dispute = format!("disputes/{}", id(&item));
    assert!(post(&apps[1], &dispute, &[("choice", "cut")]).starts_with("422"));
    assert!(get(&apps[1], "disputes").contains("These people settle disputes: eve"));
    assert!(get(&apps[2], "disputes").contains("ann: cut, bob: keep"));
    let page = get(&apps[2], &dispute);
    assert!(page.contains("ann") && page.contains("bob"), "{page}");
    let on = post(&apps[2], &dispute, &[("choice", "cut")]);
    assert!(on.starts_with("/base/disputes?saved="), "{on}");
    assert!(get(&apps[0], &path).contains("Decided: cut"));
    let said = lines.lock().unwrap();
    assert_eq!((&*said[0].protocol, &*said[2].protocol), ("independent", "adjudicator"));
}

#[test]
fn what_an_item_says_is_never_code() {
    let hostile = "<script>alert(1)</script>\u{202e}evil";
    let item = Review { question: hostile.into(), ..review(hostile, "preface", hostile) };
    let app = app(std::slice::from_ref(&item), ReviewRule::PLAIN, &Lines::default())
        .with_person("<b>ann");
    for path in
        [String::new(), "q/cuts".into(), format!("q/cuts/{}", id(&item)), "nowhere/<script>".into()]
    {
        let page = get(&app, &path);
        assert!(
            !page.contains("<script>alert")
                && !page.contains("<b>ann")
                && !page.contains('\u{202e}'),
            "{page}"
        );
    }
    assert!(get(&app, &format!("q/cuts/{}", id(&item))).contains("⟦202E⟧"));
}

#[test]
fn more_than_a_choice_is_said() {
    let mut text = review("t", "scene-question", "Once");
    text.form = ReviewForm::Text { text: "Who rang?".into(), of: "keep".into() };
    let mut labels = review("l", "sentence-labels", "Once");
    labels.form = ReviewForm::Labels {
        sentences: vec!["A rang.".into(), "B left.".into()],
        kinds: vec!["wrong person".into(), "wrong place".into()],
        of: "keep".into(),
    };
    let mut names = review("n", "cast", "Once");
    let person = |name: &str, names: &[&str]| NamedPerson {
        name: name.into(),
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        gender: "unknown".into(),
        seen: 3,
        keep: false,
    };
    names.form = ReviewForm::Names {
        people: vec![person("Ann Lee", &["Ann", "Lee"]), person("Bob", &["Bob"])],
        of: "cut".into(),
    };
    let mut evidence = review("e", "claim-disputed", "Once");
    evidence.form = ReviewForm::Evidence;
    evidence.passages =
        vec![ReviewPassage { book: "mill".into(), span: span(0, 21), role: "claim".into() }];
    let lines = Lines::default();
    let all = [text.clone(), labels.clone(), names.clone(), evidence.clone()];
    let app = app(&all, ReviewRule::PLAIN, &lines).with_person("ann");
    let path = |review: &Review| {
        format!("q/{}/{}", storymill_review::queue::of(&review.code).name, id(review))
    };
    let last = || lines.lock().unwrap().last().unwrap().said.clone();

    assert!(get(&app, &path(&text)).contains(">Who rang?</textarea>"));
    post(&app, &path(&text), &[("choice", "keep"), ("text", "Who rang\r\nit?")]);
    assert_eq!(last(), Said::Text("Who rang\nit?".into()));
    assert!(
        post(&app, &path(&text), &[("choice", "cut"), ("text", "Other")])
            .contains("takes no changes")
    );
    // The edited text is shown again; with another choice it is not taken along.
    assert!(get(&app, &path(&text)).contains("Who rang\nit?</textarea>"));
    post(&app, &path(&text), &[("choice", "cut"), ("text", "Who rang\r\nit?")]);
    assert_eq!(last(), Said::Nothing);

    let page = get(&app, &path(&labels));
    assert!(page.contains("B left.") && page.contains("wrong place"), "{page}");
    let one = [("choice", "keep"), ("label.0", "faithful")];
    assert!(post(&app, &path(&labels), &one).contains("1 labels for the 2 sentences"));
    let two = [("label.1", "unfaithful"), ("kind.1", "wrong place"), ("why.1", "see scene 3")];
    let odd = [&one[..], &two, &[("kind.0", "wrong place")]].concat();
    assert!(post(&app, &path(&labels), &odd).contains("so it has no kind of error"));
    post(&app, &path(&labels), &[&one[..], &two].concat());
    let Said::Labels(given) = last() else { panic!("{:?}", last()) };
    assert_eq!((given[0].label, given[1].label), (Label::Faithful, Label::Unfaithful));
    assert_eq!(
        (given[0].kinds.len(), &*given[1].kinds[0], &*given[1].explanation),
        (0, "wrong place", "see scene 3")
    );
    let page = get(&app, &path(&labels));
    assert_eq!(page.matches(" checked").count(), 4, "{page}");

    let page = get(&app, &path(&names));
    assert!(page.contains("Lee becomes") && page.contains("named 3 times"), "{page}");
    let changes = [
        ("choice", "cut"),
        ("gender.0", "female"),
        ("split.0", "Lee"),
        ("by.1.0", "Rob"),
        ("keep.0", "1"),
        ("gender.1", "unknown"),
    ];
    post(&app, &path(&names), &changes);
    let Said::Names(given) = last() else { panic!("{:?}", last()) };
    assert_eq!(given.len(), 4, "{given:?}");
    assert!(get(&app, &path(&names)).contains("value=\"Rob\""));

    let page = get(&app, &path(&evidence));
    assert!(page.contains("value=\"0:22:48\">It was “late” in the year."), "{page}");
    let marked = [("choice", "keep"), ("span", "0:22:48")];
    for odd in ["7:1:2", "0:9:3", "x"] {
        let page = post(&app, &path(&evidence), &[&marked[..], &[("span", odd)]].concat());
        assert!(page.starts_with("422") && page.contains("is no place in the passages"), "{page}");
    }
    post(&app, &path(&evidence), &marked);
    let Said::Spans(given) = last() else { panic!("{:?}", last()) };
    assert_eq!(given.len(), 1);
    assert_eq!(&TEXT[given[0].span.bytes()], "It was “late” in the year.");
    assert!(get(&app, &path(&evidence)).contains("1 place is marked"));
}

#[test]
fn fields_are_written_anew_and_evidence_is_marked() {
    let field = |name: &str, text: &str, options: &[&str]| ReviewField {
        name: name.into(),
        text: text.into(),
        options: options.iter().map(|one| (*one).to_owned()).collect(),
        needed: options.is_empty(),
    };
    let mut pair = review("p", "claim-pair-proposed", "Once");
    pair.form = ReviewForm::Fields {
        fields: vec![field("true_claim", "It rang.", &[]), field("scope", "", &["page", "book"])],
        of: "cut".into(),
    };
    let known = ReviewPassage { book: "mill".into(), span: span(22, 48), role: "evidence".into() };
    pair.passages = vec![known.clone()];
    let lines = Lines::default();
    let app = app(std::slice::from_ref(&pair), ReviewRule::PLAIN, &lines).with_person("ann");
    let path = format!("q/claims/{}", id(&pair));
    let last = || lines.lock().unwrap().last().unwrap().said.clone();
    let page = get(&app, &path);
    for wanted in [
        ">It rang.</textarea>",
        "<option>book</option>",
        "data-spans=\"0:22:48\"",
        "1 place is marked",
    ] {
        assert!(page.contains(wanted), "`{wanted}` in\n{page}");
    }
    // What is sent as it was is nothing that was said.
    let same = [("field.true_claim", "It rang.\r\n"), ("field.scope", ""), ("span", "0:22:48")];
    let send = |choice: &str, more: &[(&str, &str)]| {
        post(&app, &path, &[&[("choice", choice)], more].concat())
    };
    send("cut", &same);
    assert_eq!(last(), Said::Nothing);
    send("keep", &[("field.true_claim", "It rang.")]);
    assert_eq!(last(), Said::Nothing, "marks alone are of the choice that takes them");
    assert!(send("keep", &[("field.true_claim", "It fell.")]).contains("takes no changes"));
    assert!(send("cut", &[("field.true_claim", "")]).contains("is blank"));
    assert!(send("cut", &[("field.scope", "word")]).contains("is not a scope"));
    send("cut", &[("field.true_claim", "It fell."), ("field.scope", "book"), ("span", "0:0:21")]);
    let Said::Fields(SaidFields { values, spans }) = last() else { panic!("{:?}", last()) };
    assert_eq!(
        values.into_iter().collect::<Vec<_>>(),
        [("scope".to_owned(), "book".to_owned()), ("true_claim".to_owned(), "It fell.".to_owned()),]
    );
    assert_eq!(spans.unwrap(), [ReviewPassage { span: span(0, 21), ..known }]);
    let page = get(&app, &path);
    assert!(page.contains(">It fell.</textarea>") && page.contains("<option selected>book"));
    assert!(page.contains("data-spans=\"0:0:21\""), "{page}");
}

#[test]
fn what_was_marked_stays_whatever_the_page_shows() {
    let far = format!("{TEXT}\n\n{}\n\nAda rang. ", "Rain fell on it. ".repeat(100));
    let start = far.chars().count() - 10;
    let mut item = review("e", "claim-disputed", "Once");
    item.form = ReviewForm::Evidence;
    let passage = |at: Span| ReviewPassage { book: "mill".into(), span: at, role: "claim".into() };
    item.passages = vec![passage(span(0, 21)), passage(span(22, 48))];
    let lines = Lines::default();
    let app = app_of(far.as_str().into(), std::slice::from_ref(&item), ReviewRule::PLAIN, &lines)
        .with_person("ann");
    let path = format!("q/{}/{}", storymill_review::queue::of(&item.code).name, id(&item));
    let last = || match lines.lock().unwrap().last().unwrap().said.clone() {
        Said::Spans(spans) => spans.len(),
        _ => 0,
    };
    assert!(!get(&app, &path).contains("rang."));
    assert!(get(&app, &format!("{path}?around=1")).contains("rang."));
    let (near, away) = ("0:22:48".to_owned(), format!("0:{start}:{}", start + 9));
    post(&app, &path, &[("choice", "keep"), ("span", &near), ("span", &away)]);
    assert_eq!(last(), 2);
    // What the page does not show is on it as a place that stays; what two passages show stands in the first.
    let page = get(&app, &path);
    let kept = format!("{start}:{}:mill", start + 9);
    assert!(page.contains(&format!("name=\"kept\" value=\"{kept}\"")), "{page}");
    assert_eq!(page.matches("data-spans").count(), 1);
    assert_eq!(page.matches(" checked>It was").count(), 1);
    assert!(!get(&app, &format!("{path}?around=1")).contains("name=\"kept\""));
    let again = [("choice", "keep"), ("span", &*near), ("kept", &kept), ("note", "thought over")];
    post(&app, &path, &again);
    assert_eq!(last(), 2);
    // What the person did not mark is not kept, and that is said.
    let odd = post(&app, &path, &[("choice", "keep"), ("span", &near), ("kept", "1:2:mill")]);
    assert!(odd.starts_with("422") && odd.contains("is not marked any more"), "{odd}");
    assert_eq!(last(), 2);
    post(&app, &path, &[("choice", "keep"), ("span", &near)]);
    assert_eq!(last(), 1);
}

#[test]
fn an_earlier_decision_is_carried_over_or_dropped() {
    for (say, kept) in [("carry", Some("cut")), ("drop", None)] {
        let (old, new) =
            (review("mill", "preface", "Once"), review("mill", "preface", "Once more"));
        let lines = Lines::default();
        let before = app(std::slice::from_ref(&old), ReviewRule::PLAIN, &lines).with_person("ann");
        post(&before, &format!("q/cuts/{}", id(&old)), &[("choice", "cut"), ("note", "why not")]);
        let now = app(std::slice::from_ref(&new), ReviewRule::PLAIN, &lines).with_person("ann");
        let path = format!("q/cuts/{}", id(&new));
        assert!(get(&now, "q/cuts?show=changed").contains("its text changed"));
        let page = get(&now, &path);
        assert!(
            page.contains("Earlier decision")
                && page.contains("“cut”, by ann")
                && page.contains("why not")
                && page.contains("more</ins>"),
            "{page}"
        );
        let on = post(&now, &path, &[("do", say)]);
        let page = get(&now, &on[6..]);
        let told = if say == "carry" { "Saved: cut" } else { "Dropped" };
        assert!(page.contains(told), "{say}: {page}");
        assert!(!get(&now, &path).contains("Earlier decision"));
        let desk = now.state().kept.desk().decisions().choice(&new).map(str::to_owned);
        assert_eq!(desk.as_deref(), kept);
    }
}

#[test]
fn two_programs_on_one_file_lose_nothing() {
    let (one, two) = (review("mill", "preface", "Once"), review("mill", "preface", "Twice"));
    let lines = Lines::default();
    let all = [one.clone(), two.clone()];
    let (ann, bob) = (
        app(&all, ReviewRule::PLAIN, &lines).with_person("ann"),
        app(&all, ReviewRule::PLAIN, &lines).with_person("bob"),
    );
    post(&ann, &format!("q/cuts/{}", id(&one)), &[("choice", "cut")]);
    post(&bob, &format!("q/cuts/{}", id(&two)), &[("choice", "cut")]);
    for app in [&ann, &bob] {
        assert!(get(app, "q/cuts").contains("2 decided"));
    }
}

#[test]
fn a_list_has_no_page_behind_its_last() {
    let item = review("mill", "preface", "Once");
    let app = app(std::slice::from_ref(&item), ReviewRule::PLAIN, &Lines::default());
    let app = app.with_person("ann");
    let page = get(&app, &format!("q/cuts?from={}", u64::MAX));
    assert!(page.contains("mill"), "{page}");
}

#[test]
fn paths_that_lead_nowhere() {
    let app = app(&[review("mill", "preface", "Once")], ReviewRule::PLAIN, &Lines::default())
        .with_person("ann");
    for path in [
        "nothing",
        "q/none",
        "q/cuts/ffff",
        "disputes/ffff",
        "q/../../etc/passwd",
        "%2e%2e/x",
        "q/cuts/",
    ] {
        let Told::Page(reply) = app.answer(path, "", None) else { panic!("{path}") };
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
    }
    assert_eq!(get(&app, "who"), "-> /base/");
}
