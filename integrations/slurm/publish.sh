#!/usr/bin/env bash
# Publishes, if every step is done: publish.sh WORKFLOW. If not, says what is missing and exits with 14.
out=()
[ -z "${OUT:-}" ] || out=(--out "$OUT")
exec "$STORYMILL" build "$1" --store "$STORE" --finalize "${out[@]}"
