//! What is published of a private set: counts, commitments, and in full what everybody may have.

use std::{collections::BTreeMap, fmt::Write};

use serde_json::{Value, json};
use storymill_core::{BookId, Fault, FaultKind};

use crate::{
    Books, Shelf,
    proof::{Ledger, Statement},
    sets::Sets,
};

/// What to publish of a set.
#[derive(Clone, Debug)]
pub struct Public<'a> {
    /// The set.
    pub set: &'a str,
    /// Books whose text is published too.
    pub texts: &'a [BookId],
    /// Whether the maintainers say that they hold the rights in those that are not in the public
    /// domain. It is recorded.
    pub i_hold_rights: bool,
}

/// Files to publish, by their paths, in the order in which they are to be written.
///
/// # Errors
///
/// A text of a book that is not everybody's was asked for without the rights; no statement was made yet,
/// or the set has changed since.
pub fn files(shelf: &Shelf, public: &Public<'_>) -> Result<Vec<(String, Vec<u8>)>, Fault> {
    let (books, ledger) = (Books(shelf), Ledger::of(shelf, public.set)?);
    let pairs = Sets(shelf).pairs(public.set)?;
    let pairs = &pairs.expose().0;
    let statements = ledger.expose().statements();
    let last = statements.last().ok_or_else(|| {
        Fault::new(FaultKind::Input, "no statement was made of the set yet")
            .hint("`storymill shelf state SET --version VERSION` makes one")
    })?;
    if !ledger.expose().is_current(pairs) {
        return Err(Fault::new(FaultKind::Input, "the set has changed since its last statement")
            .hint("`storymill shelf state SET --version VERSION` makes the next one"));
    }
    let mut is_public = BTreeMap::new();
    for id in books.ids() {
        is_public.insert(id.to_string(), books.facts(&id)?.expose().is_public());
    }
    let mut files = Vec::new();
    for id in public.texts {
        let open = books.facts(id)?.expose().is_public();
        if !open && !public.i_hold_rights {
            let message = format!("the text of `{id}` is not everybody's");
            return Err(Fault::new(FaultKind::Input, message).hint(
                "it is published only if the workflow says `i-hold-rights = true` under `[publish]`",
            ));
        }
        files.push((format!("texts/{id}.txt"), books.book(id)?.text.into_bytes()));
    }
    let open =
        |pair: &Value| pair["book"].as_str().is_some_and(|book| is_public.get(book) == Some(&true));
    let mut lines = String::new();
    for (_, pair) in pairs.iter().filter(|(_, pair)| open(pair)) {
        let mut pair = pair.clone();
        pair["canary"] = json!(last.canary);
        let _ = writeln!(lines, "{pair}");
    }
    files.push(("pairs.jsonl".to_owned(), lines.into_bytes()));
    let mut errata = String::new();
    for retired in &last.retired {
        let line =
            json!({ "leaf": retired.leaf, "reason": retired.reason, "version": retired.version });
        let _ = writeln!(errata, "{line}");
    }
    files.push(("ERRATA.jsonl".to_owned(), errata.into_bytes()));
    for statement in statements {
        let name = format!("statements/{:04}.json", statement.number);
        files.push((name, statement.to_text().into_bytes()));
    }
    let about =
        about(public, last, pairs, &is_public, pairs.iter().filter(|(_, pair)| open(pair)).count());
    let text = serde_json::to_string_pretty(&about).unwrap_or_default() + "\n";
    files.push(("about.json".to_owned(), text.into_bytes()));
    files.push(("README.md".to_owned(), readme(last, &about).into_bytes()));
    Ok(files)
}

/// Counts, and nothing that points at one pair.
fn about(
    public: &Public<'_>,
    last: &Statement,
    pairs: &[(String, Value)],
    is_public: &BTreeMap<String, bool>,
    open: usize,
) -> Value {
    let by = |of: &dyn Fn(&Value) -> Option<String>| {
        let mut counts = BTreeMap::<String, u64>::new();
        for (_, pair) in pairs {
            *counts.entry(of(pair).unwrap_or_else(|| "not stated".to_owned())).or_default() += 1;
        }
        counts
    };
    let text = |field: &'static str| move |pair: &Value| pair[field].as_str().map(str::to_owned);
    let scope = |pair: &Value| {
        let rank = ["sentence", "passage", "global"];
        let of = |field: &str| rank.iter().position(|word| pair[field].as_str() == Some(word));
        Some(rank[of("true_scope")?.max(of("false_scope")?)].to_owned())
    };
    let model = |pair: &Value| {
        pair["model_written"]
            .as_bool()
            .map(|model| if model { "a model" } else { "people" }.to_owned())
    };
    let mut books: Vec<&str> = pairs.iter().filter_map(|(_, pair)| pair["book"].as_str()).collect();
    books.sort_unstable();
    books.dedup();
    let of_public = books.iter().filter(|book| is_public.get(**book) == Some(&true)).count();
    json!({
        "set": last.set, "version": last.version, "statement": last.digest(), "canary": last.canary,
        "pairs": pairs.len(), "pairs_in_full": open, "pairs_retired": last.retired.len(),
        "books": books.len(), "books_in_the_public_domain": of_public,
        "by_scope": by(&scope), "by_year_published": by(&|pair| text("published_on")(pair).map(|day| day.chars().take(4).collect())),
        "by_version_added": by(&text("added_in")), "by_who_wrote": by(&model),
        "send_private_to": last.send_private_to, "valid_until": last.valid_until,
        "texts": public.texts, "i_hold_rights": public.i_hold_rights,
    })
}

fn readme(last: &Statement, about: &Value) -> String {
    let sent = if last.send_private_to.is_empty() {
        "only to models on the maintainers' own machines".to_owned()
    } else {
        format!(
            "to models on the maintainers' own machines and to {}",
            last.send_private_to.join(", ")
        )
    };
    format!(
        "# {set} {version}\n\n\
         A private set of claim pairs. Pairs: {pairs}; books: {books}. Pairs on books in the public domain stand in `pairs.jsonl` ({open} of them); \
         the others are kept secret, and `statements/` commits to every one of them.\n\n\
         - Statement {number}: `{digest}`, signed by `{signer}`{until}\n- Canary: `{canary}`\n- Private text goes {sent}.\n\n\
         Check the statements, and any pair that is revealed later:\n\n\
         ```sh\nstorymill verify statements/{number:04}.json{before}\n```\n\n\
         `ERRATA.jsonl` lists the pairs that went, and why. Please do not train on this set.\n",
        set = last.set,
        version = last.version,
        pairs = about["pairs"],
        books = about["books"],
        open = about["pairs_in_full"],
        number = last.number,
        digest = last.digest(),
        canary = last.canary,
        signer = last.signer.map_or_else(|| "nobody".to_owned(), |signer| signer.to_string()),
        until = last
            .valid_until
            .as_ref()
            .map_or_else(String::new, |day| format!(", valid until {day}")),
        before = if last.number > 1 {
            format!(" --before statements/{:04}.json", last.number - 1)
        } else {
            String::new()
        },
    )
}
