//! From requests to answers: the only room of the house that talks to a model.
//!
//! A [`ModelAsker`] answers a wave of requests from its [`AnswerLog`], and asks a server for the rest,
//! in the wire format that it speaks, politely and within a budget. It knows requests and answers,
//! never books. Deliberately absent: printing, arguments, the environment.

pub mod answers;
mod asker;
pub mod batch;
mod bucket;
mod budget;
mod call;
mod chat;
mod config;
mod cost;
mod damaged;
mod delay;
pub mod doctor;
mod endpoint;
mod events;
mod failure;
mod fields;
pub mod keys;
mod lines;
mod local;
mod log;
mod model;
mod pace;
mod price;
mod queue;
pub mod reader;
mod secret;
mod sharing;
mod usage;
mod usd;
mod wave;
pub mod wire;

pub use asker::{AskerOptions, Env, Mode, ModelAsker};
pub use budget::{LedgerRow, LimitReached, Limits};
pub use config::{CacheLife, Described, Field, ModelConfig, ResponseFormat, TooLong};
pub use cost::{Cost, Forecast};
pub use endpoint::{MAX_RESPONSE, elsewhere};
pub use events::{AskEvent, AskEvents};
pub use local::{Heard, Local};
pub use log::{AnswerLog, Damage, Note, Record, Ticket, mend};
pub use price::{Price, Prices};
pub use usage::Usage;
pub use usd::Usd;
