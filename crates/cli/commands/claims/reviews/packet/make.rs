//! A packet is made: the pages that its reader would see on the desk, and the texts of the books, sealed with a passphrase.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
};

use serde_json::json;
use storymill_core::{Decision, Digest, Fault, FaultKind, ReviewRule};
use storymill_review::{Desk, Filter};
use storymill_shelf::{Access, Key, Private, letter};
use storymill_view::{
    desk::{
        App, Kept, Setting,
        packet::{BASE, FIELD},
    },
    packet::{page, squeezed},
};

use super::{
    super::{
        super::{
            kept,
            set_store::{self, Home, Lies, Sealed},
        },
        Asked, Wants,
        pages::{Texts, passages},
    },
    Packet,
};
use crate::{
    args::{Format, shelf::ShelfPacket},
    calendar::today,
    exit::{DONE, Exit, Failure},
    next, report,
    table::{plain, plural, typed},
    whole_file::put,
};

/// The work that opening a packet is, as a power of two: half a second and 64 MiB in a browser. The passphrase has 100
/// random bits, which nobody tries out.
const WORK: u8 = 16;

pub(super) fn run(args: &ShelfPacket) -> Result<Exit, Failure> {
    let person = args.person.as_deref().unwrap_or_default();
    if person.is_empty() {
        return Err(Failure::Usage(
            "`--for` takes the name of whoever reads the packet".to_owned(),
        ));
    }
    let sealed = Sealed::open(args.set.as_ref(), &args.place, Access::Change)?;
    sealed.must_be_there()?;
    let home = Home::sealed(sealed)?;
    let Lies::Shelf(sealed) = &home.lies else { return Ok(DONE) };
    let mut asked = Asked::of(&home, Some(&args.queue), &[], Wants::Pages)?;
    let chosen = chosen(args, person, &home, &asked)?;
    asked.items.retain(|item| chosen.contains(&item.review.id()));
    asked.on_desk.retain(|item| chosen.contains(&item.review.id()));
    let texts = passages(&home, &mut asked)?;

    let number = super::all(&sealed.shelf, &args.set)?.len() + 1;
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("packet-{number}.html")));
    if out.exists() {
        let fault = Fault::new(FaultKind::Input, "there is such a file already").at(&out);
        return Err(fault.hint("`--out` names another one").into());
    }
    let packet = packet(number, person, &asked, &texts)?;
    let passphrase = storymill_shelf::passphrase()?;
    let rule = asked.decisions.rule().clone();
    let under = under(args, sealed, &packet, rule, &texts, &passphrase)?;
    // The tag is random, as all that is sealed: it names the votes that come back.
    let tag: String = storymill_shelf::id()?.chars().take(8).collect();
    let page = page(&under, &tag)?;

    // A packet that nobody has is better than one that nobody knows of.
    let (place, bytes) = packet.kept(&args.set)?;
    sealed.shelf.change(|change| change.put(&place, bytes.expose()))?;
    put(&out, page.as_bytes())?;
    if args.format == Format::Json {
        let (items, passphrase) = (packet.items.len(), passphrase.expose());
        return crate::commands::json(&json!({
            "packet": number, "for": person, "items": items, "file": out, "passphrase": passphrase,
        }));
    }
    let mut screen = crate::screen::out();
    let items = plural(packet.items.len() as u64, "item");
    writeln!(screen, "packet {number} for {}: {items}, in {}", plain(person), out.display())?;
    writeln!(screen, "passphrase: {}", passphrase.expose())?;
    report::say("send the file and the passphrase by two ways; the passphrase is kept nowhere");
    let (set, at) = (typed(args.set.as_ref()), next::at(&args.place));
    report::say(format!("what comes back: `storymill shelf packet {set} --read VOTES{at}`"));
    Ok(DONE)
}

