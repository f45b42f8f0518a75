//! The grades of a results folder, read back row by row.

use serde::Deserialize;
use storymill_core::{
    Demand, Encoding, Facet, Fault, FaultKind, Grade, Length, Spent, Status, Tokens, UnitId,
};

use crate::{
    manifest::Manifest,
    reading::{each_row, open},
    site::Site,
};

/// The columns that a table of grades is known by.
const KNOWN_BY: [&str; 3] = ["grade_id", "status", "score_ppm"];

/// Hands over every grade of a results folder, file by file, and says how many there were.
///
/// # Errors
///
/// The folder has no manifest or no table of grades, a file cannot be read, or a row is none that this version wrote.
pub fn each_grade(
    folder: impl Into<Site>,
    mut each: impl FnMut(Grade) -> Result<(), Fault>,
) -> Result<u64, Fault> {
    let folder = &folder.into();
    let manifest = Manifest::of(folder)?;
    let mut count = 0;
    let mut tables = 0;
    for file in &manifest.files {
        let path = folder.join(&file.path);
        let reader = open(&path)?;
        let schema = reader.schema().clone();
        if !KNOWN_BY.iter().all(|name| schema.column_with_name(name).is_some()) {
            continue;
        }
        tables += 1;
        each_row(reader.with_batch_size(8_192), &path, |row: Row| {
            count += 1;
            each(row.grade())
        })?;
    }
    if tables == 0 {
        return Err(Fault::new(FaultKind::Input, "no grades are published here")
            .at(folder)
            .hint("a results folder is what `storymill evaluate` writes"));
    }
    Ok(count)
}

/// A row of grades; what results of earlier versions lack may be missing.
#[derive(Deserialize)]
struct Row {
    question_id: String,
    config: String,
    of: UnitId,
    title: String,
    author: String,
    split: String,
    flags: Vec<String>,
    #[serde(default)]
    written_by: Vec<String>,
    model: String,
    setting: String,
    form: String,
    kind: String,
    status: Status,
    right: i64,
    none_of_the_above: i64,
    choices: u8,
    pair: String,
    #[serde(default)]
    facets: Vec<String>,
    score_ppm: u32,
    rouge_l_ppm: Option<i64>,
    copy_rouge_l_ppm: Option<i64>,
    meteor_ppm: Option<i64>,
    copy_meteor_ppm: Option<i64>,
    em_ppm: Option<i64>,
    f1_ppm: Option<i64>,
    keyword_f1_ppm: Option<i64>,
    explained_ppm: Option<i64>,
    early_ppm: Option<i64>,
    contradicted_ppm: Option<i64>,
    quotations_ppm: Option<i64>,
    verbatim_ppm: Option<i64>,
    offered_tokens: i64,
    shown_tokens: i64,
    cut: String,
    output_tokens: i64,
    thinking_tokens: i64,
    limit_tokens: i64,
    #[serde(default)]
    request_place: u8,
    demand_scenes: i64,
    demand_words: i64,
    demand_symbols: i64,
    demand_end_symbols: i64,
    demand_tokens_r50k_base: Option<i64>,
    demand_tokens_p50k_base: Option<i64>,
    demand_tokens_cl100k_base: Option<i64>,
    demand_tokens_o200k_base: Option<i64>,
    context_scenes: i64,
    context_words: i64,
    context_symbols: i64,
    context_tokens_r50k_base: Option<i64>,
    context_tokens_p50k_base: Option<i64>,
    context_tokens_cl100k_base: Option<i64>,
    context_tokens_o200k_base: Option<i64>,
}

/// A count; -1 is what nobody counted.
fn counted(number: i64) -> Option<u32> {
    u32::try_from(number).ok()
}

/// A length in every unit; tokens in the order of [`Encoding::ALL`].
fn length([scenes, words, symbols]: [i64; 3], tokens: [Option<i64>; 4]) -> Length {
    let tokens = Encoding::ALL.into_iter().zip(tokens);
    let tokens =
        tokens.filter_map(|(encoding, count)| Some(Tokens { encoding, count: counted(count?)? }));
    let [scenes, words, symbols] =
        [scenes, words, symbols].map(|one| counted(one).unwrap_or_default());
    Length { scenes, words, symbols, tokens: tokens.collect() }
}

impl Row {
    fn grade(self) -> Grade {
        // The measure that counts comes first.
        let measures = [
            ("rouge-l", self.rouge_l_ppm),
            ("copy-rouge-l", self.copy_rouge_l_ppm),
            ("meteor", self.meteor_ppm),
            ("copy-meteor", self.copy_meteor_ppm),
            ("em", self.em_ppm),
            ("f1", self.f1_ppm),
            ("keyword-f1", self.keyword_f1_ppm),
            ("explained", self.explained_ppm),
            ("early", self.early_ppm),
            ("contradicted", self.contradicted_ppm),
            ("quotations", self.quotations_ppm),
            ("verbatim", self.verbatim_ppm),
        ];
        let measured = |(name, ppm): (&str, Option<i64>)| Some((name.to_owned(), counted(ppm?)?));
        Grade {
            question: self.question_id,
            config: self.config,
            of: self.of,
            title: self.title,
            author: self.author,
            split: self.split,
            flags: self.flags,
            written_by: self.written_by,
            model: self.model,
            setting: self.setting,
            form: self.form,
            kind: self.kind,
            status: self.status,
            right: match self.right {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            },
            none_of_the_above: self.none_of_the_above == 1,
            choices: self.choices,
            pair: self.pair,
            facets: self.facets.iter().filter_map(|name| Facet::of_name(name)).collect(),
            score_ppm: self.score_ppm,
            measures: measures.into_iter().filter_map(measured).collect(),
            demand: Demand {
                to_start: length(
                    [self.demand_scenes, self.demand_words, self.demand_symbols],
                    [
                        self.demand_tokens_r50k_base,
                        self.demand_tokens_p50k_base,
                        self.demand_tokens_cl100k_base,
                        self.demand_tokens_o200k_base,
                    ],
                ),
                to_end_symbols: counted(self.demand_end_symbols).unwrap_or_default(),
            },
            context: length(
                [self.context_scenes, self.context_words, self.context_symbols],
                [
                    self.context_tokens_r50k_base,
                    self.context_tokens_p50k_base,
                    self.context_tokens_cl100k_base,
                    self.context_tokens_o200k_base,
                ],
            ),
            spent: Spent {
                offered: counted(self.offered_tokens),
                shown: counted(self.shown_tokens),
                cut: self.cut,
                output: counted(self.output_tokens),
                thinking: counted(self.thinking_tokens),
                limit: counted(self.limit_tokens),
                place: self.request_place,
            },
        }
    }
}
