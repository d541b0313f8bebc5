#!/bin/sh
# Times our codec and protobuf's C++ library on the payloads of Tests/Payloads, by turns, and
# prints nanoseconds per operation side by side. A ratio above 1 says how much faster ours is.
#
#   ROUNDS=3                          how often each side runs
#   BENCHMARK=path/to/codec-benchmark  our side; built if not given
set -eu
cd "$(dirname "$0")/../.."

ours=${BENCHMARK:-}
if [ -z "$ours" ]; then
  swift build -c release --product codec-benchmark >&2
  ours=$(swift build -c release --show-bin-path)/codec-benchmark
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
v1=google/maps/fleetengine/v1
protoc -I protos --cpp_out="$scratch" google/api/routing.proto google/type/latlng.proto \
  google/geo/type/viewport.proto $v1/fleetengine.proto $v1/header.proto $v1/traffic.proto \
  $v1/trip_api.proto $v1/trips.proto
# shellcheck disable=SC2046
g++ -O2 -std=c++17 -I "$scratch" $(pkg-config --cflags protobuf) Tests/Benchmarks/codec.cc \
  $(find "$scratch" -name '*.cc') $(pkg-config --libs protobuf) -o "$scratch/theirs"

round=0
while [ $round -lt "${ROUNDS:-3}" ]; do
  "$ours" Tests/Payloads | sed 's/^/ours /' >>"$scratch/times"
  "$scratch/theirs" Tests/Payloads | sed 's/^/theirs /' >>"$scratch/times"
  round=$((round + 1))
done

echo "ns per operation: least of ${ROUNDS:-3} rounds, and the median of the same round"
awk '
  { key = $2 " " $3; if (!(key in seen)) { seen[key] = 1; keys[++n] = key } }
  !(($1, key) in least) || $4 < least[$1, key] { least[$1, key] = $4; median[$1, key] = $5 }
  END {
    printf "%-13s %-10s %11s %11s %11s %11s %7s\n",
      "payload", "operation", "ours", "median", "C++", "median", "ratio"
    for (i = 1; i <= n; i++) {
      key = keys[i]
      split(key, part, " ")
      printf "%-13s %-10s %11d %11d %11d %11d %6.2fx\n", part[1], part[2],
        least["ours", key], median["ours", key], least["theirs", key], median["theirs", key],
        least["theirs", key] / least["ours", key]
    }
  }' "$scratch/times"
