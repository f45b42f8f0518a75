//! Nothing is saved that the page does not show, and what is not saved comes back with the reason.

use storymill_core::{Label, NamedPerson, Review, ReviewForm, ReviewRule, ReviewText, Said};

use super::tests::{Lines, app, get, hidden, id, post, review};

/// What the page shows, as its form would say it.
fn shown(page: &str) -> String {
    hidden(page, "shown")
}

pub(super) fn labelled() -> Review {
    let mut labels = review("l", "sentence-labels", "Once");
    labels.choices = vec!["open".into(), "labelled".into()];
    labels.form = ReviewForm::Labels {
        sentences: vec!["A rang.".into(), "B left.".into()],
        kinds: vec!["place".into()],
        of: "labelled".into(),
    };
    labels
}

#[test]
fn one_digit_too_many_loses_no_label() {
    let item = labelled();
    let lines = Lines::default();
    let app = app(std::slice::from_ref(&item), ReviewRule::PLAIN, &lines).with_person("ann");
    let path = format!("q/faithfulness/{}", id(&item));
    let labels = [("label.0", "faithful"), ("label.1", "unfaithful"), ("why.1", "she stayed")];
    let send = |choice: &str| post(&app, &path, &[&labels[..], &[("choice", choice)]].concat());
    let page = send("open");
    assert!(
        page.starts_with("422") && page.contains("Not saved: `open` takes no changes"),
        "{page}"
    );
    // All that was typed is on the page that comes back.
    assert_eq!(page.matches(" checked").count(), 3, "{page}");
    assert!(page.contains("value=\"she stayed\""), "{page}");
    assert!(lines.lock().unwrap().is_empty());
    send("labelled");
    // Who thinks again and leaves it open takes back what was saved before.
    send("open");
    let said = lines.lock().unwrap();
    assert!(matches!(&said[0].said, Said::Labels(all) if all[1].label == Label::Unfaithful));
    assert_eq!((said[1].choice.as_str(), &said[1].said), ("open", &Said::Nothing));
}

#[test]
fn what_would_be_dropped_is_refused_with_a_word() {
    let mut text = review("t", "question-changed", "Once");
    text.form = ReviewForm::Text { text: "Who rang?".into(), of: "keep".into() };
    let mut names = review("n", "cast", "Once");
    let person = NamedPerson {
        name: "Ann".into(),
        names: vec!["Ann".into()],
        gender: "unknown".into(),
        seen: 3,
        keep: true,
    };
    names.form = ReviewForm::Names { people: vec![person], of: "cut".into() };
    let (plain, labels) = (review("p", "preface", "Once"), labelled());
    let lines = Lines::default();
    let all = [text.clone(), names.clone(), plain.clone(), labels.clone()];
    let app = app(&all, ReviewRule::PLAIN, &lines).with_person("ann");
    let path = |review: &Review| {
        format!("q/{}/{}", storymill_review::queue::of(&review.code).name, id(review))
    };
    let check = |review: &Review, fields: &[(&str, &str)], says: &str| {
        let sent = [&[("note", "as I SAID")][..], fields].concat();
        let page = post(&app, &path(review), &sent);
        assert!(page.starts_with("422"), "{fields:?}: {page}");
        assert!(page.contains(&format!("Not saved: {says}")), "{fields:?}: {page}");
        assert!(page.contains(">as I SAID</textarea>"), "{fields:?}: {page}");
    };
    check(&plain, &[], "nothing is chosen");
    check(&plain, &[("choice", "cut"), ("text", "a")], "this item takes no `text`");
    check(&plain, &[("choice", "cut"), ("label.0", "faithful")], "this item takes no `label.0`");
    check(&plain, &[("choice", "cut"), ("choice", "keep")], "`choice` was sent twice");
    check(&plain, &[("choice", "cut"), ("seconds", "soon")], "`soon` is no number of seconds");
    check(&plain, &[("choice", "cut"), ("do", "burn")], "there is no way to `burn` an item");
    check(&text, &[("choice", "keep"), ("text", "  ")], "the edited text of");
    check(&text, &[("choice", "cut"), ("text", "Who?")], "`cut` takes no changes");
    let both = |one, other| [("choice", "labelled"), ("label.0", "faithful"), (one, other)];
    check(&labels, &both("label.2", "faithful"), "this item takes no `label.2`");
    check(&labels, &both("label.1", "fine"), "`fine` is no label of sentence 2");
    check(&labels, &both("why.1", "so"), "sentence 2 has a reason and no label");
    check(&labels, &both("kind.1", "place"), "sentence 2 has a reason and no label");
    check(&names, &[("choice", "cut"), ("gender.0", "tree")], "`tree` is no gender of `Ann`");
    check(&names, &[("choice", "cut"), ("gender.9", "male")], "this item takes no `gender.9`");
    check(&names, &[("choice", "cut"), ("by.0.4", "Bea")], "this item takes no `by.0.4`");
    assert!(get(&app, &path(&names)).contains("name=\"keep.0\" value=\"1\" checked disabled>"));
    assert!(lines.lock().unwrap().is_empty());
}

