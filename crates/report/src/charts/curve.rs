//! A curve over bins of lengths: a line for each model, marks, intervals, and how many questions a bin has.

use super::{
    labels::{Label, labels},
    svg::{Anchor, Svg},
};
use crate::{
    bins::{Bins, short},
    words::decimal,
};

/// How wide a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// For screens and paper: names at the ends of lines.
    Wide,
    /// For telephones: letters at the ends of lines.
    Narrow,
}

/// What is drawn.
#[derive(Debug)]
pub(super) struct Curve {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) about: String,
    /// Groups of bins, with how many questions each has.
    pub(super) bins: Vec<(Bins, usize)>,
    pub(super) axis: String,
    /// What the bins have: `questions`.
    pub(super) counted: &'static str,
    /// From where to where the upright axis goes.
    pub(super) range: (f64, f64),
    pub(super) series: Vec<Series>,
    pub(super) quiet: Vec<Quiet>,
}

/// A line of marks.
#[derive(Debug)]
pub(super) struct Series {
    /// `A`.
    pub(super) letter: String,
    pub(super) name: String,
    /// Colour, shape and dash.
    pub(super) style: usize,
    pub(super) points: Vec<Option<Point>>,
}

/// A number with its interval.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) thin: bool,
    pub(super) hollow: bool,
    pub(super) title: String,
}

/// A line without marks: chance, what is known without the book.
#[derive(Debug)]
pub(super) struct Quiet {
    pub(super) name: String,
    pub(super) values: Vec<Option<f64>>,
}

/// Dashes of lines by style.
pub(super) const DASHES: [&str; 6] = ["", "8 4", "2 3", "10 3 2 3", "5 2", "1 4"];

/// Dashes of lines without marks.
pub(super) const QUIET_DASHES: [&str; 4] = ["2 4", "1 2", "6 3 1 3", "9 5"];

pub(super) const TOP: f64 = 16.0;
const BARS: f64 = 22.0;

/// Where things lie in a picture.
pub(super) struct Frame {
    left: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    first: u32,
    step: f64,
    range: (f64, f64),
}

impl Frame {
    /// The middle of a group of bins.
    fn x(&self, bins: Bins) -> f64 {
        self.left
            + (f64::from(bins.first + bins.last + 1) / 2.0 - f64::from(self.first)) * self.step
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        self.bottom - (value.clamp(low, high) - low) / (high - low) * (self.bottom - TOP)
    }
}

impl Curve {
    pub(super) fn draw(&self, width: Width) -> String {
        let narrow = width == Width::Narrow;
        let (whole, left, room, tall) =
            if narrow { (360.0, 38.0, 26.0, 210.0) } else { (780.0, 46.0, 190.0, 250.0) };
        let first = self.bins.first().map_or(0, |(bins, _)| bins.first);
        let last = self.bins.last().map_or(0, |(bins, _)| bins.last);
        let right = whole - room;
        let frame = Frame {
            left,
            right,
            bottom: TOP + tall,
            first,
            step: (right - left) / f64::from(last - first + 1),
            range: self.range,
        };
        let height = frame.bottom + 40.0 + BARS + 22.0;
        let id = format!("{}{}", self.id, if narrow { "-n" } else { "" });
        let mut svg = Svg::new(&id, (whole, height), &self.title, &self.about);
        self.axes(&mut svg, &frame, (first, last), narrow);
        let quiet = self.quiet(&mut svg, &frame);
        self.intervals(&mut svg, &frame);
        let ends = self.lines(&mut svg, &frame);
        labels(&mut svg, &frame, ends.into_iter().chain(quiet).collect(), narrow);
        svg.finish()
    }

    fn axes(&self, svg: &mut Svg, frame: &Frame, (first, last): (u32, u32), narrow: bool) {
        svg.open("quiet", "");
        let (low, high) = self.range;
        let step = if high - low > 0.6 { 0.25 } else { 0.1 };
        let mut value = (low / step).ceil() * step;
        while value <= high + 1e-9 {
            let y = frame.y(value);
            svg.open("rule", "");
            svg.line(
                &[(frame.left, y), (frame.right, y)],
                if value.abs() < 1e-9 { 1.6 } else { 1.0 },
                "",
            );
            svg.close();
            svg.text((frame.left - 7.0, y + 4.0), Anchor::End, "quiet", &decimal(value));
            value += step;
        }
        // Edges of bins, as many as have room.
        let every = (30.0 / frame.step).ceil().max(1.0);
        for edge in first..=last + 1 {
            let x = frame.left + f64::from(edge - first) * frame.step;
            svg.line(&[(x, frame.bottom), (x, frame.bottom + 4.0)], 1.0, "");
            if f64::from(edge - first) % every == 0.0 {
                let label = if edge == 0 { "0".to_owned() } else { short(1 << edge) };
                svg.text((x, frame.bottom + 18.0), Anchor::Middle, "quiet", &label);
            }
        }
        let base = frame.bottom + 32.0 + BARS;
        let most = self.bins.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
        for (bin, count) in &self.bins {
            let (x, half) = (frame.x(*bin), (frame.step * 0.3).min(14.0));
            let tall = (BARS * crate::cell::float(*count) / crate::cell::float(most)).max(1.0);
            svg.area(
                &[
                    (x - half, base),
                    (x - half, base - tall),
                    (x + half, base - tall),
                    (x + half, base),
                ],
                "0.4",
            );
            if frame.step >= 30.0 {
                svg.text((x, base + 13.0), Anchor::Middle, "quiet small", &count.to_string());
            }
        }
        if !narrow {
            svg.text(
                (frame.right + 26.0, frame.bottom + 18.0),
                Anchor::Start,
                "quiet small",
                &self.axis,
            );
            svg.text(
                (frame.right + 26.0, base - 4.0),
                Anchor::Start,
                "quiet small",
                &format!("{} in each bin", self.counted),
            );
        }
        svg.close();
    }

