//! Quotation marks of a table that do not add up.
//!
//! The reader of CSV takes whatever it is given: a mark that is never closed swallows the rest of
//! the file into one cell. So marks are looked at first, and each fault has its row and column.

use crate::mistake::Mistake;

/// Marks that spreadsheets and word processors put in the place of `"`, with what closes each.
const TYPOGRAPHIC: [(char, &[char]); 4] =
    [('“', &['”', '“']), ('”', &['”']), ('„', &['“', '”']), ('«', &['»'])];

/// Where a cell is broken. Rows are counted as a spreadsheet counts them.
pub(super) fn faults(text: &str, delimiter: char) -> Vec<Mistake> {
    let mut faults = Vec::new();
    let (mut row, mut column) = (1, 1);
    let mut rest = text;
    while !rest.is_empty() {
        let at = |reason: &str| Mistake::new(reason).row(row).column(column.to_string());
        let taken = if let Some(inner) = rest.strip_prefix('"') {
            let Some(length) = quoted(inner) else {
                faults.push(at("a quotation mark opens here and is never closed"));
                break;
            };
            let behind = &inner[length..];
            let stray = behind.find([delimiter, '\n', '\r']).unwrap_or(behind.len());
            if stray > 0 {
                faults.push(at("something stands behind the closing quotation mark: double the marks inside a quoted cell"));
            }
            1 + length + stray
        } else {
            let end = rest.find([delimiter, '\n', '\r']).unwrap_or(rest.len());
            if let Some(reason) = bare(rest[..end].trim()) {
                faults.push(at(reason));
            }
            end
        };
        rest = &rest[taken..];
        let ended = rest.starts_with(['\n', '\r']);
        rest = match rest.strip_prefix("\r\n") {
            Some(next) => next,
            None => rest.get(1..).unwrap_or(""),
        };
        (row, column) = if ended { (row + 1, 1) } else { (row, column + 1) };
        if faults.len() == 20 {
            break;
        }
    }
    faults
}

/// The bytes up to and with the mark that closes a quoted cell.
fn quoted(inner: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + inner[from..].find('"')?;
        if inner[at + 1..].starts_with('"') {
            from = at + 2;
        } else {
            return Some(at + 1);
        }
    }
}

/// What is wrong with a cell that is not quoted.
fn bare(cell: &str) -> Option<&'static str> {
    if cell.contains('"') {
        return Some(
            "a quotation mark inside a cell that is not quoted: put the cell in marks and double those inside",
        );
    }
    if ["#REF!", "#NAME?", "#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!"].contains(&cell) {
        return Some("an error value of a spreadsheet");
    }
    let (open, closers) = TYPOGRAPHIC.iter().find(|(open, _)| cell.starts_with(*open))?;
    let inner = &cell[open.len_utf8()..];
    let closed = inner.find(*closers);
    let whole = closed.is_none_or(|at| inner[at..].chars().count() == 1);
    whole.then_some("the cell begins with a typographic quotation mark, as a spreadsheet or word processor puts it in the place of \": save the table with plain marks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<String> = faults(text, ',').iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), expect.len(), "{text:?}: {found:?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.starts_with(expect), "{text:?}: {found}");
        }
    }

    #[test]
    fn table() {
        check("a,b\n\"x, \"\"y\"\"\",z\n", &[]);
        check("a,b\r\n\"x\ny\",\"\"\r\nq,r", &[]);
        check("a,b\n1,\"open\n2,x\n", &["row 2, column 2: a quotation mark opens"]);
        check("a,b\n\"x\"y,z\n", &["row 2, column 1: something stands behind"]);
        check(
            "a,b\nx \"y\" z,w\n\n1,a\"\n",
            &["row 2, column 1: a quotation", "row 4, column 2: a quotation"],
        );
        check("a,b\n“x, and y”,z\n", &["row 2, column 1: the cell begins with a typographic"]);
        check("a,b\n“x.”,“Owl Eyes” is a man.\n", &["row 2, column 1: the cell begins"]);
        check("a\n#REF!\n", &["row 2, column 1: an error value"]);
        check("“a”,b\n", &["row 1, column 1: the cell begins"]);
        check("\"a\"", &[]);
        check("\"", &["row 1, column 1"]);
    }
}
