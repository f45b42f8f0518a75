//! A chart as PDF, for papers: the marks of its SVG ([`svg`](super::svg)) on a page of its size, in Helvetica, which every
//! reader of PDF has.

use std::collections::BTreeSet;

use pdf_writer::{
    Content, Finish, Name, Pdf, Rect, Ref, Str, types::LineJoinStyle, writers::ExtGraphicsState,
};

/// Widths of the letters of Helvetica from the blank to `~`, in thousandths of the size of the font.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// How far a corner of a circle's four curves pulls, in radii.
const PULL: f32 = 0.552_285;

/// The attribute of areas that shine through; its value names the page's state for them.
const SHINES: &str = "fill-opacity";

/// The font's name on the page.
const FONT: Name<'static> = Name(b"F");

/// A picture that was drawn as SVG, with the colours of this style sheet.
pub(super) fn of(svg: &str, style: &str) -> Vec<u8> {
    let number = |tag: &str, name: &str| attribute(tag, name).parse().unwrap_or(0.0);
    let head = svg.split_inclusive('>').next().unwrap_or_default();
    let (width, height): (f32, f32) = (number(head, "width"), number(head, "height"));
    let mut page = Content::new();
    // SVG counts from the top.
    page.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
    page.set_line_join(LineJoinStyle::RoundJoin);
    let mut colours = vec![[0.0; 3]];
    let mut rest = svg;
    while let Some((tag, text)) = next(&mut rest) {
        let colour = *colours.last().expect("the ink of the page is never taken away");
        match tag.split([' ', '/']).next().unwrap_or_default() {
            "g" => colours.push(coloured(style, attribute(tag, "class")).unwrap_or(colour)),
            "" if tag == "/g" => drop(colours.pop()),
            "path" => {
                pen(&mut page, tag, colour);
                path(&mut page, attribute(tag, "d"));
                paint(&mut page, tag);
            }
            "circle" => {
                pen(&mut page, tag, colour);
                circle(&mut page, number(tag, "cx"), number(tag, "cy"), number(tag, "r"));
                paint(&mut page, tag);
            }
            "text" => {
                let class = attribute(tag, "class");
                let colour = coloured(style, class).unwrap_or(colour);
                let size = if class.split(' ').any(|one| one == "small") { 11.0 } else { 12.0 };
                let letters = letters(text);
                let long = length(&letters) * size / 1000.0;
                let x: f32 = number(tag, "x");
                let x = match attribute(tag, "text-anchor") {
                    "middle" => x - long / 2.0,
                    "end" => x - long,
                    _ => x,
                };
                page.begin_text()
                    .set_font(FONT, size)
                    .set_fill_rgb(colour[0], colour[1], colour[2]);
                page.set_text_matrix([1.0, 0.0, 0.0, -1.0, x, number(tag, "y")]);
                page.show(Str(&letters)).end_text();
            }
            _ => {}
        }
    }
    let shining = svg.split('<').map(|tag| attribute(tag, SHINES)).filter(|one| !one.is_empty());
    written(&page.finish(), (width, height), &shining.collect())
}

/// The next tag and what stands between it and the one after.
fn next<'s>(rest: &mut &'s str) -> Option<(&'s str, &'s str)> {
    let (_, behind) = rest.split_once('<')?;
    let (tag, behind) = behind.split_once('>')?;
    *rest = behind;
    Some((tag, behind.split('<').next().unwrap_or_default()))
}

/// The value of an attribute; blank if there is none.
fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let found = tag.split_once(&format!(" {name}=\""));
    found.and_then(|(_, value)| value.split('"').next()).unwrap_or_default()
}

/// The colour of the first of some classes that has one, from 0 to 1.
fn coloured(style: &str, classes: &str) -> Option<[f32; 3]> {
    let of = |class: &str| {
        let rule = style.split_once(&format!(".chart .{class} {{ color: #")).or_else(|| {
            style.split_once(&format!(".chart .{class}, .chart.{class} {{ color: #"))
        })?;
        let digits = rule.1.get(..6)?;
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some([part(0)?, part(2)?, part(4)?].map(|part| f32::from(part) / 255.0))
    };
    classes.split(' ').filter(|class| !class.is_empty()).find_map(of)
}

/// Lines and areas: `M` and `L` with points, `Z` where they end at the beginning.
fn path(page: &mut Content, drawn: &str) {
    for (at, point) in drawn.trim_end_matches('Z').split(['M', 'L']).skip(1).enumerate() {
        let mut numbers = point.split(' ').filter_map(|number| number.parse::<f32>().ok());
        let (Some(x), Some(y)) = (numbers.next(), numbers.next()) else { continue };
        if at == 0 {
            page.move_to(x, y)
        } else {
            page.line_to(x, y)
        };
    }
    if drawn.ends_with('Z') {
        page.close_path();
    }
}

fn circle(page: &mut Content, x: f32, y: f32, r: f32) {
    let pull = r * PULL;
    page.move_to(x + r, y);
    page.cubic_to(x + r, y + pull, x + pull, y + r, x, y + r);
    page.cubic_to(x - pull, y + r, x - r, y + pull, x - r, y);
    page.cubic_to(x - r, y - pull, x - pull, y - r, x, y - r);
    page.cubic_to(x + pull, y - r, x + r, y - pull, x + r, y);
    page.close_path();
}

