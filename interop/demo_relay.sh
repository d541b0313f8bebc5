#!/bin/sh
# usage: demo_relay.sh FOLDER PYTHON
#
# Runs NATS, a moving fleet, two workers of a relay and a reader on loopback. Then it kills one worker, and the other
# continues its trips. FOLDER contains tripwire and tripwire-relay.
set -eu
tripwire=$1/tripwire relay=$1/tripwire-relay python=$2
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null; wait 2>/dev/null; rm -rf "$folder"' EXIT

say() { printf '\n$ %s\n' "$*"; }

# Port -1 is a free one.
nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd "$folder/js" >"$folder/nats.log" 2>&1 &
pids="$! $pids"
until NATS_URL=$(grep -o 'nats://127\.0\.0\.1:[0-9]*' "$folder"/nats-server_*.ports 2>/dev/null); do sleep 0.1; done
export NATS_URL
(cd "$(dirname "$0")" && exec "$python" -m peers.fleet --trips 4 --speed 20 </dev/null) >"$folder/fleet.log" &
pids="$! $pids"
until fleet=$(grep -o '127\.0\.0\.1:[0-9]*$' "$folder/fleet.log" | head -n 1) && [ -n "$fleet" ]; do sleep 0.1; done

say tripwire relay work --endpoint "$fleet" --plaintext --interval 1s '&   (twice)'
"$relay" work --endpoint "$fleet" --plaintext --interval 1s & one=$!
"$relay" work --endpoint "$fleet" --plaintext --interval 1s & pids="$! $pids"
until "$relay" status 2>/dev/null | grep -c working | grep -qx 2; do sleep 0.2; done
names="providers/demo/trips/t1 providers/demo/trips/t2 providers/demo/trips/t3 providers/demo/trips/t4"
say tripwire relay want t1 t2 t3 t4 --provider demo
"$relay" want t1 t2 t3 t4 --provider demo
if "$tripwire" follow -h | grep -q -- --from || "$tripwire" follow --help | grep -q -- --from; then
  say tripwire follow t1 t2 t3 t4 --provider demo -o text --from "$NATS_URL" '&'
  # shellcheck disable=SC2086
  "$tripwire" follow $names -o text --from "$NATS_URL" & pids="$! $pids"
else
  # shellcheck disable=SC2086
  "$relay" read $names >"$folder/states" & pids="$! $pids"
fi
sleep 5
say tripwire relay status
"$relay" status
say kill -9 "$one"
kill -9 "$one"
sleep 8
say tripwire relay status
"$relay" status
