//! `cast`: who is in a book, by a tagger and the whole-book decision, or as somebody wrote it down.

use std::{collections::BTreeSet, num::NonZeroU32};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use storymill_core::{
    Book, Cast, Content, Cx, Edge, FaultKind, Options, Request, Resource, Review, ReviewForm, Rows,
    Said, Seed, Stage, Stop, stage,
};
use storymill_names::{
    CastFile, Character, Cutter, Gender, KnownPeople, LEFT_LIST, LISTS, NameTagger, NamesLeft,
    Odds, Perceptron, Policy, Reading, Sign, Substitutes as Drawn, Sure, Window, Words, answers,
    decide,
};
use storymill_text::word::fold;

use super::places;

/// Lists who is in each book, and where names are common words too. The tagger's answers are kept in the log
/// of answers; decisions that a person may want to look at are listed by `storymill review`.
///
/// ```
/// use storymill_transforms::{CastStage, Tagger};
/// let stage: CastStage = toml::from_str("from = 'books'").unwrap();
/// assert_eq!(stage.tagger(), Tagger::Litner);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CastStage {
    /// The step that makes the books.
    pub from: Edge<Book>,
    /// Who finds the names: `litner`, `litner-small` (twice as fast), `perceptron` (needs no model
    /// file) or `rust-bert` (a model of your own). They read English. Default: `litner`, or `perceptron`
    /// where the model of `litner` is not on the machine.
    #[serde(default, serialize_with = "chosen")]
    #[schemars(with = "Tagger")]
    pub tagger: Option<Tagger>,
    /// The `vocab.txt` of the model of `rust-bert`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<Resource>,
    /// The digest of the model of `rust-bert`, which `storymill score names --format json` tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// How many occurrences of a form the tagger reads where it is not clear at first sight what it is, and more where
    /// what it says of them differs; what it does not read follows from them. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<NonZeroU32>,
    /// Whether names of invented places are replaced too; real ones stay. Default: no.
    #[serde(default)]
    pub places: bool,
    /// What becomes of people of history, letters and scripture of whom the book only speaks, as Homer: `keep` or
    /// `replace`. Default: `keep`.
    #[serde(default)]
    pub known: KnownPeople,
    /// Casts that people changed, as `storymill book cast BOOK` writes them; each says which book it is of.
    #[serde(default)]
    pub casts: Vec<Resource>,
}

/// Who finds names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tagger {
    /// A small transformer trained on novels.
    #[default]
    Litner,
    /// Half of its layers.
    LitnerSmall,
    /// A table inside the program.
    Perceptron,
    /// A BERT out of a folder, run by libtorch; for programs that were built with it.
    RustBert,
}

impl Tagger {
    /// The model that is asked, if one is.
    fn model(self) -> Option<&'static str> {
        match self {
            Self::Litner => Some("litner"),
            Self::LitnerSmall => Some("litner-small"),
            Self::Perceptron => None,
            Self::RustBert => Some("rust-bert"),
        }
    }
}

/// Who finds names is part of the key, whether somebody named them or not.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over the field"
)]
fn chosen<S: Serializer>(tagger: &Option<Tagger>, to: S) -> Result<S::Ok, S::Error> {
    tagger.unwrap_or_default().serialize(to)
}

impl CastStage {
    /// Who finds the names.
    pub fn tagger(&self) -> Tagger {
        self.tagger.unwrap_or_default()
    }
}

impl Options for CastStage {
    fn check(&self) -> Vec<(&'static str, String)> {
        let own = [("vocabulary", self.vocabulary.is_some()), ("digest", self.digest.is_some())];
        let wanted = self.tagger() == Tagger::RustBert;
        let says = if wanted {
            "the tagger `rust-bert` needs it, to find what its model said without the model"
        } else {
            "is for the tagger `rust-bert` alone"
        };
        let own = own.into_iter().filter(|(_, given)| *given != wanted);
        let mut wrong: Vec<_> = own.map(|(name, _)| (name, says.to_owned())).collect();
        if self.occurrences.is_some() && self.tagger() == Tagger::Perceptron {
            let says = "the tagger `perceptron` reads the whole book, whatever this says";
            wrong.push(("occurrences", says.to_owned()));
        }
        wrong
    }

