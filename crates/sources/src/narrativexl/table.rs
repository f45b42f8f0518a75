//! The tables of a NarrativeXL archive: cells, rows and lists separated by long strings of their own.
//!
//! A header comes first. A separator may stand behind the last cell, the last row and the last
//! value, or may not. The files do not say their encoding, so the ones that their makers used are
//! tried in turn.

use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
use storymill_core::Reason;

const COLUMN: &str = "###THISISOURUNIQUECOLUMNSEPARATORUNLIKELYTOBEENCOUNTEREDINANYBOOK###";
const LINE: &str = "###THISISOURUNIQUELINESEPARATORUNLIKELYTOBEENCOUNTEREDINANYBOOK###";
const VALUE: &str = "###THISISOURUNIQUESUMMARYSEPARATORUNLIKELYTOBEENCOUNTEREDINANYBOOK###";

/// A file as text, line ends `\n`, and the encoding it was read in.
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) encoding: &'static str,
}

/// Decodes a file: UTF-8, UTF-16, windows-1252, Latin-1, the first one in which the bytes make
/// sense and the file is a table. UTF-16 alone would take nearly anything of even length.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Reason> {
    let wide = |encoding: &'static encoding_rs::Encoding, bytes: &[u8]| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        Some(text.into_owned())
    };
    let tries: [(&'static str, &dyn Fn() -> Option<String>); 5] = [
        ("UTF-8", &|| {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::str::from_utf8(bytes).ok().map(str::to_owned)
        }),
        ("UTF-16LE", &|| wide(UTF_16LE, bytes.strip_prefix(b"\xff\xfe").unwrap_or(bytes))),
        ("UTF-16BE", &|| wide(UTF_16BE, bytes.strip_prefix(b"\xfe\xff").unwrap_or(bytes))),
        ("windows-1252", &|| {
            // The five bytes that this encoding leaves open.
            let open = |byte: &u8| [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(byte);
            (!bytes.iter().any(open)).then(|| wide(WINDOWS_1252, bytes))?
        }),
        ("ISO-8859-1", &|| Some(bytes.iter().map(|byte| char::from(*byte)).collect())),
    ];
    for (encoding, read) in tries {
        if let Some(text) = read().filter(|text| text.contains(COLUMN)) {
            let text = if text.contains('\r') {
                text.replace("\r\n", "\n").replace('\r', "\n")
            } else {
                text
            };
            return Ok(Decoded { text, encoding });
        }
    }
    let what = if bytes.trim_ascii().is_empty() {
        "the file is empty"
    } else {
        "no column separator is in the file, in any encoding that is tried"
    };
    Err(Reason::new("no-table", what))
}

/// A cell without the blanks around it, and where it begins in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell<'t> {
    pub(super) start: usize,
    pub(super) text: &'t str,
}

impl<'t> Cell<'t> {
    fn new(start: usize, raw: &'t str) -> Self {
        let text = raw.trim();
        // What is blank begins where it ends.
        let blanks = if text.is_empty() { 0 } else { raw.len() - raw.trim_start().len() };
        Self { start: start + blanks, text }
    }

    /// The values of a list. A blank cell has none.
    pub(super) fn values(self) -> Vec<&'t str> {
        if self.text.is_empty() {
            return Vec::new();
        }
        let mut values: Vec<_> = self.text.split(VALUE).map(str::trim).collect();
        if values.len() > 1 && values.last().is_some_and(|last| last.is_empty()) {
            values.pop();
        }
        values
    }

    /// A number, or what is there instead.
    pub(super) fn number<N: std::str::FromStr>(self, column: &str) -> Result<N, String> {
        let text = self.text;
        text.parse().map_err(|_| format!("column {column}: `{}` is not a number here", start(text)))
    }
}

/// The beginning of a text, for a message.
fn start(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
    .replace('\n', " ")
}

/// One row: its number, from 1 for the first below the header, and the cells that are wanted.
#[derive(Debug)]
pub(super) struct Row<'t, const N: usize> {
    pub(super) number: u32,
    /// The cells, or what is wrong with the row.
    pub(super) cells: Result<[Cell<'t>; N], String>,
}

/// The rows of a table, each with the cells of these columns.
pub(super) fn rows<'t, const N: usize>(
    text: &'t str,
    columns: [&str; N],
) -> Result<Vec<Row<'t, N>>, Reason> {
    let mut pieces = pieces(text, 0, LINE).filter(|(_, row)| !row.trim().is_empty());
    let (_, header) = pieces.next().unwrap_or_default();
    let header: Vec<&str> = cells(0, header, None).iter().map(|cell| cell.text).collect();
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        *place = header.iter().position(|name| *name == column).ok_or_else(|| {
            let have: Vec<_> = header.iter().map(|name| format!("`{}`", start(name))).collect();
            let detail = format!("the header has no column {column} among {}", have.join(", "));
            Reason::new("bad-header", detail)
        })?;
    }
    let row = |(number, (from, row)): (u32, (usize, &'t str))| {
        let cells = cells(from, row, Some(header.len()));
        let cells = if cells.len() == header.len() {
            Ok(places.map(|place| cells[place]))
        } else {
            Err(format!("{} cells, where the header has {}", cells.len(), header.len()))
        };
        Row { number, cells }
    };
    Ok((1..).zip(pieces).map(row).collect())
}

/// The cells of a row. A blank one too many is what stands behind a last separator.
fn cells(from: usize, row: &str, wanted: Option<usize>) -> Vec<Cell<'_>> {
    let mut cells: Vec<_> =
        pieces(row, from, COLUMN).map(|(at, cell)| Cell::new(at, cell)).collect();
    let last = cells.last().is_some_and(|cell| cell.text.is_empty());
    if last && wanted.is_none_or(|wanted| cells.len() == wanted + 1) {
        cells.pop();
    }
    cells
}

