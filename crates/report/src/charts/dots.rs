//! Dots with intervals, one row for each model under the name of a group.

use super::{
    curve::{Point, Series, Width},
    labels::shortened,
    svg::{Anchor, Svg},
};
use crate::words::{decimal, number};

/// What is drawn.
#[derive(Debug)]
pub(super) struct Dots {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) about: String,
    /// What is counted: `question`.
    pub(super) noun: &'static str,
    /// Names of groups, how many questions, and what guessing gets right.
    pub(super) groups: Vec<(String, usize, Option<f64>)>,
    /// Points by group.
    pub(super) series: Vec<Series>,
}

const ROW: f64 = 15.0;
const HEAD: f64 = 22.0;
const TOP: f64 = 24.0;

impl Dots {
    pub(super) fn draw(&self, width: Width) -> String {
        let narrow = width == Width::Narrow;
        let (whole, left, right) =
            if narrow { (360.0, 24.0, 346.0) } else { (780.0, 230.0, 740.0) };
        let head = if narrow { HEAD } else { 8.0 };
        let rows = crate::cell::float(self.series.len());
        let tall = (head + rows * ROW).max(if narrow { 0.0 } else { 30.0 });
        let height = TOP + tall * crate::cell::float(self.groups.len()) + 8.0;
        let id = format!("{}{}", self.id, if narrow { "-n" } else { "" });
        let mut svg = Svg::new(&id, (whole, height), &self.title, &self.about);
        let x = |value: f64| left + value.clamp(0.0, 1.0) * (right - left);
        svg.open("quiet", "");
        for value in [0.0, 0.25, 0.5, 0.75, 1.0] {
            svg.open("rule", "");
            svg.line(&[(x(value), TOP - 4.0), (x(value), height - 8.0)], 1.0, "");
            svg.close();
            svg.text((x(value), TOP - 9.0), Anchor::Middle, "quiet", &decimal(value));
        }
        svg.close();
        for (at, (name, questions, chance)) in self.groups.iter().enumerate() {
            let top = TOP + tall * crate::cell::float(at);
            let name = shortened(name, if narrow { 30 } else { 26 });
            if narrow {
                svg.text((4.0, top + 14.0), Anchor::Start, "ink", &format!("{name} · {questions}"));
            } else {
                svg.text((left - 24.0, top + head + 9.0), Anchor::End, "ink", &name);
                let count = number(*questions, self.noun);
                svg.text((left - 24.0, top + head + 24.0), Anchor::End, "quiet small", &count);
            }
            if let Some(chance) = chance {
                svg.open("quiet", &format!("chance: {}", decimal(*chance)));
                svg.line(
                    &[(x(*chance), top + head - 2.0), (x(*chance), top + tall - 2.0)],
                    1.4,
                    "2 3",
                );
                svg.close();
            }
            for (row, series) in self.series.iter().enumerate() {
                let y = top + head + ROW * (crate::cell::float(row) + 0.5);
                svg.text((left - 14.0, y + 4.0), Anchor::Middle, "quiet small", &series.letter);
                if let Some(point) = &series.points[at] {
                    dot(&mut svg, series, point, y, &x);
                }
            }
        }
        svg.finish()
    }
}

fn dot(svg: &mut Svg, series: &Series, point: &Point, y: f64, x: &impl Fn(f64) -> f64) {
    let class = if point.thin { "faint".to_owned() } else { format!("m{}", series.style) };
    svg.open(&class, &point.title);
    if let Some((low, high)) = point.interval {
        svg.line(&[(x(low), y), (x(high), y)], 1.4, "");
    }
    if point.thin {
        svg.cross((x(point.value), y), 3.0);
    } else {
        svg.mark(series.style, (x(point.value), y), 4.2, point.hollow);
    }
    svg.close();
}
