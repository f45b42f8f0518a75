#!/usr/bin/env bash
# Builds a workflow on a Slurm cluster: an array job for each job of `storymill plan --steps`, a check after each, and at
# the end the one that publishes.
#
#     STORE=/shared/store OUT=/shared/out bash submit.sh my.toml
#
# Every node sees the workflow, the books and the store under the same paths. Submitting again does what is left: what is
# done is found and not done again. docs/cluster.md says what a lost node costs.
#
#   STORYMILL  the program on every node [storymill]        STORE     a folder that every node sees [.storymill]
#   OUT        where to publish [out/NAME]                  SHARDS    of each job [one for 20 units]
#   AT_ONCE    tasks of an array that run at once [64]      SBATCH    more options of sbatch, as in "--partition=cpu"
#   MAX_USD    for all of it, with PRICES                   PRICES    a table of prices
set -euo pipefail
workflow=${1:?usage: submit.sh WORKFLOW}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
export STORYMILL=${STORYMILL:-storymill} STORE=${STORE:-.storymill} OUT=${OUT:-} PRICES=${PRICES:-}
prices=(); [ -z "$PRICES" ] || prices=(--prices "$PRICES")
read -ra options <<<"${SBATCH:-}"

plan=$("$STORYMILL" plan "$workflow" --store "$STORE" "--steps${SHARDS:+=$SHARDS}" --format json)
paid=0
if [ -n "${MAX_USD:-}" ]; then
  [ -n "$PRICES" ] || { echo "MAX_USD wants PRICES" >&2; exit 2; }
  paid=$("$STORYMILL" plan "$workflow" --store "$STORE" --format json ${prices[@]+"${prices[@]}"} |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["paid"]["micro_usd"])')
fi
# The indices of an array are below this.
most=$(scontrol show config 2>/dev/null | awk '$1 == "MaxArraySize" { print $3 - 1 }') || most=
[ "${most:-0}" -ge 1 ] || most=1000

# One line for each job with something left: its step, how many shards (0: a corpus stage), cores, MiB, tasks at once, and
# what a shard may use. The budget is divided among all shards that ask; rates among those that run at once.
lines() {
  python3 -c '
import json, os, sys
plan, at_once, usd, paid = json.loads(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
left = [job for job in plan["jobs"] if job["run"] > 0]
limits = {one["model"]: one for one in plan["models"]}
asking = sum(len(job["shards"]) for job in left if job["wants"]["models"])
for job in left:
    models = [limits[name] for name in job["wants"]["models"]]
    names = {"--requests-per-minute": "requests_per_minute", "--tokens-per-minute": "tokens_per_minute", "--in-flight": "concurrency"}
    rates = [(flag, one["model"], one[key]) for one in models for flag, key in names.items() if one[key]]
    tasks = min([at_once, max(1, len(job["shards"]))] + [rate for _, _, rate in rates])
    more = [word for flag, model, rate in rates for word in (flag, "%s=%d" % (model, rate // tasks))]
    if usd and models:
        share = max(0, int(float(usd) * 1e6) - paid) // asking
        more += ["--max-usd", "%.6f" % (share / 1e6)]
    wants = job["wants"]
    print(job["step"], len(job["shards"]), max(1, round(wants["cpus"])), wants["memory_mib"], tasks, *more)
' "$plan" "${AT_ONCE:-64}" "${MAX_USD:-}" "$paid"
}

after=()
submit() { sbatch --parsable --requeue ${options[@]+"${options[@]}"} ${after[@]+"${after[@]}"} "$@" | cut -d ';' -f 1; }
# With `afterok` one failed task would leave all that follows pending for ever. So everything follows `afterany`: a check
# names what is missing and fails, and what comes after it refuses to begin for the same reason.
follow() { after=("--dependency=afterany:$1"); }

# Not in the pipe of the loop, where its failure would be lost.
left=$(lines)
while read -r step shards cores mib tasks more; do
  [ -n "$step" ] || continue
  read -ra words <<<"$more"
  wants=(--cpus-per-task="$cores" --mem="${mib}M")
  if [ "$shards" -eq 0 ]; then
    id=$(submit "${wants[@]}" --job-name="storymill-$step" "$here/shard.sh" "$workflow" "$step" 0 0)
    follow "$id"
  fi
  for ((offset = 0; offset < shards; offset += most)); do
    last=$((shards - offset < most ? shards - offset : most))
    id=$(submit "${wants[@]}" --job-name="storymill-$step" --array="1-$last%$tasks" \
      "$here/shard.sh" "$workflow" "$step" "$shards" "$offset" ${words[@]+"${words[@]}"})
    follow "$id"
  done
  id=$(submit --job-name="storymill-check-$step" "$here/check.sh" "$workflow" "$step")
  follow "$id"
done <<<"$left"
last=$(submit --job-name=storymill-publish "$here/publish.sh" "$workflow")
echo "submitted; job $last publishes. How far it is: $STORYMILL status $workflow --store $STORE"
