//! `storymill view`: a published dataset as pages, served on this machine or written into files.

mod built;
mod opened;
mod written;

use storymill::Fault;
use storymill_view::{Links, Site};

use self::opened::{Opened, opened};
use crate::{
    args::view::View,
    exit::{DONE, Exit, Failure},
    serve::{Answer, Server},
    session::Session,
};

pub(crate) fn run(args: &View, session: &Session) -> Result<Exit, Failure> {
    let Opened { look, behind, counts, results, built } = opened(args, session)?;
    let site = |look, links| -> Result<Site, Fault> {
        let site = Site::new(look, behind, links)?.with_results(results).with_counts(counts);
        Ok(match built {
            Some(built) => site.with_build(Box::new(built)),
            None => site,
        })
    };
    if let Some(out) = &args.html {
        return written::run(out, args, look, site);
    }
    let server = Server::bind(args.port)?;
    let site = site(look, Links::Served(server.base().to_owned()))?;
    server.announce(args.open, args.format)?;
    session.stop_serving_on_signals()?;
    server.serve(&session.surroundings.stop, move |asked| {
        let reply = site.page(asked.path, asked.query);
        Answer::Page(reply.status, reply.kind, reply.body.into_bytes())
    })?;
    Ok(DONE)
}
