//! Tables of text with aligned columns.

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

/// A count with its thing: `1 row`, `2 rows`.
pub(crate) fn plural(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// Text that came from a book, a model or a file name, made safe for a terminal: without control
/// characters, which could move the cursor or change colours.
pub(crate) fn plain(text: &str) -> String {
    let safe = |symbol: char| !symbol.is_control() || symbol == '\n' || symbol == '\t';
    text.chars().map(|symbol| if safe(symbol) { symbol } else { '\u{FFFD}' }).collect()
}

/// A path as it can be typed behind a command: in quotes where a shell would take it apart.
pub(crate) fn typed(path: &std::path::Path) -> String {
    let path = plain(&path.display().to_string());
    let safe =
        |c: char| c.is_alphanumeric() || "/._-+:@%,=".contains(c) || c == std::path::MAIN_SEPARATOR;
    if !path.is_empty() && path.chars().all(safe) {
        return path;
    }
    format!("'{}'", path.replace('\'', r"'\''"))
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
