#!/usr/bin/env bash
# Checks a change to a dataset repository, as a pull request or on your own machine:
#
#     STORYMILL_BASE=origin/main bash check.sh
#
# It builds the dataset from recorded answers alone, verifies the folder, compares it with the base
# revision, and fails where a gate is not passed or where the committed lock is not the one that
# the change leads to. The comparison is Markdown: in the job's summary, and in the report folder.
#
# Everything comes in through the environment, and nothing that a pull request wrote (names,
# titles, texts) is ever part of a command:
#
#     STORYMILL_BASE           the revision to compare with (needed)
#     STORYMILL_DIR            the folder of the dataset in the repository  [.]
#     STORYMILL_WORKFLOW       the workflow file in it                      [workflow.toml]
#     STORYMILL_LOCK           the committed lock in it                     [dataset.lock]
#     STORYMILL_FAIL_ON        `gates`; `breaking`, or `differs`, fails on more  [gates]
#     STORYMILL_ROWS           `yes` builds the base too and compares rows; `no` compares locks  [yes]
#     STORYMILL_MODEL          the table of a model that is asked, too; its secrets are the environment's   [none]
#     STORYMILL_MODELS         the file with that table                     [models.toml]
#     STORYMILL_SMOKE          `yes` asks a few easy questions, nearly all of which must be right  [no]
#     STORYMILL_FAIL_BELOW     the least that the lower end of the interval of accuracy may be, such as 0.62  [none]
#     STORYMILL_REPORT         the folder for what was built and told       [a new temporary one]
#     STORYMILL_BIN            the program                                  [storymill]
#     STORYMILL_TAGGER_MODELS  the folder with models of taggers            [wherever the program looks]
#
# Exit status: 0 fine, 1 something has to be done first, 2 the check could not be made.
set -euo pipefail

bin=${STORYMILL_BIN:-storymill}
workflow=${STORYMILL_WORKFLOW:-workflow.toml}
lock=${STORYMILL_LOCK:-dataset.lock}
fail_on=${STORYMILL_FAIL_ON:-gates}
rows=${STORYMILL_ROWS:-yes}
smoke=${STORYMILL_SMOKE:-no}
below=${STORYMILL_FAIL_BELOW:-}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}
faults=()

impossible() {
  echo "cannot check: $1" >&2
  exit 2
}

# A line to do something about. The words are ours alone: both outputs would obey some of others.
fault() {
  faults+=("$1")
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::error::$1"; else echo "FAULT: $1"; fi
}

# Runs a command whose output may hold any text at all, so that the runner takes none of it for a
# command of a workflow.
quoted() {
  local token code=0
  if [ -z "${GITHUB_ACTIONS:-}" ]; then
    "$@" || code=$?
  else
    token=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
    echo "::stop-commands::$token"
    "$@" 2>&1 || code=$?
    printf '\n::%s::\n' "$token"
  fi
  return $code
}

build() { # FOLDER OUT ANSWERS
  local models=()
  [ -z "${STORYMILL_TAGGER_MODELS:-}" ] || models=(--tagger-models "$STORYMILL_TAGGER_MODELS")
  (cd -- "$1" && STORYMILL_NO_PROGRESS=1 "$bin" build --frozen --store "$report/store" --answers "$3" \
    --out "$2" ${models[@]+"${models[@]}"} -- "$workflow")
}

# Puts what was built to the model; exit code 17 is a gate that is not passed.
evaluate() { # NAME OPTIONS...
  local name=$1 code=0
  shift
  echo "== evaluate: $name"
  STORYMILL_NO_PROGRESS=1 quoted "$bin" evaluate --model "$STORYMILL_MODEL" --models "${STORYMILL_MODELS:-models.toml}" \
    --store "$report/evaluation" --out "$report/$name" "$@" -- "$report/new" || code=$?
  case $code in
    0) ;;
    17) fault "The model does not pass the gate of the evaluation ($name); see the log of this check." ;;
    *) fault "The evaluation ($name) ended with exit code $code (storymill explain $code); see the log of this check." ;;
  esac
}

