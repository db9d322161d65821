#!/usr/bin/env bash
# Runs the benchmarks and writes docs/benchmarks.md: the numbers of DESIGN section 9, each beside its alternative measured
# in the same run. The full run needs about a quarter of an hour, most of it for SQLite FTS5 at a million texts.
#   scripts/bench.sh [--quick]      --quick: smaller sizes, printed and not written
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
install_packages "$root/scripts/packages.txt"
build release holdfast store_benchmark search_benchmark server_benchmark ingest_benchmark substrate_benchmark chat_benchmark \
  continuity_benchmark recall_benchmark observations_benchmark
cd "$root"
sizes=10000,100000,1000000 objects=100000 writes=40000 texts=1000000 observations=1000000
if [ "${1:-}" = --quick ]; then sizes=10000,100000 objects=20000 writes=10000 texts=0 observations=50000; fi
folder=$(mktemp -d "$root/build/bench.XXXXXX")
trap 'rm -rf "$folder"' EXIT
rows=$folder/rows
run() { say "$*"; "$@" 2>&1 | tee -a "$folder/log"; }
run build/release/bench/store_benchmark "$folder"
TMPDIR=$folder run build/release/bench/server_benchmark --objects $objects --writes $writes --memory-texts $texts
TMPDIR=$folder run build/release/bench/ingest_benchmark
TMPDIR=$folder run build/release/bench/chat_benchmark --memories $objects
TMPDIR=$folder run build/release/bench/continuity_benchmark --capsules $objects
TMPDIR=$folder run build/release/bench/recall_benchmark --items $objects
# Some rows are measured by callers in Node; without it they are left out.
callers=()
if command -v node >/dev/null; then callers=(--callers bench/observation_callers.mjs); fi
TMPDIR=$folder run build/release/bench/observations_benchmark --observations $observations "${callers[@]}"
# The reference memory server of MCP, beside which the memory tools are measured, and the SDK that it brings along, whose
# client measures them too; without npm those parts are left out.
peer=()
if command -v npm >/dev/null && npm install --silent --prefix "$folder/peer" @modelcontextprotocol/server-memory >/dev/null 2>&1; then
  peer=(--peer "$folder/peer/node_modules/@modelcontextprotocol/server-memory/dist/index.js" --client bench/sdk_client.mjs)
fi
run build/release/bench/substrate_benchmark --holdfast build/release/holdfast --folder "$folder/substrate" --objects $objects "${peer[@]}"
run build/release/bench/search_benchmark --sizes $sizes --folder "$folder"
grep '^| ' "$folder/log" >"$rows"
[ "${1:-}" = --quick ] && exit 0
# What is written below the table stays, for whoever ran this to bring up to date.
page=docs/benchmarks.md
sed -n '/^How to read it:/,$p' "$page" >"$folder/remarks"
{
  echo '# Benchmarks'
  echo
  echo "Written by \`scripts/bench.sh\` on $(date -u +%F), commit $(git rev-parse --short HEAD): $(nproc) cores of"
  echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(free -g | awk '/^Mem:/{print $2}') GiB, $(. /etc/os-release; echo "$PRETTY_NAME"). Client and server share the cores."
  echo 'Every ratio is against the alternative measured in the same run; bars are those of the design.'
  echo
  echo '| What | Holdfast | Alternative in the same run | Ratio | Bar | Held |'
  echo '|---|---|---|---|---|---|'
  cat "$rows"
  echo
  cat "$folder/remarks"
} >"$page"
say "$page: the remarks below the table are those of the last run"