#[test]
fn an_old_page_takes_the_place_of_nothing() {
    let (one, two) = (review("mill", "preface", "Once"), review("mill", "preface", "Twice"));
    let (lines, all) = (Lines::default(), [one.clone(), two]);
    let ann = app(&all, ReviewRule::PLAIN, &lines).with_person("ann");
    let bob = app(&all, ReviewRule::PLAIN, &lines).with_person("bob");
    let path = format!("q/cuts/{}", id(&one));
    let old = shown(&get(&ann, &path));
    let send = |choice: &str, shown: &str| {
        post(&ann, &path, &[("choice", choice), ("note", "as I SAID"), ("shown", shown)])
    };
    let count = || lines.lock().unwrap().len();
    assert!(send("cut", &old).contains("?saved="));
    // The answer was lost and the form is sent again: it is saved, once.
    assert!(send("cut", &old).contains("?saved=") && count() == 1);
    // Another page of ann's says something else.
    let page = send("keep", &old);
    assert!(page.starts_with("409") && page.contains("you have decided this item since"), "{page}");
    assert!(page.contains(">as I SAID</textarea>") && count() == 1, "{page}");
    assert!(page.contains("value=\"keep\" checked"), "{page}");
    // Who has read that may save it all the same.
    assert!(send("keep", &shown(&page)).contains("?saved=") && count() == 2);
    // Somebody else has decided it since.
    let old = shown(&get(&bob, &path));
    post(&ann, &path, &[("choice", "cut")]);
    let page = post(&bob, &path, &[("choice", "keep"), ("shown", &old)]);
    assert!(
        page.starts_with("409") && page.contains("somebody else has decided this item"),
        "{page}"
    );
    // On another page somebody else's name was written.
    let old = shown(&get(&ann, &path));
    post(&ann, "who", &[("person", "cay")]);
    let page = send("keep", &old);
    assert!(page.starts_with("409") && page.contains("you decide as `cay` by now"), "{page}");
    // The item is gone: what was typed is on the page.
    let page = post(&ann, "q/cuts/ffff", &[("choice", "keep"), ("note", "as I SAID")]);
    assert!(page.starts_with("404") && page.contains("Not saved: there is no such item"), "{page}");
    assert!(
        page.contains("as I SAID") && page.contains("its text may have changed since"),
        "{page}"
    );
}

