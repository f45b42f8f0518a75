#!/usr/bin/env bash
# Packages every crate as for a registry, unpacks them elsewhere, and builds and runs the program from these files alone:
#     bash tests/packages/run.sh WORK
set -euo pipefail
work=$1
mkdir -p "$work" && work=$(cd "$work" && pwd)
cd "$(dirname "$0")/../.."
cargo package --workspace --exclude storymill-xtask --exclude storymill-python --no-verify --allow-dirty --quiet --target-dir "$work/target"
mkdir -p "$work/crates" "$work/home/.cargo"
for one in "$work"/target/package/*.crate; do
  size=$(stat -c %s "$one")
  [ "$size" -lt 10000000 ] || { echo "$one has $size bytes; a registry takes 10 MB"; exit 1; }
  tar -xzf "$one" -C "$work/crates"
done
# Each is taken from here and not from the registry.
{
  echo '[patch.crates-io]'
  for one in "$work"/crates/*; do
    name=$(basename "$one")
    echo "${name%-*} = { path = \"$one\" }"
  done
} >"$work/crates/config.toml"
program=$(echo "$work"/crates/storymill-cli-*)
cp Cargo.lock "$program/Cargo.lock"
CARGO_TARGET_DIR="$PWD/target" cargo build --release --quiet --config "$work/crates/config.toml" --manifest-path "$program/Cargo.toml" --bin storymill
cd "$work"
"$OLDPWD/target/release/storymill" quickstart sample
"$OLDPWD/target/release/storymill" verify sample/out/quickstart
ls "$work"/target/package/*.crate | wc -l | sed 's/$/ packages; the program that was built of them makes the sample/'
