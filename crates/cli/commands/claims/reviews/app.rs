//! The pages of `claims reviews`. A shelf is opened for as long as it is read or written and not for longer, so that
//! others can work on it while the pages are open.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use storymill_claims::deciding::Finder;
use storymill_core::{Decision, Digest, Fault, FaultKind};
use storymill_disk::most;
use storymill_review::{
    Desk,
    file::{File, News},
};
use storymill_shelf::{Access, sets};
use storymill_view::desk::{Books, Kept, Setting};

use super::{
    super::set_store::{Sealed, borrowed},
    kept,
};
use crate::{
    args::{
        claims::{ClaimsReviews, OnShelf, ReviewsOf},
        shelf::Place,
    },
    exit::{Exit, Failure},
    next::on_shelf,
    serve::desk::serve,
    session::Session,
    table::typed,
};

/// How long a line waits for somebody else who has the shelf open.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(args: &ClaimsReviews, on: &OnShelf, session: &Session) -> Result<Exit, Failure> {
    let sealed = if on.shelf.is_some() { Some(on.place()) } else { None };
    let typed_set = typed(&args.set);
    let name = args.set.file_name().unwrap_or(args.set.as_os_str()).to_string_lossy().into_owned();
    // What is seen of the shelf from here on is news.
    let seen = sealed.as_ref().map(index);
    let home = super::open(&args.set, on, Access::Look)?;
    let seen = seen.transpose()?;
    let mut asked = kept::items_of(&home, args.of, &args.explained)?;
    let texts = home.texts_of(asked.iter().filter_map(|item| item.pair(&home.set)))?;
    let borrowed = borrowed(&texts);
    let mut finder = Finder::new(&borrowed);
    for item in &mut asked {
        finder.show(&home.set, item);
    }
    let desk = kept::desk(&home, &asked, &name)?;
    let books = texts.iter().map(|(id, text)| (id.clone(), Arc::from(text.expose().as_str())));
    let books = Box::new(Texts(books.collect()));
    drop(home);
    let (kept, names): (Box<dyn Kept>, _) = if let (Some(place), Some(seen)) = (sealed, seen) {
        let sealed = OnAShelf { desk, place, set: args.set.clone(), seen };
        (Box::new(sealed), "It stands beside your decisions in the shelf.")
    } else {
        let in_folder = InAFile { desk, file: kept::decisions_file(&args.set) };
        (Box::new(in_folder), "It stands beside your decisions in the set's folder.")
    };
    let place = on_shelf(args.on.shelf.as_deref(), args.on.key.key.as_deref());
    let setting = Setting {
        title: format!("claims of {name}"),
        uses: match args.of {
            ReviewsOf::Doubts => format!("storymill claims reviews {typed_set}{place} --apply"),
            ReviewsOf::Pairs => format!("storymill claims lint {typed_set}{place}"),
            ReviewsOf::Explanations => format!("storymill claims agreement {typed_set}{place}"),
        },
        names: names.to_owned(),
        warnings: Vec::new(),
    };
    serve(args.port, &args.by, kept, books, setting, session)
}

/// The texts of books.
struct Texts(BTreeMap<String, Arc<str>>);

impl Books for Texts {
    fn text(&self, book: &str) -> Option<Arc<str>> {
        self.0.get(book).cloned()
    }
}

/// Decisions in a file of a set's folder.
struct InAFile {
    desk: Desk,
    file: File,
}

impl InAFile {
    fn take(&mut self, news: News) {
        if news.went_back {
            self.desk.stands(self.file.lines());
        }
        for line in news.added {
            self.desk.take(line);
        }
    }
}

impl Kept for InAFile {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn refresh(&mut self) -> Result<(), Fault> {
        let news = self.file.read()?;
        self.take(news);
        Ok(())
    }

    fn save(&mut self, lines: &[Decision]) -> Result<(), Fault> {
        let news = self.file.append(lines)?;
        self.take(news);
        Ok(())
    }

    fn forget_gone(&mut self) {
        self.desk.forget_gone();
    }
}

/// Decisions on a shelf.
struct OnAShelf {
    desk: Desk,
    place: Place,
    set: PathBuf,
    /// The digest of the shelf's index when it was read last.
    seen: Digest,
}

/// The digest of a shelf's sealed index, which moves with every change.
fn index(place: &Place) -> Result<Digest, Fault> {
    let path = place.shelf.join("index");
    storymill_disk::read(&path, most::RECORD)
        .map(|bytes| Digest::of(&bytes))
        .map_err(|error| Fault::io("cannot read the shelf", &place.shelf, error))
}

impl OnAShelf {
    fn open(&self, access: Access) -> Result<Sealed, Fault> {
        Sealed::open(&self.set, &self.place, access).map_err(|failure| match failure {
            Failure::Fault(fault) => fault,
            _ => Fault::new(FaultKind::Internal, "the shelf cannot be opened"),
        })
    }

    /// The same; others who have it open are waited for.
    fn wait(&self) -> Result<Sealed, Fault> {
        let begun = Instant::now();
        loop {
            match self.open(Access::Change) {
                Err(fault) if fault.kind == FaultKind::Again => {
                    if begun.elapsed() > PATIENCE {
                        let hint = "nothing was saved; go back and save it again";
                        return Err(Fault { kind: FaultKind::Input, ..fault }.hint(hint));
                    }
                    thread::sleep(Duration::from_millis(50));
                }
                opened => return opened,
            }
        }
    }

    fn take(&mut self, kept: &[u8]) -> Result<(), Fault> {
        self.desk.stands(kept::lines_of(kept)?);
        Ok(())
    }
}

impl Kept for OnAShelf {
    fn desk(&self) -> &Desk {
        &self.desk
    }

    fn refresh(&mut self) -> Result<(), Fault> {
        let now = index(&self.place)?;
        if now == self.seen {
            return Ok(());
        }
        let sealed = match self.open(Access::Look) {
            // Who is changing it is done before the next page.
            Err(fault) if fault.kind == FaultKind::Again => return Ok(()),
            opened => opened?,
        };
        self.take(sealed.read(kept::DECISIONS)?.expose())?;
        self.seen = now;
        Ok(())
    }

    fn save(&mut self, lines: &[Decision]) -> Result<(), Fault> {
        let sealed = self.wait()?;
        let before = sealed.read(kept::DECISIONS)?;
        let known: BTreeSet<Digest> =
            kept::lines_of(before.expose())?.iter().map(Decision::id).collect();
        let new: Vec<Decision> =
            lines.iter().filter(|line| !known.contains(&line.id())).cloned().collect();
        self.take(before.expose())?;
        if !new.is_empty() {
            let bytes = kept::as_kept(&new);
            let place = sets::place(&sealed.name, kept::DECISIONS);
            sealed.shelf.change(|change| change.append(&place, bytes.expose()))?;
        }
        self.seen = index(&self.place)?;
        drop(sealed);
        for line in new {
            self.desk.take(line);
        }
        Ok(())
    }

    fn forget_gone(&mut self) {
        self.desk.forget_gone();
    }
}
