use std::sync::Mutex;

use storymill_core::{
    Answer, Asked, Asker, Choice, Cx, Demand, Exam, ExamQuestion, Fault, Form, Given, Grade,
    Length, ModelAnswer, OptionKind, Options, Place, Question, Recipe, RequestKey, Rows, Seed,
    Setting, Span, Stage, Status, Stop, ToldSoFar, UnitId, Written,
};

use super::{
    answer::AnswerStage,
    baseline::BaselineStage,
    counting::Counting,
    grade::GradeStage,
    shown::{Offer, Page},
};

/// A book of numbered sentences, each of 20 symbols.
fn text(sentences: u32) -> String {
    let lines: Vec<String> = (0..sentences).map(|at| format!("Line {at:04} is here.  ")).collect();
    lines.concat()
}

fn read(symbols: u32) -> Recipe {
    Recipe::Read(Length { symbols, ..Length::default() })
}

fn question(id: &str, form: Form, context: Recipe, evidence: (u32, u32)) -> ExamQuestion {
    let at = |symbol| Place { byte: 0, symbol };
    let evidence = (evidence.1 > 0).then(|| Span { start: at(evidence.0), end: at(evidence.1) });
    ExamQuestion {
        config: "eval".to_owned(),
        split: "test".to_owned(),
        flags: vec!["pg19".to_owned()],
        written_by: Vec::new(),
        facets: Vec::new(),
        story: None,
        question: Question {
            id: id.to_owned(),
            of: "t".parse().unwrap(),
            kind: "lookahead".to_owned(),
            task: "Which of these was in what you read?".to_owned(),
            form,
            about: Vec::new(),
            evidence: evidence.into_iter().collect(),
            demands: Vec::new(),
            demand: Demand::default(),
            context,
            made_by: None,
        },
    }
}

fn options(texts: &[&str], right: u8) -> Form {
    let choice = |(at, text): (usize, &&str)| Choice {
        kind: match (at + 1 == texts.len(), at == usize::from(right)) {
            (true, _) => OptionKind::None,
            (_, true) => OptionKind::True,
            _ => OptionKind::Wrong,
        },
        text: (*text).to_owned(),
        from: String::new(),
        book: None,
        scene: None,
        demand: None,
        names: Vec::new(),
    };
    Form::Options {
        given: Vec::new(),
        options: texts.iter().enumerate().map(choice).collect(),
        right,
    }
}

fn repair() -> Form {
    let given = Given { text: "The cat sat on a red roof.".to_owned(), from: String::new() };
    let references = vec!["The cat sat on a blue mat.".to_owned()];
    Form::FreeText { given: Some(given), references, keywords: String::new() }
}

const OPTIONS: [&str; 3] = ["Line 0003 is here.", "Line 0090 is quite far away.", "None."];

fn exam() -> Exam {
    let mut text = text(100);
    // More than one byte to a symbol.
    text.insert_str(0, "Été. ");
    let told = |end_symbol, text: &str| ToldSoFar { end_symbol, text: text.to_owned() };
    Exam {
        of: "t".parse().unwrap(),
        title: "The Lines".to_owned(),
        author: String::new(),
        language: "en".to_owned(),
        text,
        scenes: vec![400, 1_005, 2_000, 2_005],
        retellings: vec![told(400, "It began."), told(2_000, "It went on.")],
        questions: vec![
            question("t/1", options(&OPTIONS, 0), read(1_005), (65, 85)),
            question("t/2", options(&OPTIONS, 2), read(2_005), (0, 0)),
            question("t/3", repair(), read(2_005), (65, 85)),
        ],
    }
}

/// Answers by script, with counts of what was written.
pub(super) struct Says<F> {
    script: F,
    pub(super) log: Mutex<Vec<(RequestKey, Answer, String)>>,
    written: Option<Written>,
}

impl<F: Fn(&str) -> String + Sync> Asker for Says<F> {
    fn get(&self, key: &RequestKey) -> Result<Option<Answer>, Fault> {
        let log = self.log.lock().unwrap();
        Ok(log.iter().find(|(own, ..)| own == key).map(|(_, answer, _)| answer.clone()))
    }

    fn written(&self, _: &RequestKey) -> Result<Option<Written>, Fault> {
        Ok(self.written)
    }

