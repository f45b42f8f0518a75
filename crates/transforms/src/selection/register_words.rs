//! The words of telling and the words of explaining.
//!
//! A story looks, turns, asks and is about him and her; a treatise is, may be and is therefore
//! called. The two are counted in languages for which there is a list.

use std::collections::HashMap;
use std::sync::LazyLock;

use storymill_core::{Book, ParagraphKind};
use storymill_text::Language;

use super::shape::ratio;

/// Words of both sorts, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lexis {
    /// Words of telling for a hundred words of explaining, by the measure of English; none where
    /// the language has no list.
    pub(super) telling: Option<u32>,
    /// First persons (`I`, `me`, `my`) in a thousand words.
    pub(super) first_pm: u32,
}

impl Lexis {
    /// Counts the prose of a book in its language.
    pub(super) fn of(book: &Book, language: Language) -> Self {
        let (list, scale) = match language {
            Language::English => (&*ENGLISH, 100),
            Language::French => (&*FRENCH, FRENCH_SCALE),
            Language::German => (&*GERMAN, GERMAN_SCALE),
            Language::Chinese | Language::Other => return Self::default(),
        };
        let (mut words, mut tells, mut explains, mut first) = (0_u64, 0_u64, 0_u64, 0_u64);
        let mut lower = String::new();
        for paragraph in book.paragraphs.iter().filter(|one| one.kind == ParagraphKind::Prose) {
            let text = &book.text[paragraph.text.start as usize..paragraph.text.end as usize];
            for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                words += 1;
                lower.clear();
                lower.extend(word.chars().flat_map(char::to_lowercase));
                match list.get(lower.as_str()) {
                    Some(Sort::Tells) => tells += 1,
                    Some(Sort::First) => {
                        tells += 1;
                        first += 1;
                    }
                    Some(Sort::Explains) => explains += 1,
                    None => {}
                }
            }
        }
        // First persons tell both novels and memoirs, so they do not count as telling.
        let telling =
            (words >= FEWEST).then(|| ratio((tells - first) * scale, explains.max(words / 500), 1));
        Self { telling, first_pm: ratio(first, words, 1000) }
    }
}

/// Fewer words say nothing.
const FEWEST: u64 = 300;

#[derive(Clone, Copy)]
enum Sort {
    Tells,
    First,
    Explains,
}

type List = LazyLock<HashMap<&'static str, Sort>>;

fn list(
    tells: &'static str,
    first: &'static str,
    explains: &'static str,
) -> HashMap<&'static str, Sort> {
    let mut list = HashMap::new();
    for (words, sort) in [(explains, Sort::Explains), (tells, Sort::Tells), (first, Sort::First)] {
        list.extend(words.split_whitespace().map(|word| (word, sort)));
    }
    list
}

static ENGLISH: List = LazyLock::new(|| {
    list(
        "he she him her his herself himself you said asked cried replied answered exclaimed whispered looked eyes
         face door turned knew saw went came thought felt heard stood sat smiled hand hands head voice room seemed
         suddenly gone tell going away back down out up",
        "i me my myself",
        "is are has may these such its which than however thus cannot general law state states system form means
         example period history public among most between used number various page nature power government country
         human less certain known called found given order subject following century world",
    )
});

/// How the ratio of French is brought to that of English.
const FRENCH_SCALE: u64 = 150;

static FRENCH: List = LazyLock::new(|| {
    list(
        "il elle lui vous tu dit répondit demanda cria écria reprit fit regarda regardait yeux visage porte vit
         savait alla vint pensa entendit voix main mains tête chambre soudain avait était étaient avais avez vos
         votre rien jamais là",
        "je j me moi mon ma mes",
        "est sont peut peuvent ces leurs dont ainsi cependant donc système forme état exemple période histoire
         publique public entre plusieurs nature loi lois pouvoir gouvernement pays humain humaine certain certaine
         certains certaines siècle siècles suivant chapitre sujet espèce espèces ont cette même général générale",
    )
});

const GERMAN_SCALE: u64 = 60;

static GERMAN: List = LazyLock::new(|| {
    list(
        "er sie ihn ihm ihr sagte fragte rief antwortete erwiderte sah blickte augen gesicht tür ging kam dachte
         fühlte hörte stand saß lächelte hand hände kopf stimme zimmer plötzlich schien hatte war du",
        "ich mich mir mein meine meinen",
        "ist sind wird werden kann können diese dieser dieses welche welcher welches durch sowie daher also form
         zustand beispiel geschichte zwischen mehrere natur gesetz gesetze macht staat land menschlichen
         jahrhundert folgenden gegenstand allgemeinen begriff art sei",
    )
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::book;

    #[test]
    fn telling_and_explaining() {
        let tale = "She turned to the door and looked at him. “You knew,” he said, and went out. "
            .repeat(30);
        let treatise =
            "The form of government is such that these laws are known among most states. "
                .repeat(30);
        let telling =
            |text: &str| Lexis::of(&book(text.trim_end()), Language::English).telling.unwrap();
        assert!(telling(&tale) > 1000 && telling(&treatise) < 20);
        assert_eq!(Lexis::of(&book("She went."), Language::English).telling, None);
        assert_eq!(Lexis::of(&book(&tale), Language::Other), Lexis::default());
    }
}
