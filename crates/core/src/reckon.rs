//! What a stage will ask before its input is there: sizes and estimates, for plans.

use crate::{AskTotals, Options};

/// How much there is of something: rows, and the symbols of their texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Rows.
    pub rows: u64,
    /// About how many symbols their texts have.
    pub symbols: u64,
}

impl Size {
    /// The symbols of one row, on average.
    pub fn of_row(self) -> u64 {
        self.symbols / self.rows.max(1)
    }
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.rows = self.rows.saturating_add(other.rows);
        self.symbols = self.symbols.saturating_add(other.symbols);
    }
}

/// About what a stage will ask for a unit, and make of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reckoned {
    /// The rows.
    pub rows: Size,
    /// The model, by its name in the workflow; none if nothing is asked.
    pub model: Option<String>,
    /// How often one question may be asked.
    pub tries: u32,
    /// The questions, as if the first answer to each were accepted.
    pub asks: AskTotals,
    /// How many of them can only be asked when others are answered.
    pub follow: u64,
}

impl Reckoned {
    /// One request for each row of the first edge, if a model is asked at all; an answer of a quarter of the
    /// row, and as many rows.
    pub fn row_by_row<S: Options>(stage: &S, input: &[Size]) -> Self {
        let rows = input.first().copied().unwrap_or_default();
        let model = stage.models().first().map(|model| (*model).to_owned());
        let asks = match &model {
            Some(_) => AskTotals {
                answers: rows.rows,
                symbols_in: rows.symbols,
                symbols_out: rows.symbols / 4,
            },
            None => AskTotals::default(),
        };
        Self { rows, model, tries: 1, asks, follow: 0 }
    }

    /// So many questions of a stage to its model, each with so many symbols in and out.
    pub fn questions(
        rows: Size,
        (model, tries): (&str, u32),
        answers: u64,
        (symbols_in, symbols_out): (u64, u64),
    ) -> Self {
        let asks = AskTotals {
            answers,
            symbols_in: answers.saturating_mul(symbols_in),
            symbols_out: answers.saturating_mul(symbols_out),
        };
        Self { rows, model: Some(model.to_owned()), tries, asks, follow: 0 }
    }

    /// The same, where so many of the questions follow from answers to others.
    #[must_use]
    pub fn following(self, follow: u64) -> Self {
        Self { follow, ..self }
    }
}
