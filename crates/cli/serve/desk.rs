//! The pages on which people decide, served to one browser.

use storymill_view::desk::{App, Books, Kept, Setting, Told};

use super::{Answer, Server};
use crate::{
    args::Format,
    exit::{DONE, Exit, Failure},
    session::Session,
};

/// Serves the pages over a desk until somebody says stop.
pub(crate) fn serve(
    (port, format): (u16, Format),
    person: &str,
    kept: Box<dyn Kept>,
    books: Box<dyn Books>,
    setting: Setting,
    session: &Session,
) -> Result<Exit, Failure> {
    let server = Server::bind(port)?.taking_forms();
    let app = App::new(kept, books, setting, server.base(), server.form_field())?;
    let app = app.with_person(person);
    server.announce(false, format)?;
    session.stop_serving_on_signals()?;
    server.serve(&session.surroundings.stop, move |asked| {
        match app.answer(asked.path, asked.query, asked.form) {
            Told::Page(reply) => Answer::Page(reply.status, reply.kind, reply.body.into_bytes()),
            Told::Go(path) => Answer::Go(path),
        }
    })?;
    Ok(DONE)
}
