//! The shelf: private books and claims, sealed record by record.
//!
//! A shelf is a folder of records and operations, files under the digests of their sealed bytes, each sealed with `age` to the
//! maintainers' recipients. Operations say which records belong to which files, are signed by who wrote them, and join: a
//! shelf is their fold, and a union of two folders is a union of what was done ([`Pins`] remember what was seen, so that it
//! cannot go back unnoticed). An operation is written after its records, so a kill leaves the old shelf or the new one.
//! [`Mount`] shows the inside as a [`Disk`](storymill_core::Disk), so that a build has its store and its answers in there and
//! nowhere else.
//!
//! Without the feature `age` nothing can be sealed or opened, and whoever tries is told so.
//!
//! Knows: `core`. Deliberately absent: network, clock, printing, arguments, the environment. Random
//! bits come from the system: names, keys and salts must not be guessed.

mod before;
mod books;
mod change;
mod commit;
#[cfg_attr(not(feature = "age"), path = "envelope_absent.rs")]
mod envelope;
mod fold;
mod join;
mod key;
pub mod letter;
mod loaded;
mod log;
mod mount;
mod opening;
mod operation;
mod people;
mod private;
pub mod proof;
pub mod public;
mod random;
mod records;
mod rows;
mod seen;
pub mod sets;
mod settle;
mod shelf;
mod sign;
mod source;

pub use books::{BookFacts, Books, Cleaner, PUBLIC};
pub use change::Change;
pub use key::{Key, Recipient, is_protected};
pub use mount::{MOUNT, Mount};
pub use private::Private;
pub use random::{canary, id, passphrase};
pub use seen::Pins;
pub use settle::{Conflict, Version};
pub use shelf::{Access, Shelf};
pub use sign::Signer;
pub use source::ShelfBooks;
