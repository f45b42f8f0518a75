//! Files of answers that are odd or wrong, and what the user is told.

use storymill_metrics::{
    bootstrap::Plan,
    score::{Cutter, Resources, Table, answers, pairs},
    wordlists::WordLists,
};

fn with<T>(cutter: Option<Cutter<'_>>, run: impl FnOnce(Resources<'_>) -> T) -> T {
    let lists = WordLists::ours();
    run(Resources { wordnet: None, lists: &lists, cutter, plan: Plan::default() })
}

fn column(table: &Table, name: &str) -> Vec<Option<f64>> {
    let at = table.columns.iter().position(|column| column.name == name).unwrap();
    table.rows.iter().map(|row| row.scores[at]).collect()
}

#[test]
fn faults_name_their_line() {
    let good = r#"{"prediction":"a cat","reference":"the cat"}"#;
    for (text, expect) in [
        ("", "the file has no rows"),
        ("\n \n", "the file has no rows"),
        ("GOOD\n{\"prediction\":\"x\"", "line 2, column 17: EOF while parsing an object"),
        ("GOOD\n\n{\"reference\":\"x\"}", "line 3: no `prediction`"),
        ("{\"prediction\":\"x\"}", "line 1: no `reference` or `references`"),
        ("{\"prediction\":\"x\",\"references\":[]}", "line 1: `references` is empty"),
        (
            "{\"prediction\":1,\"reference\":\"x\"}",
            "line 1, column 15: invalid type: integer `1`, expected a string",
        ),
        (
            "{\"prediction\":\"x\",\"reference\":[1]}",
            "line 1, column 34: references are a text or a list of texts",
        ),
        (
            "{\"prediction\":\"x\",\"reference\":\"y\",\"lang\":\"de\"}",
            "line 1: `language` is `en` or `zh`, not `de`",
        ),
        (
            "{\"prediction\":\"x\",\"references\":[\"y\",\"z\"],\"tokens_answer\":[\"y\"]}",
            "line 1: words are given for one reference, but there are several",
        ),
    ] {
        let fault =
            with(None, |resources| answers(&text.replace("GOOD", good), resources)).unwrap_err();
        assert_eq!(fault.to_string(), expect, "{text}");
    }
    let two = "{\"prediction\":\"x\",\"references\":[\"y\",\"z\"]}";
    let fault = with(None, |resources| pairs(two, resources)).unwrap_err();
    assert_eq!(fault.to_string(), "line 1: a pair has one reference, not 2");
}

#[test]
fn rows_without_a_score_are_rejects() {
    let text = "{\"prediction\":\"\",\"reference\":\"a cat\"}\n{\"prediction\":\"x\",\"references\":[\"y\",\" \"]}\n\
                {\"prediction\":\"猫\",\"reference\":\"猫\",\"language\":\"zh\"}";
    let table = with(None, |resources| answers(text, resources)).unwrap();
    let told: Vec<(usize, &str)> =
        table.rejects.iter().map(|reject| (reject.line, reject.reason.as_str())).collect();
    assert_eq!(
        told,
        [
            (2, "a reference is empty"),
            (3, "a Chinese row without its words, and nothing to cut it with")
        ]
    );
    // An empty prediction is an answer, and a wrong one.
    assert_eq!((table.rows.len(), column(&table, "f1")), (1, vec![Some(0.0)]));
}

#[test]
fn the_best_reference_counts_and_clusters_give_an_interval() {
    let text = "{\"id\":7,\"cluster\":\"x\",\"prediction\":\"a cat\",\"answers\":[\"dog\",\"the cat\"]}\n\
                {\"cluster\":\"y\",\"prediction\":\"a cat\",\"answer\":\"dog\",\"question\":\"?\"}";
    let table = with(None, |resources| answers(text, resources)).unwrap();
    assert_eq!(column(&table, "em"), [Some(1.0), Some(0.0)]);
    // Of two clusters nothing is drawn; of eight it is.
    let few = &table.columns[1];
    assert_eq!((few.interval, few.no_interval), (None, Some("none: fewer than 5 books")));
    let more = |at: usize| {
        text.replace("\"x\"", &format!("\"x{at}\"")).replace("\"y\"", &format!("\"y{at}\""))
    };
    let text = &(0..4).map(more).collect::<Vec<_>>().join("\n");
    let table = with(None, |resources| answers(text, resources)).unwrap();
    assert_eq!(table.rows[0].id.as_deref(), Some("7"));
    let interval = table.columns[1].interval.unwrap();
    assert!(interval.low < interval.value && interval.value < interval.high, "{interval:?}");
    assert!((interval.value - 0.5).abs() < 1e-12, "{interval:?}");
    let again = with(None, |resources| answers(text, resources)).unwrap();
    assert_eq!(table, again);
}

#[test]
fn chinese_rows() {
    let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
    let cutter = Cutter { dictionary: "letters", words: &letters };
    let text = "{\"lang\":\"zh\",\"prediction\":\"猫。\",\"answer\":\"猫\",\"answer_keywords\":null}\n\
                {\"lang\":\"zh\",\"prediction\":\"黑猫\",\"answer\":\"猫\",\"tokens_prediction\":[\"黑猫\"],\"tokens_answer\":[\"猫\"]}";
    let table = with(Some(cutter), |resources| answers(text, resources)).unwrap();
    assert_eq!(table.dictionary.as_deref(), Some("letters"));
    assert_eq!(column(&table, "em"), [Some(1.0), Some(0.0)]);
    assert_eq!(column(&table, "keyword_f1_as_released"), [Some(1.0), Some(0.0)]);
    assert_eq!(column(&table, "rouge1"), [None, None]);
    assert_eq!(table.columns[3].mean, None);
}
