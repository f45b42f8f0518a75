//! A made-up dataset, published for real: its bytes, its folder, its faults.

#![allow(clippy::unwrap_used)]

mod support;

mod audit;
mod bent;
mod card;
mod diff;
mod docs;
mod folder;
mod long;
mod pages;
mod publishing;
mod reading;
mod release;
