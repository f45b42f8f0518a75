//! Votes come back: once, from whom the packet was made for, to the items that it was made of. All of them are taken in, or
//! none.

use std::{collections::BTreeSet, io::Write, path::Path};

use serde::Deserialize;
use serde_json::json;
use storymill_core::{Decision, Digest, Fault, FaultKind, canonical};
use storymill_disk::most;
use storymill_review::{Desk, queue};
use storymill_shelf::{Access, letter, sets};
use storymill_view::desk::{
    App, Setting,
    packet::{BASE, FIELD},
};

use super::{
    super::{
        super::{
            kept,
            set_store::{Home, Lies, Sealed, Texts},
        },
        pages,
    },
    Packet, Read,
    make::Blank,
    time,
};
use crate::{
    args::{Format, shelf::ShelfPacket},
    calendar::today,
    exit::{DONE, Exit, Failure},
    next, report, secrets,
    table::{plain, plural, typed},
};

/// What a packet seals.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    version: u32,
    packet: String,
    digest: Digest,
    #[serde(rename = "for")]
    person: String,
    votes: Vec<Vote>,
}

/// The form of an item, as it was filled in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vote {
    item: Digest,
    fields: Vec<(String, String)>,
}

pub(super) fn run(args: &ShelfPacket, path: &Path) -> Result<Exit, Failure> {
    let votes = opened(args, path)?;
    let sealed = Sealed::open(args.set.as_ref(), &args.place, Access::Change)?;
    sealed.must_be_there()?;
    let home = Home::sealed(sealed)?;
    let Lies::Shelf(sealed) = &home.lies else { return Ok(DONE) };
    let packets = super::all(&sealed.shelf, &args.set)?;
    let mut packet = known(packets, &votes, &args.set).map_err(|fault| fault.at(path))?;
    let (lines, seconds) = lines(&home, &packet, &votes).map_err(|failure| match failure {
        Failure::Fault(fault) => Failure::Fault(fault.at(path)),
        other => other,
    })?;

    packet.read = Some(Read { date: today(), votes: votes.votes.len(), seconds });
    let (place, bytes) = packet.kept(&args.set)?;
    let said: String = lines.iter().map(|line| canonical::json(line) + "\n").collect();
    // In one step, so that they are there once and not again.
    sealed.shelf.change(|change| {
        change.append(&sets::place(&args.set, kept::DECISIONS), said.as_bytes())?;
        change.put(&place, bytes.expose())
    })?;

    let (given, of) = (votes.votes.len(), packet.items.len());
    if args.format == Format::Json {
        crate::commands::json(&json!({
            "packet": packet.number, "for": packet.person, "items": of, "votes": given, "seconds": seconds,
        }))?;
    } else {
        let all = plural(of as u64, "item");
        writeln!(
            crate::screen::out(),
            "packet {} for {}: votes on {given} of {all} taken in, in {}",
            packet.number,
            plain(&packet.person),
            time(seconds)
        )?;
    }
    let (set, at) = (typed(args.set.as_ref()), next::at(&args.place));
    if given < of {
        let rest = plural((of - given) as u64, "item");
        let person = typed(packet.person.as_ref());
        let queue = queue::of(&packet.items[0].review.code).name;
        report::say(format!(
            "{rest} left: `storymill shelf packet {set} --for {person} --queue {queue}{at}` makes a packet of what is open"
        ));
    }
    let now = super::super::Asked::of(&home, None, &[], super::super::Wants::Desk)?;
    let there: BTreeSet<Digest> = now.on_desk.iter().map(|item| item.review.id()).collect();
    let idle = lines.iter().filter(|line| !there.contains(&line.review)).count();
    if idle > 0 {
        let votes = plural(idle as u64, "vote");
        report::warn(&format!(
            "{votes} on pairs that were changed or removed since the packet was made: kept, and counted nowhere"
        ));
    }
    Ok(DONE)
}

