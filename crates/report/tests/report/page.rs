//! The page and its pictures.

use std::collections::BTreeMap;

use storymill_core::{Grade, Status};
use storymill_report::{Baseline, Collected, Options, Price, Report};

use crate::support::{grade, length, stream, unit, without_answer};

/// Models in settings over eight books; some refuse, one reads badly, one forgets, one has a short window.
fn realistic(models: usize, questions: usize, settings: &[&str]) -> Vec<Grade> {
    let names = [
        "lantern-70b",
        "openai/gpt-4o-mini",
        "anthropic/claude-sonnet-4-20260101-long-name",
        "tiny-3b",
    ];
    let mut stream = stream("realistic");
    let mut grades = Vec::new();
    for at in 0..questions {
        let (book, span) = (at % 8, unit(&mut stream));
        let tokens = (300.0 * 2_f64.powf(9.2 * span.sqrt())) as u32;
        let kind = ["lookahead", "scene-distortion", "other-book"][at % 3];
        let context = (f64::from(tokens) * (1.0 + unit(&mut stream))) as u32 + 2_000;
        for model in 0..models {
            for setting in settings {
                let distance = (f64::from(tokens) / 300.0).log2();
                let skill = match *setting {
                    "none" => 0.2,
                    "evidence" => 0.95 - 0.08 * (model % 4) as f64,
                    "retrieved-5" => 0.75 - 0.05 * (model % 4) as f64 - 0.01 * distance,
                    _ => {
                        0.95 - 0.08 * (model % 4) as f64
                            - 0.02 * distance * (1.0 + (model % 3) as f64)
                    }
                };
                let book_skill = 0.06 * ((book * 7 % 8) as f64 / 4.0 - 0.9);
                let right = unit(&mut stream) < (skill + book_skill).clamp(0.02, 0.98);
                let mut one = grade(book, at, tokens, right);
                one.kind = kind.into();
                one.question = format!("b{book:03}/{at:05}/{kind}");
                one.none_of_the_above = at % 11 == 0;
                one.model = names
                    .get(model)
                    .map_or_else(|| format!("model-{model}"), |name| (*name).to_owned());
                (*setting).clone_into(&mut one.setting);
                one.context = length(context);
                if model == 1 && unit(&mut stream) < 0.12 {
                    one = without_answer(one, Status::Refused);
                }
                if model == 3 && *setting == "full" && one.context.tokens[0].count > 131_072 {
                    one = without_answer(one, Status::DoesNotFit);
                }
                grades.push(one);
            }
        }
    }
    grades
}

fn collected(grades: impl IntoIterator<Item = Grade>) -> Collected {
    let mut all = Collected::default();
    grades.into_iter().for_each(|grade| all.add(grade));
    all
}

fn options() -> Options {
    Options {
        title: "Four models on quickstart".into(),
        written_by: vec!["gpt-4.1".into()],
        link: Some("https://example.org/view?q={id}".into()),
        prices: BTreeMap::from([("tiny-3b".to_owned(), Price { input: 0.1, output: 0.4 })]),
        baselines: vec![Baseline {
            measure: "longest option".into(),
            kind: String::new(),
            share: 0.24,
            low: Some(0.21),
            high: Some(0.27),
            chance: Some(1.0 / 6.0),
        }],
        ..Options::default()
    }
}

/// With the variable `REPORT_PAGE` a folder: the page and its pictures are written there, to be looked at.
#[test]
fn nothing_comes_from_elsewhere() {
    let all = collected(realistic(4, 2_400, &["full", "retrieved-5", "evidence", "none"]));
    let report = Report::of(&all, &options());
    let page = report.html(&options()).unwrap();
    for absent in ["<script", "<link", "@import", "url(", "src="] {
        assert!(!page.contains(absent), "{absent}");
    }
    let addresses = page.match_indices("://").count();
    let ours = page.matches("http://www.w3.org/2000/svg").count()
        + page.matches("https://example.org/view?q=").count();
    assert_eq!(addresses, ours);
    // Every id is there once.
    let mut ids: Vec<&str> =
        page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    if let Some(folder) = std::env::var_os("REPORT_PAGE") {
        let folder = std::path::Path::new(&folder);
        std::fs::write(folder.join("report.html"), &page).unwrap();
        std::fs::write(folder.join("report.json"), serde_json::to_string_pretty(&report).unwrap())
            .unwrap();
        for chart in report.charts() {
            std::fs::write(folder.join(format!("{}.svg", chart.name)), chart.svg()).unwrap();
        }
    }
}

