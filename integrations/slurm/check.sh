#!/usr/bin/env bash
# Whether a job is done: check.sh WORKFLOW STEP. If not, says what is missing and exits with 14.
exec "$STORYMILL" status "$1" --store "$STORE" --step "$2"
