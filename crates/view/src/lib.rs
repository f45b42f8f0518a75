//! A published dataset as pages to read: books, questions at the moment they are asked, retellings, results; and the
//! pages on which people decide ([`desk`]), served or in one sealed file ([`packet`]).
//!
//! [`Site::page`] makes the page at a path. Who serves it, or writes it into files, is somebody else's business:
//! [`Links`] says what a path is called there. Nothing on a page comes from elsewhere, and whatever the dataset holds
//! is escaped.

pub mod desk;
pub mod packet;

mod address;
mod build;
mod draw;
mod links;
mod marks;
mod numbers;
mod pages;
mod results;
mod site;
mod spine;

pub use build::{
    Build, Came, CastList, Cut, Fact, Kept, Left, LeftCount, Page, Person, Raw, Renamed,
};
pub use links::Links;
pub use results::{Results, Said};
pub use site::{Reply, Site, asset};
