//! The pages of a set. A shelf is opened for as long as it is read or written and not for longer, so that others can work on it while
//! the pages are open.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use storymill_claims::deciding::Finder;
use storymill_core::{Digest, Disk, Fault, FaultKind};
use storymill_review::file::{File, Opener};
use storymill_shelf::{Access, Mount, Private};
use storymill_view::desk::{Books, Setting};

use super::{
    super::{
        super::review::app,
        kept,
        set_store::{self, Home, Lies, borrowed},
    },
    Asked,
};
use crate::{
    args::{self, shelf::Place},
    exit::{Exit, Failure},
    next::Next,
    secrets,
    session::Session,
};

/// How long a line waits for somebody else who has the shelf open.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(
    args: &args::Review,
    home: Home,
    mut asked: Asked,
    session: &Session,
) -> Result<Exit, Failure> {
    let texts = passages(&home, &mut asked)?;
    let (file, beside) = match &home.lies {
        Lies::Folder { path, .. } => (kept::file_in(path), "in the set's folder"),
        Lies::Shelf(sealed) => {
            let shelf = args.shelf.clone().unwrap_or_default();
            let opener = visits(Place { shelf, key: args.key.clone() });
            (File::on(opener, kept::path_in_shelf(&sealed.name)), "in the shelf")
        }
    };
    let before = kept::before(&home)?;
    let is_private = matches!(home.lies, Lies::Shelf(_));
    let books = Box::new(Texts::of(&texts));
    // Others may have the shelf from here on.
    drop(home);
    let then = match args.queue.as_deref() {
        None | Some("claims") => "--apply",
        Some(_) => "--agreement",
    };
    let rule = asked.decisions.rule().clone();
    let mut open =
        storymill::OpenDesk::new(&asked.name, asked.on_desk, rule, vec![file])?.with(before);
    open.is_private = is_private;
    let setting = Setting {
        title: format!("claims of {}", asked.name),
        uses: Next::of_review(args).command("review", then),
        names: format!("It stands beside your decisions {beside}."),
        warnings: Vec::new(),
    };
    app::run(args, open, books, setting, session)
}

/// Shows with each item where its book tells of it, and gives the texts of the books.
pub(super) fn passages(home: &Home, asked: &mut Asked) -> Result<set_store::Texts, Failure> {
    let texts = home.texts_of(asked.items.iter().filter_map(|item| item.pair(&home.set)))?;
    let borrowed = borrowed(&texts);
    let mut finder = Finder::new(&borrowed);
    for (item, on_desk) in asked.items.iter_mut().zip(&mut asked.on_desk) {
        finder.show(&home.set, item);
        on_desk.review.passages.clone_from(&item.review.passages);
    }
    Ok(texts)
}

/// The texts of books, as pages take them.
pub(super) struct Texts(BTreeMap<String, Arc<str>>);

impl Texts {
    pub(super) fn of(texts: &set_store::Texts) -> Self {
        let own = |(id, text): (&String, &Private<String>)| {
            (id.clone(), Arc::from(text.expose().as_str()))
        };
        Self(texts.iter().map(own).collect())
    }
}

impl Books for Texts {
    fn text(&self, book: &str) -> Option<Arc<str>> {
        self.0.get(book).cloned()
    }
}

/// Opens a shelf when it is to be read and has changed, or to be written; others who have it open then are waited for.
fn visits(place: Place) -> Opener {
    let seen = Mutex::new(None);
    Box::new(move |writes| {
        // The log moves with every change: one that comes after this look is news.
        let now = log(&place)?;
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !writes && *seen == Some(now) {
            return Ok(None);
        }
        let (access, begun) = (if writes { Access::Change } else { Access::Look }, Instant::now());
        let shelf = loop {
            match secrets::open(&place, access) {
                Ok(shelf) => break shelf,
                Err(Failure::Fault(fault)) if fault.kind != FaultKind::Again => return Err(fault),
                // Who is changing it is done before the next page.
                Err(Failure::Fault(_)) if !writes && seen.is_some() => return Ok(None),
                Err(Failure::Fault(fault)) if begun.elapsed() > PATIENCE => {
                    let hint = "nothing was saved; go back and save it again";
                    return Err(Fault { kind: FaultKind::Input, ..fault }.hint(hint));
                }
                Err(Failure::Fault(_)) => thread::sleep(Duration::from_millis(50)),
                Err(_) => {
                    return Err(Fault::new(FaultKind::Internal, "the shelf cannot be opened"));
                }
            }
        };
        if !writes {
            *seen = Some(now);
        }
        Ok(Some(Arc::new(Mount::new(shelf)) as Arc<dyn Disk>))
    })
}

/// A digest of which operations are in a shelf's log, which moves with every change.
fn log(place: &Place) -> Result<Digest, Fault> {
    let names = secrets::disk()
        .list(&place.shelf.join("log"))
        .map_err(|error| Fault::io("cannot read the shelf", &place.shelf, error))?;
    Ok(Digest::of(names.join("\n").as_bytes()))
}
