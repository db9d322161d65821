#!/usr/bin/env bash
# clang-format and clang-tidy over the whole tree. Needs clang-format-14 and clang-tidy-14 (installed when missing).
# All findings of all files are shown; files that were clean and have not changed since are not looked at again.
# The last line is 'no findings', or how many there are, and then the exit code is not 0.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "$root/scripts/packages.txt"
install_packages "$root/scripts/packages-lint.txt"
cd "$root"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
broken=""
say "clang-format"
git ls-files '*.cpp' '*.h' | xargs clang-format-14 --dry-run --Werror 2>&1 | tee "$log" || broken=1
configure lint
say "clang-tidy, as part of a build of build/lint ($jobs jobs; the first takes an hour)"
cmake --build --preset lint -j "$jobs" -- -k 0 2>&1 | tee -a "$log" || broken=1
findings=$(grep -E '^[^ ]+:[0-9]+:[0-9]+: (fatal error|error|warning): ' "$log" | sort -u | wc -l)
[ "$findings" -eq 0 ] || die "$findings findings"
[ -z "$broken" ] || die "no findings, but the build failed: see above"
say "no findings"
