#!/usr/bin/env bash
# The GitHub action in a bare root: a minimal Debian with git, made by debootstrap. Usage: run.sh PROGRAM WORK
#
# The program is linked against this machine's libc, so the root is of the same release. Where no such root can be made,
# a line says why, and nothing has failed.
set -euo pipefail
program=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
skip() {
  echo "skip: the GitHub action in a bare root: $1"
  exit 0
}
[ "$(id -u)" = 0 ] || skip "only root may chroot"
. /etc/os-release
[ "${ID:-}" = debian ] || skip "this machine is no Debian"
if ! command -v debootstrap >/dev/null; then
  { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null 2>&1 || skip "debootstrap cannot be installed"
fi
mkdir -p "$work"
debootstrap --variant=minbase --include=git "$VERSION_CODENAME" "$work/root" >"$work/debootstrap.log" 2>&1 ||
  skip "debootstrap failed: $(tail -1 "$work/debootstrap.log")"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$work/venv/bin/python" -B "$here/steps.py" "$work/root" "$program"
rm -rf "$work/root"