    fn ask(&self, wave: &[Asked]) -> Result<(), Fault> {
        for asked in wave {
            let chat = asked.request.chat().unwrap();
            assert!(chat.shared <= chat.turns[0].text.len());
            let said = chat.texts().collect::<Vec<_>>().join("\n");
            let answer = Answer { text: (self.script)(&said), finish_reason: "stop".to_owned() };
            self.log.lock().unwrap().push((asked.key, answer, said));
        }
        Ok(())
    }
}

pub(super) fn says<F: Fn(&str) -> String + Sync>(script: F) -> Says<F> {
    Says { script, log: Mutex::default(), written: None }
}

pub(super) fn run<S: Stage>(
    stage: &S,
    input: impl Fn() -> S::In,
    asker: &dyn Asker,
) -> Vec<S::Out> {
    let unit: UnitId = "t".parse().unwrap();
    for _ in 0..5 {
        let mut cx = Cx::new(S::KIND, &unit, Seed::new(1), asker);
        let rows = stage.run(input(), &mut cx);
        let (trace, waiting) = cx.finish();
        match rows {
            Ok(rows) => {
                assert!(trace.rejects.is_empty());
                return rows;
            }
            Err(Stop::Waiting) => asker.ask(&waiting).unwrap(),
            Err(other) => panic!("{other:?}"),
        }
    }
    panic!("it never ends");
}

fn answers(options: &str, asker: &dyn Asker) -> Vec<ModelAnswer> {
    let stage: AnswerStage = toml::from_str(&format!("from = 'exam'\n{options}")).unwrap();
    assert_eq!(stage.check(), []);
    run(&stage, || Rows::from(vec![exam()]), asker)
}

fn grades(answers: &[ModelAnswer]) -> Vec<Grade> {
    let stage: GradeStage = toml::from_str("from = 'exam'\nanswers = 'answers'").unwrap();
    let input = || (Rows::from(vec![exam()]), Rows::from(answers.to_vec()));
    run(&stage, input, &crate::tests::Nobody)
}

/// What the first question was shown in a setting.
#[track_caller]
fn shown(options: &str) -> (String, ModelAnswer) {
    let asker = says(|_| "Answer: 1".to_owned());
    let rows = answers(options, &asker);
    let log = asker.log.lock().unwrap();
    let said = log.first().map_or(String::new(), |(.., said)| said.clone());
    let text = said.split_once("<text>\n").and_then(|(_, rest)| rest.split_once("\n</text>"));
    (text.map_or(String::new(), |(text, _)| text.to_owned()), rows[0].clone())
}

#[test]
fn settings_show_what_they_say() {
    let (whole, row) = shown("");
    assert_eq!(whole, exam().text.chars().take(1_005).collect::<String>());
    assert_eq!((row.setting.as_str(), row.spent.cut.as_str()), ("full", ""));
    assert_eq!(row.spent.offered, row.spent.shown);
    assert!(row.spent.shown > Some(300));
    assert_eq!(shown("settings = ['none']").0, "");
    assert_eq!(shown("settings = ['title']").0, "");
    assert_eq!(shown("settings = ['evidence']").0, "Line 0003 is here.");
    assert_eq!(shown("settings = ['summaries']").0, "It began.");
    let (recent, row) = shown("settings = ['recent-20']");
    assert!(whole.ends_with(&recent) && recent.len() < 100, "{recent}");
    assert_eq!((row.spent.shown, row.setting.as_str()), (Some(20), "recent-20"));
    let (found, _) = shown("settings = ['retrieved-1']");
    assert!(whole.contains(found.trim()) && !found.is_empty(), "{found}");
}

#[test]
fn a_title_is_told_only_where_it_is_asked_for() {
    let asker = says(|_| "Answer: 1".to_owned());
    answers("settings = ['full', 'none', 'title']", &asker);
    let log = asker.log.lock().unwrap();
    assert_eq!(log.len(), 9, "each question once in each setting");
    let named: Vec<bool> = log.iter().map(|(.., said)| said.contains("The Lines")).collect();
    assert_eq!(named, [[false; 6].as_slice(), &[true; 3]].concat());
}

#[test]
fn what_does_not_fit_is_refused_or_cut() {
    let (text, row) = shown("window = 300\nmax_tokens = 50");
    assert_eq!((text.as_str(), row.status, row.spent.shown), ("", Status::DoesNotFit, Some(0)));
    let whole = shown("").0;
    for (how, cut) in [("middle", "middle"), ("front", "front")] {
        let (text, row) = shown(&format!("window = 300\nmax_tokens = 50\ntoo_long = '{how}'"));
        assert_eq!((row.status, row.spent.cut.as_str()), (Status::Answered, cut));
        assert!(row.spent.shown < row.spent.offered && row.spent.shown > Some(50), "{row:?}");
        assert!(whole.ends_with(&text[text.len() - 40..]));
        assert_eq!(text.starts_with("Été."), how == "middle");
    }
    assert_eq!(shown("window = 9000\nmax_tokens = 50").0, whole);
}

