//! The second curve: each model against itself with the evidence alone.

use super::{
    Chart, Sheet, bins_of,
    curve::{Curve, Point, Series},
    words::{about, shift_in_words},
};

impl Sheet<'_> {
    pub(super) fn against(&self, setting: &str, models: &[String]) -> Option<Chart> {
        let table = &self.part.demand;
        let own = self.part.against_evidence.iter();
        let own = own.filter(|one| one.setting == setting && models.contains(&one.model));
        let series: Vec<Series> = own
            .map(|one| {
                let (letter, style) = self.style(&one.model);
                let points = one.shifts.iter().zip(&table.groups).map(|(shift, group)| {
                    let shift = shift.as_ref()?;
                    Some(Point {
                        value: shift.value?,
                        interval: shift.low.zip(shift.high),
                        thin: shift.thin,
                        hollow: false,
                        title: format!(
                            "{} ({setting} less evidence), {}: {}",
                            one.model,
                            group.label,
                            shift_in_words(shift, self.part.noun())
                        ),
                    })
                });
                Series { letter, name: one.model.clone(), style, points: points.collect() }
            })
            .filter(|series| series.points.iter().any(Option::is_some))
            .collect();
        if series.is_empty() {
            return None;
        }
        let points = || series.iter().flat_map(|series| series.points.iter().flatten());
        let ends = |of: fn(&Point) -> f64| {
            points().filter(|point| !point.thin).map(of).collect::<Vec<f64>>()
        };
        let low = ends(|point| point.interval.map_or(point.value, |(low, _)| low));
        let high = ends(|point| point.interval.map_or(point.value, |(_, high)| high));
        let low = low.into_iter().fold(-0.2, f64::min);
        let high = high.into_iter().fold(0.1, f64::max);
        let range = ((low * 10.0).floor() / 10.0, (high * 10.0).ceil() / 10.0);
        let title =
            format!("{} in setting {setting}, less that with the evidence alone", self.what());
        let curve = Curve {
            id: self.id("against", setting, models),
            about: about(&series, &table.groups),
            bins: bins_of(table)?,
            axis: format!("{} back", self.report.unit.name()),
            range,
            quiet: Vec::new(),
            title: title.clone(),
            counted: self.part.nouns(),
            series,
        };
        Some(self.chart(
            "against",
            setting,
            models,
            &title,
            (&curve.series, &curve.quiet),
            |width| curve.draw(width),
        ))
    }
}
