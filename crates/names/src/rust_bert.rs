//! The tagger `rust-bert`: any BERT that labels words, run by a libtorch on this machine.
//!
//! What the model was trained for is in its folder: `config.json` names the labels, `vocab.txt` the pieces.
//! The bytes are handed in. A model that has the 169 kinds of tokens of `litner` is told them; any
//! other reads letters alone.

use std::{collections::BTreeMap, fmt, io::Cursor, sync::Mutex};

use ::rust_bert::bert::{BertConfig, BertForTokenClassification};
use safetensors::{Dtype, SafeTensors};
use serde_json::Value;
use storymill_core::{Digest, Fault, FaultKind};
use tch::{Device, Kind, Tensor, nn::VarStore};

use crate::{
    answers::{self, rounded},
    litner::{CHANNELS, FRAME, ROOM, windows},
    pieces::Vocabulary,
    tagger::{NameTagger, Odds, Piece, WHOLE, Window},
    words::Words,
};

/// A model that was loaded, with its vocabulary.
pub struct RustBert {
    // A tensor must not be read by two threads at once.
    model: Mutex<BertForTokenClassification>,
    labels: Vec<Label>,
    channel: bool,
    vocabulary: Vocabulary,
    digest: Digest,
}

/// The files of a model's folder.
#[derive(Debug)]
pub struct Files<'f> {
    /// `config.json`, with `id2label`.
    pub config: &'f str,
    /// `vocab.txt`, one piece a line.
    pub vocabulary: &'f str,
    /// `model.safetensors` or `rust_model.ot`.
    pub weights: &'f [u8],
}

/// Which of a word's five odds a label of the model belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    None,
    Person,
    PersonOn,
    Place,
    PlaceOn,
}

impl Label {
    /// `B-PER` and `PER` begin, `I-PER` goes on; what is neither a person nor a place is no name here.
    fn of(label: &str) -> Self {
        let (on, kind) = match label.split_once('-') {
            Some(("I" | "E" | "L", kind)) => (true, kind),
            Some((_, kind)) => (false, kind),
            None => (false, label),
        };
        match (kind.to_uppercase().as_str(), on) {
            ("PER" | "PERSON", false) => Self::Person,
            ("PER" | "PERSON", true) => Self::PersonOn,
            ("LOC" | "LOCATION" | "GPE" | "FAC", false) => Self::Place,
            ("LOC" | "LOCATION" | "GPE" | "FAC", true) => Self::PlaceOn,
            _ => Self::None,
        }
    }
}

impl fmt::Debug for RustBert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RustBert").field("digest", &self.digest).finish_non_exhaustive()
    }
}

impl RustBert {
    /// Loads a model and tries it on two words.
    pub fn load(files: &Files<'_>) -> Result<Self, Fault> {
        let digest = Digest::of_parts(
            "storymill 2026 rust-bert v1",
            [files.config.as_bytes(), files.vocabulary.as_bytes(), files.weights],
        );
        let vocabulary = Vocabulary::parse(files.vocabulary)?;
        let config: BertConfig = serde_json::from_str(files.config)
            .map_err(|error| refused("`config.json` is not that of a BERT").because(error))?;
        let labels = labels(&config)?;
        check(&config, files.vocabulary.lines().count())?;
        // One thread: whoever wants more runs more books at a time.
        tch::set_num_threads(1);
        let mut store = VarStore::new(Device::Cpu);
        let model = BertForTokenClassification::new(store.root(), &config)
            .map_err(|error| refused("no model can be made of `config.json`").because(error))?;
        fill(&mut store, files.weights)?;
        store.freeze();
        let channel = config.type_vocab_size == i64::from(CHANNELS);
        let tagger = Self { model: Mutex::new(model), labels, channel, vocabulary, digest };
        let last = Piece { id: FRAME.1, channel: CHANNELS - 1, first: true };
        tagger.infer(&[last, last])?;
        Ok(tagger)
    }

    /// What the model says to the body of a request.
    pub fn answer(&self, body: &Value) -> Result<String, Fault> {
        answers::of(|pieces| self.infer(pieces), body)
    }

    /// The odds at each first piece.
    fn infer(&self, pieces: &[Piece]) -> Result<Vec<Odds>, Fault> {
        let framed = |first: i32, last: i32, inner: &dyn Fn(&Piece) -> i32| {
            let inner = pieces.iter().map(inner);
            let row: Vec<i64> =
                [first].into_iter().chain(inner).chain([last]).map(i64::from).collect();
            Tensor::from_slice(&row).unsqueeze(0)
        };
        let ids = framed(FRAME.0, FRAME.1, &|piece| piece.id);
        let kinds = framed(0, 0, &|piece| if self.channel { i32::from(piece.channel) } else { 0 });
        let scores = {
            let model = self.model.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            tch::no_grad(|| {
                model.forward_t(Some(&ids), None, Some(&kinds), None, None, false).logits
            })
        };
        let failed = |why: String| {
            Fault::new(
                FaultKind::Model,
                format!("the tagger `rust-bert` failed on a window: {why}"),
            )
        };
        let rows: Vec<Vec<f32>> = Vec::try_from(scores.squeeze_dim(0).to_kind(Kind::Float))
            .map_err(|error: tch::TchError| failed(error.to_string()))?;
        if rows.len() != pieces.len() + 2 {
            return Err(failed(format!("it gave {} rows of scores", rows.len())));
        }
        let firsts = rows[1..].iter().zip(pieces).filter(|(_, piece)| piece.first);
        Ok(firsts.map(|(row, _)| odds(&self.labels, row)).collect())
    }
}

