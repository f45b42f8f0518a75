#!/usr/bin/env bash
# Makes a wheel of the command and the package: bash integrations/python/wheel.sh OUT [ARGUMENTS OF maturin build]
# Wants maturin (pip install maturin). `--profile dist` makes the one that is handed out, in three times as long.
set -euo pipefail
out=$1 && shift
mkdir -p "$out" && out=$(cd "$out" && pwd)
cd "$(dirname "$0")"
# The model of the tagger that a cast takes by itself; its small sister would make the wheel too large for PyPI's readers of lists.
models=src/storymill/models/litner
mkdir -p "$models"
cp ../../data/models/litner/{litner.onnx,vocab.txt,README.md} "$models"
trap 'rm -r src/storymill/models' EXIT
case " $* " in *" --profile "*) ;; *) set -- --release "$@" ;; esac
maturin build --locked --strip --features full --out "$out" "$@"