/// The colours, the width and the dash of what is laid out next: PDF takes them before a path, not within one.
fn pen(page: &mut Content, tag: &str, colour: [f32; 3]) {
    let opacity = attribute(tag, SHINES);
    if !opacity.is_empty() {
        page.save_state().set_parameters(Name(opacity.as_bytes()));
    }
    let [red, green, blue] = if is_hollow(tag) { [1.0; 3] } else { colour };
    page.set_fill_rgb(red, green, blue).set_stroke_rgb(colour[0], colour[1], colour[2]);
    page.set_line_width(attribute(tag, "stroke-width").parse().unwrap_or(1.0));
    let dash = attribute(tag, "stroke-dasharray");
    page.set_dash_pattern(dash.split([' ', ',']).filter_map(|part| part.parse().ok()), 0.0);
}

fn is_hollow(tag: &str) -> bool {
    attribute(tag, "class") == "hollow"
}

/// Fills and draws what was laid out.
fn paint(page: &mut Content, tag: &str) {
    let is_filled = is_hollow(tag) || attribute(tag, "fill") == "currentColor";
    match (is_filled, attribute(tag, "stroke") == "currentColor") {
        (true, true) => page.fill_nonzero_and_stroke(),
        (true, false) => page.fill_nonzero(),
        (false, true) => page.stroke(),
        (false, false) => page.end_path(),
    };
    if !attribute(tag, SHINES).is_empty() {
        page.restore_state();
    }
}

/// What the font has of Windows' Western code page from 0x80 on, and blanks where that has none.
const WESTERN: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// Signs that the font lacks, each with one that it has in their stead.
const INSTEAD: [(&str, char); 10] = [
    ("−‒", '–'),
    ("―⸺", '—'),
    ("‐‑⁃", '-'),
    ("′ʹʼ", '\''),
    ("″ʺ", '"'),
    ("∙‧●○", '•'),
    ("→≥⟩", '>'),
    ("←≤⟨", '<'),
    ("≈∼", '~'),
    ("⁄∕", '/'),
];

/// A text in the letters of Windows' Western code page, which the font has. What it lacks is a sign that looks like it, else `?`.
fn letters(text: &str) -> Vec<u8> {
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&amp;", "&");
    text.chars().map(letter).collect()
}

fn letter(letter: char) -> u8 {
    let like = INSTEAD.iter().find(|(all, _)| all.contains(letter)).map(|(_, like)| *like);
    match like.unwrap_or(letter) {
        like @ (' '..='~' | '\u{a0}'..='\u{ff}') => u8::try_from(like).unwrap_or(b'?'),
        like if like.is_whitespace() => b' ',
        like => {
            let place =
                WESTERN.chars().position(|one| one == like).and_then(|at| u8::try_from(at).ok());
            place.map_or(b'?', |at| 0x80 + at)
        }
    }
}

/// How long letters are, in thousandths of the size of the font; those that the table lacks are as wide as digits.
fn length(letters: &[u8]) -> f32 {
    let wide = |letter: &u8| {
        let place = letter.checked_sub(b' ').map(usize::from);
        place.and_then(|place| WIDTHS.get(place)).copied().unwrap_or(556)
    };
    letters.iter().map(|letter| f32::from(wide(letter))).sum()
}

/// A document of one page.
fn written(content: &[u8], (width, height): (f32, f32), shining: &BTreeSet<&str>) -> Vec<u8> {
    let [catalog, pages, page, stream, font] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(stream);
    let mut resources = sheet.resources();
    resources.fonts().pair(FONT, font);
    let mut states = resources.ext_g_states();
    for opacity in shining {
        let mut state = states.insert(Name(opacity.as_bytes())).start::<ExtGraphicsState<'_>>();
        state.non_stroking_alpha(opacity.parse().unwrap_or(1.0));
    }
    states.finish();
    resources.finish();
    sheet.finish();
    pdf.stream(stream, content);
    pdf.type1_font(font)
        .base_font(Name(b"Helvetica"))
        .encoding_predefined(Name(b"WinAnsiEncoding"));
    pdf.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_stands_on_the_page() {
        let svg = "<svg class=\"chart\" width=\"100\" height=\"50\"><title>no</title><g class=\"m0\"><path d=\"M1 2L3.5 4\" \
                   fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/></g><circle cx=\"5\" cy=\"6\" r=\"2\" \
                   class=\"hollow\" stroke=\"currentColor\"/><text class=\"quiet\" x=\"50\" y=\"9\" \
                   text-anchor=\"end\">0–8 &lt; 中</text><text>−.2 “Ž”\u{2009}‑œ</text>\
                   <path d=\"M1 1L2 2Z\" fill=\"currentColor\" fill-opacity=\"0.14\"/></svg>";
        let style =
            ".chart .quiet, .chart.quiet { color: #ff0000; }\n.chart .m0 { color: #0000ff; }";
        let pdf = of(svg, style);
        assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"));
        let text: String = pdf.iter().map(|byte| char::from(*byte)).collect();
        for part in [
            "0 0 100 50",
            "1 2 m\n3.5 4 l",
            "0 0 1 RG",
            "1 0 0 rg",
            "1 1 1 rg",
            "7 6 m",
            "<309638203C203F> Tj",
            "<962E3220938E94202D9C> Tj",
            "q\n/0.14 gs\n",
            "h\nf\nQ",
            "/ca 0.14",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("no"), "{text}");
        // Five letters of 556, 584 and 278: the text ends where it should.
        let long = length(&letters("0–8 &lt; 中")) * 12.0 / 1000.0;
        assert!(text.contains(&format!("{} 9 Tm", 50.0 - long)), "{long}: {text}");
    }
}
