//! Whole runs of the binary, as a user sees them. One test binary, so that it links once.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::pedantic,
    clippy::disallowed_methods,
    clippy::print_stdout
)]

#[path = "whole/action.rs"]
mod action;
#[path = "whole/architecture.rs"]
mod architecture;
#[path = "whole/audit.rs"]
mod audit;
#[path = "whole/bad_input.rs"]
mod bad_input;
#[path = "whole/batches.rs"]
mod batches;
#[path = "whole/books.rs"]
mod books;
#[path = "whole/caches.rs"]
mod caches;
#[path = "whole/claims.rs"]
mod claims;
#[path = "whole/claims_app.rs"]
mod claims_app;
#[path = "whole/clean.rs"]
mod clean;
#[path = "whole/commands.rs"]
mod commands;
#[path = "whole/contexts.rs"]
mod contexts;
#[path = "whole/damage.rs"]
mod damage;
#[path = "whole/decisions.rs"]
mod decisions;
#[path = "whole/diff.rs"]
mod diff;
#[path = "whole/docs.rs"]
mod docs;
#[path = "whole/evaluate.rs"]
mod evaluate;
#[path = "whole/faults.rs"]
mod faults;
#[path = "disks/faulty.rs"]
mod faulty;
#[path = "whole/first.rs"]
mod first;
#[path = "whole/folders_gone.rs"]
mod folders_gone;
#[path = "whole/gates.rs"]
mod gates;
#[path = "whole/generated.rs"]
mod generated;
#[path = "whole/gold_casts.rs"]
mod gold_casts;
#[path = "whole/hundred_contexts.rs"]
mod hundred_contexts;
#[path = "whole/import.rs"]
mod import;
#[path = "whole/in_json.rs"]
mod in_json;
#[path = "whole/installed.rs"]
mod installed;
#[cfg(feature = "litner")]
#[path = "whole/installed_models.rs"]
mod installed_models;
#[path = "whole/jobs.rs"]
mod jobs;
#[path = "whole/judges.rs"]
mod judges;
#[path = "whole/judges_bad_input.rs"]
mod judges_bad_input;
#[path = "whole/judging_build.rs"]
mod judging_build;
#[path = "whole/kills.rs"]
mod kills;
#[path = "whole/labels.rs"]
mod labels;
#[cfg(feature = "private")]
#[path = "whole/leaks.rs"]
mod leaks;
#[path = "whole/literaryqa.rs"]
mod literaryqa;
#[path = "whole/long_books.rs"]
mod long_books;
#[path = "whole/lveval.rs"]
mod lveval;
#[path = "whole/models.rs"]
mod models;
#[path = "whole/names.rs"]
mod names;
#[path = "whole/naming.rs"]
mod naming;
#[path = "whole/narrativexl.rs"]
mod narrativexl;
#[path = "whole/order.rs"]
mod order;
#[path = "whole/other_books.rs"]
mod other_books;
#[cfg(feature = "private")]
#[path = "whole/packets.rs"]
mod packets;
#[path = "whole/pins.rs"]
mod pins;
#[path = "whole/plays.rs"]
mod plays;
#[path = "whole/printed.rs"]
mod printed;
#[cfg(feature = "private")]
#[path = "whole/private.rs"]
mod private;
#[cfg(feature = "private")]
#[path = "whole/private_claims.rs"]
mod private_claims;
#[cfg(feature = "private")]
#[path = "whole/private_claims_kills.rs"]
mod private_claims_kills;
#[cfg(feature = "private")]
#[path = "whole/private_claims_life.rs"]
mod private_claims_life;
#[cfg(feature = "private")]
#[path = "whole/private_claims_votes.rs"]
mod private_claims_votes;
#[cfg(feature = "private")]
#[path = "whole/private_commands.rs"]
mod private_commands;
#[cfg(feature = "private")]
#[path = "whole/private_evaluate.rs"]
mod private_evaluate;
#[cfg(all(feature = "private", feature = "app"))]
#[path = "whole/private_pages.rs"]
mod private_pages;
#[cfg(feature = "private")]
#[path = "whole/private_scores.rs"]
mod private_scores;
#[cfg(feature = "private")]
#[path = "whole/private_sets.rs"]
mod private_sets;
#[path = "whole/project.rs"]
mod project;
#[path = "whole/questions.rs"]
mod questions;
#[path = "whole/quickstart.rs"]
mod quickstart;
#[path = "whole/readers.rs"]
mod readers;
#[path = "whole/real_books.rs"]
mod real_books;
#[path = "whole/rebuild.rs"]
mod rebuild;
#[path = "whole/release.rs"]
mod release;
#[path = "whole/report_page.rs"]
mod report_page;
#[path = "whole/review_app.rs"]
mod review_app;
#[path = "whole/score.rs"]
mod score;
#[path = "whole/second_readers.rs"]
mod second_readers;
#[path = "whole/shared_store.rs"]
mod shared_store;
#[cfg(feature = "private")]
#[path = "whole/shelf.rs"]
mod shelf;
#[cfg(unix)]
#[path = "whole/slurm.rs"]
mod slurm;
#[path = "whole/spending.rs"]
mod spending;
#[path = "whole/state.rs"]
mod state;
#[path = "whole/twelve.rs"]
mod twelve;
#[cfg(feature = "app")]
#[path = "whole/view.rs"]
mod view;
#[cfg(feature = "app")]
#[path = "whole/view_build.rs"]
mod view_build;
#[cfg(feature = "app")]
#[path = "whole/view_doors.rs"]
mod view_doors;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[path = "whole/weight.rs"]
mod weight;
#[path = "whole/workflows.rs"]
mod workflows;