    /// Lines without marks; their labels, with the height that each wants.
    fn quiet(&self, svg: &mut Svg, frame: &Frame) -> Vec<Label> {
        let mut labels = Vec::new();
        svg.open("quiet", "");
        for (at, quiet) in self.quiet.iter().enumerate() {
            let points: Vec<(f64, f64)> = self
                .bins
                .iter()
                .zip(&quiet.values)
                .filter_map(|((bin, _), value)| Some((frame.x(*bin), frame.y((*value)?))))
                .collect();
            let Some((first, last)) = points.first().zip(points.last()) else { continue };
            // As far as the bins reach, also where there is only one.
            let half = frame.step / 2.0;
            let mut whole = vec![(first.0 - half, first.1)];
            whole.extend(&points);
            whole.push((last.0 + half, last.1));
            svg.line(&whole, 1.3, QUIET_DASHES[at % QUIET_DASHES.len()]);
            let name = quiet.name.clone();
            labels.push(Label {
                wants: last.1,
                from: None,
                class: "quiet".into(),
                letter: String::new(),
                name,
            });
        }
        svg.close();
        labels
    }

    fn intervals(&self, svg: &mut Svg, frame: &Frame) {
        let bands = self.series.len() <= 3;
        for (place, series) in self.series.iter().enumerate() {
            svg.open(&format!("m{}", series.style), "");
            let spans: Vec<Option<(f64, f64, f64)>> = self
                .bins
                .iter()
                .zip(&series.points)
                .map(|((bin, _), point)| {
                    let point = point.as_ref().filter(|point| !point.thin)?;
                    let (low, high) = point.interval?;
                    Some((frame.x(*bin), frame.y(low), frame.y(high)))
                })
                .collect();
            for run in spans.split(Option::is_none).filter(|run| !run.is_empty()) {
                let run: Vec<(f64, f64, f64)> = run.iter().flatten().copied().collect();
                if bands && run.len() > 1 {
                    let lows = run.iter().map(|(x, low, _)| (*x, *low));
                    let highs = run.iter().rev().map(|(x, _, high)| (*x, *high));
                    svg.area(&lows.chain(highs).collect::<Vec<_>>(), "0.14");
                    continue;
                }
                let aside = if bands { 0.0 } else { dodge(place, self.series.len(), frame.step) };
                for (x, low, high) in run {
                    svg.line(&[(x + aside, low), (x + aside, high)], 1.2, "");
                }
            }
            svg.close();
        }
    }

    fn lines(&self, svg: &mut Svg, frame: &Frame) -> Vec<Label> {
        let mut labels = Vec::new();
        for (place, series) in self.series.iter().enumerate() {
            let aside = if self.series.len() <= 3 {
                0.0
            } else {
                dodge(place, self.series.len(), frame.step)
            };
            let points: Vec<((f64, f64), &Point)> = self
                .bins
                .iter()
                .zip(&series.points)
                .filter_map(|((bin, _), point)| {
                    let point = point.as_ref()?;
                    Some(((frame.x(*bin) + aside, frame.y(point.value)), point))
                })
                .collect();
            let class = format!("m{}", series.style);
            svg.open(&class, &series.name);
            let solid: Vec<_> =
                points.iter().filter(|(_, point)| !point.thin).map(|(at, _)| *at).collect();
            let faint: Vec<_> = points.iter().map(|(at, _)| *at).collect();
            if solid.len() < faint.len() && faint.len() > 1 {
                // Tells which crosses go together; no more is said of them.
                svg.open("faint", "");
                svg.line(&faint, 0.8, DASHES[series.style % DASHES.len()]);
                svg.close();
            }
            if solid.len() > 1 {
                svg.line(&solid, 2.0, DASHES[series.style % DASHES.len()]);
            }
            svg.close();
            for (at, point) in &points {
                if point.thin {
                    svg.open("faint", &point.title);
                    svg.cross(*at, 3.0);
                } else {
                    svg.open(&class, &point.title);
                    svg.mark(series.style, *at, 4.2, point.hollow);
                }
                svg.close();
            }
            let end = points.iter().rev().find(|(_, point)| !point.thin).or(points.last());
            if let Some((at, _)) = end {
                let (letter, name) = (series.letter.clone(), series.name.clone());
                labels.push(Label { wants: at.1, from: Some(*at), class, letter, name });
            }
        }
        labels
    }
}

/// How far a mark is set aside, so that intervals of many lines do not hide each other.
fn dodge(place: usize, of: usize, step: f64) -> f64 {
    let gap = (step * 0.6 / crate::cell::float(of)).min(5.0);
    gap * (crate::cell::float(place) - crate::cell::float(of - 1) / 2.0)
}