#[test]
fn a_file_that_went_back_is_told_on_every_page_until_somebody_sees_to_it() {
    let reviews = [review("mill", "preface", "Once"), review("mill", "preface", "Twice")];
    let lines = Lines::default();
    let app = app(&reviews, ReviewRule::PLAIN, &lines).with_person("ann");
    for review in &reviews {
        assert!(
            post(&app, &format!("q/cuts/{}", id(review)), &[("choice", "cut")]).contains("saved")
        );
    }
    assert!(get(&app, "").contains("You have decided everything"));
    let all = lines.lock().unwrap().clone();
    let item = format!("q/cuts/{}", id(&reviews[1]));
    for with in ["save", "drop"] {
        lines.lock().unwrap().truncate(1);
        for path in ["", "q/cuts", &item, "keys"] {
            let page = get(&app, path);
            let told = "1 decision is missing from the file and does not count any more (1 by ann)";
            assert!(page.contains(told), "{path}: {page}");
        }
        assert!(get(&app, "").contains("1 item waits for you"));
        assert_eq!(post(&app, "gone", &[("with", with)]), "/base/");
        assert!(!get(&app, "").contains("any more"));
        assert_eq!(*lines.lock().unwrap(), all[..if with == "save" { 2 } else { 1 }]);
    }
    // What comes back by itself is told no longer either.
    lines.lock().unwrap().clear();
    assert!(get(&app, "").contains("1 decision is missing"));
    lines.lock().unwrap().extend(all);
    assert!(get(&app, "").contains("You have decided everything"));
    assert!(!get(&app, "").contains("any more"));
    assert!(post(&app, "gone", &[]).starts_with("404"));
}

#[test]
fn a_form_that_says_nobody_is_of_whom_its_page_was_shown_to() {
    let (one, two) = (review("mill", "preface", "Once"), review("mill", "preface", "Twice"));
    let (lines, path) = (Lines::default(), |one: &Review| format!("q/cuts/{}", id(one)));
    let app = app(&[one.clone(), two.clone()], ReviewRule::PLAIN, &lines).with_person("ann");
    get(&app, &path(&one));
    post(&app, "who", &[("person", "bob")]);
    for review in [&one, &two] {
        assert!(post(&app, &path(review), &[("choice", "keep")]).contains("?saved="));
    }
    let by = |at: usize| lines.lock().unwrap()[at].by.clone();
    assert_eq!((by(0), by(1)), ("ann".to_owned(), "bob".to_owned()));
    assert!(get(&app, "").contains("value=\"bob\""));
}

#[test]
fn where_each_has_a_vote_others_do_not_make_a_page_old() {
    let item = review("mill", "preface", "Once");
    let rule = ReviewRule { voters: 2, ..ReviewRule::PLAIN };
    let lines = Lines::default();
    let [ann, bob] = ["ann", "bob"]
        .map(|who| app(std::slice::from_ref(&item), rule.clone(), &lines).with_person(who));
    let path = format!("q/cuts/{}", id(&item));
    let old = shown(&get(&bob, &path));
    post(&ann, &path, &[("choice", "cut")]);
    assert!(post(&bob, &path, &[("choice", "keep"), ("shown", &old)]).contains("?saved="));
}

#[test]
fn what_is_typed_beside_an_earlier_decision_is_not_lost_with_it() {
    let (old, new) = (review("mill", "preface", "Once"), review("mill", "preface", "Once more"));
    let lines = Lines::default();
    let before = app(std::slice::from_ref(&old), ReviewRule::PLAIN, &lines).with_person("ann");
    post(&before, &format!("q/cuts/{}", id(&old)), &[("choice", "cut")]);
    let now = app(std::slice::from_ref(&new), ReviewRule::PLAIN, &lines).with_person("ann");
    let path = format!("q/cuts/{}", id(&new));
    for act in ["carry", "drop"] {
        let page = post(&now, &path, &[("do", act), ("note", "as I SAID"), ("choice", "keep")]);
        assert!(page.starts_with("422") && page.contains("would be lost"), "{act}: {page}");
        assert!(page.contains(">as I SAID</textarea>"), "{act}: {page}");
    }
    assert_eq!(lines.lock().unwrap().len(), 1);
}

