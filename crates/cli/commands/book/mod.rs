//! `storymill book`: one book, before any workflow: its text, its characters, its text with other names.

mod cast;
mod clean;
mod substitute;

use crate::{
    args::names::{Book, BookWhat},
    exit::{Exit, Failure},
    session::Session,
};

pub(crate) fn run(args: &Book, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        BookWhat::Clean(clean) => clean::run(clean),
        BookWhat::Cast(cast) => cast::run(cast, session),
        BookWhat::Substitute(substitute) => substitute::run(substitute),
    }
}
