//! Random forms from two tabs and a second program, people who change, files that go back: what is saved is what was sent by whom it was
//! shown to, or nothing is.

use std::collections::BTreeMap;

use proptest::prelude::*;
use storymill_core::{
    Decision, Label, NameChange, NamedPerson, Review, ReviewForm, ReviewRule, Said, SentenceLabel,
};

use super::{
    refusal_tests::labelled,
    tests::{Lines, app, get, hidden, id, post, review},
};

const PEOPLE: [&str; 2] = ["ann", "bob"];

/// Fields that some item takes, and some that none does.
const FIELDS: [(&str, &str); 26] = [
    ("choice", "keep"),
    ("choice", "cut"),
    ("choice", "open"),
    ("choice", "labelled"),
    ("choice", "burn"),
    ("note", "Why\r\nnot"),
    ("note", " "),
    ("seconds", "7"),
    ("seconds", "soon"),
    ("text", "Who rang?"),
    ("text", "Who sang?"),
    ("text", " "),
    ("label.0", "faithful"),
    ("label.1", "unfaithful"),
    ("label.1", "fine"),
    ("label.2", "faithful"),
    ("kind.1", "place"),
    ("kind.1", "tree"),
    ("why.1", "she stayed"),
    ("gender.0", "female"),
    ("gender.0", "tree"),
    ("keep.0", "on"),
    ("split.0", "Annie"),
    ("by.0.0", "Bea"),
    ("into.1", "Ann"),
    ("do", "burn"),
];

fn items() -> [Review; 4] {
    let mut text = review("t", "question-changed", "Once");
    text.form = ReviewForm::Text { text: "Who rang?".into(), of: "keep".into() };
    let mut cast = review("n", "cast", "Once");
    let person = |name: &str, more: &str| NamedPerson {
        name: name.into(),
        names: vec![name.into(), more.into()],
        gender: "unknown".into(),
        seen: 3,
        keep: false,
    };
    cast.form = ReviewForm::Names {
        people: vec![person("Ann", "Annie"), person("Dora", "Dolly")],
        of: "cut".into(),
    };
    [review("p", "preface", "Once"), text, cast, labelled()]
}

/// What a form says, by its fields alone.
fn sent(of: &Review, fields: &BTreeMap<&str, &str>) -> Said {
    let get = |name: &str| fields.get(name).copied().unwrap_or_default().trim();
    match &of.form {
        ReviewForm::Text { text, .. } if fields.contains_key("text") && get("text") != text => {
            Said::Text(get("text").into())
        }
        ReviewForm::Names { .. } => {
            let of = || "Ann".to_owned();
            let mut all = Vec::new();
            if get("gender.0") == "female" {
                all.push(NameChange::Gender { of: of(), gender: "female".into() });
            }
            if !get("keep.0").is_empty() {
                all.push(NameChange::Keep { of: of() });
            }
            if !get("split.0").is_empty() {
                all.push(NameChange::Split { of: of(), name: "Annie".into() });
            }
            if !get("by.0.0").is_empty() {
                all.push(NameChange::Substitute { name: of(), by: "Bea".into() });
            }
            if !get("into.1").is_empty() {
                all.push(NameChange::Merge { one: of(), with: "Dora".into() });
            }
            if all.is_empty() { Said::Nothing } else { Said::Names(all) }
        }
        ReviewForm::Labels { .. } => {
            let label = |at: usize| {
                let word = get(&format!("label.{at}")).to_owned();
                let label = Label::ALL.into_iter().find(|one| one.name() == word)?;
                let kinds = Some(get(&format!("kind.{at}"))).filter(|kind| !kind.is_empty());
                let kinds = kinds.map(str::to_owned).into_iter().collect();
                Some(SentenceLabel { label, kinds, explanation: get(&format!("why.{at}")).into() })
            };
            let all: Vec<SentenceLabel> = [0, 1].into_iter().filter_map(label).collect();
            if all.is_empty() { Said::Nothing } else { Said::Labels(all) }
        }
        _ => Said::Nothing,
    }
}

