#!/usr/bin/env bash
# Do editors understand the `#:schema` line? taplo is what they ask: it must take every workflow that comes with storymill,
# and find a misspelt key. Usage: run.sh TAPLO
set -euo pipefail
cd "$(dirname "$0")/../.."
export RUST_LOG=error
"$1" check workflows/*.toml
bad=workflows/.misspelt.toml
trap 'rm -f "$bad"' EXIT
sed 's/^version/versoin/' workflows/quickstart.toml >"$bad"
if said=$("$1" check "$bad" 2>&1); then echo "taplo took a misspelt key"; exit 1; fi
grep -q versoin <<<"$said" || { echo "taplo does not name the misspelt key: $said"; exit 1; }
