//! The cast of a book as it stands in a build: who is who, what each name became, and where.

use storymill_core::{Book, Cast, Fault, Record, Rows, Substitution, UnitId};
use storymill_names::{CastFile, Pair, Replacement, Substitutes, Sure, bytes_at};

use crate::inventory::Inventory;

/// Everybody in a book, and what stands for their names.
#[derive(Clone, Debug)]
pub struct CastSheet {
    /// Who is who.
    pub cast: CastFile,
    /// The book's text, with the names that it has.
    pub text: String,
    /// Each part of a name with its substitute; none where the workflow replaces no names.
    pub names: Vec<Substitution>,
    /// Every place of the text that is replaced, in order; `pair` is the place in `names`.
    pub edits: Vec<Replacement>,
}

impl Inventory {
    /// The cast of a unit's book; none where the workflow makes none, or made none of this unit.
    ///
    /// # Errors
    ///
    /// Rows are damaged, or the cast cannot be read.
    pub fn cast(&self, unit: &UnitId) -> Result<Option<CastSheet>, Fault> {
        let Some((step, cast)) = self.first::<Cast>(unit)? else { return Ok(None) };
        let Some(cast) = cast.first() else { return Ok(None) };
        let file = CastFile::parse(&cast.toml)?;
        let books = self.reads(&step, Book::NAME);
        let text = match books.map(|step| self.rows_of::<Book>(&step, unit)).transpose()?.flatten()
        {
            Some(rows) => rows.first().map(|book| book.text.clone()).unwrap_or_default(),
            None => String::new(),
        };
        let names = self.first::<Substitution>(unit)?.map(|(_, rows)| rows.to_vec());
        let names = names.unwrap_or_default();
        let pairs = names.iter().map(|row| Pair {
            part: row.part.clone(),
            substitute: row.substitute.clone(),
            careful: row.careful,
            role: row.role.clone(),
            written: row.written.clone(),
        });
        let at = bytes_at(&text, names.iter().flat_map(|row| row.at.iter().copied()).collect());
        let edits = Substitutes::of(pairs.collect())?.apply(&text, Sure::At(&at)).edits;
        Ok(Some(CastSheet { cast: file, text, names, edits }))
    }

    /// The units that have a cast.
    pub fn casts(&self) -> Vec<UnitId> {
        let casts =
            |step: &str| self.workflow.step(step).is_some_and(|one| one.record() == Cast::NAME);
        let with = self.found.iter().filter(|found| casts(&found.step) && found.part.is_some());
        let mut units: Vec<UnitId> = with.map(|found| found.unit.clone()).collect();
        units.sort();
        units.dedup();
        units
    }

    /// The rows of the first step that makes a record of the unit.
    fn first<R: Record>(&self, unit: &UnitId) -> Result<Option<(String, Rows<R>)>, Fault> {
        let makes =
            |step: &str| self.workflow.step(step).is_some_and(|one| one.record() == R::NAME);
        let mut found = self.found.iter().filter(|found| found.unit == *unit && makes(&found.step));
        let found = found.find_map(|found| Some((found.step.clone(), found.part.as_ref()?)));
        found.map(|(step, part)| Ok((step, self.rows::<R>(part)?))).transpose()
    }

    fn rows_of<R: Record>(&self, step: &str, unit: &UnitId) -> Result<Option<Rows<R>>, Fault> {
        let mut found = self.found.iter().filter(|found| found.unit == *unit && found.step == step);
        let part = found.find_map(|found| found.part.as_ref());
        part.map(|part| self.rows::<R>(part)).transpose()
    }

    /// The step from which a step reads rows of a record.
    fn reads(&self, step: &str, record: &str) -> Option<String> {
        let edges = self.workflow.step(step)?.edges();
        edges.into_iter().find(|edge| edge.record == record).map(|edge| edge.step)
    }
}
