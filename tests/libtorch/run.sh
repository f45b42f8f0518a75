#!/usr/bin/env bash
# The tagger `rust-bert` with a real libtorch: built, tested, and one page and one marked text tagged with litner's
# weights as floats. Usage, in the top folder: run.sh WORK
set -euo pipefail
work=$1
here=$(cd "$(dirname "$0")" && pwd)
LIBTORCH=$(bash "$here/fetch.sh" "$work/torch" | tail -1)
export LIBTORCH LIBTORCH_CXX11_ABI=0 LD_LIBRARY_PATH=$LIBTORCH/lib
"$work/torch/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$work/torch/venv/bin/python" "$here/convert.py" data/models/litner/litner.onnx data/models/litner/vocab.txt "$work/model"
STORYMILL_RUST_BERT=$(realpath "$work/model")
export STORYMILL_RUST_BERT
cargo test --release --quiet -p storymill-names --features rust-bert,litner rust_bert -- --show-output
cargo build --release --quiet --features rust-bert,full --bin storymill
cp "${CARGO_TARGET_DIR:-target}/release/storymill" "$work/storymill"
page=data/books/sm07.html
"$work/storymill" cast "$page" --tagger rust-bert --models "$work/model" > "$work/rust-bert.toml"
"$work/storymill" cast "$page" --tagger litner --models data/models/litner > "$work/litner.toml"
# The same weights, once as floats and once as 8-bit numbers, see the same people.
names() { grep '^name = ' "$1" | sort; }
names "$work/litner.toml" | grep -q .
diff <(names "$work/litner.toml") <(names "$work/rust-bert.toml")
echo "rust-bert: $(names "$work/rust-bert.toml" | wc -l) names in $page, the same as litner's"
