//! What the client and the log promise, against a server that misbehaves and a disk that fails.

mod misbehaving;
mod server;
mod world;
