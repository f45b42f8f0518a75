//! The histogram of retention demand that stands beside the data card: an SVG with real text.
//!
//! One panel for each table and type of question, one below the other on one axis, so that they
//! compare at a glance. The colours stand out equally from white and from near black, for a card
//! is read on both and a file cannot know on which.

use std::fmt::Write;

use crate::{facts::TableFacts, numbers::thousands};

/// The figure's file name.
pub(crate) const FIGURE: &str = "demand.svg";

/// Counts changes of how it is drawn.
pub(crate) const VERSION: u32 = 1;

/// A panel: what its bars are about, and their heights by bin.
#[derive(Debug)]
struct Panel {
    table: String,
    of: String,
    bins: [u64; BINS],
    questions: u64,
}

/// One bin for every power of two below which a number of 32 bits may lie.
const BINS: usize = 32;

// All lengths are in the figure's own units, which are pixels at its natural size.
const WIDTH: usize = 760;
const LEFT: usize = 64;
const RIGHT: usize = 36;
const TOP: usize = 52;
/// A panel's title and its bars.
const HEAD: usize = 26;
const BARS: usize = 84;
const GAP: usize = 14;
const BOTTOM: usize = 52;

/// Bars of the tables in turn.
const COLOURS: [&str; 4] = ["#3f83d6", "#c9702b", "#2f9a6b", "#a463c9"];
const WORDS: &str = "#777c82";

/// Draws the figure; none if no table has retention demand. Tables whose rows were chosen from
/// others are left out.
pub(crate) fn draw(tables: &[TableFacts]) -> Option<String> {
    let panels: Vec<_> = tables.iter().filter(|table| !table.chosen).flat_map(panels_of).collect();
    let used = |bin: &usize| panels.iter().any(|panel| panel.bins[*bin] > 0);
    let (first, last) = ((0..BINS).find(used)?, (0..BINS).rfind(used)?);
    let height = TOP + panels.len() * (HEAD + BARS + GAP) + BOTTOM;
    let mut svg = String::new();
    let drawn = write(&mut svg, &panels, &(first..last + 1), height);
    drawn.ok().map(|()| svg)
}

fn panels_of(table: &TableFacts) -> impl Iterator<Item = Panel> {
    table.demand.iter().map(|(of, words)| {
        let mut bins = [0; BINS];
        // Nothing is as good as one word: both are in the first bin.
        for words in words {
            bins[words.max(&1).ilog2() as usize] += 1;
        }
        let questions = words.len() as u64;
        Panel { table: table.config.clone(), of: of.clone(), bins, questions }
    })
}

fn write(
    svg: &mut String,
    panels: &[Panel],
    bins: &std::ops::Range<usize>,
    height: usize,
) -> std::fmt::Result {
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2;
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="title about" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="12" fill="{WORDS}">
<title id="title">Retention demand</title>
<desc id="about">How many questions ask for what stands how many words back, by table and type of question. Each bar covers twice as many words as the one before.</desc>
<text x="{LEFT}" y="22" font-size="16" font-weight="600">Retention demand</text>
<text x="{LEFT}" y="40">Words from the moment of asking back to the first word of the evidence</text>"#
    )?;
    for (at, panel) in panels.iter().enumerate() {
        let colour = colour_of(panels, at);
        let top = TOP + at * (HEAD + BARS + GAP);
        draw_panel(svg, panel, bins, top + HEAD, colour)?;
    }
    let axis = height - BOTTOM;
    // As many labels as have room: a wide number and a gap take about 64 units.
    let step = (64 * bins.len()).div_ceil(WIDTH - LEFT - RIGHT).max(1);
    for edge in (bins.start..=bins.end).step_by(step) {
        let x = x_of(edge, bins);
        let label = thousands(1 << edge);
        writeln!(svg, r#"<text x="{x}" y="{}" text-anchor="middle">{label}</text>"#, axis + 4)?;
    }
    writeln!(
        svg,
        r#"<text x="{middle}" y="{}" text-anchor="middle">retention demand in words, doubling from bar to bar</text>"#,
        axis + 28
    )?;
    let upright = TOP + (axis - TOP) / 2;
    writeln!(
        svg,
        r#"<text x="14" y="{upright}" text-anchor="middle" transform="rotate(-90 14 {upright})">questions</text>
</svg>"#
    )
}

