//! `storymill eval`: parts of storymill against gold data.

mod names;

use crate::{
    args::names::{Eval, EvalWhat},
    exit::{Exit, Failure},
    session::Session,
};

pub(crate) fn run(args: &Eval, session: &Session) -> Result<Exit, Failure> {
    match &args.what {
        EvalWhat::Names(eval) => names::run(eval, session),
    }
}
