//! `CITATION.cff`, in the Citation File Format 1.2.0, and the same as BibTeX.

use std::fmt::Write;

use super::Words;
use crate::{escape::yaml, manifest::Manifest};

/// The file's name.
pub(super) const CITATION: &str = "CITATION.cff";

/// The file.
pub(super) fn render(manifest: &Manifest, words: &Words, date: &str) -> String {
    let mut text = String::from(
        "cff-version: 1.2.0\nmessage: \"If you use this dataset, please cite it with its version.\"\ntype: dataset\n",
    );
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {}", yaml(value));
    };
    line("title", &words.title);
    line("version", &manifest.version);
    line("date-released", date);
    line("url", &words.url);
    if let Some(id) = spdx(&words.license) {
        line("license", id);
    }
    if !words.description.trim().is_empty() {
        line("abstract", &words.description);
    }
    text += "authors:\n";
    for author in &words.authors {
        let _ = match author.split_once(',') {
            Some((family, given)) => {
                let (family, given) = (yaml(family), yaml(given));
                writeln!(text, "  - family-names: {family}\n    given-names: {given}")
            }
            None => writeln!(text, "  - name: {}", yaml(author)),
        };
    }
    let _ = write!(
        text,
        "identifiers:\n  - type: other\n    value: \"{}\"\n    description: \"digest of all rows, as `storymill verify` tells it\"\n",
        manifest.digest
    );
    text
}

/// An entry for BibTeX.
pub(super) fn bibtex(manifest: &Manifest, words: &Words, date: &str) -> String {
    let plain = |text: &str| {
        let kept = |c: &char| !c.is_control() && !"{}\\%#&$~^".contains(*c);
        text.chars().filter(kept).collect::<String>()
    };
    let authors: Vec<_> = words
        .authors
        .iter()
        .map(|name| if name.contains(',') { plain(name) } else { format!("{{{}}}", plain(name)) })
        .collect();
    let (name, version) = (&manifest.name, &manifest.version);
    format!(
        "@misc{{{name}-{version}, title={{{}}}, author={{{}}}, year={{{}}}, version={{{version}}}, url={{{}}}}}",
        plain(&words.title),
        authors.join(" and "),
        &date[..4],
        plain(&words.url),
    )
}

/// A licence's name in the SPDX list, for those that the Hugging Face Hub knows by name.
pub(super) fn spdx(license: &str) -> Option<&'static str> {
    const KNOWN: [(&str, &str); 13] = [
        ("apache-2.0", "Apache-2.0"),
        ("bsd-3-clause", "BSD-3-Clause"),
        ("cc-by-2.0", "CC-BY-2.0"),
        ("cc-by-3.0", "CC-BY-3.0"),
        ("cc-by-4.0", "CC-BY-4.0"),
        ("cc-by-nc-4.0", "CC-BY-NC-4.0"),
        ("cc-by-nc-sa-4.0", "CC-BY-NC-SA-4.0"),
        ("cc-by-sa-4.0", "CC-BY-SA-4.0"),
        ("cc0-1.0", "CC0-1.0"),
        ("mit", "MIT"),
        ("odbl", "ODbL-1.0"),
        ("odc-by", "ODC-By-1.0"),
        ("pddl", "PDDL-1.0"),
    ];
    let folded = license.to_lowercase();
    KNOWN.iter().find(|(hub, _)| *hub == folded).map(|(_, spdx)| *spdx)
}