/// What a separator parts, and where each piece begins.
fn pieces<'t>(
    text: &'t str,
    from: usize,
    separator: &'static str,
) -> impl Iterator<Item = (usize, &'t str)> {
    let mut at = from;
    text.split(separator).map(move |piece| {
        let next = at + piece.len() + separator.len();
        (std::mem::replace(&mut at, next), piece)
    })
}

/// Whether a table ends with a separator of rows, as the original writes it.
pub(super) fn is_ended(text: &str) -> bool {
    text.trim_end().ends_with(LINE)
}

/// How many rows a file has below its header, if it is a table.
pub(super) fn count(bytes: &[u8]) -> Option<u32> {
    let decoded = decode(bytes).ok()?;
    rows(&decoded.text, []).ok()?.len().try_into().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(rows: &[Vec<String>], trailing: bool) -> String {
        let mut text = rows.iter().map(|row| row.join(COLUMN)).collect::<Vec<_>>().join(LINE);
        if trailing {
            text += LINE;
        }
        text
    }

    #[track_caller]
    fn check(text: &str, expected: &[Result<[&str; 2], &str>]) {
        let text = text.replace('|', COLUMN).replace('/', LINE).replace('+', VALUE);
        let found = rows(&text, ["b", "a"]).unwrap();
        let found: Vec<_> = found
            .into_iter()
            .map(|row| row.cells.map(|cells| cells.map(|cell| cell.text.to_owned())))
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|row| row.map(|cells| cells.map(str::to_owned)).map_err(str::to_owned))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_are_read_by_the_names_of_their_columns() {
        check("a|b/1|2/3|4/", &[Ok(["2", "1"]), Ok(["4", "3"])]);
        check("a|b/1|2/3|4", &[Ok(["2", "1"]), Ok(["4", "3"])]);
        check("a|b|/1|2|/3|4|/\n", &[Ok(["2", "1"]), Ok(["4", "3"])]);
        check("a|x|b/\n1||2\n/", &[Ok(["2", "1"])]);
        check("a|b/1|/", &[Ok(["", "1"])]);
        check(
            "a|b/1/2|3|4/5|6",
            &[
                Err("1 cells, where the header has 2"),
                Err("3 cells, where the header has 2"),
                Ok(["6", "5"]),
            ],
        );
        let reason = rows(&format!("a{COLUMN}c{LINE}"), ["a", "b"]).unwrap_err();
        assert_eq!(reason.detail, "the header has no column b among `a`, `c`");
    }

    #[test]
    fn values_are_parted_and_may_end_with_a_separator() {
        let values = |text: &str| {
            let text = text.replace('+', VALUE);
            let cell = Cell { start: 0, text: &text };
            cell.values().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(values("a+b"), ["a", "b"]);
        assert_eq!(values("a+b+"), ["a", "b"]);
        assert_eq!(values("a++b"), ["a", "", "b"]);
        assert_eq!(values(""), Vec::<String>::new());
    }

    #[test]
    fn encodings_are_tried_in_turn() {
        let text = table(&[vec!["a".into(), "b".into()], vec!["é “x”".into(), "2".into()]], true);
        let wide = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect();
        let with = |mark: &[u8], rest: Vec<u8>| [mark, &rest[..]].concat();
        let old = WINDOWS_1252.encode(&text).0.into_owned();
        let cases: [(Vec<u8>, &str); 6] = [
            (text.clone().into_bytes(), "UTF-8"),
            (with(b"\xef\xbb\xbf", text.clone().into_bytes()), "UTF-8"),
            (with(b"\xff\xfe", wide(u16::to_le_bytes)), "UTF-16LE"),
            (with(b"\xfe\xff", wide(u16::to_be_bytes)), "UTF-16BE"),
            (wide(u16::to_le_bytes), "UTF-16LE"),
            (old, "windows-1252"),
        ];
        for (bytes, encoding) in cases {
            let decoded = decode(&bytes).unwrap();
            assert_eq!((decoded.text.as_str(), decoded.encoding), (&text[..], encoding));
        }
        let odd = [format!("a{COLUMN}").as_bytes(), &[0x81, 0xe9]].concat();
        let decoded = decode(&odd).unwrap();
        assert_eq!(decoded.encoding, "ISO-8859-1");
        assert!(decoded.text.ends_with("\u{81}é"));
        assert_eq!(decode(b" \n").unwrap_err().detail, "the file is empty");
        assert_eq!(decode(b"a,b\n1,2\n").unwrap_err().code, "no-table");
    }

    proptest! {
        /// What was written is read again, wherever separators end, and stands where it says.
        #[test]
        fn tables_come_back(
            cells in prop::collection::vec(prop::collection::vec("[a-zé#\n ]{0,12}", 3), 1..6),
            trailing in any::<bool>(),
        ) {
            let head: Vec<String> = ["x", "y", "z"].map(str::to_owned).to_vec();
            let full = |row: &&Vec<String>| row.iter().any(|cell| !cell.trim().is_empty());
            let wanted: Vec<_> = cells.iter().filter(full).cloned().collect();
            let text = table(&[&[head][..], &wanted].concat(), trailing);
            let found = rows(&text, ["x", "y", "z"]).unwrap();
            prop_assert_eq!(found.len(), wanted.len());
            for (row, wanted) in found.iter().zip(&wanted) {
                for (cell, wanted) in row.cells.as_ref().unwrap().iter().zip(wanted) {
                    prop_assert_eq!(cell.text, wanted.trim());
                    prop_assert_eq!(&text[cell.start..cell.start + cell.text.len()], cell.text);
                }
            }
        }
    }
}
