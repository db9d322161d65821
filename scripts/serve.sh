#!/usr/bin/env bash
# Runs Holdfast: installs what is missing, builds the release preset, serves on http://127.0.0.1:7070.
#   scripts/serve.sh [holdfast serve options]       for instance: scripts/serve.sh --listen 127.0.0.1:8080
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "$root/scripts/packages.txt"
build release holdfast
exec "$root/build/release/holdfast" serve "$@"
