//! Tables of text with aligned columns.

pub(crate) use storymill::words::{plain, plural, typed};
use storymill_llm::Cost;
use storymill_report::thousands;

use crate::screen;

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

    /// A table of costs: what each row is of, counts of it, then tokens and money.
    pub(crate) fn of_costs<const N: usize>(
        head: [&str; N],
        is_estimate: bool,
        rows: impl IntoIterator<Item = ([String; N], Cost)>,
    ) -> Self {
        let mut table = Self::new(&[&head[..], &[">tokens in", ">tokens out", ">cost"]].concat());
        for (cells, cost) in rows {
            let tokens = [cost.usage.prompt, cost.usage.completion].map(|count| count.to_string());
            table.row(cells.into_iter().chain(tokens).chain([cost.money(is_estimate)]));
        }
        table
    }

    /// Takes out columns that have nothing in any row, or `-`.
    pub(crate) fn drop_empty(&mut self) {
        let is_none = |row: &Vec<String>, at: usize| matches!(row[at].as_str(), "" | "-");
        let is_empty = |at: &usize| self.rows.iter().skip(1).all(|row| is_none(row, *at));
        let empty: Vec<usize> = (0..self.right.len()).filter(is_empty).collect();
        for at in empty.into_iter().rev() {
            self.right.remove(at);
            self.rows.iter_mut().for_each(|row| _ = row.remove(at));
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| plain(&cell)).collect());
    }
}

/// The head of a column that counts units: books, unless a source gives sets of questions or stories.
pub(crate) fn units<'k>(mut kinds: impl Iterator<Item = &'k str>) -> &'static str {
    let others = ["published", "question-sets", "storysumm"];
    if kinds.any(|kind| others.contains(&kind)) { ">units" } else { ">books" }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let mut widths: Vec<_> = (0..self.right.len()).map(width).collect();
        if let Some(screen) = screen::width() {
            let word = |cell: &String| cell.split(' ').map(|word| word.chars().count()).max();
            let longest = |column: usize| {
                self.rows.iter().filter_map(|row| word(&row[column])).max().unwrap_or(0)
            };
            let words: Vec<_> = (0..self.right.len()).map(longest).collect();
            narrow(&mut widths, &words, screen);
        }
        for row in &self.rows {
            let cells: Vec<Vec<String>> =
                row.iter().zip(&widths).map(|(cell, width)| wrapped(cell, *width)).collect();
            for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut line = String::new();
                for ((lines, width), right) in cells.iter().zip(&widths).zip(&self.right) {
                    let cell = lines.get(at).map_or("", String::as_str);
                    let room = " ".repeat(width - cell.chars().count());
                    line +=
                        &if *right { format!("{room}{cell}  ") } else { format!("{cell}{room}  ") };
                }
                writeln!(f, "{}", line.trim_end())?;
            }
        }
        Ok(())
    }
}

/// Takes from the widest columns until a row fits on a screen: first no column of less than its longest word, then none of less
/// than some letters.
fn narrow(widths: &mut [usize], words: &[usize], screen: usize) {
    const LETTERS: usize = 5;
    let gaps = 2 * widths.len().saturating_sub(1);
    for whole_words in [true, false] {
        let least = |at: usize| if whole_words { words[at].max(LETTERS) } else { LETTERS };
        while widths.iter().sum::<usize>() + gaps > screen {
            let wide = (0..widths.len()).filter(|at| widths[*at] > least(*at));
            let Some(widest) = wide.max_by_key(|at| widths[*at]) else { break };
            widths[widest] -= 1;
        }
    }
}

/// `565 of 666 (84.8 %)`: every share on a screen says of how many.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let tenths = (part * 2_000 + whole) / (2 * whole);
    format!("{} of {} ({}.{} %)", thousands(part), thousands(whole), tenths / 10, tenths % 10)
}

/// Prose for a screen: in lines that fit on a terminal, and elsewhere as it is.
pub(crate) fn prose(text: &str) -> String {
    let Some(width) = screen::width() else { return text.to_owned() };
    let lines: Vec<_> = text.split('\n').flat_map(|line| wrapped(line, width)).collect();
    lines.join("\n")
}

/// A text in lines of at most so many symbols, broken between words; a word that is longer is broken too.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let width = width.max(1);
    let mut room = width;
    for word in text.split(' ') {
        let long = word.chars().count();
        let is_first = room == width;
        if !is_first && long + 1 > room {
            lines.push(String::new());
            room = width;
        } else if !is_first {
            lines.iter_mut().last().into_iter().for_each(|line| line.push(' '));
            room -= 1;
        }
        for symbol in word.chars() {
            if room == 0 {
                lines.push(String::new());
                room = width;
            }
            if let Some(line) = lines.last_mut() {
                line.push(symbol);
            }
            room = room.saturating_sub(1);
        }
    }
    lines
}

/// What stands out, on a terminal that wants colours; elsewhere as it is.
pub(crate) fn bold(text: &str) -> String {
    if screen::coloured_out() { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// What stands back, on a terminal that wants colours; elsewhere as it is.
pub(crate) fn dim(text: &str) -> String {
    if screen::coloured_out() { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{narrow, wrapped};

    #[test]
    fn columns_are_narrowed_to_the_screen_and_cells_broken_between_words() {
        let mut widths = [6, 60, 30];
        narrow(&mut widths, &[6, 9, 8], 50);
        assert_eq!(widths.iter().sum::<usize>() + 4, 50);
        assert_eq!(widths[0], 6, "what is narrow stays");
        // Where whole words have no room they are broken.
        let mut widths = [30, 30];
        narrow(&mut widths, &[30, 30], 22);
        assert_eq!(widths, [10, 10]);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
