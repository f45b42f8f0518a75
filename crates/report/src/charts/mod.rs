//! The pictures of a report. They are drawn by our own few lines of SVG: `docs/report.md` says why.

mod against;
mod curve;
mod dots;
mod labels;
mod pdf;
mod quiet;
mod svg;
mod words;

use std::collections::BTreeSet;

use self::{
    curve::{Curve, DASHES, Point, QUIET_DASHES, Quiet, Series, Width},
    dots::Dots,
    words::{about, in_words},
};
use crate::{
    bins::Bins,
    cell::Cell,
    figures::Table,
    report::{Part, Report},
};

pub(crate) use svg::escape;

/// A picture, drawn for wide pages and for narrow ones.
#[derive(Clone, Debug)]
pub struct Chart {
    /// A name for its file: `accuracy-demand-full`.
    pub name: String,
    /// Its title.
    pub title: String,
    /// At least 780 pixels wide; its colours are classes.
    pub wide: String,
    /// 360 pixels wide.
    pub narrow: String,
    pub(crate) section: &'static str,
    pub(crate) part: usize,
    /// What is in it: a small picture and its words.
    pub(crate) keys: Vec<Key>,
}

/// A line of the key.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) picture: String,
    pub(crate) words: String,
    /// Whether it is a line without marks, whose words stand in the wide picture anyway.
    pub(crate) quiet: bool,
}

/// So many models are told apart in one picture.
const MODELS: usize = 6;
/// With more books than this a picture says less than its table.
const MOST_BOOKS: usize = 25;

/// The classes' colours for a file that stands alone.
const STYLE: &str = include_str!("../chart.css");

impl Chart {
    /// The wide picture as a file of its own, with its colours for light and dark.
    pub fn svg(&self) -> String {
        let at = self.wide.find("<title").unwrap_or(0);
        format!("{}<style>\n{STYLE}</style>\n{}", &self.wide[..at], &self.wide[at..])
    }

    /// The same as PDF, in the colours for light pages.
    pub fn pdf(&self) -> Vec<u8> {
        pdf::of(&self.wide, STYLE)
    }
}

impl Report {
    /// The charts, in the order of the page.
    pub fn charts(&self) -> Vec<Chart> {
        let mut charts = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let sheet = Sheet { report: self, part, at, models: self.drawn() };
            sheet.draw(&mut charts);
        }
        charts
    }

    /// What the charts show as rows, head first: each group of questions by each model in each setting. Rows of the table
    /// `all` are over all questions.
    pub fn rows(&self) -> Vec<[String; 14]> {
        const HEAD: [&str; 14] = [
            "part",
            "measure",
            "table",
            "group",
            "from",
            "to",
            "model",
            "setting",
            "value",
            "low",
            "high",
            "questions",
            "books",
            "not_answered",
        ];
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let end = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
        let mut rows = vec![HEAD.map(str::to_owned)];
        for part in &self.parts {
            let mut row = |place: [String; 4], of: [&String; 2], cell: &Cell| {
                let [table, group, from, to] = place;
                let [value, low, high] = [cell.value, cell.low, cell.high].map(number);
                let counts = [cell.questions, cell.books, cell.not_answered].map(|n| n.to_string());
                let [questions, books, not_answered] = counts;
                let (name, measure) = (part.name.clone(), part.measure.clone());
                let [model, setting] = of.map(String::clone);
                rows.push([
                    name,
                    measure,
                    table,
                    group,
                    from,
                    to,
                    model,
                    setting,
                    value,
                    low,
                    high,
                    questions,
                    books,
                    not_answered,
                ]);
            };
            for system in &part.systems {
                let all = ["all".to_owned(), String::new(), String::new(), String::new()];
                row(all, [&system.model, &system.setting], &system.cell);
            }
            for table in part.tables() {
                for line in &table.lines {
                    for (group, cell) in table.groups.iter().zip(&line.cells) {
                        let Some(cell) = cell else { continue };
                        let (by, label) = (table.by.to_owned(), group.label.clone());
                        let place = [by, label, end(group.from), end(group.to)];
                        row(place, [&line.model, &line.setting], cell);
                    }
                }
            }
        }
        rows
    }

    /// What has lines with marks: the models; where none was asked, the rules that answer without one.
    fn drawn(&self) -> Vec<String> {
        if !self.models.is_empty() {
            return self.models.clone();
        }
        let rules = self.parts.iter().flat_map(|part| &part.systems);
        let rules: BTreeSet<&String> = rules.map(|system| &system.model).collect();
        rules.into_iter().cloned().collect()
    }
}

