#!/usr/bin/env bash
# Runs every test: installs what is missing, builds a preset, runs ctest, ends with 'N passed, N failed'.
#   scripts/test.sh [--preset release|dev|asan|tsan] [ctest options]     for instance: scripts/test.sh -R Search
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
preset=release
if [ "${1:-}" = --preset ]; then
  preset=${2:?--preset needs a name}
  shift 2
fi
install_packages "$root/scripts/packages.txt"
build "$preset"
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
set +e
ctest --preset "$preset" -j "$jobs" "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
set -e
total=$(sed -n 's/^.* tests passed, [0-9]* tests failed out of \([0-9]*\).*$/\1/p' "$log" | tail -1)
failed=$(sed -n 's/^.* tests passed, \([0-9]*\) tests failed out of .*$/\1/p' "$log" | tail -1)
[ -n "$total" ] || die "ctest ran no test"
printf '%s passed, %s failed\n' "$((total - failed))" "$failed"
exit "$status"