/// The shares of all labels, added up by what they say.
fn odds(labels: &[Label], scores: &[f32]) -> Odds {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raised: Vec<f32> = scores.iter().map(|score| libm::expf(score - most)).collect();
    let sum: f32 = raised.iter().sum();
    let share = |wanted| -> u16 {
        let own = labels.iter().zip(&raised).filter(|(label, _)| **label == wanted);
        let share = own.map(|(_, raised)| raised).sum::<f32>() / sum * f32::from(WHOLE);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of 60,000"
        )]
        let share = share.round() as u16;
        share
    };
    Odds {
        none: share(Label::None),
        person: share(Label::Person),
        person_on: share(Label::PersonOn),
        place: share(Label::Place),
        place_on: share(Label::PlaceOn),
    }
}

/// The labels in the order of the scores.
fn labels(config: &BertConfig) -> Result<Vec<Label>, Fault> {
    let named: BTreeMap<i64, &String> =
        config.id2label.iter().flatten().map(|(at, label)| (*at, label)).collect();
    let labels: Vec<Label> = (0..)
        .zip(&named)
        .map_while(|(at, (own, label))| (at == *own).then(|| Label::of(label)))
        .collect();
    if labels.len() < named.len() || !labels.iter().any(|label| *label != Label::None) {
        return Err(refused("`id2label` of `config.json` numbers no labels of persons or places"));
    }
    Ok(labels)
}

/// Sizes that libtorch or rust-bert would end the program for.
fn check(config: &BertConfig, pieces: usize) -> Result<(), Fault> {
    let sizes = [
        ("hidden_size", config.hidden_size, 8192),
        ("intermediate_size", config.intermediate_size, 65_536),
        ("max_position_embeddings", config.max_position_embeddings, 65_536),
        ("num_attention_heads", config.num_attention_heads, 8192),
        ("num_hidden_layers", config.num_hidden_layers, 200),
        ("type_vocab_size", config.type_vocab_size, 1000),
        ("vocab_size", config.vocab_size, 2_000_000),
    ];
    if let Some((name, size, most)) =
        sizes.into_iter().find(|(_, size, most)| !(1..=*most).contains(size))
    {
        return Err(refused(&format!("`{name}` of `config.json` is {size}, not from 1 to {most}")));
    }
    if config.hidden_size % config.num_attention_heads != 0 {
        return Err(refused("`hidden_size` of `config.json` cannot be shared among its heads"));
    }
    if config.max_position_embeddings < i64::try_from(ROOM + 2).unwrap_or(i64::MAX) {
        return Err(refused("the model reads fewer than 192 pieces at once"));
    }
    if usize::try_from(config.vocab_size).is_ok_and(|size| size < pieces) {
        return Err(refused("`vocab.txt` has more pieces than the model"));
    }
    Ok(())
}

/// Fills the variables of a model with its weights.
fn fill(store: &mut VarStore, weights: &[u8]) -> Result<(), Fault> {
    // What rust-bert writes is a zip archive.
    if weights.starts_with(b"PK") {
        return store.load_from_stream(Cursor::new(weights)).map_err(|error| {
            refused("`rust_model.ot` is not the model of `config.json`").because(error)
        });
    }
    let file = SafeTensors::deserialize(weights)
        .map_err(|error| refused("`model.safetensors` cannot be read").because(error))?;
    let wanted: BTreeMap<String, Tensor> = store.variables().into_iter().collect();
    for (name, mut variable) in wanted {
        let view = file.tensor(&name).map_err(|error| {
            refused(&format!("`model.safetensors` has no `{name}`")).because(error)
        })?;
        let shape: Vec<i64> =
            view.shape().iter().map(|size| i64::try_from(*size).unwrap_or(i64::MAX)).collect();
        if shape != variable.size() {
            let message = format!(
                "`{name}` of `model.safetensors` has the shape {shape:?}, but `config.json` wants {:?}",
                variable.size()
            );
            return Err(refused(&message));
        }
        let kind = match view.dtype() {
            Dtype::F32 => Kind::Float,
            Dtype::F16 => Kind::Half,
            Dtype::BF16 => Kind::BFloat16,
            other => {
                return Err(refused(&format!("`{name}` of `model.safetensors` holds {other:?}")));
            }
        };
        let copied = Tensor::f_from_data_size(view.data(), &shape, kind)
            .and_then(|source| tch::no_grad(|| variable.f_copy_(&source)));
        copied.map_err(|error| refused(&format!("`{name}` cannot be copied")).because(error))?;
    }
    Ok(())
}

fn refused(message: &str) -> Fault {
    Fault::new(FaultKind::Input, format!("the tagger `rust-bert` cannot run this model: {message}"))
        .hint("docs/rust-bert.md says which files a folder holds")
}

impl NameTagger for RustBert {
    fn name(&self) -> &'static str {
        "rust-bert"
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn windows(&self, words: &Words<'_>, sentences: &[Range<usize>]) -> Vec<Window> {
        windows(&self.vocabulary, words, sentences)
    }

    fn read(&self, _: &Words<'_>, window: &Window) -> Result<Vec<Odds>, Fault> {
        Ok(rounded(self.infer(&window.input)?))
    }
}

#[cfg(test)]
mod tests;
