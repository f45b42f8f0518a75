//! The small XML files of an EPUB as tags and texts. Entities of one's own are refused, nothing
//! outside the file is ever looked at.

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use storymill_core::Reason;

use crate::gutenberg::bounds::ATTRIBUTES;

/// Deeper than this is no package or table of contents.
const DEEPEST: usize = 200;

/// A tag with its attributes.
#[derive(Debug, Default)]
pub(crate) struct Element {
    /// Its name without the prefix, as written.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// The attribute of a name, its prefix left out.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// One step through a file.
#[derive(Debug)]
pub(crate) enum Step {
    Open(Element),
    Text(String),
    Close(String),
}

/// Walks a file, step by step.
pub(crate) fn walk(path: &str, text: &str, mut each: impl FnMut(Step)) -> Result<(), Reason> {
    no_entities(path, text)?;
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut depth = 0_usize;
    loop {
        match reader.read_event().map_err(|error| bad(path, &error.to_string()))? {
            Event::Start(tag) => {
                depth += 1;
                if depth > DEEPEST {
                    return Err(bad(path, &format!("more than {DEEPEST} tags are open")));
                }
                each(Step::Open(element(path, &tag)?));
            }
            Event::Empty(tag) => {
                let element = element(path, &tag)?;
                let name = element.name.clone();
                each(Step::Open(element));
                each(Step::Close(name));
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                each(Step::Close(tag.local_name().as_ref().to_owned()));
            }
            Event::Text(words) => each(Step::Text(words.to_string())),
            Event::CData(words) => each(Step::Text(words.to_string())),
            Event::GeneralRef(name) => {
                each(Step::Text(resolve(&name)));
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn element(path: &str, tag: &BytesStart<'_>) -> Result<Element, Reason> {
    let mut all = tag.attributes();
    let most = ATTRIBUTES as usize;
    let attributes = all.with_checks(false).flatten().take(most + 1).map(|attribute| {
        let value = match attribute.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => value.into_owned(),
            Err(_) => attribute.value.into_owned(),
        };
        (attribute.key.local_name().as_ref().to_owned(), value)
    });
    let attributes: Vec<_> = attributes.collect();
    if attributes.len() > most {
        let detail = format!("a tag of `{path}` has more than {most} attributes");
        return Err(Reason::new("too-many-attributes", detail));
    }
    Ok(Element { name: tag.local_name().as_ref().to_owned(), attributes })
}

/// What a reference stands for: the five of XML and numbers.
fn resolve(name: &str) -> String {
    let number = name.strip_prefix('#').and_then(|digits| {
        let code = match digits.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.parse().ok(),
        };
        code.and_then(char::from_u32)
    });
    match (name, number) {
        (_, Some(c)) => c.to_string(),
        ("amp", _) => "&".to_owned(),
        ("lt", _) => "<".to_owned(),
        ("gt", _) => ">".to_owned(),
        ("quot", _) => "\"".to_owned(),
        ("apos", _) => "'".to_owned(),
        _ => " ".to_owned(),
    }
}

/// Refuses a document that defines entities: they may grow without end or lead outside.
pub(crate) fn no_entities(path: &str, text: &str) -> Result<(), Reason> {
    let head = &text[..text.floor_char_boundary(16 * 1024)];
    if head.contains("<!ENTITY") {
        let detail = format!("`{path}` defines entities of its own, which are not followed");
        return Err(Reason::new("xml-entities", detail));
    }
    Ok(())
}

/// A file of the archive that cannot be read.
pub(crate) fn bad(path: &str, why: &str) -> Reason {
    Reason::new("bad-epub", format!("`{path}` cannot be read: {why}"))
}
