//! Prints what `inspect` finds: `inspect FOLDER_OR_FILE [ROWS]`.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use storymill_dataset::{Query, Sample, inspect};

fn main() {
    let mut words = std::env::args().skip(1);
    let path = words.next().expect("usage: inspect FOLDER_OR_FILE [ROWS]");
    let rows = words.next().map_or(1, |rows| rows.parse().unwrap());
    let query = Query { rows, sample: Sample::Seeded(1), ..Query::default() };
    match inspect(path.as_ref(), &query) {
        Ok(found) => found.tables.iter().for_each(|table| println!("{table:#?}")),
        Err(fault) => println!("{fault}: {:?}", fault.hint),
    }
}
