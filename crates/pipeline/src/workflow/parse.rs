//! From text to a draft: TOML with the place of everything, and the typed options of each step.
//!
//! A step is `[stage.NAME.KIND]`, so that serde's own errors carry exact places. Only one error
//! can come out of one table that way; keys that are unknown are therefore found first, all of
//! them, and taken out before the table is read.

use std::{collections::BTreeMap, fmt::Display, ops::Range};

use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use storymill_core::{ReviewRule, did_you_mean};
use toml::{
    Spanned,
    de::{DeTable, DeValue, ValueDeserializer},
};

use super::{Asking, AuditLimits, Publish, StepKind, wrong};
use crate::{Problem, Registry, registry::Kind};

/// What was understood of a file, with places.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) name: Option<Spanned<String>>,
    pub(super) version: Option<Spanned<String>>,
    pub(super) seed: Option<Spanned<u64>>,
    pub(super) base: Option<Spanned<String>>,
    pub(super) answers: Vec<String>,
    pub(super) send_private_to: Vec<String>,
    pub(super) decisions: Vec<String>,
    pub(super) review: ReviewRule,
    pub(super) publish: Option<(Publish, Places)>,
    pub(super) models: BTreeMap<String, Value>,
    pub(super) asking: Asking,
    pub(super) steps: Vec<DraftStep>,
    /// Whether its rows are wanted and no dataset.
    pub(super) unpublished: bool,
    pub(super) configs: Vec<DraftConfig>,
    /// The top-level keys that are there, right or wrong.
    pub(super) keys: Vec<String>,
    /// Whether a step could not be read: edges to unknown steps are then no news.
    pub(super) broken: bool,
}

pub(super) struct DraftStep {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) kind: StepKind,
    pub(super) places: Places,
}

pub(super) struct DraftConfig {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) from: Spanned<String>,
}

/// Where the keys and the texts of a table stand.
#[derive(Default)]
pub(super) struct Places {
    keys: BTreeMap<String, Range<usize>>,
    texts: BTreeMap<String, Vec<Range<usize>>>,
}

impl Places {
    fn of(table: &DeTable<'_>) -> Self {
        let mut places = Self::default();
        for (key, value) in table {
            places.keys.insert(key.get_ref().to_string(), key.span());
            places.note_texts(value);
        }
        places.texts.values_mut().for_each(|spans| spans.sort_by_key(|span| span.start));
        places
    }

