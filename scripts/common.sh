# Sourced by the other scripts: installs what is missing and builds. Prints what it does.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
jobs="$(nproc)"

say() { printf '== %s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }

# install_packages FILE: asks apt only when a package of the list is missing.
install_packages() {
  local wanted missing=() name
  mapfile -t wanted < <(grep -v '^#' "$1")
  for name in "${wanted[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing from Debian: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "These packages are missing and neither root nor sudo is at hand: ${missing[*]}"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure PRESET: unless it is, by these presets.
configure() {
  cd "$root"
  [ "build/$1/configured" -nt CMakePresets.json ] && [ -f "build/$1/build.ninja" ] && return
  say "configuring build/$1"
  cmake --preset "$1" >/dev/null
  touch "build/$1/configured"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  say "building build/$preset ($jobs jobs; a first build takes some minutes)"
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}