/// The votes in a file that was sealed to this key.
fn opened(args: &ShelfPacket, path: &Path) -> Result<Sent, Failure> {
    let refuse = |message: &str| Fault::new(FaultKind::Input, message).at(path);
    let bytes = storymill_disk::read(path, most::TABLE)
        .map_err(|error| Fault::io("cannot read", path, error).input())?;
    if !letter::is_sealed(&bytes) {
        let hint = "the page of a packet saves its votes as `votes-....age`";
        return Err(refuse("this is not a file of votes").hint(hint).into());
    }
    drop(bytes);
    let text = secrets::named(path, most::TABLE, Some(&args.place.key))?;
    let votes: Option<Sent> = serde_json::from_slice(text.expose()).ok();
    let votes = votes.ok_or_else(|| refuse("the sealed file holds no votes of a packet"))?;
    if votes.version != 1 {
        let hint = "read them with the version of storymill that made the packet";
        return Err(refuse("these votes are of a packet of another version").hint(hint).into());
    }
    Ok(votes)
}

/// The packet that votes are of, if they may be taken in.
fn known(packets: Vec<Packet>, votes: &Sent, set: &str) -> Result<Packet, Fault> {
    let refuse = |message: String| Fault::new(FaultKind::Input, message);
    let found = packets.into_iter().find(|packet| packet.id == votes.packet);
    let packet = found.ok_or_else(|| {
        refuse(format!("these votes are of no packet of set `{set}`"))
            .hint("they are of a packet of another set, or of one that was made in another copy of the shelf; nothing was changed")
    })?;
    let number = packet.number;
    if packet.person != votes.person {
        let (made, says) = (plain(&packet.person), plain(&votes.person));
        let message = format!("packet {number} was made for {made}, and these votes are by {says}");
        return Err(refuse(message).hint("nothing was changed"));
    }
    if packet.digest != votes.digest {
        let message = format!("these votes are not on the items of packet {number}");
        return Err(refuse(message).hint("nothing was changed"));
    }
    if let Some(read) = &packet.read {
        let votes = plural(read.votes as u64, "vote");
        let message = format!(
            "packet {number} was read on {} with {votes}, and a packet is read once",
            read.date
        );
        let hint =
            "nothing was changed; for more votes make another packet, which holds what is open";
        return Err(refuse(message).hint(hint));
    }
    if votes.votes.is_empty() {
        let hint = "nothing was changed, and the packet may still be read";
        return Err(refuse(format!("no item of packet {number} is answered in it")).hint(hint));
    }
    Ok(packet)
}

/// The lines that votes are, checked as forms of the pages are; and how many seconds they took.
fn lines(home: &Home, packet: &Packet, votes: &Sent) -> Result<(Vec<Decision>, u64), Failure> {
    let rule = kept::rule(home)?;
    let mut before = kept::before(home)?;
    before.extend(kept::lines(home, kept::DECISIONS)?);
    let mut texts = Texts::new();
    for (book, digest) in &packet.books {
        let text = home.text(book)?.filter(|text| super::make::digest(text) == *digest);
        texts.extend(text.map(|text| (book.clone(), text)));
    }
    // Of a book with another text nobody knows where the places are that somebody marked.
    let moved = texts.len() < packet.books.len();
    let books = Box::new(pages::Texts::of(&texts));
    let desk = Desk::new(packet.items.clone(), before, rule);
    let app = App::new(Box::new(Blank(desk)), books, Setting::default(), BASE, FIELD)?
        .with_person(&packet.person);
    let (mut lines, mut seen, mut unplaced) = (Vec::new(), BTreeSet::new(), 0);
    for vote in &votes.votes {
        let item = packet.items.iter().position(|given| given.review.id() == vote.item);
        let refuse = |message: &str| {
            let message = format!("packet {}: {message}", packet.number);
            Fault::new(FaultKind::Input, message).hint("nothing was changed")
        };
        let Some(at) = item else {
            return Err(refuse("a vote on an item that is not in it").into());
        };
        if !seen.insert(vote.item) {
            return Err(refuse("two votes on one item").into());
        }
        let mut fields = vote.fields.clone();
        if moved {
            let all = fields.len();
            fields.retain(|(name, _)| name != "span");
            unplaced += all - fields.len();
        }
        let said = app.said(&vote.item.to_string(), &fields);
        // What the form says may be private words, and stays unsaid.
        lines.extend(said.map_err(|_| {
            refuse(&format!("the vote on {} cannot be taken", plain(&packet.items[at].review.item)))
        })?);
    }
    if unplaced > 0 {
        let places = plural(unplaced as u64, "marked place");
        report::warn(&format!(
            "{places} left out: the text of the book has changed since the packet was made"
        ));
    }
    let seconds = lines.iter().map(|line| u64::from(line.seconds)).sum();
    Ok((lines, seconds))
}
