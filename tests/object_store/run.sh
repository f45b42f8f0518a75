#!/usr/bin/env bash
# Stores in S3, for real: moto's server on loopback, and the tests that want one. Usage: run.sh WORK
#
# The tests are built already: the same selection of packages as that of the whole, so nothing is built anew.
set -euo pipefail
work=$1
here=$(cd "$(dirname "$0")" && pwd)
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
port=$((20000 + RANDOM % 20000))
"$work/venv/bin/moto_server" -p "$port" >"$work/moto.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 600); do
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
  kill -0 "$server" 2>/dev/null || { tail -20 "$work/moto.log"; exit 1; }
  sleep 0.1
done
export STORYMILL_S3="http://127.0.0.1:$port"
# Each selection has to hold some tests: a module of another name would be nothing at all.
tests() {
  cargo test --release --workspace "$@" -- --show-output | tee "$work/tests.log"
  grep -qE '^test result: ok\. [1-9]' "$work/tests.log" || { echo "no test ran: $*"; exit 1; }
}
tests --test s3
tests --test engine objects
tests --test tests shared_store
