#!/usr/bin/env bash
# clang-format and clang-tidy over the whole tree. Needs clang-format-14 and clang-tidy-14 (installed when missing).
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "$root/scripts/packages.txt"
install_packages "$root/scripts/packages-lint.txt"
cd "$root"
git ls-files '*.cpp' '*.h' | xargs clang-format-14 --dry-run --Werror
build lint
say "no findings"