/// The items that the packet holds: those of the queue, or the named ones among them, that the person has not voted on.
fn chosen(
    args: &ShelfPacket,
    person: &str,
    home: &Home,
    asked: &Asked,
) -> Result<BTreeSet<Digest>, Failure> {
    let open = super::super::desk(home, asked, kept::file(home))?;
    let rows = open.desk.page(&args.queue, person, Filter::All, 0, usize::MAX);
    let is = |wanted: &String, row: &storymill_review::Row<'_>| {
        let rest = row.item.review.item.strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            || wanted.len() >= 4 && row.id.to_string().starts_with(wanted.as_str())
    };
    for wanted in &args.items {
        if !rows.iter().any(|row| is(wanted, row)) {
            let message = format!("no item of the queue `{}` is called `{wanted}`", args.queue);
            let fault = Fault::new(FaultKind::Input, message);
            let hint = format!(
                "`storymill review {} --queue {} --list` has their names; a book or a pair stands for all of its items",
                args.set, args.queue
            );
            return Err(fault.hint(hint).into());
        }
    }
    let todo = open.desk.page(&args.queue, person, Filter::Todo, 0, usize::MAX);
    let named = |row: &&storymill_review::Row<'_>| {
        args.items.is_empty() || args.items.iter().any(|wanted| is(wanted, row))
    };
    let chosen: BTreeSet<Digest> = todo.iter().filter(named).map(|row| row.id).collect();
    if chosen.is_empty() {
        let message = format!("nothing of the queue `{}` waits for {}", args.queue, plain(person));
        let fault = Fault::new(FaultKind::Input, message);
        return Err(fault.hint("nobody is asked about what they wrote, or have voted on").into());
    }
    Ok(chosen)
}

/// What the shelf remembers of a packet.
fn packet(
    number: usize,
    person: &str,
    asked: &Asked,
    texts: &set_store::Texts,
) -> Result<Packet, Fault> {
    let ids: Vec<Digest> = asked.on_desk.iter().map(|item| item.review.id()).collect();
    Ok(Packet {
        number,
        id: storymill_shelf::id()?,
        person: person.to_owned(),
        date: today(),
        digest: Digest::of_parts("storymill packet v1", ids.iter().map(|id| &id.as_bytes()[..])),
        items: asked.on_desk.clone(),
        books: texts.iter().map(|(book, text)| (book.clone(), digest(text))).collect(),
        read: None,
    })
}

/// The pages of a packet, under its passphrase.
fn under(
    args: &ShelfPacket,
    sealed: &Sealed,
    packet: &Packet,
    rule: ReviewRule,
    texts: &set_store::Texts,
    passphrase: &Private<String>,
) -> Result<Vec<u8>, Fault> {
    // Nobody else's votes are in it, nor any of before: whoever opens it begins anew.
    let desk = Box::new(Blank(Desk::new(packet.items.clone(), Vec::new(), rule)));
    let setting = Setting { title: format!("set {}", args.set), ..Setting::default() };
    let books: Vec<String> = texts.keys().cloned().collect();
    let app = App::new(desk, Box::new(Texts::of(texts)), setting, BASE, FIELD)?
        .with_person(&packet.person);
    let inside = inside(args, sealed, packet, &app.packed(&args.queue, &books)?)?;
    let squeezed = Private::new(squeezed(inside.expose())?);
    letter::under(squeezed.expose(), passphrase, WORK)
}

/// The digest of a text, by which it is known again.
pub(super) fn digest(text: &Private<String>) -> Digest {
    Digest::of(text.expose().as_bytes())
}

/// What is sealed: the pages, whom votes are sealed to, and the packet's own key, which opens votes that are not sent yet.
fn inside(
    args: &ShelfPacket,
    sealed: &Sealed,
    packet: &Packet,
    pages: &BTreeMap<String, String>,
) -> Result<Private<Vec<u8>>, Fault> {
    let own = Key::mint()?;
    let to: Vec<String> = sealed.shelf.recipients()?.iter().map(ToString::to_string).collect();
    let item = |given: &storymill_review::Item| json!({ "id": given.review.id(), "name": given.review.item });
    let items: Vec<_> = packet.items.iter().map(item).collect();
    let text = Private::new(
        json!({
            "version": 1, "packet": packet.id, "digest": packet.digest, "for": packet.person,
            "queue": args.queue, "to": to, "keeper": own.recipient().to_string(),
            "key": own.secret().expose(), "items": items, "pages": pages,
        })
        .to_string(),
    );
    Ok(Private::new(text.expose().as_bytes().to_vec()))
}

/// A desk that nobody writes on.
pub(super) struct Blank(pub(super) Desk);

impl Kept for Blank {
    fn desk(&self) -> &Desk {
        &self.0
    }

    fn refresh(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn save(&mut self, _: &[Decision]) -> Result<(), Fault> {
        Err(Fault::new(FaultKind::Internal, "a packet's desk was to be written on"))
    }

    fn forget_gone(&mut self) {}
}
