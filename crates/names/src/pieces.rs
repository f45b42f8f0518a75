//! Words cut into the pieces a model knows (WordPiece; lower-cased and without accents, unless the model has capitals).

use storymill_core::{Fault, FaultKind};
use storymill_metrics::shortcut::Map;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// What stands for a word that cannot be cut.
const UNKNOWN: i32 = 100;
/// What the vocabulary of the taggers says at these numbers.
const LANDMARKS: [(usize, &str); 3] = [(100, "[UNK]"), (101, "[CLS]"), (102, "[SEP]")];
/// A word of more pieces is unknown.
const LONGEST: usize = 12;

/// The pieces a model knows, by their letters.
#[derive(Debug)]
pub struct Vocabulary {
    numbers: Map<Box<str>, i32>,
    cased: bool,
}

impl Vocabulary {
    /// Reads one piece a line; the number of a piece is its line, from 0.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let pieces: Vec<&str> = text.lines().collect();
        for (at, landmark) in LANDMARKS {
            if pieces.get(at) != Some(&landmark) {
                let message =
                    format!("the vocabulary does not say `{landmark}` on line {}", at + 1);
                return Err(Fault::new(FaultKind::Input, message).hint(
                    "`vocab.txt` and the model must come from the same release of storymill",
                ));
            }
        }
        // What is in brackets is no piece of a word, and ℝ has no small letter.
        let mut plain = pieces.iter().filter(|piece| !piece.starts_with('['));
        let cased = plain.any(|piece| piece.contains(|c: char| c.is_ascii_uppercase()));
        let numbered = pieces.into_iter().zip(0..).map(|(piece, number)| (piece.into(), number));
        Ok(Self { numbers: numbered.collect(), cased })
    }

    /// Whether some pieces have capitals: then words are cut as they are printed.
    pub fn cased(&self) -> bool {
        self.cased
    }

    /// The pieces of a word: the longest that fits, again and again.
    pub fn pieces(&self, word: &str) -> Vec<i32> {
        let plain = if self.cased {
            word.nfc().collect()
        } else {
            word.nfd().filter(|c| !is_combining_mark(*c)).collect::<String>().to_lowercase()
        };
        let mut pieces = Vec::new();
        let mut rest = plain.as_str();
        let mut inner = String::new();
        while !rest.is_empty() {
            let known = ends(rest).find_map(|end| {
                let piece = if pieces.is_empty() {
                    self.numbers.get(&rest[..end])
                } else {
                    inner.clear();
                    inner.push_str("##");
                    inner.push_str(&rest[..end]);
                    self.numbers.get(inner.as_str())
                };
                piece.map(|piece| (*piece, end))
            });
            let Some((piece, end)) = known else { return vec![UNKNOWN] };
            pieces.push(piece);
            rest = &rest[end..];
        }
        if pieces.is_empty() || pieces.len() > LONGEST { vec![UNKNOWN] } else { pieces }
    }
}

/// Where the starts of a word end, the longest first. No piece of the vocabulary is longer than a
/// few dozen letters, so an endless word costs no more than its length.
fn ends(rest: &str) -> impl Iterator<Item = usize> + '_ {
    let limit = rest.char_indices().nth(64).map_or(rest.len(), |(at, _)| at);
    let inner = rest[..limit].char_indices().rev().map(|(at, _)| at).filter(|at| *at > 0);
    std::iter::once(limit).chain(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let mut lines: Vec<String> = (0..100).map(|n| format!("[unused{n}]")).collect();
        lines.extend(
            ["[UNK]", "[CLS]", "[SEP]", "wood", "##house", "##h", "zoe"].map(str::to_owned),
        );
        Vocabulary::parse(&lines.join("\n")).unwrap()
    }

    #[track_caller]
    fn check(word: &str, expected: &[i32]) {
        assert_eq!(vocabulary().pieces(word), expected, "{word}");
    }

    #[test]
    fn the_longest_piece_is_taken() {
        check("Woodhouse", &[103, 104]);
        check("Zoë", &[106]);
        check("woodh", &[103, 105]);
        check("house", &[100]);
        check("", &[100]);
        check(&format!("wood{}", "h".repeat(12)), &[100]);
        check(
            &format!("wood{}", "h".repeat(11)),
            &[103].into_iter().chain([105; 11]).collect::<Vec<_>>(),
        );
    }

    #[test]
    fn a_vocabulary_with_capitals_keeps_them() {
        let mut lines: Vec<String> = (0..100).map(|n| format!("[unused{n}]")).collect();
        lines.extend(["[UNK]", "[CLS]", "[SEP]", "Wood", "wood", "Zoë"].map(str::to_owned));
        let vocabulary = Vocabulary::parse(&lines.join("\n")).unwrap();
        assert!(vocabulary.cased() && !self::vocabulary().cased());
        assert!(!Vocabulary::parse(crate::answers::VOCABULARY).unwrap().cased());
        let pieces = ["Wood", "wood", "Zoe\u{308}", "Zoe"].map(|word| vocabulary.pieces(word)[0]);
        assert_eq!(pieces, [103, 104, 105, 100]);
    }

    #[test]
    fn another_vocabulary_is_refused() {
        let fault = Vocabulary::parse("a\nb\n").unwrap_err();
        assert!(fault.to_string().contains("[UNK]"), "{fault}");
    }
}
