//! A build that is killed at any moment goes on where it was, to the same bytes.

use std::{process::Stdio, time::Duration};

use crate::project::{Project, full};

/// A project whose build takes long enough to be killed in.
fn project() -> Project {
    let project = Project::new();
    for book in 0..12 {
        project.book(&format!("b{book:02}"), 12);
    }
    project.workflow(&[]);
    project
}

#[test]
fn builds_killed_at_random_points_end_alike() {
    let calm = project();
    let start = std::time::Instant::now();
    calm.run(&["build", "my.toml"]).exits(0);
    let took = start.elapsed();
    let expected = calm.manifest("out/mine");

    let wanted = if full() { 20 } else { 6 };
    let (mut killed, mut random) = (0, 2023_u64);
    for _ in 0..wanted {
        let project = project();
        // Later kills of one project hit a build that goes on where the last was killed.
        for _ in 0..3 {
            // A little generator of its own: the points differ from kill to kill, not from run to run.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let share = f64::from(u32::try_from(random >> 33).unwrap()) / f64::from(u32::MAX >> 1);
            let mut command = project.command(&["build", "my.toml"]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(took.mul_f64(share * 0.8).max(Duration::from_millis(2)));
            child.kill().unwrap();
            killed += usize::from(child.wait().unwrap().code().is_none());
        }
        project.run(&["build", "my.toml"]).exits(0);
        assert_eq!(project.manifest("out/mine"), expected);
    }
    assert!(killed >= wanted, "each project was killed at least once on average: {killed}");
    println!("{killed} builds were killed on the way");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_done_and_says_so() {
    let project = project();
    let child = project
        .command(&["build", "my.toml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Wait until something is kept.
    let markers = project.path(".storymill/markers/chunk");
    while !markers.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.contains("what is done is kept"), "{err}");
    let out = project.run(&["plan", "my.toml", "--format", "json"]).exits(0).out();
    let plan: serde_json::Value = serde_json::from_str(&out).unwrap();
    let current = plan["steps"][0]["current"].as_u64().unwrap();
    assert!(current > 0, "something was kept: {out}");
    project.run(&["build", "my.toml"]).exits(0);
}