fn takes(of: &Review) -> &str {
    match &of.form {
        ReviewForm::Text { of, .. }
        | ReviewForm::Names { of, .. }
        | ReviewForm::Labels { of, .. } => of,
        _ => "",
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// A tab opens an item.
    Open { tab: usize, item: usize },
    /// A tab sends a form on the item that it shows.
    Send { tab: usize, fields: Vec<usize> },
    /// Somebody says in one of the programs who they are.
    Name { program: usize, who: usize },
    /// Somebody takes back.
    Undo { tab: usize },
    /// The file goes back by so many lines.
    Back(usize),
    /// Lines that are gone are saved again, or let go.
    Gone { program: usize, save: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let field = prop_oneof![3 => 0..4_usize, 5 => 0..FIELDS.len()];
    prop_oneof![
        4 => (0..3_usize, 0..4_usize).prop_map(|(tab, item)| Step::Open { tab, item }),
        6 => (0..3_usize, proptest::collection::vec(field, 1..5))
            .prop_map(|(tab, fields)| Step::Send { tab, fields }),
        1 => (0..2_usize, 0..2_usize).prop_map(|(program, who)| Step::Name { program, who }),
        1 => (0..3_usize).prop_map(|tab| Step::Undo { tab }),
        1 => (1..3_usize).prop_map(Step::Back),
        1 => (0..2_usize, any::<bool>()).prop_map(|(program, save)| Step::Gone { program, save }),
    ]
}

/// A page of an item, as it was made.
#[derive(Clone)]
struct Open {
    item: usize,
    of: usize,
    shown: String,
    undo: String,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_saved_is_what_was_sent_or_nothing_is(steps in proptest::collection::vec(step(), 1..40), voters in 1..3_u32) {
        let items = items();
        let rule = ReviewRule { voters, ..ReviewRule::PLAIN };
        let lines = Lines::default();
        // Tabs 0 and 1 are of one program, tab 2 is of another one on the same file.
        let programs = [0, 1].map(|who: usize| app(&items, rule.clone(), &lines).with_person(PEOPLE[who]));
        let mut people = [0, 1];
        let mut tabs: [Option<Open>; 3] = [None, None, None];
        let path = |item: usize| format!("q/{}/{}", storymill_review::queue::of(&items[item].code).name, id(&items[item]));
        for step in steps {
            let before = lines.lock().unwrap().clone();
            match step {
                Step::Open { tab, item } => {
                    let page = get(&programs[tab / 2], &path(item));
                    let undo = hidden(&page, "of");
                    tabs[tab] = Some(Open { item, of: people[tab / 2], shown: hidden(&page, "shown"), undo });
                }
                Step::Name { program, who } => {
                    people[program] = who;
                    post(&programs[program], "who", &[("person", PEOPLE[who])]);
                    prop_assert_eq!(&*lines.lock().unwrap(), &before);
                }
                Step::Back(by) => {
                    let left = before.len().saturating_sub(by);
                    for app in &programs {
                        get(app, "");
                    }
                    lines.lock().unwrap().truncate(left);
                    // Whoever knew the lines tells that they are gone.
                    for (program, app) in programs.iter().enumerate() {
                        let told = get(app, "").contains("missing from the file");
                        prop_assert!(told || left == before.len(), "program {}", program);
                    }
                }
                Step::Gone { program, save } => {
                    let with = if save { "save" } else { "drop" };
                    post(&programs[program], "gone", &[("with", with)]);
                    prop_assert!(!get(&programs[program], "").contains("missing from the file"));
                    let after = lines.lock().unwrap();
                    prop_assert!(after.starts_with(&before) && (save || after.len() == before.len()));
                }
                Step::Undo { tab } => {
                    let Some(open) = &tabs[tab] else { continue };
                    post(&programs[tab / 2], "undo", &[("of", &open.undo)]);
                    let after = lines.lock().unwrap();
                    prop_assert!(after.starts_with(&before) && after.len() <= before.len() + 1);
                    if let Some(line) = after.get(before.len()) {
                        prop_assert!(line.is_withdrawn());
                        prop_assert_eq!(&*line.by, PEOPLE[open.of]);
                    }
                }
                Step::Send { tab, fields } => {
                    let Some(open) = tabs[tab].clone() else { continue };
                    let fields: Vec<(&str, &str)> = fields.into_iter().map(|at| FIELDS[at]).collect();
                    let form = [&fields[..], &[("shown", &open.shown)]].concat();
                    let told = post(&programs[tab / 2], &path(open.item), &form);
                    let after = lines.lock().unwrap().clone();
                    prop_assert!(after.starts_with(&before), "nothing is taken away");
                    if !told.contains("?saved=") {
                        prop_assert!(told.contains("Not saved") || told.starts_with('4'), "{}", told);
                        prop_assert_eq!(after.len(), before.len(), "{:?}: {}", fields, told);
                        continue;
                    }
                    let by = PEOPLE[open.of];
                    let by_name: BTreeMap<&str, &str> = fields.iter().copied().collect();
                    prop_assert_eq!(by_name.len(), fields.len(), "a field twice: {:?}", fields);
                    let item = &items[open.item];
                    // The one new line, or the one that says so already.
                    let is_own = |line: &&Decision| line.by == by && line.review == item.id();
                    let line = after.iter().rfind(is_own).unwrap();
                    prop_assert!(after.len() <= before.len() + 1);
                    prop_assert!(after.len() == before.len() || after.last() == Some(line));
                    prop_assert_eq!(Some(&*line.choice), by_name.get("choice").copied());
                    let note = by_name.get("note").map_or(String::new(), |note| note.replace("\r\n", "\n"));
                    prop_assert_eq!(&*line.note, note.trim());
                    let said = sent(item, &by_name);
                    let own = before.iter().rfind(is_own);
                    // Changes of before, which the page shows again, are not carried along to a choice that takes none.
                    let is_left = line.said == Said::Nothing && line.choice != takes(item) && own.is_some_and(|own| own.said == said);
                    prop_assert!(line.said == said || is_left, "{:?} of {:?}", line.said, fields);
                    // A field that says nothing there is none: each that was sent is in the line, or is what stands.
                    for (name, value) in &by_name {
                        let is_known = match *name {
                            "choice" | "note" | "seconds" => true,
                            "text" => matches!(item.form, ReviewForm::Text { .. }),
                            name if name.starts_with("label") || name.starts_with("kind") || name.starts_with("why") => {
                                matches!(item.form, ReviewForm::Labels { .. })
                            }
                            _ => matches!(item.form, ReviewForm::Names { .. }),
                        };
                        prop_assert!(is_known && !["burn", "soon", "tree", "fine"].contains(value), "{}={} was let pass", name, value);
                    }
                }
            }
        }
    }
}
