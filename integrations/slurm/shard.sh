#!/usr/bin/env bash
# One shard of a job: shard.sh WORKFLOW STEP SHARDS OFFSET MORE... Without shards the step is done at once.
set -uo pipefail
workflow=$1 step=$2 shards=$3 offset=$4
shift 4
which=()
[ "$shards" -eq 0 ] || which=(--shard "$((offset + SLURM_ARRAY_TASK_ID))/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}")
[ -z "${PRICES:-}" ] || which+=(--prices "$PRICES")
budget=
case " $* " in *" --max-usd "*) budget=1 ;; esac
# A share of a budget is a limit of one run. A task that lost its node may have used it up, and nobody here knows: what it
# left undone is for the next submission, which divides what the log says is left.
if [ -n "$budget" ] && [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ]; then
  echo "this shard has a share of a budget and has begun before; submit again when all is over" >&2
  exit 8
fi
for pause in 10 30 60 120 240; do
  "$STORYMILL" build "$workflow" --store "$STORE" --step "$step" ${which[@]+"${which[@]}"} "$@"
  code=$?
  # Somebody held the store, and nothing was asked: the same task once more, a few times.
  [ "$code" -eq 75 ] || exit "$code"
  if [ -z "$budget" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
    scontrol requeue "$SLURM_JOB_ID"
    exit "$code"
  fi
  [ -n "$budget" ] || exit "$code"
  sleep "$pause"
done
exit "$code"