#[test]
fn every_status_stays_in_the_denominator() {
    let asker = says(|said| match said {
        _ if said.contains("<given>") => "The cat sat on a blue mat.".to_owned(),
        _ if said.contains("Line 0099") => "Answer: 3".to_owned(),
        _ => "2 or 3".to_owned(),
    });
    let rows = answers("", &asker);
    let statuses: Vec<_> = rows.iter().map(|row| (row.status, row.answer.as_str())).collect();
    assert_eq!(statuses[0], (Status::Unparsed, ""));
    assert_eq!(statuses[1], (Status::Answered, "2"));
    let graded = grades(&rows);
    assert_eq!(graded.len(), 3);
    let right: Vec<_> = graded.iter().map(|one| (one.right, one.none_of_the_above)).collect();
    assert_eq!(right, [(Some(false), false), (Some(true), true), (None, false)]);
    assert_eq!(
        (graded[0].score_ppm, graded[1].score_ppm, graded[2].score_ppm),
        (0, 1_000_000, 1_000_000)
    );
    assert_eq!((graded[0].author.as_str(), graded[0].choices), ("t", 3));
    let measure = |name: &str| graded[2].measures.iter().find(|(own, _)| own == name).unwrap().1;
    assert_eq!(measure("rouge-l"), 1_000_000);
    // Five of seven words are there in order, of the copy too.
    assert_eq!(measure("copy-rouge-l"), 714_286);
    assert!(graded[2].measures.iter().all(|(name, _)| !name.contains("meteor")));
}

#[test]
fn what_reached_its_limit_is_cut() {
    let mut asker = says(|_| "Answer: 1".to_owned());
    asker.written = Some(Written { output: 64, thinking: 60 });
    let rows = answers("max_tokens = 64", &asker);
    assert!(rows.iter().all(|row| row.status == Status::Cut && row.answer.is_empty()));
    let spent = &rows[0].spent;
    assert_eq!((spent.output, spent.thinking, spent.limit), (Some(4), Some(60), Some(64)));
    assert!(grades(&rows).iter().all(|one| one.score_ppm == 0));
}

#[test]
fn baselines_ask_nobody() {
    let stage: BaselineStage = toml::from_str("from = 'exam'").unwrap();
    let rows = run(&stage, || Rows::from(vec![exam()]), &crate::tests::Nobody);
    let of = |model: &str| -> Vec<&str> {
        rows.iter().filter(|row| row.model == model).map(|row| row.answer.as_str()).collect()
    };
    assert_eq!(of("baseline:first"), ["0", "0"]);
    assert_eq!(of("baseline:longest"), ["1", "1"]);
    assert_eq!(of("baseline:random").len(), 2);
    assert_eq!(of("baseline:copy"), ["The cat sat on a red roof."]);
    let graded = grades(&rows);
    let copy = graded.iter().find(|one| one.model == "baseline:copy").unwrap();
    assert_eq!(copy.measures[0].1, copy.measures[1].1, "a copy is worth what a copy is worth");
}

