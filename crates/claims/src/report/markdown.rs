//! Scores as Markdown.

use super::tables::{preface, tables};
use crate::score::Scores;

/// The scores as a page of Markdown. Names of systems and parts come from files and are escaped.
pub fn markdown(scores: &Scores) -> String {
    let mut page = String::from("# Scores on claim pairs\n");
    for line in preface(scores) {
        page += &format!("\n{}\n", escape(&line));
    }
    for table in tables(scores) {
        page += &format!("\n## {}\n\n", escape(&table.heading));
        page += &row(&table.head);
        page += &format!("|{}\n", " --- |".repeat(table.head.len()));
        for cells in &table.rows {
            page += &row(cells);
        }
    }
    page
}

fn row(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// A text in one line that means nothing but itself.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '!' | '~' | '$' => {
                safe.push('\\');
                safe.push(c);
            }
            c if c.is_control()
                || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') =>
            {
                safe.push(' ');
            }
            c => safe.push(c),
        }
    }
    safe
}