case $fail_on in gates | breaking | differs) ;; *) impossible "STORYMILL_FAIL_ON is gates, breaking or differs" ;; esac
case $rows in yes | no) ;; *) impossible "STORYMILL_ROWS is yes or no" ;; esac
case $smoke in yes | no) ;; *) impossible "STORYMILL_SMOKE is yes or no" ;; esac
[ -n "${STORYMILL_MODEL:-}" ] || [ "$smoke$below" = no ] || impossible "STORYMILL_SMOKE and STORYMILL_FAIL_BELOW need STORYMILL_MODEL"
[ -n "${STORYMILL_BASE:-}" ] || impossible "STORYMILL_BASE names no revision"
command -v git >/dev/null || impossible "git is not here"
case $bin in */*) bin=$(cd -- "$(dirname -- "$bin")" && pwd)/$(basename -- "$bin") ;; esac
command -v "$bin" >/dev/null || impossible "storymill is not here: set STORYMILL_BIN"
if [ -n "${STORYMILL_TAGGER_MODELS:-}" ]; then
  STORYMILL_TAGGER_MODELS=$(cd -- "$STORYMILL_TAGGER_MODELS" && pwd) || impossible "STORYMILL_TAGGER_MODELS is not a folder"
fi
if [ -n "${STORYMILL_REPORT:-}" ]; then
  mkdir -p -- "$STORYMILL_REPORT" || impossible "STORYMILL_REPORT cannot be made"
  report=$(cd -- "$STORYMILL_REPORT" && pwd)
  [ -z "$(ls -A -- "$report")" ] || impossible "STORYMILL_REPORT is not empty"
else
  report=$(mktemp -d)
fi

cd -- "${STORYMILL_DIR:-.}" || impossible "STORYMILL_DIR is not a folder"
# From here on the base is forty digits, whatever it was called.
base=$(git rev-parse --verify --quiet --end-of-options "$STORYMILL_BASE^{commit}") ||
  impossible "STORYMILL_BASE is not a revision here; is the history fetched (fetch-depth: 0)?"
top=$(git rev-parse --show-toplevel)
inside=$(git rev-parse --show-prefix)

echo "== build from recorded answers"
code=0
quoted build "$PWD" "$report/new" "$report/answers" || code=$?
case $code in
  0) ;;
  3) fault "The workflow has mistakes; see the log of this check." ;;
  5) fault "More items were rejected than are expected (expected_rejects of the workflow, else 1 in 10 of each step's and no whole book); see the log of this check." ;;
  6) fault "Answers are missing. Build with a model (storymill build), then commit what storymill answers pack gives." ;;
  *) fault "The build ended with exit code $code (storymill explain $code); see the log of this check." ;;
esac

if [ $code = 0 ]; then
  echo "== verify"
  quoted "$bin" verify --rows -- "$report/new" ||
    fault "The folder that was built does not hold: a gate is not passed. See the log of this check."

  [ "$smoke" = no ] || evaluate smoke --smoke
  [ -z "$below" ] || evaluate score --fail-below "$below"

  echo "== the committed lock"
  if [ ! -f "$lock" ]; then
    fault "There is no committed lock. Run storymill build, and commit the dataset.lock from its folder."
  elif ! cmp -s -- "$lock" "$report/new/dataset.lock"; then
    fault "The committed lock is out of date, or answers that it was made from are not committed. Run storymill build with the same storymill, and commit the dataset.lock from its folder (and what storymill answers pack gives)."
  else
    echo "it is the one that this change leads to"
  fi

  echo "== difference from the base"
  old=$base:./$lock
  if ! git cat-file -e "$old" 2>/dev/null; then
    echo "The base has no lock: this is the first version." | tee "$report/diff.md"
  else
    git cat-file blob "$old" >"$report/base.lock"
    told="Locks were compared."
    if [ "$rows" = yes ]; then
      told="Rows could not be compared, for this storymill does not make the base's own lock again; locks were."
      export GIT_INDEX_FILE="$report/index"
      git read-tree "$base"
      git -C "$top" checkout-index --all --prefix="$report/base/"
      unset GIT_INDEX_FILE
      # The parts are shared, the answers are not: each version stands on its own.
      if build "$report/base/$inside" "$report/old" "$report/base-answers" >"$report/base.log" 2>&1 &&
        cmp -s -- "$report/old/dataset.lock" "$report/base.lock"; then
        old=$report/old
        told="Rows were compared."
      fi
    fi
    code=0
    "$bin" diff --format markdown -- "$old" "$report/new" >"$report/diff.md" || code=$?
    quoted cat "$report/diff.md"
    echo "$told"
    printf '\n%s\n' "$told" >>"$report/diff.md"
    case $code in
      0) ;;
      10) [ "$fail_on" != differs ] || fault "The dataset differs, and this check is set to allow no difference." ;;
      11) [ "$fail_on" = gates ] || fault "The change is breaking: ids, columns or answers of the base are gone." ;;
      7) fault "A gate is not passed: see Gates in the comparison." ;;
      *) fault "The comparison ended with exit code $code (storymill explain $code); see the log of this check." ;;
    esac
  fi
fi

{
  echo "## Dataset check"
  echo
  if [ ${#faults[@]} = 0 ]; then
    echo "Fine: built from recorded answers, verified, gates passed, the lock is up to date."
  else
    printf -- '- **%s**\n' "${faults[@]}"
  fi
  echo
  if [ -f "$report/diff.md" ] && [ "$(wc -c <"$report/diff.md")" -le 900000 ]; then
    cat "$report/diff.md"
  else
    echo "No comparison is shown here."
  fi
} >>"$summary"

echo "== report in $report"
[ ${#faults[@]} = 0 ] || exit 1
