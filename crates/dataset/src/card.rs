//! The data card: `README.md` with the front matter that Hugging Face reads.
//!
//! The words are in `card.md.jinja`; here is what they are filled with. Everything that comes
//! from books is escaped by default; only what is marked safe is not.

mod audit;
pub(crate) use audit::worst;
mod columns;
mod statistics;

use std::collections::BTreeSet;

use minijinja::{AutoEscape, Environment, Error, Value, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;
use storymill_core::{Digest, Fault, FaultKind};

use self::{
    audit::AuditView,
    statistics::{AmbiguousView, AskedView, NamesLeftView, Statistics, ambiguous},
};
use crate::{
    audit::AuditedSet,
    audit::curve::CURVE,
    column::Column,
    escape::{is_plain_url, markdown, yaml},
    facts::{BookFact, Facts, TableFacts},
    figure::FIGURE,
    gated::GatedView,
    judged::JudgedView,
    manifest::{SCHEMA_VERSION, TOOL_VERSION, TableEntry},
    publication::{Publication, RejectCount, Step},
    steps_left::{StepsLeft, StepsLeftView},
    table::Tables,
    told_apart::{ToldApart, ToldApartView},
    voted::{Voted, VotedView},
};

/// Counts changes of the figures that it is filled with.
pub(crate) const VERSION: u32 = 8;

/// The template, a part of what a dataset is made from.
pub(crate) const TEMPLATE: &str = include_str!("card.md.jinja");

#[derive(Debug, Serialize)]
struct CardView<'a> {
    name: &'a str,
    title: &'a str,
    version: &'a str,
    description: &'a str,
    authors: &'a [String],
    url: &'a str,
    /// Its name on the Hugging Face Hub, if its URL is one of there.
    hub_id: Option<&'a str>,
    license: &'a str,
    license_id: Option<String>,
    canary: &'a str,
    seed: u64,
    models: &'a [String],
    /// Models that only judged.
    judges: &'a [String],
    /// Whether there are retellings, by rule if there are no models.
    retold: bool,
    /// Who made the retellings of which tables.
    made: Made,
    /// The same for the retellings in questions.
    made_in: Made,
    steps: &'a [Step],
    rejects: &'a [RejectCount],
    left_out: &'a [RejectCount],
    reviews: u64,
    size: &'static str,
    tool_version: &'static str,
    schema_version: u32,
    digest: String,
    configs: &'a [ConfigView],
    columns: Vec<columns::SharedColumn>,
    /// Those that have rows: `datasets` cannot load a table without any.
    listed: Vec<&'a ConfigView>,
    languages: Vec<String>,
    books: Vec<BookFact>,
    rights: BTreeSet<String>,
    /// Whether some rights are told for one country alone.
    us_only: bool,
    /// The config that the examples load.
    shown: String,
    statistics: Statistics,
    audit: AuditView,
    figure: Option<&'static str>,
    baselines: Option<&'static str>,
    asked: Vec<AskedView>,
    names_left: Option<NamesLeftView>,
    judged: JudgedView,
    /// None where no gate is compared and none dropped anything.
    gated: Option<GatedView>,
    ambiguous: Vec<AmbiguousView>,
    steps_left: Option<StepsLeftView>,
    told_apart: Option<ToldApartView>,
    voted: Option<VotedView>,
}

/// Tables of retellings by who made their rows: all by rule, all by a model, or some of each.
#[derive(Debug, Default, Serialize)]
struct Made {
    rule: Vec<String>,
    model: Vec<String>,
    both: Vec<BothView>,
}

/// A table some of whose rows were made by rule.
#[derive(Debug, Serialize)]
struct BothView {
    config: String,
    rule: u64,
    rows: u64,
}

impl Made {
    /// Tables of retellings, or of questions.
    fn of(tables: &[TableFacts], asked: bool) -> Self {
        let mut made = Self::default();
        for table in tables.iter().filter(|table| table.asks.is_some() == asked) {
            let rows: u64 = table.made_by.values().sum();
            let of = |name| table.made_by.get(name).copied().unwrap_or(0);
            let rule = of("rule") + of("both");
            let config = table.config.clone();
            match rule {
                _ if rows == 0 => {}
                0 => made.model.push(config),
                _ if rule == rows => made.rule.push(config),
                _ => made.both.push(BothView { config, rule, rows }),
            }
        }
        made
    }
}

