//! An operation as it lies in a folder: what it says, signed by its author.

use std::collections::BTreeMap;

use zeroize::Zeroize;

use crate::{
    Key, Private, Signer,
    log::{Known, State},
};

/// How an operation begins, inside of its seal.
const HEAD: &[u8; 16] = b"storymill log 1\n";
const PURPOSE: &str = "storymill 2026 signature of a shelf's operation v1";

/// An operation as it lies in a folder.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The name of its file: the digest of its sealed bytes.
    pub(crate) name: String,
    /// Nobody signed a shelf of the first form.
    pub(crate) author: Option<Signer>,
    pub(crate) state: State,
    /// What its author had of others.
    pub(crate) seen: Known,
}

/// Why an operation cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    Damaged,
    /// It is not signed by whom it says.
    Forged,
}

impl Drop for Operation {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// Who signed what for a purpose.
pub(crate) fn signed_by<'b>(bytes: &'b [u8], purpose: &str) -> Result<(Signer, &'b [u8]), Unfit> {
    let (signer, rest) = bytes.split_first_chunk::<32>().ok_or(Unfit::Damaged)?;
    let (signature, body) = rest.split_first_chunk::<64>().ok_or(Unfit::Damaged)?;
    let is_signed = Signer(*signer).signed(purpose, body, signature);
    is_signed.then_some((Signer(*signer), body)).ok_or(Unfit::Forged)
}

impl Operation {
    /// Reads what stands in a sealed operation.
    pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Self, Unfit> {
        let signed = bytes.strip_prefix(HEAD).ok_or(Unfit::Damaged)?;
        let (signer, body) = signed_by(signed, PURPOSE)?;
        let (state, seen) =
            postcard::from_bytes::<(State, Known)>(body).map_err(|_| Unfit::Damaged)?;
        if !state.is_sound() {
            return Err(Unfit::Damaged);
        }
        Ok(Self { name: name.to_owned(), author: Some(signer), state, seen })
    }

    /// The bytes that are sealed, signed.
    pub(crate) fn signed(
        state: &State,
        seen: &Known,
        key: &Key,
    ) -> Result<Private<Vec<u8>>, postcard::Error> {
        let body = postcard::to_stdvec(&(state, seen)).map(Private::new)?;
        let signature = key.signing().sign(PURPOSE, body.expose());
        let mut bytes = Private::new(Vec::with_capacity(body.expose().len() + 128));
        for part in [&HEAD[..], &key.signing().signer().0, &signature, body.expose()] {
            bytes.expose_mut().extend_from_slice(part);
        }
        Ok(bytes)
    }

    /// What the shelf is called that it is of.
    pub(crate) fn shelf(&self) -> String {
        self.state.name(self.author.is_some())
    }

    /// Whether somebody has taken over its author's changes, or has left it out.
    pub(crate) fn is_settled(&self, state: &State) -> bool {
        state.left.contains_key(&self.name) || state.known.covers_sessions(&self.own())
    }

    /// The changes that its author made.
    pub(crate) fn own(&self) -> BTreeMap<u64, u64> {
        let own = self.author.and_then(|author| self.state.authors.get(&author));
        let is_own = |session: &u64| own.is_some_and(|own| own.contains(session));
        let upto = self.state.known.upto.iter().filter(|(session, _)| is_own(session));
        upto.map(|(session, step)| (*session, *step)).collect()
    }
}
