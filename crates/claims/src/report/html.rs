//! Scores as one HTML page without scripts, fonts or anything else from elsewhere.

use super::tables::{preface, tables};
use crate::score::Scores;

const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>Scores on claim pairs</title>
<style>
body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 }
th, td { border-bottom: 1px solid #ccc; padding: .25em .8em; text-align: left }
td { font-variant-numeric: tabular-nums }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } th, td { border-color: #444 } }
</style>
<h1>Scores on claim pairs</h1>
";

/// The scores as a page. Everything that comes from files is escaped.
pub fn html(scores: &Scores) -> String {
    let mut page = HEAD.to_owned();
    for line in preface(scores) {
        page += &format!("<p>{}</p>\n", escape(&line));
    }
    for table in tables(scores) {
        page += &format!("<h2>{}</h2>\n<table>\n<tr>", escape(&table.heading));
        for cell in &table.head {
            page += &format!("<th scope=\"col\">{}</th>", escape(cell));
        }
        page += "</tr>\n";
        for row in &table.rows {
            page += "<tr>";
            for cell in row {
                page += &format!("<td>{}</td>", escape(cell));
            }
            page += "</tr>\n";
        }
        page += "</table>\n";
    }
    page + "</html>\n"
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
