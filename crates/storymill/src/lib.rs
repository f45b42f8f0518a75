//! Builds long-context benchmark datasets from novels.
//!
//! A [`Registry`] knows what workflows may name: the sources, stages and tables that come with storymill, and
//! your own. A [`Project`] is a workflow and the place where it is built; it plans and builds. What it publishes
//! is a [`Dataset`], which is verified, compared ([`Comparison`]) and released.
//!
//! ```no_run
//! use storymill::{BuildOptions, Depth, Project, Registry};
//!
//! let project = Project::open("workflows/quickstart.toml", Registry::standard())?;
//! let built = project.build(&BuildOptions::default())?;
//! if let Some(dataset) = built.dataset {
//!     assert!(dataset.verify(Depth::Both)?.is_sound());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate reads no environment and no arguments and prints nothing: what a project may use of the machine
//! comes in [`Surroundings`], what it does is told to [`Events`]. The command-line tool is `storymill-cli`.

mod audit;
mod build;
pub mod calendar;
mod cast_sheet;
mod claims;
mod comparison;
mod damage;
mod data;
mod dataset;
mod desk;
mod eval_results;
mod evaluation;
mod events;
mod inspect_log;
mod inventory;
mod job;
mod lapsed;
mod left_out;
mod models;
mod origins;
mod pace;
mod page_of;
mod partners;
mod plan;
mod project;
mod publication;
mod published;
mod rates;
mod ready;
mod rebuild;
mod redact;
mod registry;
mod release;
mod requests;
mod rust_bert;
mod settle;
mod status;
mod steps;
mod surroundings;
pub mod taggers;
mod times;
mod votes;
pub mod wordnet;
pub mod words;
mod workspace;

pub use audit::AuditOptions;
pub use build::{BuildOptions, Built, End};
pub use cast_sheet::CastSheet;
pub use claims::{
    ClaimSet, ClaimTable, Claims, Exposures, LOCAL, exposures, file_of_set, must_hold_a_set,
    pages_of_set, retired_pairs, set_in_folder, set_on_shelf, text_of_page, wipe,
};
pub use comparison::{Comparison, Version};
pub use data::{DataFolders, VARIABLE};
pub use dataset::{Dataset, Verified};
pub use desk::OpenDesk;
pub use eval_results::EvalResults;
pub use evaluation::{Evaluation, FORM, Foretold, Subject, Written};
pub use events::{Asked, Events, Notice};
pub use inspect_log::grades_of_log;
pub use inventory::{Found, Inventory, LeftOut};
pub use lapsed::{lapsed, lapsed_privately};
pub use left_out::RawAnswer;
pub use models::{ModelOptions, configs};
pub use origins::Origin;
pub use pace::Pace;
pub use plan::{Bill, PlanOptions, Planned};
pub use project::Project;
pub use published::Published;
pub use rates::{NotARate, Rate, Rates};
pub use ready::Ready;
pub use rebuild::Rebuild;
pub use redact::{redact_fault, redact_review};
pub use registry::Registry;
pub use release::{Release, ReleaseOptions};
pub use requests::Requests;
pub use status::{ShardStatus, Status};
pub use steps::{ModelLimits, Steps};
pub use surroundings::Surroundings;
pub use times::Took;
pub use workspace::{SEALED_DATASETS, SEALED_RESULTS, Workspace, decided_book, decided_digest};

pub use storymill_bucket::{Finding, disk_of, is_url};
pub use storymill_core::{Fault, FaultKind};
pub use storymill_dataset::{Depth, Site};
pub use storymill_pipeline::{NotAWorkflow, Workflow};
