//! The engine: a workflow is checked, planned and run, and its parts are kept in a store.
//!
//! Deliberately absent: Arrow, HTTP, any stage by name, printing, arguments, environment. What
//! happens is told as [`Event`]s; what exists is known from the [`Registry`].

mod agree;
mod causes;
mod clock;
mod decided;
mod engine;
mod erased;
mod events;
mod jobs;
mod judging;
mod lock;
mod meter;
mod only;
mod outcome;
mod pilot;
mod plan;
mod problem;
mod reckon;
mod registry;
mod run;
mod run_state;
mod schema;
mod shard;
mod store;
mod workflow;

pub use causes::{Cause, LockChange, StepChange};
pub use decided::{Lapsed, Undecided};
pub use events::{Event, Events, Share};
pub use jobs::{Job, JobShard, Of, Wants};
pub use lock::Lock;
pub use only::Missing;
pub use outcome::{Finished, Outcome, StepReject, StepReport, StepReview};
pub use plan::{Plan, PlanRow, Visitor, Why, judged, plan, plan_jobs};
pub use problem::{Problem, Problems};
pub use reckon::Estimate;
pub use registry::Registry;
pub use run::{NoModel, RunOptions, run, run_pilot, run_steps};
pub use shard::Shard;
pub use store::{Claim, JobId, JobRecord, JobState, Shards, Store};
pub use workflow::{
    Asking, AuditLimits, Builder, Config, Limit, NotAWorkflow, Publish, Step, StepKind, VOTES,
    Workflow,
};