#[derive(Debug, Serialize)]
struct ConfigView {
    name: String,
    about: &'static str,
    is_default: bool,
    evaluation: bool,
    columns: Vec<ColumnView>,
    splits: Vec<SplitView>,
    rows: u64,
    file_bytes: u64,
    row_bytes: u64,
}

#[derive(Debug, Serialize)]
struct ColumnView {
    name: &'static str,
    kind: String,
    about: &'static str,
    nullable: bool,
    /// The feature in YAML, indented under `dataset_info`.
    feature: String,
}

#[derive(Debug, Serialize)]
struct SplitView {
    name: String,
    rows: u64,
    row_bytes: u64,
}

/// Which pictures stand beside the card.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pictures {
    /// How many questions have how much retention demand.
    pub(crate) demand: bool,
    /// What searching the books answers.
    pub(crate) baselines: bool,
}

/// Writes the card.
pub(crate) fn render(
    spec: &Publication,
    tables: &Tables,
    files: &[TableEntry],
    digest: Digest,
    facts: Facts,
    audited: &[AuditedSet],
    pictures: Pictures,
) -> Result<String, Fault> {
    let configs = configs(spec, tables, files)?;
    let shown = configs.iter().find(|config| config.is_default);
    let Facts {
        mut books,
        languages,
        tables: noted,
        names_left,
        judged,
        gated,
        steps_left,
        told_apart,
        voted,
        ..
    } = facts;
    let ambiguous = ambiguous(spec, &noted);
    books.sort_by(|one, other| one.id.cmp(&other.id));
    let rights: BTreeSet<_> = books.iter().map(|book| book.rights.clone()).collect();
    let view = CardView {
        name: &spec.name,
        title: if spec.title.trim().is_empty() { &spec.name } else { &spec.title },
        version: &spec.version,
        description: &spec.description,
        authors: &spec.authors,
        url: &spec.url,
        hub_id: hub_id(&spec.url),
        license: &spec.license,
        license_id: license_id(&spec.license),
        canary: &spec.canary,
        seed: spec.seed,
        models: &spec.models,
        judges: &spec.judges,
        retold: spec.configs.iter().any(|config| RETELLINGS.contains(&config.record.as_str())),
        made: Made::of(&noted, false),
        made_in: Made::of(&noted, true),
        steps: &spec.steps,
        rejects: &spec.rejects,
        left_out: &spec.left_out,
        reviews: spec.reviews,
        size: size_category(configs.iter().map(|config| config.rows).sum()),
        tool_version: TOOL_VERSION,
        schema_version: SCHEMA_VERSION,
        digest: digest.to_string(),
        languages: languages.into_iter().filter(|tag| is_language(tag)).collect(),
        shown: shown.map(|config| config.name.clone()).unwrap_or_default(),
        us_only: rights.iter().any(|right| right.contains("USA")),
        listed: configs.iter().filter(|config| config.rows > 0).collect(),
        configs: &configs,
        columns: columns::shared(&configs),
        books,
        rights,
        statistics: Statistics::of(noted),
        audit: AuditView::of(audited),
        figure: pictures.demand.then_some(FIGURE),
        baselines: pictures.baselines.then_some(CURVE),
        asked: spec.asked.iter().map(AskedView::from).collect(),
        names_left: names_left.as_ref().and_then(NamesLeftView::of),
        judged: judged.view(),
        gated: Some(gated.view(&spec.left_out)).filter(|view| !view.is_empty()),
        ambiguous,
        steps_left: steps_left.as_ref().map(StepsLeft::view),
        told_apart: told_apart.as_ref().map(ToldApart::view),
        voted: voted.as_ref().map(Voted::view),
    };
    let internal = |error: Error| {
        Fault::new(FaultKind::Internal, "the template of the card fails").because(error)
    };
    environment().map_err(internal)?.render_str(TEMPLATE, Serde(&view)).map_err(internal)
}