#[test]
fn a_letter_on_a_page_is_its_place_and_a_vote_is_the_claim() {
    let text = |choice: &str, text: &str| ReviewText { choice: choice.into(), text: text.into() };
    let item = |at: usize| {
        let mut item = review(&format!("toll/{at}"), "which-is-true", "A: It fell.\nB: It rang.");
        item.choices = ["A", "B", "neither"].map(str::to_owned).to_vec();
        item.form = ReviewForm::Grounds {
            texts: vec![text("A", "It fell."), text("B", "It rang.")],
            kinds: Vec::new(),
        };
        item
    };
    let (all, lines) = ((0..12).map(item).collect::<Vec<_>>(), Lines::default());
    let app = app(&all, ReviewRule::PLAIN, &lines).with_person("bob");
    let mut kept = String::new();
    for item in &all {
        let path = format!("q/adequacy/{}", id(item));
        let page = get(&app, &path);
        let first = if page.contains("<dt>A</dt><dd>It fell.") { "A" } else { "B" };
        let other = if first == "A" { "It rang." } else { "It fell." };
        assert!(page.contains(&format!("<dt>B</dt><dd>{other}")), "{page}");
        // The first key is of the first claim, and sends which of the two it is.
        let (_, rest) = page.split_once("data-digit=\"1\" required>").expect(&page);
        assert!(rest.trim_start().starts_with("<kbd>1</kbd><span>A<"), "{page}");
        let sends = format!("name=\"choice\" value=\"{first}\" data-digit=\"1\"");
        assert!(page.contains(&sends), "{page}");
        let next = post(&app, &path, &[("choice", first)]);
        assert!(get(&app, &next[6..]).contains("Saved: A (toll/"), "{next}");
        let own = format!("value=\"{first}\" checked data-digit=\"1\"");
        assert!(get(&app, &path).contains(&own));
        assert_eq!(lines.lock().unwrap().last().unwrap().choice, first);
        kept += first;
    }
    assert!(kept.contains('A') && kept.contains('B'), "{kept}");
    let list = get(&app, "q/adequacy");
    assert!(list.matches("yours: A").count() == 12 && !list.contains("B: It fell. A"), "{list}");
}

/// Every kind of item: what it asks, what that is about, the text that must be read, and what follows from each choice.
#[test]
fn every_kind_of_item_shows_what_is_needed_to_decide_it() {
    let long = format!("{}/0001/d0/e0", "a".repeat(64));
    let kinds = storymill_review::follows::kinds();
    for (codes, choices) in kinds.iter().filter(|one| one.1.len() > 1) {
        for code in codes {
            let names: Vec<String> = choices.iter().map(|(name, _)| (*name).to_owned()).collect();
            let (has_texts, has_labels) = (*code == "which-is-true", *code == "sentence-labels");
            let text = |choice: &str| ReviewText {
                choice: choice.into(),
                text: format!("{choice} it was"),
            };
            let form = match *code {
                "which-is-true" => {
                    ReviewForm::Grounds { texts: vec![text("A"), text("B")], kinds: Vec::new() }
                }
                "sentence-labels" => labelled().form,
                _ => ReviewForm::Choice,
            };
            let item = Review {
                text: "It was late.\n\nNobody came to the mill.".into(),
                default: names[0].clone(),
                choices: names,
                form,
                ..review(&long, code, "Once there was a mill.")
            };
            let app = app(std::slice::from_ref(&item), ReviewRule::PLAIN, &Lines::default());
            let queue = storymill_review::queue::of(code).name;
            let page = get(&app.with_person("ann"), &format!("q/{queue}/{}", id(&item)));
            let wanted = [long.as_str(), "is this story or preface?"];
            let about: &[&str] =
                if has_texts { &["A it was", "B it was"] } else { &["Once there was a mill."] };
            // A retelling that is labelled has its text as excerpt.
            let read: &[&str] = if has_labels {
                &["A rang."]
            } else {
                &["It was late.", "Nobody came to the mill."]
            };
            let follow = choices.iter().flat_map(|(name, what)| [*name, *what]);
            for wanted in wanted.iter().chain(about).chain(read).copied().chain(follow) {
                let told = page.replace("&#39;", "'");
                assert!(told.contains(wanted), "{code}: `{wanted}` in\n{page}");
            }
        }
    }
    // On a narrow screen the longest id breaks.
    let app = app(&[], ReviewRule::PLAIN, &Lines::default());
    let css = get(&app, "desk.css");
    let rule = css.lines().find(|line| line.starts_with(".decide {")).unwrap();
    assert!(rule.contains("overflow-wrap: anywhere") && css.contains("max-width: 100%"), "{rule}");
}