    fn models(&self) -> Vec<&str> {
        self.tagger().model().into_iter().collect()
    }

    /// A tagger that is named is that one or an error; of two machines, only one of which has the model,
    /// neither finds other names than its lock says.
    fn settle(&mut self, here: &dyn Fn(&str) -> bool) {
        self.tagger.get_or_insert_with(|| {
            let rather = Tagger::default();
            if rather.model().is_none_or(here) { rather } else { Tagger::Perceptron }
        });
    }

    fn embedded(&self) -> Vec<&'static str> {
        let own = match self.tagger() {
            Tagger::Perceptron => Some(Perceptron::table()),
            Tagger::Litner | Tagger::LitnerSmall => Some(answers::VOCABULARY),
            Tagger::RustBert => None,
        };
        // It says what is to be read.
        let sample = self.occurrences.map(|_| Perceptron::table());
        own.into_iter().chain(sample).chain(LISTS).chain([LEFT_LIST]).collect()
    }

    fn resources(&mut self) -> Vec<&mut Resource> {
        self.casts.iter_mut().chain(&mut self.vocabulary).collect()
    }
}

impl Stage for CastStage {
    stage!("cast", 15, Rows<Book> => Cast, from);

    fn run(&self, books: Rows<Book>, cx: &mut Cx<'_>) -> Result<Vec<Cast>, Stop> {
        let Some(book) = books.first() else {
            return Err(Stop::reject("no-book", "there is no book to find names in"));
        };
        let file = match self.written(book)? {
            Some(file) => file,
            None => self.found(book, cx)?,
        };
        Ok(vec![Cast { book: book.id.clone(), toml: file.to_toml() }])
    }
}

impl CastStage {
    /// The cast that somebody wrote, if there is one of this book.
    fn written(&self, book: &Book) -> Result<Option<CastFile>, Stop> {
        let mut own = None;
        for resource in &self.casts {
            let path = resource.path().display();
            let unreadable = |why: &str| Stop::reject("cast-unreadable", format!("{path}: {why}"));
            let text = std::str::from_utf8(resource.content())
                .map_err(|_| unreadable("it is not UTF-8"))?;
            // A file that does not say of which book it is may be of this one: nobody goes on without it.
            let of = CastFile::book_of(text).map_err(|fault| unreadable(&fault.message))?;
            if of != book.id.as_str() {
                continue;
            }
            let file = CastFile::parse(text).map_err(|fault| unreadable(&fault.message))?;
            if let Some((_, before)) = own.replace((file, resource.path())) {
                let detail = format!("both {} and {path} are casts of it", before.display());
                return Err(Stop::reject("two-casts", detail));
            }
        }
        let Some((file, path)) = own else { return Ok(None) };
        if !file.careful.is_empty() && file.places_in(&book.text).is_none() {
            let detail = format!(
                "{} counts places in another text of this book; make it anew, or take out `careful`",
                path.display()
            );
            return Err(Stop::reject("cast-of-another-text", detail));
        }
        Ok(Some(file))
    }

    fn found(&self, book: &Book, cx: &mut Cx<'_>) -> Result<CastFile, Stop> {
        let words = Words::new(&book.text);
        let policy = Policy { places: self.places, known: self.known };
        let english = book.language.split(';').any(|tag| tag.trim().starts_with("en"));
        if !english && !book.language.is_empty() {
            cx.review(Review {
                item: book.id.to_string(),
                code: "names-not-english".into(),
                question: "taggers read English: what are the names of this book?".into(),
                excerpt: book.text.chars().take(200).collect(),
                // What else can be done is a file under `casts`.
                choices: vec!["no names".into()],
                default: "no names".into(),
                ..Review::default()
            });
            return Ok(CastFile::new(book.id.as_str(), &words, &[], policy));
        }
        let (odds, weights) = if let Some(model) = self.tagger().model() {
            (self.ask(model, &words, cx)?, storymill_names::Weights::default())
        } else {
            let tagger = Perceptron::new();
            (tagger.tag(&words)?, tagger.weights())
        };
        let found = decide(&words, &odds, weights);
        let mut file = CastFile::new(book.id.as_str(), &words, &found, policy);
        settle(&mut file, &words, book, cx)?;
        Ok(file)
    }

