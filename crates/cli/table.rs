//! Tables of text with aligned columns.

pub(crate) use storymill::words::{plain, plural, typed};

/// A table in the making: a head and rows of cells.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Table {
    /// A table with this head. A column whose head begins with `>` is aligned to the right.
    pub(crate) fn new(head: &[&str]) -> Self {
        let right = head.iter().map(|cell| cell.starts_with('>')).collect();
        let head = head.iter().map(|cell| cell.trim_start_matches('>').to_owned()).collect();
        Self { rows: vec![head], right }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.right.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                let room = " ".repeat(width - cell.chars().count());
                line += &if *right { format!("{room}{cell}  ") } else { format!("{cell}{room}  ") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// What stands out, on a terminal that wants colours; elsewhere as it is.
pub(crate) fn bold(text: &str) -> String {
    if crate::report::coloured_out() {
        format!("\u{1b}[1m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// What stands back, on a terminal that wants colours; elsewhere as it is.
pub(crate) fn dim(text: &str) -> String {
    if crate::report::coloured_out() {
        format!("\u{1b}[2m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}
