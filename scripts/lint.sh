#!/usr/bin/env bash
# clang-format and clang-tidy. Needs clang-format-14 and clang-tidy-14 (installed when missing).
#   scripts/lint.sh                      the whole tree
#   scripts/lint.sh src/http bench/x.cpp what is below these paths
#   scripts/lint.sh --since main         what differs from a commit, uncommitted changes included
# All findings are shown. The whole tree is a build: files that were clean and have not changed since are not looked at
# again, and an interrupted run continues where it was. Chosen files are looked at in any case, and no others.
# The last line is 'no findings in N files', or how many there are, and then the exit code is not 0.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The sources to look at, one a line. A header is read by way of a source that includes it.
selected_sources() {
  if [ "${1:-}" != --since ]; then
    git ls-files -- "${@:-.}" | grep '\.cpp$'
    return
  fi
  local file
  { git diff --name-only --diff-filter=d "${2:?--since needs a commit}" && git ls-files --others --exclude-standard; } |
    while read -r file; do
      case $file in
        *.cpp) echo "$file" ;;
        *.h) git grep -lF "\"${file#src/}\"" -- '*.cpp' | head -1 ;;
      esac
    done | sort -u
}

tidy() {
  if [ $# -eq 0 ]; then
    say "clang-tidy on $count files, as a build of build/lint ($jobs jobs; all of them take hours, once)"
    ninja -C build/lint -j "$jobs" -k 0 2>&1
  else
    say "clang-tidy on $count files ($jobs jobs)"
    xargs -a "$work/sources" -r -n 1 -P "$jobs" clang-tidy-14 -p build/lint --quiet 2>&1 |
      { grep -vE '^[0-9]+ warnings? generated' || true; }
  fi
}

install_packages "$root/scripts/packages.txt"
install_packages "$root/scripts/packages-lint.txt"
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
broken=""
say "clang-format"
git ls-files '*.cpp' '*.h' | xargs clang-format-14 --dry-run --Werror 2>&1 | tee "$work/log" || broken=1
configure lint
cmake --build --preset lint --target build.ninja >/dev/null
selected_sources "$@" >"$work/sources" || true
count=$(wc -l <"$work/sources")
tidy "$@" | tee -a "$work/log" || broken=1
# grep ends with 1 when it finds nothing, which would end the script.
findings=$({ grep -E '^[^ ]+:[0-9]+:[0-9]+: (fatal error|error|warning): ' "$work/log" || true; } | sort -u | wc -l)
[ "$findings" -eq 0 ] || die "$findings findings"
[ -z "$broken" ] || die "no findings, but it did not come to its end: see above"
say "no findings in $count files"