#[test]
fn names_cannot_break_the_page() {
    let mut one = grade(0, 1, 900, true);
    one.model = "<b>\"&'".into();
    one.kind = "</svg><script>".into();
    one.title = "<img src=x>".into();
    let report = Report::of(&collected([one]), &Options::default());
    let page = report.html(&Options::default()).unwrap();
    for absent in ["<b>", "</svg><script", "<img"] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn a_small_curve_is_drawn_like_this() {
    let grades = (0..240).map(|at| {
        let far = at / 6 % 2 == 1;
        let grade = grade(at % 6, at, if far { 3_000 } else { 1_500 }, at % 5 > usize::from(far));
        if far && at % 7 == 0 { without_answer(grade, Status::Refused) } else { grade }
    });
    let report = Report::of(&collected(grades), &Options::default());
    let charts = report.charts();
    let curve = charts.iter().find(|chart| chart.name == "accuracy-demand-full").unwrap();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/curve.svg");
    if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, curve.svg()).unwrap();
    }
    assert_eq!(curve.svg(), std::fs::read_to_string(&path).unwrap());
}

#[test]
fn rules_alone_have_lines_of_their_own() {
    let mut grades = realistic(1, 400, &["none"]);
    for one in &mut grades {
        "baseline:longest".clone_into(&mut one.model);
    }
    let report = Report::of(&collected(grades), &options());
    assert!(report.models.is_empty());
    let charts = report.charts();
    let demand = charts.iter().find(|chart| chart.name == "accuracy-demand-none").unwrap();
    assert!(demand.wide.contains("<title>baseline:longest (none)"), "{}", demand.wide);
}

#[test]
fn free_text_is_a_part_of_its_own() {
    let text = (0..40).map(|at| {
        let mut grade = grade(at % 6, at, 1_000, true);
        grade.form = "free-text".into();
        grade.kind = "reconstruction".into();
        grade.question = format!("b{:03}/{at:05}/reconstruct", at % 6);
        (grade.right, grade.choices, grade.score_ppm) = (None, 0, 250_000);
        grade.measures = vec![("rouge-l".into(), 250_000), ("meteor".into(), 300_000)];
        if at % 4 == 0 {
            grade.status = Status::Unparsed;
        }
        grade
    });
    let options = (0..40).map(|at| grade(at % 6, at, 1_000, true));
    let report = Report::of(&collected(options.chain(text)), &Options::default());
    let names: Vec<_> =
        report.parts.iter().map(|part| (part.name.as_str(), part.measure.as_str())).collect();
    assert_eq!(names, [("accuracy", "accuracy"), ("reconstruction", "rouge-l")]);
    let system = &report.parts[1].systems[0];
    // What was not answered counts 0, in every measure.
    assert_eq!(system.cell.value, Some(0.1875));
    assert_eq!((system.measures["rouge-l"], system.measures["meteor"]), (0.1875, 0.225));
    assert_eq!(report.parts[1].chance, None);
    assert_eq!(report.parts[0].systems[0].cell.value, Some(1.0));
}

#[test]
fn many_models_in_time() {
    // 18 models on 10,000 questions where the whole is tested; the figures alone.
    let (models, questions) = if crate::support::full() { (18, 10_000) } else { (18, 200) };
    let all = collected(realistic(models, questions, &["full"]));
    assert_eq!(all.answers(), models * questions);
    let started = std::time::Instant::now();
    let report = Report::of(&all, &Options::default());
    let page = report.html(&Options::default()).unwrap();
    println!("{} answers: {:?}, {} bytes", all.answers(), started.elapsed(), page.len());
    assert_eq!(report.parts[0].pairs.len(), 17);
    assert!(page.len() < 5_000_000);
}
