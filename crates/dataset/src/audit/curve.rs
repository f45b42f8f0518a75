//! What searching the books answers, by retention demand: the picture of the data card, drawn by the charts of reports.

use storymill_core::{Demand, Grade, Length, Spent, Status};
use storymill_report::{Chart, Collected, Options, Report, baselines};

use super::figures::{AuditedSet, Measure};

/// The picture's file name.
pub(crate) const CURVE: &str = "baselines.svg";

/// What a search earned for a question.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    pub(super) measure: Measure,
    /// A hash of the question's id.
    pub(super) question: u64,
    pub(super) book: String,
    /// What is kept together in a resampling.
    pub(super) author: String,
    pub(super) kind: String,
    pub(super) demand_symbols: u32,
    /// 0 if nobody counted.
    pub(super) demand_words: u32,
    pub(super) choices: usize,
    pub(super) credit: f64,
}

impl Marked {
    /// The same as a grade of a rule; none if its book has no id.
    fn grade(&self) -> Option<Grade> {
        let (symbols, words) = (self.demand_symbols, self.demand_words);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        let score_ppm = (self.credit.clamp(0.0, 1.0) * 1e6).round() as u32;
        Some(Grade {
            question: format!("{:016x}", self.question),
            config: String::new(),
            of: self.book.parse().ok()?,
            title: String::new(),
            author: self.author.clone(),
            split: String::new(),
            flags: Vec::new(),
            written_by: Vec::new(),
            model: format!("baseline:{}", self.measure.name()),
            setting: "full".to_owned(),
            form: "options".to_owned(),
            kind: self.kind.clone(),
            status: Status::Answered,
            // Where several options look alike to a search, it earns a share.
            right: None,
            none_of_the_above: false,
            choices: u8::try_from(self.choices).unwrap_or(u8::MAX),
            pair: String::new(),
            facets: Vec::new(),
            score_ppm,
            measures: Vec::new(),
            demand: Demand {
                to_start: Length { symbols, words, ..Length::default() },
                to_end_symbols: symbols,
            },
            context: Length::default(),
            spent: Spent::default(),
        })
    }
}

/// Draws how much searching the books answers by retention demand, with the best measure that needs no book as a line;
/// none where nothing was searched.
pub(crate) fn draw(marks: &[Marked], sets: &[AuditedSet]) -> Option<String> {
    let mut all = Collected::default();
    marks.iter().filter_map(Marked::grade).for_each(|grade| all.add(grade));
    if all.answers() == 0 {
        return None;
    }
    let mut without: Vec<AuditedSet> = sets.to_vec();
    for set in &mut without {
        set.figures.retain(|figure| figure.measure.is_without_book());
    }
    let audit = serde_json::json!({ "sets": without });
    let options =
        Options { baselines: baselines(&audit).unwrap_or_default(), ..Options::default() };
    let charts = Report::of(&all, &options).charts();
    charts.iter().find(|chart| chart.name == "accuracy-demand-full").map(Chart::svg)
}
