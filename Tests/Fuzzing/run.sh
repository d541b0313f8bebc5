#!/bin/sh
# Builds the fuzzer, replays all inputs in the repository, then runs each target for a time. An input
# that crashes a target is stored in FailCases: fix the error and keep the file, so that it is replayed.
#
#   run.sh SECONDS [TARGET…]   runs each target, or the named ones, for SECONDS (default 60)
#   PYTHON=...   a Python with protobuf and grpcio-tools, for the comparison with upb
#   SEED=...     the seed for the inputs of that comparison (default 1)
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
chosen=$*
python=${PYTHON:-.venv/bin/python}
here=Tests/Fuzzing
build=.build/fuzzing

# --sanitize lets libFuzzer provide the main function; the option after it instruments the code for
# both sanitizers. The server can only be driven through @testable imports.
FUZZING=1 swift build -c release --scratch-path $build --product fuzz \
  --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing
fuzz=$build/release/fuzz
# The backtracer does not work under the address sanitizer.
export SWIFT_BACKTRACE=enable=no

# The payloads that are small enough for mutation. Type 0 is Trip.
for form in pb json txt; do
  rm -rf "$build/payloads/$form"
  mkdir -p "$build/payloads/$form"
  for payload in trip_small trip_medium trip_unknown; do
    [ ! -e "Tests/Payloads/$payload.$form" ] ||
      { printf '\0'; cat "Tests/Payloads/$payload.$form"; } >"$build/payloads/$form/$payload"
  done
done

# The output of the servers of the negative cases.
rm -rf "$build/payloads/talk"
"$python" $here/talks.py "$build/payloads/talk"

# Requests of clients.
rm -rf "$build/payloads/requests"
"$python" $here/requests.py "$build/payloads/requests"

# Logs and scripts. The first byte is ignored.
rm -rf "$build/payloads/log" "$build/payloads/script"
mkdir -p "$build/payloads/log" "$build/payloads/script"
for file in interop/recordings/*.binlog; do
  { printf '\0'; head -c 4095 "$file"; } >"$build/payloads/log/$(basename "$file")"
done
for file in interop/scripts/*.json; do
  { printf '\0'; cat "$file"; } >"$build/payloads/script/$(basename "$file")"
done

# Types of all kinds, with messages.
rm -rf "$build/payloads/types"
"$python" $here/descriptors.py "$build/payloads/types"

# wanted TARGET: whether TARGET was selected.
wanted() {
  [ -z "$chosen" ] || case " $chosen " in *" $1 "*) ;; *) return 1 ;; esac
}

# run TARGET FORM: replays the stored inputs, then fuzzes.
run() {
  wanted "$1" || return 0
  TARGET=$1
  export TARGET
  found=$build/found/$1 log=$build/$1.log
  mkdir -p "$found" "$here/FailCases/$2"
  seeds="$here/FailCases/$2 $build/payloads/$2"
  [ ! -e "$here/Corpus/$2" ] || seeds="$seeds $here/Corpus/$2"
  dictionary=
  [ ! -e "$here/$2.dict" ] || dictionary=-dict=$here/$2.dict
  # shellcheck disable=SC2086
  if "$fuzz" -runs=0 -artifact_prefix="$build/" $seeds >"$log" 2>&1 &&
    "$fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -malloc_limit_mb=64 \
      $dictionary -print_final_stats=1 -artifact_prefix="$here/FailCases/$2/$1-" \
      "$found" $seeds >>"$log" 2>&1; then
    awk -v target="$1" '/^stat::number_of_executed_units/ { runs = $2 }
      /^stat::average_exec_per_sec/ { rate = $2 }
      END { print target ": " runs " inputs, " rate " a second, nothing found" }' "$log"
  else
    grep -v '^#' "$log" | tail -40
    echo "$1: found something; a new input is now in $here/FailCases/$2"
    exit 1
  fi
}

# neighbours TARGET FORM: decodes variants of a trip with one byte changed.
neighbours() {
  wanted "$1" || return 0
  log=$build/$1.log
  TARGET=$1 "$fuzz" -runs=0 -artifact_prefix="$build/" "$build/payloads/$2/trip_medium" \
    >"$log" 2>&1 || { tail -40 "$log"; echo "trip_medium.$2: a change of it crashes"; exit 1; }
  echo "$1: trip_medium with its bytes changed, nothing found"
}
neighbours neighbours pb
neighbours jsonNeighbours json
[ "$seconds" -lt 30 ] || neighbours mutations pb

run binary pb
run roundTrip pb
run json json
run polyline txt
run session talk
run server requests
run log log
run script script
run descriptors types

wanted differential || exit 0
"$python" $here/differential.py "$fuzz" --seconds "$seconds" --seed "${SEED:-1}" \
  --inputs $here/FailCases $here/Corpus $build/payloads
