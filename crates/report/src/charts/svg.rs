//! The few marks that charts are drawn with. Colours are classes, so that a page sets them once for light and dark.

use std::fmt::Write;

/// An SVG in the making.
#[derive(Debug)]
pub(super) struct Svg {
    out: String,
}

/// Where a text stands from its point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    /// Begins with title and description, which screen readers read in place of the picture. `id` is its own in a page.
    pub(super) fn new(id: &str, size: (f64, f64), title: &str, about: &str) -> Self {
        let (width, height) = (n(size.0), n(size.1));
        let out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\" font-size=\"12\">\n<title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n",
            escape(title),
            escape(about)
        );
        Self { out }
    }

    pub(super) fn finish(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }

    /// Opens a group of a class, with what is shown where the pointer rests.
    pub(super) fn open(&mut self, class: &str, title: &str) {
        write!(self.out, "<g class=\"{class}\">").ok();
        if !title.is_empty() {
            write!(self.out, "<title>{}</title>", escape(title)).ok();
        }
    }

    pub(super) fn close(&mut self) {
        self.out += "</g>\n";
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>",
            n(at.0),
            n(at.1),
            escape(text)
        )
        .ok();
    }

    /// A line through points, in the colour of its group.
    pub(super) fn line(&mut self, points: &[(f64, f64)], width: f64, dash: &str) {
        let dash =
            if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        write!(
            self.out,
            "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}/>",
            path(points),
            n(width)
        )
        .ok();
    }

    /// A filled area without an edge.
    pub(super) fn area(&mut self, points: &[(f64, f64)], opacity: &str) {
        write!(
            self.out,
            "<path d=\"{}Z\" fill=\"currentColor\" fill-opacity=\"{opacity}\"/>",
            path(points)
        )
        .ok();
    }

    /// One of six shapes around a point; hollow or full.
    pub(super) fn mark(&mut self, shape: usize, at: (f64, f64), size: f64, hollow: bool) {
        let fill = if hollow { "class=\"hollow\"" } else { "fill=\"currentColor\"" };
        let edge = "stroke=\"currentColor\" stroke-width=\"1.8\"";
        let (x, y) = at;
        if shape.is_multiple_of(SHAPES.len()) {
            write!(
                self.out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {fill} {edge}/>",
                n(x),
                n(y),
                n(size)
            )
            .ok();
            return;
        }
        let corners: Vec<(f64, f64)> = SHAPES[shape % SHAPES.len()]
            .iter()
            .map(|(dx, dy)| (x + dx * size, y + dy * size))
            .collect();
        write!(self.out, "<path d=\"{}Z\" {fill} {edge}/>", path(&corners)).ok();
    }

    /// A small cross: a cell that says little.
    pub(super) fn cross(&mut self, (x, y): (f64, f64), size: f64) {
        self.line(&[(x - size, y - size), (x + size, y + size)], 1.5, "");
        self.line(&[(x - size, y + size), (x + size, y - size)], 1.5, "");
    }
}

/// A small picture for a key, which says nothing by itself: a piece of line and its mark.
pub(super) fn key(class: &str, dash: &str, shape: Option<usize>) -> String {
    let mut svg = Svg { out: "<svg class=\"chart key\" viewBox=\"0 0 30 12\" width=\"30\" height=\"12\" aria-hidden=\"true\">".to_owned() };
    svg.open(class, "");
    svg.line(&[(0.0, 6.0), (30.0, 6.0)], if shape.is_some() { 2.0 } else { 1.3 }, dash);
    if let Some(shape) = shape {
        svg.mark(shape, (15.0, 6.0), 4.2, false);
    }
    svg.close();
    svg.out + "</svg>"
}

/// Corners of the shapes, in units of their size: circle, square, triangle, diamond, triangle on its head, pentagon.
const SHAPES: [&[(f64, f64)]; 6] = [
    &[],
    &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    &[(0.0, -1.2), (1.15, 0.8), (-1.15, 0.8)],
    &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
    &[(0.0, 1.2), (1.15, -0.8), (-1.15, -0.8)],
    &[(0.0, -1.1), (1.05, -0.3), (0.65, 0.95), (-0.65, 0.95), (-1.05, -0.3)],
];

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        path += if at == 0 { "M" } else { "L" };
        path += &format!("{} {}", n(*x), n(*y));
    }
    path
}

/// A number with at most one digit behind the point.
pub(super) fn n(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