    /// The odds of every word, window by window.
    fn ask(&self, model: &str, words: &Words<'_>, cx: &mut Cx<'_>) -> Result<Vec<Odds>, Stop> {
        let cutter = match &self.vocabulary {
            Some(file) => Cutter::of(&String::from_utf8_lossy(file.content()))
                .map_err(|fault| fault.at(file.path()))?,
            None => Cutter::new(),
        };
        let mut reading = Reading::new(words, self.occurrences);
        while let Some(sentences) = reading.round() {
            self.read(model, &cutter.windows(words, &sentences), &mut reading, cx)?;
        }
        Ok(reading.odds())
    }

    /// Asks about all windows of a round before it waits for any.
    fn read(
        &self,
        model: &str,
        windows: &[Window],
        reading: &mut Reading<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<(), Stop> {
        let mut waits = false;
        for window in windows {
            let count = window.words().count();
            let mut body = answers::request(window);
            if let Some(digest) = &self.digest {
                body["model"] = digest.as_str().into();
            }
            let content = Content::Raw(body);
            let request = |_: Option<&_>| Request {
                model: model.to_owned(),
                content: content.clone(),
                tries: 1,
            };
            match cx.ask(0, request, |answer| answers::odds(&answer.text, count)) {
                Ok(said) => reading.note(window, said),
                Err(Stop::Waiting) => waits = true,
                Err(stop) => return Err(stop),
            }
        }
        if waits { Err(Stop::Waiting) } else { Ok(()) }
    }
}

/// How often somebody must be named before their gender is asked for.
const OFTEN: u32 = 20;
/// How many decisions of one kind are listed for a book at most.
const MOST: usize = 12;

/// Puts before people what is doubtful, names that are common words, people of no known gender, and does what
/// they decided.
fn settle(
    file: &mut CastFile,
    words: &Words<'_>,
    book: &Book,
    cx: &mut Cx<'_>,
) -> Result<(), Stop> {
    let mut careful = file.careful.clone();
    let mut doubtful = !careful.is_empty();
    careful.sort_by_key(|one| std::cmp::Reverse(one.at.len()));
    for one in careful.into_iter().take(MOST) {
        let choice = cx.decide(Review {
            item: book.id.to_string(),
            code: "name-or-word".into(),
            about: one.part.clone(),
            question: format!(
                "where is `{}` the name of a person or a place, and no common word?",
                one.part
            ),
            excerpt: places::told(&book.text, &one.part, &one.at),
            passages: places::passages(book, &one.part, &one.at),
            choices: vec!["at its places".into(), "everywhere".into(), "nowhere".into()],
            default: "at its places".into(),
            ..Review::default()
        })?;
        if choice != "at its places" {
            file.careful.retain(|other| other.part != one.part);
        }
        if choice == "nowhere" {
            let people =
                file.characters.iter_mut().flat_map(|one| [&mut one.given, &mut one.family]);
            let places = file.places.iter_mut().map(|place| &mut place.parts);
            people.chain(places).for_each(|parts| parts.retain(|part| *part != one.part));
        }
    }
    for (part, bearers) in file.shared().into_iter().take(MOST) {
        let who = bearers.iter().map(|one| format!("{}, named {} times", one.name, one.seen));
        // Text and cast stay on the safe side; who wants it otherwise changes the cast.
        cx.review(Review {
            item: book.id.to_string(),
            code: "shared-name".into(),
            about: part.to_owned(),
            question: format!("who is meant where `{part}` stands alone?"),
            excerpt: who.collect::<Vec<_>>().join("; "),
            choices: vec!["one name for all".into()],
            default: "one name for all".into(),
            ..Review::default()
        });
    }
    doubtful |= !file.shared().is_empty();
    doubtful |= missed(file, words, book, cx)?;
    let unknown = file.characters.iter_mut().filter(|one| {
        one.gender == Gender::Unknown && one.seen >= OFTEN && !one.keep && !one.given.is_empty()
    });
    for one in unknown.take(MOST) {
        doubtful = true;
        let choice = cx.decide(Review {
            item: book.id.to_string(),
            code: "gender".into(),
            about: one.name.clone(),
            question: format!("is `{}` a woman or a man?", one.name),
            excerpt: format!("named {} times", one.seen),
            passages: places::named(book, &one.given),
            choices: vec!["female".into(), "male".into(), "unknown".into()],
            default: "unknown".into(),
            ..Review::default()
        })?;
        one.gender = match choice.as_str() {
            "female" => Gender::Female,
            "male" => Gender::Male,
            _ => Gender::Unknown,
        };
    }
    if doubtful { change(file, words, book, cx) } else { Ok(()) }
}

/// How often a name that the cast lacks stands at least.
const LEAST: u32 = 3;

/// What is left of names where substitutes of the cast stand, found without the cast: as a build will find it, whatever
/// substitutes it draws.
fn left(file: &CastFile, words: &Words<'_>, text: &str) -> Vec<(String, Sign, u32)> {
    let places = file.places_in(text).unwrap_or_default();
    let drawn = Drawn::draw(file, words, Seed::new(0));
    let new = drawn.ok().map(|drawn| drawn.apply(text, Sure::At(&places)).text);
    let new = new.as_deref().map(Words::new);
    NamesLeft::of(words, new.as_ref()).forms(new.as_ref().unwrap_or(words))
}

/// Puts before people what looks like somebody's name, is left where substitutes stand, and no entry of the cast has.
fn missed(
    file: &mut CastFile,
    words: &Words<'_>,
    book: &Book,
    cx: &mut Cx<'_>,
) -> Result<bool, Stop> {
    let people = file.characters.iter().flat_map(|one| one.given.iter().chain(&one.family));
    let places = file.places.iter().flat_map(|one| &one.parts);
    let known: BTreeSet<String> = people.chain(places).map(|part| fold(part)).collect();
    let mut forms = left(file, words, &book.text);
    forms.retain(|(form, _, seen)| *seen >= LEAST && !known.contains(&fold(form)));
    forms.truncate(MOST);
    let any = !forms.is_empty();
    for (name, _, seen) in forms {
        let choice = cx.decide(Review {
            item: book.id.to_string(),
            code: "missed".into(),
            about: name.clone(),
            question: format!("is `{name}` the name of a person that the cast lacks?"),
            excerpt: format!("left at {seen} places, found without the cast; `yes` replaces it"),
            passages: places::named(book, std::slice::from_ref(&name)),
            choices: vec!["no".into(), "yes".into()],
            default: "no".into(),
            ..Review::default()
        })?;
        if choice == "yes" {
            let given = vec![name.clone()];
            file.characters.push(Character { name, given, seen, ..Character::default() });
        }
    }
    Ok(any)
}

/// How many characters are named in a few words.
const NAMED: usize = 12;

/// Puts the whole cast before people where something of it is doubtful, and makes the changes that they say. Changes
/// that cannot be made cost this book its cast, and no other.
fn change(
    file: &mut CastFile,
    words: &Words<'_>,
    book: &Book,
    cx: &mut Cx<'_>,
) -> Result<(), Stop> {
    let people = file.people();
    let names: Vec<&str> = people.iter().map(|one| one.name.as_str()).collect();
    let most = people.iter().take(NAMED).map(|one| format!("{} ({})", one.name, one.seen));
    let taken = cx.take(Review {
        item: book.id.to_string(),
        code: "cast".into(),
        about: names.join("; "),
        question: "who is who? Change whoever is wrong, and choose `changed`".to_owned(),
        excerpt: most.collect::<Vec<_>>().join(", "),
        text: places::firsts(&book.text, names.iter().copied()),
        choices: vec![AS_FOUND.into(), CHANGED.into()],
        default: AS_FOUND.into(),
        form: ReviewForm::Names { people, of: CHANGED.into() },
        ..Review::default()
    })?;
    let Said::Names(changes) = taken.said else { return Ok(()) };
    if taken.choice != CHANGED {
        return Ok(());
    }
    let changed = file.change(&changes, &book.text);
    changed.and_then(|()| Drawn::check_chosen(file, words)).map_err(|fault| match fault.kind {
        FaultKind::Input => Stop::reject("cast-changes", fault.message),
        _ => Stop::Fault(fault),
    })
}

const AS_FOUND: &str = "as found";
const CHANGED: &str = "changed";
