//! What was built, asked what pages show of it: where items come from, what has no row, casts, pages.

use storymill::{CastSheet, Inventory, LeftOut, Origin, RawAnswer};
use storymill_core::{BookId, Digest, Fault, ParagraphKind, UnitId};
use storymill_names::Gender;
use storymill_sources::Cleaned;
use storymill_view::{Build, Came, CastList, Cut, Fact, Kept, Left, Page, Person, Raw, Renamed};

/// What was built.
pub(super) struct Built(pub(super) Inventory);

impl Build for Built {
    fn origins(&self, id: &str) -> Result<Vec<Came>, Fault> {
        let unit = id.split('/').next().unwrap_or_default();
        Ok(self.0.origins(id)?.into_iter().map(|origin| came(origin, unit)).collect())
    }

    fn left(&self) -> Vec<Left> {
        self.0.left_out().into_iter().map(left).collect()
    }

    fn answers_to(&self, left: &Left) -> Result<Vec<Raw>, Fault> {
        let Ok(unit) = left.unit.parse::<UnitId>() else { return Ok(Vec::new()) };
        Ok(self.0.answers_to(&left.step, &unit, &left.item)?.into_iter().map(raw).collect())
    }

    fn answer(&self, unit: &str, digest: &str) -> Result<Option<Raw>, Fault> {
        let (Ok(unit), Ok(digest)) = (unit.parse::<UnitId>(), digest.parse::<Digest>()) else {
            return Ok(None);
        };
        let answer = self.0.answer(&unit, &digest)?;
        Ok(answer.map(|answer| Raw {
            item: String::new(),
            attempt: 0,
            refused: String::new(),
            text: answer.text,
            ended: answer.finish_reason,
        }))
    }

    fn page(&self, book: &str) -> Result<Option<Page>, Fault> {
        let Ok(book) = book.parse::<BookId>() else { return Ok(None) };
        Ok(self.0.page(&book)?.map(page))
    }

    fn has_page(&self, book: &str) -> bool {
        book.parse::<BookId>().is_ok_and(|book| self.0.has_page(&book))
    }

    fn cast(&self, book: &str) -> Result<Option<CastList>, Fault> {
        let Ok(unit) = book.parse::<UnitId>() else { return Ok(None) };
        Ok(self.0.cast(&unit)?.map(cast))
    }

    fn casts(&self) -> Vec<String> {
        self.0.casts().iter().map(ToString::to_string).collect()
    }
}

fn came(origin: Origin, unit: &str) -> Came {
    let Origin { what, id, step, kind, facts, bytes, from } = origin;
    let path = |name: &str, value: &str| match (name, bytes) {
        ("answer", _) => format!("answer/{unit}/{value}"),
        ("bytes of the decoded page", Some(bytes)) => {
            format!("page/{id}?from={}&to={}#here", bytes.start, bytes.end)
        }
        _ => String::new(),
    };
    let facts = facts.into_iter().map(|(name, value)| {
        let path = path(name, &value);
        Fact { name: name.to_owned(), value, path }
    });
    let facts = facts.collect();
    // A decoy may tell of another book.
    let below = |one: Origin| {
        let unit = one.id.split('/').next().unwrap_or_default().to_owned();
        came(one, &unit)
    };
    Came {
        what: what.to_owned(),
        id,
        step: format!("{step}, {kind}"),
        facts,
        from: from.into_iter().map(below).collect(),
    }
}

fn left(one: LeftOut) -> Left {
    Left {
        step: one.step,
        unit: one.unit.to_string(),
        item: one.item,
        code: one.reason.code.into_owned(),
        detail: one.reason.detail,
        symbols: one.span.map(|span| (span.start.symbol, span.end.symbol)),
        on_purpose: one.on_purpose,
    }
}

fn raw(one: RawAnswer) -> Raw {
    let refused = one.refused.map(|reason| format!("{}: {}", reason.code, reason.detail));
    Raw {
        item: one.item,
        attempt: one.attempt + 1,
        refused: refused.unwrap_or_default(),
        text: one.text,
        ended: one.finish_reason,
    }
}

fn page(cleaned: Cleaned) -> Page {
    let kept = cleaned.paragraphs.into_iter().map(|one| Kept {
        bytes: (one.page.start, one.page.end),
        is_heading: one.kind == ParagraphKind::Heading,
        text: one.text,
    });
    let cut = cleaned.cuts.into_iter().map(|one| Cut {
        bytes: (one.page.start, one.page.end),
        why: one.why.word().to_owned(),
        text: one.text,
    });
    Page {
        kept: kept.collect(),
        cut: cut.collect(),
        encoding: cleaned.page.encoding.to_owned(),
        kept_pm: cleaned.kept_pm,
        text: cleaned.page.text,
    }
}

fn cast(sheet: CastSheet) -> CastList {
    let people = sheet.cast.characters.into_iter().map(|one| Person {
        gender: gender(one.gender).to_owned(),
        parts: [one.given, one.family].concat(),
        name: one.name,
        seen: one.seen,
        keeps: one.keep,
    });
    let places = sheet.cast.places.into_iter().map(|one| Person {
        gender: String::new(),
        parts: one.parts,
        name: one.name,
        seen: one.seen,
        keeps: one.keep,
    });
    let names = sheet.names.into_iter().map(|one| Renamed {
        part: one.part,
        substitute: one.substitute,
        role: one.role,
        count: one.count,
    });
    CastList {
        people: people.collect(),
        places: places.collect(),
        nobody: sheet.cast.nobody.into_iter().map(|one| (one.name, one.what)).collect(),
        names: names.collect(),
        text: sheet.text,
        at: sheet.edits.into_iter().map(|one| (one.old.start, one.old.end, one.pair)).collect(),
    }
}

fn gender(gender: Gender) -> &'static str {
    match gender {
        Gender::Female => "female",
        Gender::Male => "male",
        Gender::Unknown => "",
    }
}
