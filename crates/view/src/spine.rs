//! The book as a column of scenes: read, evidence, asked here, unread; retention demand as a distance.

use std::fmt::Write;

/// What the spine of a question shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spine {
    /// Scenes of the book.
    pub(crate) scenes: u32,
    /// Scenes that were read when it is asked.
    pub(crate) read: u32,
    /// First and last scene of each evidence.
    pub(crate) evidence: Vec<(u32, u32)>,
    /// How far back, in words for people: `5 scenes`, `2,412 words`.
    pub(crate) demand: Vec<String>,
}

/// Height of the column, in units of the picture.
const HEIGHT: f64 = 440.0;
const TOP: f64 = 10.0;

impl Spine {
    /// The picture.
    pub(crate) fn svg(&self) -> String {
        let scenes = f64::from(self.scenes.max(1));
        let step = HEIGHT / scenes;
        let gap = if step > 8.0 { 3.0 } else { 0.0 };
        let at = |scene: u32| TOP + f64::from(scene) * step;
        let mut out = format!(
            "<svg viewBox=\"0 0 172 {:.0}\" role=\"img\" aria-label=\"{}\">",
            HEIGHT + 2.0 * TOP,
            self.words()
        );
        let block = |first: u32, behind: u32, class: &str| {
            let tall = (at(behind) - at(first) - gap).max(1.0);
            format!(
                "<rect class=\"{class}\" x=\"46\" y=\"{:.1}\" width=\"26\" height=\"{tall:.1}\" rx=\"2\"/>",
                at(first)
            )
        };
        if gap > 0.0 {
            for scene in 0..self.scenes {
                out += &block(scene, scene + 1, if scene < self.read { "read" } else { "unread" });
            }
        } else {
            out += &block(0, self.read, "read");
            if self.read < self.scenes {
                out += &block(self.read, self.scenes, "unread");
            }
        }
        for (first, last) in &self.evidence {
            out += &block(*first, last + 1, "evidence");
        }
        let now = at(self.read) - gap / 2.0;
        let _ = write!(
            out,
            "<path class=\"now\" d=\"M36 {now:.1}H90\"/><text class=\"now\" x=\"0\" y=\"{:.1}\">asked</text>",
            now + 4.0
        );
        if let Some((first, _)) = self.evidence.first() {
            let top = at(*first);
            let _ = write!(
                out,
                "<path class=\"reach\" d=\"M86 {top:.1}V{now:.1}\"/><text x=\"0\" y=\"{:.1}\">scene {first}</text>",
                top + 11.0
            );
            let middle = f64::midpoint(top, now)
                - 8.0 * (f64::from(u32::try_from(self.demand.len()).unwrap_or(1)) - 1.0);
            let mut y = middle + 4.0;
            for line in &self.demand {
                let _ = write!(out, "<text x=\"94\" y=\"{y:.1}\">{line}</text>");
                y += 16.0;
            }
        }
        out + "</svg>"
    }

    fn words(&self) -> String {
        let evidence: Vec<String> = self
            .evidence
            .iter()
            .map(
                |(first, last)| {
                    if first == last { first.to_string() } else { format!("{first} to {last}") }
                },
            )
            .collect();
        let evidence = match evidence.as_slice() {
            [] => String::new(),
            some => format!(", evidence in scene {}", some.join(", ")),
        };
        format!("{} scenes, {} of them read{evidence}", self.scenes, self.read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spine_says_what_it_shows() {
        let spine =
            Spine { scenes: 11, read: 7, evidence: vec![(3, 3)], demand: vec!["5 scenes".into()] };
        let svg = spine.svg();
        assert!(svg.contains("11 scenes, 7 of them read, evidence in scene 3"), "{svg}");
        assert_eq!(svg.matches("class=\"read\"").count(), 7);
        let many = Spine { scenes: 900, read: 900, evidence: vec![(0, 899)], demand: Vec::new() };
        assert!(many.svg().len() < 1_000, "{}", many.svg());
    }
}
