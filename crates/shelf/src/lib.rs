//! The shelf: private books and claims, sealed record by record.
//!
//! A shelf is a folder of records under random names, each sealed with `age` to the maintainers'
//! recipients, and a sealed index that says which record belongs to which file, signed by who wrote it ([`Pins`] remember
//! what was seen, so that it cannot go back unnoticed). What is changed is
//! written beside and counts once the index is renamed into place: a kill leaves the old shelf or the
//! new one. [`Mount`] shows the inside as a [`Disk`](storymill_core::Disk), so that a build has its store
//! and its answers in there and nowhere else.
//!
//! Without the feature `age` nothing can be sealed or opened, and whoever tries is told so.
//!
//! Knows: `core`. Deliberately absent: network, clock, printing, arguments, the environment. Random
//! bits come from the system: names, keys and salts must not be guessed.

mod books;
mod change;
#[cfg_attr(not(feature = "age"), path = "envelope_absent.rs")]
mod envelope;
mod index;
mod journal;
mod key;
pub mod letter;
mod mount;
mod opening;
mod private;
pub mod proof;
pub mod public;
mod random;
mod records;
mod seal;
mod seen;
pub mod sets;
mod shelf;
mod sign;
mod source;

pub use books::{BookFacts, Books, Cleaner};
pub use change::Change;
pub use key::{Key, Recipient, is_protected};
pub use mount::{MOUNT, Mount};
pub use private::Private;
pub use random::{canary, id, passphrase};
pub use seen::Pins;
pub use shelf::{Access, Shelf};
pub use sign::Signer;
pub use source::ShelfBooks;