/// The tables' colours in turn.
fn colour_of(panels: &[Panel], at: usize) -> &'static str {
    let changes = panels[..=at].windows(2).filter(|pair| pair[0].table != pair[1].table).count();
    COLOURS[changes % COLOURS.len()]
}

fn draw_panel(
    svg: &mut String,
    panel: &Panel,
    bins: &std::ops::Range<usize>,
    top: usize,
    colour: &str,
) -> std::fmt::Result {
    let name = [panel.table.as_str(), panel.of.as_str()];
    let name: Vec<_> = name.into_iter().filter(|name| !name.is_empty()).map(escape).collect();
    let count = thousands(panel.questions);
    let noun = if panel.questions == 1 { "question" } else { "questions" };
    let (right, base) = (WIDTH - RIGHT, top + BARS);
    writeln!(
        svg,
        r#"<text x="{LEFT}" y="{}"><tspan font-weight="600">{}</tspan> {count} {noun}</text>"#,
        top - 8,
        name.join(" · ")
    )?;
    let most = round_up(panel.bins.iter().copied().max().unwrap_or(1));
    for (count, y) in [(most, top), (0, base)] {
        writeln!(
            svg,
            r#"<path d="M{LEFT} {y}H{right}" stroke="{WORDS}" stroke-opacity="0.35"/><text x="{}" y="{}" text-anchor="end" font-size="11">{}</text>"#,
            LEFT - 6,
            y + 4,
            thousands(count)
        )?;
    }
    for bin in bins.clone().filter(|bin| panel.bins[*bin] > 0) {
        let count = panel.bins[bin];
        // In tenths of a unit, and never so low that it is not seen.
        let tall = (count * 10 * BARS as u64 / most).max(10);
        let (x, next) = (x_of(bin, bins), x_of(bin + 1, bins));
        let (from, to) = (1_u64 << bin, (1_u64 << (bin + 1)) - 1);
        writeln!(
            svg,
            r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{colour}"><title>{} to {} words: {}</title></rect>"#,
            x + 1,
            tenth(10 * base as u64 - tall),
            next - x - 2,
            tenth(tall),
            thousands(if bin == 0 { 0 } else { from }),
            thousands(to),
            thousands(count)
        )?;
    }
    Ok(())
}

fn x_of(edge: usize, bins: &std::ops::Range<usize>) -> usize {
    LEFT + (edge - bins.start) * (WIDTH - LEFT - RIGHT) / bins.len()
}

fn tenth(tenths: u64) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The next number that begins with 1, 2 or 5 and goes on with noughts.
fn round_up(number: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        if let Some(round) = [1, 2, 5].map(|n| n * power).into_iter().find(|n| *n >= number) {
            return round;
        }
        power = power.saturating_mul(10);
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(config: &str, demand: &[(&str, &[u32])]) -> TableFacts {
        let demand = demand.iter().map(|(of, words)| ((*of).to_owned(), words.to_vec()));
        TableFacts { config: config.to_owned(), demand: demand.collect(), ..TableFacts::default() }
    }

    #[test]
    fn every_question_is_in_one_bar() {
        let words = [0, 1, 2, 3, 4, 1_023, 1_024, u32::MAX];
        let svg = draw(&[table("asked", &[("a < b", &words)])]).unwrap();
        let counts: Vec<_> = svg
            .lines()
            .filter_map(|line| line.split_once(" words: "))
            .map(|(from, count)| (from.rsplit('>').next().unwrap(), &count[..1]))
            .collect();
        let expected = [
            ("0 to 1", "2"),
            ("2 to 3", "2"),
            ("4 to 7", "1"),
            ("512 to 1,023", "1"),
            ("1,024 to 2,047", "1"),
            ("2,147,483,648 to 4,294,967,295", "1"),
        ];
        assert_eq!(counts, expected);
        assert!(svg.contains("asked · a &lt; b</tspan> 8 questions"), "{svg}");
        assert!(svg.contains("retention demand in words") && svg.contains(">questions<"));
    }

    #[test]
    fn tables_without_demand_and_chosen_ones_are_not_drawn() {
        assert_eq!(draw(&[table("books", &[])]), None);
        let chosen = TableFacts { chosen: true, ..table("eval", &[("", &[5])]) };
        assert_eq!(draw(&[chosen]), None);
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!([0, 1, 3, 5, 6, 11, 51, 100].map(round_up), [1, 1, 5, 5, 10, 20, 100, 100]);
    }
}
