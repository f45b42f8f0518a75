//! Names at the ends of lines, none over another.

use super::{
    curve::{Frame, TOP},
    svg::{Anchor, Svg},
};

/// A name and where it wants to stand.
pub(super) struct Label {
    pub(super) wants: f64,
    /// The end of the line.
    pub(super) from: Option<(f64, f64)>,
    pub(super) class: String,
    pub(super) letter: String,
    pub(super) name: String,
}

/// Labels at the right, none over another.
pub(super) fn labels(svg: &mut Svg, frame: &Frame, mut labels: Vec<Label>, narrow: bool) {
    if narrow {
        labels.retain(|label| !label.letter.is_empty());
    }
    labels.sort_by(|one, other| one.wants.total_cmp(&other.wants));
    let gap = 15.0;
    let lowest = frame.bottom + 4.0;
    let mut places: Vec<f64> = Vec::new();
    for label in &labels {
        let above = places.last().map_or(TOP, |above| above + gap);
        places.push(label.wants.max(above));
    }
    // What was pushed below the axis is pushed back, from the last one up.
    let mut below = lowest;
    for place in places.iter_mut().rev() {
        *place = place.min(below);
        below = *place - gap;
    }
    for (label, place) in labels.iter().zip(places) {
        let x = frame.right + if narrow { 6.0 } else { 12.0 };
        if let Some((from, height)) = label.from {
            svg.open(&label.class, "");
            svg.line(&[(from + 7.0, height), (x - 3.0, place)], 0.7, "");
            svg.close();
        }
        let text = if narrow {
            label.letter.clone()
        } else {
            let cut = shortened(&label.name, 23);
            [label.letter.as_str(), &cut]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join(" ")
        };
        let class = if label.letter.is_empty() { "quiet small" } else { "ink" };
        svg.text((x, place + 4.0), Anchor::Start, class, &text);
    }
}

/// At most so many letters; what is left out is in the middle, for names differ at both ends.
pub(super) fn shortened(name: &str, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name.to_owned();
    }
    let (begin, end) = (most / 2, most - most / 2 - 1);
    let head: String = letters[..begin].iter().collect();
    let tail: String = letters[letters.len() - end..].iter().collect();
    format!("{head}…{tail}")
}
