//! What the client and the log promise, against a server that misbehaves and a disk that fails.

#![expect(clippy::unwrap_used, reason = "a test")]

mod answers;
mod anthropic;
mod asking;
mod caching;
mod crowded;
mod doctor;
mod failing;
mod gone;
mod keys;
mod killed;
mod leaving;
mod locals;
mod log;
mod misbehaving;
mod own_wire;
mod readers;
mod recorded;
mod refusing;
mod responses;
mod secrets;
mod server;
#[path = "../../../../tests/golden/sets.rs"]
mod sets;
mod uploads;
mod world;