    fn note_texts(&mut self, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::String(text) => {
                self.texts.entry(text.to_string()).or_default().push(value.span());
            }
            DeValue::Array(items) => items.iter().for_each(|item| self.note_texts(item)),
            DeValue::Table(table) => table.iter().for_each(|(_, value)| self.note_texts(value)),
            _ => {}
        }
    }

    pub(super) fn key(&self, key: &str) -> Option<Range<usize>> {
        self.keys.get(key).cloned()
    }

    /// Where a text stands for the `nth` time, from 0.
    pub(super) fn text(&self, text: &str, nth: usize) -> Option<Range<usize>> {
        self.texts.get(text).and_then(|spans| spans.get(nth)).cloned()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigTable {
    from: Spanned<String>,
}

const TOP: [&str; 14] = [
    "name",
    "version",
    "seed",
    "base",
    "answers",
    "send_private_to",
    "decisions",
    "review",
    "publish",
    "model",
    "asking",
    "source",
    "stage",
    "dataset",
];

pub(super) fn parse(text: &str, registry: &Registry) -> (Draft, Vec<Problem>) {
    let mut reader = Reader { registry, draft: Draft::default(), problems: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        reader.top(table.into_inner());
    } else {
        reader.problems.extend(errors.iter().map(|error| wrong::at(error, error.span())));
        reader.draft.broken = true;
    }
    (reader.draft, reader.problems)
}

struct Reader<'r> {
    registry: &'r Registry,
    draft: Draft,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn top(&mut self, table: DeTable<'_>) {
        for (key, value) in in_file_order(table) {
            self.draft.keys.push(key.get_ref().to_string());
            match key.get_ref().as_ref() {
                "name" => self.draft.name = self.value(value),
                "version" => self.draft.version = self.value(value),
                "seed" => self.draft.seed = self.value(value),
                "base" => self.draft.base = self.value(value),
                "decisions" => self.draft.decisions = self.value(value).unwrap_or_default(),
                "answers" => self.draft.answers = self.value(value).unwrap_or_default(),
                "send_private_to" => {
                    self.draft.send_private_to = self.value(value).unwrap_or_default();
                }
                "publish" => self.draft.publish = self.options(value, "publish", |_| Vec::new()),
                "model" => self.named(value, "model", Self::model),
                "asking" => {
                    let asking = self.options(value, "asking", Asking::faults);
                    self.draft.asking = asking.unwrap_or_default().0;
                }
                "review" => {
                    let rule = self.options(value, "review", ReviewRule::faults);
                    self.draft.review = rule.unwrap_or_default().0;
                }
                "source" => self.named(value, "source", Self::source),
                "stage" => self.named(value, "stage", Self::stage),
                "dataset" => self.named(value, "dataset", Self::config),
                unknown => {
                    let problem = Problem::new(format!("unknown key `{unknown}`"), key.span());
                    let hint = misplaced(unknown, "").or(did_you_mean(unknown, TOP));
                    self.problems.push(problem.hint(hint));
                }
            }
        }
    }

    fn value<'de, T: Deserialize<'de>>(&mut self, value: Spanned<DeValue<'de>>) -> Option<T> {
        let span = value.span();
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Some(value),
            Err(error) => {
                self.problems.push(wrong::at(&error, error.span().unwrap_or(span)));
                None
            }
        }
    }

    /// The options of a table at the top, and where they stand.
    fn options<T: DeserializeOwned + JsonSchema>(
        &mut self,
        value: Spanned<DeValue<'_>>,
        path: &str,
        faults: fn(&T) -> Vec<(&'static str, &'static str)>,
    ) -> Option<(T, Places)> {
        let (places, span) = (Places::of(self.table(&value, path)?), value.span());
        let value = self.without_unknown(value, SchemaGenerator::subschema_for::<T>, path);
        let options: T = self.located(value, &span)?;
        self.faults(faults(&options), &places, &span);
        Some((options, places))
    }

    fn faults<M: Display>(
        &mut self,
        faults: Vec<(&'static str, M)>,
        places: &Places,
        head: &Range<usize>,
    ) {
        for (option, message) in faults {
            let place = places.key(option).unwrap_or(head.clone());
            self.problems.push(Problem::new(format!("`{option}` {message}"), place));
        }
    }

    /// Reads a table of named tables: `[stage.NAME...]`.
    fn named(
        &mut self,
        value: Spanned<DeValue<'_>>,
        what: &str,
        read: fn(&mut Self, String, Range<usize>, Spanned<DeValue<'_>>),
    ) {
        if self.table(&value, what).is_none() {
            return;
        }
        let DeValue::Table(table) = value.into_inner() else { return };
        for (name, value) in in_file_order(table) {
            let (span, name) = (name.span(), name.into_inner().into_owned());
            let plain = !name.is_empty()
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
            if plain {
                read(self, name, span, value);
            } else {
                let message = format!("`{}` cannot be a name", name.escape_debug());
                self.problems.push(
                    Problem::new(message, span).hint("use letters, digits, `-` and `_`".to_owned()),
                );
                self.draft.broken = true;
            }
        }
    }

    fn source(&mut self, name: String, span: Range<usize>, value: Spanned<DeValue<'_>>) {
        self.step(name, span, value, "source", &self.registry.sources);
    }

    fn stage(&mut self, name: String, span: Range<usize>, value: Spanned<DeValue<'_>>) {
        self.step(name, span, value, "stage", &self.registry.stages);
    }

    fn step(
        &mut self,
        name: String,
        span: Range<usize>,
        value: Spanned<DeValue<'_>>,
        what: &str,
        kinds: &BTreeMap<&'static str, Kind>,
    ) {
        let before = self.problems.len();
        self.step_of_kind(name, span, value, what, kinds);
        self.draft.broken |= self.problems.len() > before;
    }

    fn step_of_kind(
        &mut self,
        name: String,
        span: Range<usize>,
        value: Spanned<DeValue<'_>>,
        what: &str,
        kinds: &BTreeMap<&'static str, Kind>,
    ) {
        let path = format!("{what}.{name}");
        if self.table(&value, &path).is_none() {
            return;
        }
        let DeValue::Table(table) = value.into_inner() else { return };
        let mut entries = in_file_order(table);
        if entries.len() != 1 {
            let names: Vec<_> =
                entries.iter().map(|(key, _)| format!("`{}`", key.get_ref())).collect();
            let message = match names.len() {
                0 => format!("`[{path}]` names no kind of {what}"),
                _ => format!(
                    "`[{path}]` must name one kind of {what} and names {}",
                    names.join(", ")
                ),
            };
            let keys: Vec<_> = entries.iter().map(|(key, _)| &**key.get_ref()).collect();
            let hint = wrong::no_kind(what, &name, &keys, kinds);
            self.problems.push(Problem::new(message, span).hint(hint));
            return;
        }
        let (kind, value) = entries.remove(0);
        let Some(known) = kinds.get(kind.get_ref().as_ref()) else {
            let problem =
                Problem::new(format!("unknown kind of {what} `{}`", kind.get_ref()), kind.span());
            let hint = if kinds.contains_key(name.as_str()) {
                Some(wrong::no_kind(what, &name, &[&**kind.get_ref()], kinds))
            } else {
                did_you_mean(kind.get_ref(), kinds.keys().copied())
            };
            self.problems.push(problem.hint(hint));
            return;
        };
        let Some(table) = self.table(&value, &format!("{path}.{}", kind.get_ref())) else { return };
        let places = Places::of(table);
        let value =
            self.without_unknown(value, known.schema, &format!("{path}.{}", kind.get_ref()));
        match (known.make)(ValueDeserializer::from(value)) {
            Ok(made) => self.draft.steps.push(DraftStep { name, span, kind: made, places }),
            Err(error) => {
                self.problems.push(wrong::below(&error, &kind.span()));
            }
        }
    }

    fn model(&mut self, name: String, span: Range<usize>, value: Spanned<DeValue<'_>>) {
        let path = format!("model.{name}");
        let Some(kind) = &self.registry.model else {
            self.problems.push(Problem::new("this program asks no models", span));
            return;
        };
        let Some(table) = self.table(&value, &path) else { return };
        let places = Places::of(table);
        let value = self.without_unknown(value, kind.schema, &path);
        match (kind.read)(ValueDeserializer::from(value)) {
            Ok((model, mistakes)) => {
                self.faults(mistakes, &places, &span);
                self.draft.models.insert(name, model);
            }
            Err(error) => {
                self.problems.push(wrong::below(&error, &span));
                // Stages that name it are not wrong.
                self.draft.models.insert(name, Value::Null);
            }
        }
    }

    fn config(&mut self, name: String, span: Range<usize>, value: Spanned<DeValue<'_>>) {
        if self.table(&value, &format!("dataset.{name}")).is_none() {
            return;
        }
        if let Some(ConfigTable { from }) = self.located(value, &span) {
            self.draft.configs.push(DraftConfig { name, span, from });
        }
    }

    fn located<'de, T: Deserialize<'de>>(
        &mut self,
        value: Spanned<DeValue<'de>>,
        head: &Range<usize>,
    ) -> Option<T> {
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Some(value),
            Err(error) => {
                self.problems.push(wrong::below(&error, head));
                None
            }
        }
    }

    fn table<'v, 'i>(
        &mut self,
        value: &'v Spanned<DeValue<'i>>,
        path: &str,
    ) -> Option<&'v DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let found = a(value.get_ref().type_str());
            let message = format!("expected a table `[{path}...]`, found {found}");
            let step = ["source", "stage"].into_iter().find(|what| path.starts_with(what));
            let hint = step.map(|what| format!("a step is a table `[{what}.NAME.KIND]`"));
            self.problems.push(Problem::new(message, value.span()).hint(hint));
            self.draft.broken = true;
        }
        table
    }

    /// Reports and takes out the keys that the schema of the options does not know.
    fn without_unknown<'i>(
        &mut self,
        value: Spanned<DeValue<'i>>,
        schema: fn(&mut SchemaGenerator) -> schemars::Schema,
        path: &str,
    ) -> Spanned<DeValue<'i>> {
        let known = option_names(schema);
        let span = value.span();
        let DeValue::Table(table) = value.into_inner() else { unreachable!("the caller looked") };
        let mut kept = DeTable::new();
        for (key, value) in table {
            if known.iter().any(|name| name == key.get_ref().as_ref()) {
                let is_audit = path == "publish" && key.get_ref() == "audit";
                let value = match value.get_ref() {
                    DeValue::Table(_) if is_audit => self.without_unknown(
                        value,
                        SchemaGenerator::subschema_for::<AuditLimits>,
                        "publish.audit",
                    ),
                    _ => value,
                };
                kept.insert(key, value);
            } else {
                let message = format!("unknown option `{}` in `[{path}]`", key.get_ref());
                let near = did_you_mean(key.get_ref(), known.iter().map(String::as_str));
                let hint = misplaced(key.get_ref(), path).or(near);
                self.problems.push(Problem::new(message, key.span()).hint(hint));
            }
        }
        Spanned::new(span, DeValue::Table(kept))
    }
}

