#!/bin/sh
# usage: demo.sh TRIPWIRE
#
# Serves interop/recordings/demo.binlog on loopback with TRIPWIRE, gets the trip from it and prints it.
set -eu
tripwire=$1
recordings=$(dirname "$0")/recordings
log=$(mktemp) json=$(mktemp)

"$tripwire" replay "$recordings/demo.binlog" >"$log" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null && wait $server; rm -f "$log" "$json"' EXIT

# The server prints its address when it listens.
until endpoint=$(grep -o '127\.0\.0\.1:[0-9]*' "$log"); do
  kill -0 $server 2>/dev/null || { cat "$log" >&2; exit 1; }
done

run() { printf '\n$ tripwire %s\n' "$*"; "$tripwire" "$@"; }

printf '$ tripwire replay interop/recordings/demo.binlog &\n'; cat "$log"
run get providers/demo/trips/t1 --endpoint "$endpoint" --plaintext -o text
printf '\n$ tripwire get providers/demo/trips/t1 --endpoint %s --plaintext | head -n 15\n' "$endpoint"
"$tripwire" get providers/demo/trips/t1 --endpoint "$endpoint" --plaintext >"$json"
head -n 15 "$json"
