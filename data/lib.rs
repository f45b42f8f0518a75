//! What storymill is told in files and not in code: names, titles, word lists, prompts, the tables of its smallest models,
//! and the sample project.

/// Paths of this folder, each with its file.
macro_rules! files {
    ($include:ident: $($path:literal,)+) => {
        &[$(($path, $include!($path))),+]
    };
}

/// The files of the sample project, but for its workflow: a novel and seven stories, who is in the novel, and what a model
/// was asked about them.
pub const SAMPLE: &[(&str, &[u8])] = files![
    include_bytes:
    "answers/README.md",
    "books/alice.html",
    "books/catalog.csv",
    "books/sm01.html",
    "books/sm02.html",
    "books/sm03.html",
    "books/sm04.html",
    "books/sm05.html",
    "books/sm06.html",
    "books/sm07.html",
    "casts/alice.cast.toml",
    "answers/quickstart/6268a72caac259a43117b8a469e6eb10.pack",
];

/// The text of a file of this folder, as `names/titles.toml`. In a `static`: whatever crate reads a `const` has a copy.
///
/// # Panics
///
/// There is no such file: in a constant, an error of the compiler.
pub const fn text(path: &str) -> &'static str {
    let mut at = 0;
    while at < FILES.len() {
        if same(FILES[at].0.as_bytes(), path.as_bytes()) {
            return FILES[at].1;
        }
        at += 1;
    }
    panic!("no such file in `data`, or `data/lib.rs` does not list it")
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

const FILES: &[(&str, &str)] = files![
    include_str:
    "claims/opinions.txt",
    "claims/synonyms.txt",
    "mixing/chinese-words.txt",
    "mixing/names-too.txt",
    "mixing/numbers.txt",
    "mixing/plurals.txt",
    "mixing/scripts.txt",
    "mixing/synonyms.txt",
    "models/litner/vocab.txt",
    "models/perceptron/perceptron.tsv",
    "names/anchors.toml",
    "names/blocked.txt",
    "names/english.toml",
    "names/french.toml",
    "names/german.toml",
    "names/given.toml",
    "names/italian.toml",
    "names/left.toml",
    "names/nicknames.toml",
    "names/pet-names.toml",
    "names/russian.toml",
    "names/signs.txt",
    "names/title-spellings.txt",
    "names/titles.toml",
    "prompts/again-sets-en.jinja",
    "prompts/again-sets-zh.jinja",
    "prompts/again.jinja",
    "prompts/answer.jinja",
    "prompts/answers.jinja",
    "prompts/claims/answer-first.jinja",
    "prompts/claims/answer-only.jinja",
    "prompts/claims/excerpts.jinja",
    "prompts/claims/explain-first.jinja",
    "prompts/claims/simple.jinja",
    "prompts/closed-book-en.jinja",
    "prompts/closed-book-zh.jinja",
    "prompts/confuse-en.jinja",
    "prompts/confuse-zh.jinja",
    "prompts/edits.jinja",
    "prompts/exchanges.jinja",
    "prompts/false-check.jinja",
    "prompts/happened.jinja",
    "prompts/hierarchy.jinja",
    "prompts/join.jinja",
    "prompts/judge-answer.jinja",
    "prompts/judge-claim.jinja",
    "prompts/judge-split.jinja",
    "prompts/judge.jinja",
    "prompts/keywords-en.jinja",
    "prompts/keywords-zh.jinja",
    "prompts/narrativexl-rewrite.jinja",
    "prompts/narrativexl-summarize.jinja",
    "prompts/propose.jinja",
    "prompts/recognise.jinja",
    "prompts/refine.jinja",
    "prompts/retell.jinja",
    "prompts/rewrite.jinja",
    "prompts/rules-en.jinja",
    "prompts/rules-zh.jinja",
    "prompts/scene-question-en.jinja",
    "prompts/scene-question-zh.jinja",
    "prompts/state-check.jinja",
    "prompts/state.jinja",
    "prompts/summarize.jinja",
];
