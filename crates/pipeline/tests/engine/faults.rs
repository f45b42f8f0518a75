//! A disk that fails at any moment loses nothing and leaves nothing wrong.

use std::sync::Arc;

use storymill_core::FaultKind;
use storymill_disk::RealDisk;

use crate::faulty::{Failure, FaultyDisk};
use crate::toy::{Parrot, World, lock};

#[test]
fn every_failing_operation_is_survived() {
    let calm = World::new();
    let counting = FaultyDisk::new(u64::MAX, Failure::Once);
    let expected =
        lock(&calm.run_with(&Parrot::default(), Arc::new(counting.clone()), 2, None).unwrap());
    let operations = counting.operations();
    assert!(operations > 100, "the run does enough to fail at: {operations}");
    for (turn, at) in (0..operations).enumerate() {
        let failure = [Failure::Once, Failure::Dead, Failure::Full][turn % 3];
        let world = World::new();
        let result =
            world.run_with(&Parrot::default(), Arc::new(FaultyDisk::new(at, failure)), 1, None);
        let fault = result.expect_err("an operation failed");
        assert_eq!(fault.kind, FaultKind::Io, "{fault}");
        assert!(fault.path.is_some(), "{fault}");
        if failure == Failure::Full {
            assert!(fault.hint.is_some(), "a full disk comes with advice");
        }
        let again = world.run_with(&Parrot::default(), Arc::new(RealDisk), 2, None).unwrap();
        assert_eq!(lock(&again), expected, "after {failure:?} at operation {at}");
    }
}