struct Sheet<'a> {
    report: &'a Report,
    part: &'a Part,
    at: usize,
    models: Vec<String>,
}

impl Sheet<'_> {
    fn draw(&self, charts: &mut Vec<Chart>) {
        let settings = self.settings();
        let main = settings.first().cloned().unwrap_or_default();
        for setting in &settings {
            for models in self.models.chunks(MODELS) {
                charts.extend(self.curve(&self.part.demand, "demand", setting, models));
            }
        }
        for setting in &settings {
            for models in self.models.chunks(MODELS) {
                charts.extend(self.against(setting, models));
            }
        }
        for models in self.models.chunks(MODELS) {
            if self.part.context.groups.len() > 1 {
                charts.extend(self.curve(&self.part.context, "context", &main, models));
            }
            for (table, section) in [
                (&self.part.types, "types"),
                (&self.part.right_option, "right-option"),
                (&self.part.facets, "facets"),
                (&self.part.flags, "flags"),
                (&self.part.by_book, "books"),
            ] {
                if (2..=MOST_BOOKS).contains(&table.groups.len()) {
                    charts.extend(self.dots(table, section, &main, models));
                }
            }
        }
    }

    /// Settings that show something of the book; if there is none, all.
    fn settings(&self) -> Vec<String> {
        let mut all: Vec<&str> = Vec::new();
        for line in self.part.demand.lines.iter().filter(|line| self.models.contains(&line.model)) {
            if !all.contains(&line.setting.as_str()) {
                all.push(&line.setting);
            }
        }
        all.sort_by_key(|setting| (crate::collect::place_of(setting), *setting));
        let blind = |setting: &&&str| ["none", "title"].contains(*setting);
        let seeing: Vec<String> =
            all.iter().filter(|one| !blind(one)).map(|one| (*one).to_owned()).collect();
        if seeing.is_empty() { all.into_iter().map(str::to_owned).collect() } else { seeing }
    }

    fn style(&self, model: &str) -> (String, usize) {
        let at = self.models.iter().position(|one| one == model).unwrap_or(0);
        let letter = u8::try_from(at % 26).map_or('A', |at| char::from(b'A' + at));
        let round = if at < 26 { String::new() } else { (at / 26).to_string() };
        (format!("{letter}{round}"), at % MODELS)
    }

    fn series(&self, table: &Table, setting: &str, models: &[String]) -> Vec<Series> {
        let own = table
            .lines
            .iter()
            .filter(|line| line.setting == setting && models.contains(&line.model));
        own.map(|line| {
            let (letter, style) = self.style(&line.model);
            let points = line.cells.iter().zip(&table.groups).map(|(cell, group)| {
                let cell = cell.as_ref()?;
                Some(Point {
                    value: cell.value?,
                    interval: cell.low.zip(cell.high),
                    thin: cell.thin,
                    hollow: cell.hollow,
                    title: format!(
                        "{} ({setting}), {}: {}",
                        line.model,
                        group.label,
                        in_words(cell, self.part.noun())
                    ),
                })
            });
            Series { letter, name: line.model.clone(), style, points: points.collect() }
        })
        .filter(|series| series.points.iter().any(Option::is_some))
        .collect()
    }

    fn curve(
        &self,
        table: &Table,
        section: &'static str,
        setting: &str,
        models: &[String],
    ) -> Option<Chart> {
        let series = self.series(table, setting, models);
        let bins = bins_of(table)?;
        if series.is_empty() {
            return None;
        }
        let what = if section == "demand" { "retention demand" } else { "length of the context" };
        let title = format!("{} by {what}, setting {setting}", self.what());
        let curve = Curve {
            id: self.id(section, setting, models),
            about: about(&series, &table.groups),
            bins,
            axis: format!(
                "{} {}",
                self.report.unit.name(),
                if section == "demand" { "back" } else { "long" }
            ),
            range: (0.0, 1.0),
            quiet: self.quiet(table),
            title: title.clone(),
            counted: self.part.nouns(),
            series,
        };
        Some(self.chart(section, setting, models, &title, (&curve.series, &curve.quiet), |width| {
            curve.draw(width)
        }))
    }

    fn dots(
        &self,
        table: &Table,
        section: &'static str,
        setting: &str,
        models: &[String],
    ) -> Option<Chart> {
        let series = self.series(table, setting, models);
        if series.is_empty() {
            return None;
        }
        let noun = self.part.noun();
        let by = match section {
            "types" => &format!("type of {noun}"),
            "facets" => &format!("kind of {noun}"),
            "right-option" => "right option",
            "flags" => "flag of the book",
            _ => "book",
        };
        let title = format!("{} by {by}, setting {setting}", self.what());
        let groups = table.groups.iter();
        let dots = Dots {
            id: self.id(section, setting, models),
            about: about(&series, &table.groups),
            groups: groups
                .map(|group| (group.label.clone(), group.questions, group.chance))
                .collect(),
            title: title.clone(),
            noun,
            series,
        };
        Some(
            self.chart(section, setting, models, &title, (&dots.series, &[]), |width| {
                dots.draw(width)
            }),
        )
    }

    fn chart(
        &self,
        section: &'static str,
        setting: &str,
        models: &[String],
        title: &str,
        (series, quiet): (&[Series], &[Quiet]),
        draw: impl Fn(Width) -> String,
    ) -> Chart {
        let marked = series.iter().map(|one| Key {
            picture: svg::key(
                &format!("m{}", one.style),
                DASHES[one.style % DASHES.len()],
                Some(one.style),
            ),
            words: format!("{} {}", one.letter, one.name),
            quiet: false,
        });
        let quiet = quiet.iter().enumerate().map(|(at, one)| Key {
            picture: svg::key("quiet", QUIET_DASHES[at % QUIET_DASHES.len()], None),
            words: one.name.clone(),
            quiet: true,
        });
        Chart {
            name: self.id(section, setting, models),
            title: title.to_owned(),
            wide: draw(Width::Wide),
            narrow: draw(Width::Narrow),
            section,
            part: self.at,
            keys: marked.chain(quiet).collect(),
        }
    }

    /// `Accuracy`, `Mean rouge-l of reconstruction`.
    fn what(&self) -> String {
        match self.part.name.as_str() {
            crate::collect::PAIRS => "Pair accuracy".to_owned(),
            crate::collect::ACCURACY => "Accuracy".to_owned(),
            name => format!("Mean {} of {name}", self.part.measure),
        }
    }

    fn id(&self, section: &str, setting: &str, models: &[String]) -> String {
        let chunk = self.models.iter().position(|one| Some(one) == models.first()).unwrap_or(0);
        let chunk = if chunk == 0 { String::new() } else { format!("-{}", chunk / MODELS + 1) };
        let plain = |text: &str| -> String {
            text.chars()
                .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
                .collect()
        };
        format!("{}-{section}-{}{chunk}", plain(&self.part.name), plain(setting))
    }
}

/// The bins of a table of lengths; none if it has none.
fn bins_of(table: &Table) -> Option<Vec<(Bins, usize)>> {
    let bins: Vec<(Bins, usize)> = table
        .groups
        .iter()
        .filter_map(|group| Some((Bins::of((group.from?, group.to?)), group.questions)))
        .collect();
    let unlike: BTreeSet<Bins> = bins.iter().map(|(bins, _)| *bins).collect();
    (!bins.is_empty() && unlike.len() == table.groups.len()).then_some(bins)
}