#[test]
fn several_questions_of_one_text_go_into_one_request() {
    let three = || {
        let read = Recipe::Read(Length { symbols: 1_005, ..Length::default() });
        let mut all = exam();
        all.questions = (1..=5)
            .map(|at| question(&format!("t/{at}"), options(&OPTIONS, 0), read.clone(), (65, 85)))
            .collect();
        all.questions.push(question("t/6", repair(), read, (65, 85)));
        all
    };
    let stage: AnswerStage =
        toml::from_str("from = 'exam'\nper_request = 3\nsettings = ['full', 'evidence']").unwrap();
    assert_eq!(stage.check(), []);
    let mut asker = says(|said| match said {
        _ if said.contains("There are 3 questions.") => "Answer 1: 1\nAnswer 2: 2".to_owned(),
        _ if said.contains("There are 2 questions.") => "Answer 1: 3\nAnswer 2: 1".to_owned(),
        _ => "Answer: 2".to_owned(),
    });
    asker.written = Some(Written { output: 30, thinking: 10 });
    let rows = run(&stage, || Rows::from(vec![three()]), &asker);
    // Three and two and one of the whole text; where each has a text of its own each goes alone, and what says the same
    // is asked once.
    assert_eq!(rows.len(), 12);
    let full: Vec<_> = rows[..6].iter().map(|row| (row.status, row.answer.as_str())).collect();
    let answered = |at| (Status::Answered, at);
    assert_eq!(
        full[..5],
        [answered("0"), answered("1"), (Status::Unparsed, ""), answered("2"), answered("0")]
    );
    let places: Vec<u8> = rows.iter().map(|row| row.spent.place).collect();
    assert_eq!(places, [0, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let written: u32 = rows[..6].iter().filter_map(|row| row.spent.output).sum();
    assert_eq!(written, 60, "once a request");
    assert!(rows[..6].iter().all(|row| row.spent.shown == rows[0].spent.shown));
}

/// How often the first of two numbers is the greater one, equal ones half, over all pairs of both.
#[expect(clippy::cast_precision_loss, reason = "some thousands of pairs")]
fn greater(ones: &[usize], others: &[usize]) -> f64 {
    let pair = |one: &usize, other: &usize| match one.cmp(other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let sum: f64 = ones.iter().flat_map(|one| others.iter().map(move |it| pair(one, it))).sum();
    sum / (ones.len() * others.len()) as f64
}

#[test]
fn the_length_of_what_is_shown_as_evidence_does_not_tell_none_of_the_above() {
    // Scenes of unlike lengths; every fourth question has none of the above right, and no evidence.
    let mut stream = Seed::new(5).derive("test", &"t".parse().unwrap(), "scenes", "lengths");
    let (mut text, mut scenes) = (String::new(), Vec::new());
    for at in 0..80 {
        let start = u32::try_from(text.chars().count()).unwrap();
        for _ in 0..=stream.below(60) {
            text += &format!("Scene {at} goes on. ");
        }
        scenes.push((start, u32::try_from(text.chars().count()).unwrap()));
    }
    let mut all = Exam { text, questions: Vec::new(), ..exam() };
    for at in 0..320 {
        let read = 20 + at % 60;
        let none = at % 4 == 0;
        let of = scenes[stream.below(u32::try_from(read).unwrap()) as usize];
        let symbols = scenes[read].1;
        let context = Recipe::Read(Length { symbols, ..Length::default() });
        let evidence = if none { (0, 0) } else { of };
        let right = if none { 2 } else { 0 };
        all.questions.push(question(
            &format!("t/{at}"),
            options(&OPTIONS, right),
            context,
            evidence,
        ));
    }
    let counting = Counting::new(storymill_core::Encoding::O200kBase, None).unwrap();
    let page = Page::new(&all, &counting);
    let shown = |none: bool| -> Vec<usize> {
        let asked = all.questions.iter().filter(|one| one.question.evidence.is_empty() == none);
        let length = |one: &ExamQuestion| {
            let stream =
                Seed::new(1).derive("answer", &"t".parse().unwrap(), &one.question.id, "evidence");
            let offer = Offer { question: &one.question, story: None, marked: None };
            page.offered(&offer, Setting::Evidence, stream).unwrap().text.chars().count()
        };
        asked.map(length).collect()
    };
    let (none, some) = (shown(true), shown(false));
    assert_eq!((none.len(), some.len()), (80, 240));
    // Where a place is needed to see that none is right, it is shown, with as many more as other questions have.
    let mut since = all.questions[3].clone();
    let span = since.question.evidence[0];
    since.question.form = options(&OPTIONS, 2);
    let [mut one, other] = [1, 2].map(|at| all.questions[at].question.clone());
    one.evidence.extend(other.evidence);
    one.context = since.question.context.clone();
    let two =
        Exam { questions: vec![ExamQuestion { question: one, ..since.clone() }], ..all.clone() };
    let offer = Offer { question: &since.question, story: None, marked: None };
    let stream = Seed::new(1).derive("answer", &"t".parse().unwrap(), "since", "evidence");
    let page = Page::new(&two, &counting);
    let shown = page.offered(&offer, Setting::Evidence, stream).unwrap().text;
    let own: String =
        all.text.chars().take(span.end.symbol as usize).skip(span.start.symbol as usize).collect();
    assert!(shown.contains(own.trim()) && shown.len() > own.len() + 5, "{shown}");
    assert!(none.iter().all(|length| *length > 0), "a blank page tells the answer");
    // One half is what a coin gets; three standard errors of 80 against 240 are .11.
    let told = greater(&none, &some);
    assert!((0.39..0.61).contains(&told), "{told}");
}
