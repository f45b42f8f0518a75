//! Models in pairs, as the template takes them.

use minijinja::Value;
use serde::Serialize;

use super::{
    lead,
    tables::{CellView, cell_view},
};
use crate::{
    charts::escape,
    options::Options,
    paired::{Pair, SHOWN, Side},
    report::Part,
    words::thousands,
};

/// The pairs of one setting.
#[derive(Debug, Serialize)]
pub(super) struct PairsView {
    setting: String,
    pairs: Vec<PairView>,
}

#[derive(Debug, Serialize)]
struct PairView {
    sentence: String,
    sides: Vec<SideView>,
    common: String,
    counts: String,
}

#[derive(Debug, Serialize)]
struct SideView {
    model: String,
    all: CellView,
    common: CellView,
    only: String,
    more: String,
    ids: Vec<Value>,
}

pub(super) fn pairs_view(part: &Part, options: &Options) -> Vec<PairsView> {
    let settings = part.pairs.chunk_by(|one, other| one.setting == other.setting);
    let view = |pairs: &[Pair]| PairsView {
        setting: pairs.first().map(|pair| pair.setting.clone()).unwrap_or_default(),
        pairs: pairs.iter().map(|pair| pair_view(pair, part, options)).collect(),
    };
    settings.map(view).collect()
}

fn pair_view(pair: &Pair, part: &Part, options: &Options) -> PairView {
    let side = |side: &Side| SideView {
        model: side.model.clone(),
        all: cell_view(&side.all),
        common: cell_view(&side.common),
        only: thousands(side.only as u64),
        more: match side.only - SHOWN.min(side.only_ids.len()) {
            0 => String::new(),
            more => thousands(more as u64),
        },
        ids: side.only_ids.iter().take(SHOWN).map(|id| question_link(id, options)).collect(),
    };
    PairView {
        sentence: lead::of_pair(pair, part),
        sides: vec![side(&pair.left), side(&pair.right)],
        common: thousands(pair.common as u64),
        counts: format!(
            "Both right: {}; both wrong: {}.",
            thousands(pair.both_right as u64),
            thousands(pair.both_wrong as u64)
        ),
    }
}

/// An id, as a link if the page was told where questions are shown, with the words of the question if they are known.
fn question_link(id: &str, options: &Options) -> Value {
    let shown = escape(id);
    let link =
        options.link.as_ref().filter(|link| !link.trim().to_lowercase().starts_with("javascript:"));
    let name = match link {
        Some(link) => {
            let target = escape(&link.replace("{id}", &percent(id)));
            format!("<a class=\"id\" href=\"{target}\">{shown}</a>")
        }
        None => format!("<span class=\"id\">{shown}</span>"),
    };
    Value::from_safe_string(match options.questions.get(id) {
        Some(words) => {
            let words = escape(words);
            format!("<details><summary>{name}</summary><p class=\"asked\">{words}</p></details>")
        }
        None => name,
    })
}

/// An id in an address: its slashes stay.
fn percent(id: &str) -> String {
    let mut out = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}
