#!/usr/bin/env bash
# Makes a wheel of the command and the package: bash integrations/python/wheel.sh OUT [ARGUMENTS OF maturin build]
# Wants maturin (pip install maturin). `--profile dist` makes the one that is handed out, in three times as long.
set -euo pipefail
out=$1 && shift
mkdir -p "$out" && out=$(cd "$out" && pwd)
cd "$(dirname "$0")"
# The model of the tagger that a cast takes by itself (the program has its vocabulary); its small sister would make the wheel too large for PyPI's readers of lists.
models=src/storymill/models/litner
mkdir -p "$models"
cp ../../data/models/litner/{litner.onnx,README.md} "$models"
trap 'rm -r src/storymill/models' EXIT
case " $* " in *" --profile "*) ;; *) set -- --release "$@" ;; esac
maturin build --locked --strip --compression-level 9 --features full --out "$out" "$@"