/// Records whose texts are retellings, by rule or by a model.
const RETELLINGS: [&str; 3] = ["summary", "distortion", "reconstruction"];

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("markdown".into()));
    environment.set_formatter(|out, _, value| {
        let text = value.to_string();
        let text = if value.is_safe() { text } else { markdown(&text) };
        Ok(out.write_str(&text)?)
    });
    environment.add_filter("yaml", |text: String| Value::from_safe_string(yaml(&text)));
    environment.add_filter("link", |text: String| {
        let safe = is_plain_url(&text);
        Value::from_safe_string(if safe { format!("<{text}>") } else { markdown(&text) })
    });
    Ok(environment)
}

/// The name of a dataset on the Hugging Face Hub, from its URL: `me/mill`.
pub fn hub_id(url: &str) -> Option<&str> {
    let id = url.strip_prefix("https://huggingface.co/datasets/")?.trim_end_matches('/');
    let plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
    };
    let (owner, name) = id.split_once('/')?;
    (plain(owner) && plain(name)).then_some(id)
}

fn configs(
    spec: &Publication,
    tables: &Tables,
    files: &[TableEntry],
) -> Result<Vec<ConfigView>, Fault> {
    let mut views = Vec::new();
    for config in &spec.configs {
        let table = tables.get(&config.record)?;
        let mut splits: Vec<SplitView> = Vec::new();
        for file in files.iter().filter(|file| file.config == config.name) {
            match splits.last_mut().filter(|split| split.name == file.split) {
                Some(split) => {
                    split.rows += file.rows;
                    split.row_bytes += file.row_bytes;
                }
                None => splits.push(SplitView {
                    name: file.split.clone(),
                    rows: file.rows,
                    row_bytes: file.row_bytes,
                }),
            }
        }
        let own = files.iter().filter(|file| file.config == config.name);
        views.push(ConfigView {
            name: config.name.clone(),
            about: table.about(),
            is_default: false,
            evaluation: table.evaluation(),
            columns: table.columns(&config.encodings).iter().map(column_view).collect(),
            rows: splits.iter().map(|split| split.rows).sum(),
            row_bytes: splits.iter().map(|split| split.row_bytes).sum(),
            file_bytes: own.map(|file| file.bytes).sum(),
            splits,
        });
    }
    // What one comes for: the questions, if there are any.
    let default = views.iter().position(|view| view.evaluation && view.rows > 0);
    let default = default.or_else(|| views.iter().position(|view| view.rows > 0)).unwrap_or(0);
    if let Some(view) = views.get_mut(default) {
        view.is_default = true;
    }
    Ok(views)
}

fn column_view(column: &Column) -> ColumnView {
    ColumnView {
        name: column.name,
        kind: column.kind.to_string(),
        about: column.about,
        nullable: column.nullable,
        feature: column.yaml_feature(2),
    }
}

/// The words that Hugging Face knows for the size of a dataset, by rows.
fn size_category(rows: u64) -> &'static str {
    const BELOW: [(u64, &str); 5] = [
        (1_000, "n<1K"),
        (10_000, "1K<n<10K"),
        (100_000, "10K<n<100K"),
        (1_000_000, "100K<n<1M"),
        (10_000_000, "1M<n<10M"),
    ];
    BELOW.iter().find(|(limit, _)| rows < *limit).map_or("10M<n<100M", |(_, words)| words)
}

/// The licence's name at Hugging Face, if it has one.
fn license_id(license: &str) -> Option<String> {
    const KNOWN: [&str; 13] = [
        "apache-2.0",
        "bsd-3-clause",
        "cc-by-2.0",
        "cc-by-3.0",
        "cc-by-4.0",
        "cc-by-nc-4.0",
        "cc-by-nc-sa-4.0",
        "cc-by-sa-4.0",
        "cc0-1.0",
        "mit",
        "odbl",
        "odc-by",
        "pddl",
    ];
    let folded = license.to_lowercase();
    KNOWN.contains(&folded.as_str()).then_some(folded)
}

fn is_language(tag: &str) -> bool {
    (2..=3).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_lowercase())
}