/// Where an option belongs that stands in the table of another: below `[publish.audit]` every line is of that table, also one that was
/// written for `[publish]`.
fn misplaced(key: &str, path: &str) -> Option<String> {
    type Schema = fn(&mut SchemaGenerator) -> schemars::Schema;
    let tables: [(&str, Schema); 4] = [
        ("publish", SchemaGenerator::subschema_for::<Publish>),
        ("publish.audit", SchemaGenerator::subschema_for::<AuditLimits>),
        ("asking", SchemaGenerator::subschema_for::<Asking>),
        ("review", SchemaGenerator::subschema_for::<ReviewRule>),
    ];
    if !path.is_empty() && TOP.contains(&key) {
        return Some(format!(
            "`{key}` is of no table: write it at the top, above the first `[...]`"
        ));
    }
    let mut found = tables.into_iter().filter(|(table, options)| {
        *table != path && option_names(*options).iter().any(|name| name == key)
    });
    let (table, _) = found.next()?;
    let above = path.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'));
    let above = if above { format!(": write it above `[{path}]`") } else { String::new() };
    Some(format!("`{key}` belongs to `[{table}]`{above}"))
}

/// A word with its article.
fn a(word: &str) -> String {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        format!("an {word}")
    } else {
        format!("a {word}")
    }
}

fn option_names(schema: fn(&mut SchemaGenerator) -> schemars::Schema) -> Vec<String> {
    let mut generator = schemars::generate::SchemaSettings::draft07()
        .with(|settings| settings.inline_subschemas = true)
        .into_generator();
    let schema = schema(&mut generator);
    let properties = schema.get("properties").and_then(|properties| properties.as_object());
    properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
}

fn in_file_order(
    table: DeTable<'_>,
) -> Vec<(Spanned<std::borrow::Cow<'_, str>>, Spanned<DeValue<'_>>)> {
    let mut entries: Vec<_> = table.into_iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
