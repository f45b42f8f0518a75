#!/usr/bin/env bash
# One shard of a job: shard.sh WORKFLOW STEP SHARDS OFFSET MORE... Without shards the step is done at once.
set -uo pipefail
workflow=$1 step=$2 shards=$3 offset=$4
shift 4
which=()
[ "$shards" -eq 0 ] || which=(--shard "$((offset + SLURM_ARRAY_TASK_ID))/$shards" --threads "${SLURM_CPUS_PER_TASK:-1}")
[ -z "${PRICES:-}" ] || which+=(--prices "$PRICES")
"$STORYMILL" build "$workflow" --store "$STORE" --step "$step" "${which[@]}" "$@"
code=$?
# Somebody held the store: the same task once more, a few times.
if [ "$code" -eq 75 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ]; then
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
