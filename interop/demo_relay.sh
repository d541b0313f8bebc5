#!/bin/sh
# usage: demo_relay.sh FOLDER
#
# Runs NATS, an emulator with moving trips, two workers of a relay and a reader on loopback. Then it kills the worker with
# more trips, and ends when the other one polls all of them and the reader has received more updates. FOLDER contains
# tripwire and tripwire-relay.
set -eu
tripwire=$1/tripwire relay=$1/tripwire-relay
PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
pids=
# The programs end in the reverse order, so that none reports that another is gone.
stop() {
  for pid in $pids; do { kill "$pid" && wait "$pid"; } 2>/dev/null || :; done
  rm -rf "$folder"
}
trap stop EXIT

say() { printf '\n$ %s\n' "$*"; }

# Repeats a command until it succeeds, for 30 s at most.
until_done() {
  tries=150
  until "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { echo "error: not within 30 s: $*" >&2; exit 1; }
    sleep 0.2
  done
}

# Prints the working workers, each with its trips and its process ID, the one with most trips first.
workers() {
  "$relay" status -o json 2>/dev/null | tr -d ' \n' | tr '{' '\n' \
    | sed -n 's/^"name":"\([^"]*\)","phase":"working","resources":\([0-9]*\).*/\2 \1/p' | sort -rn \
    | awk '{ count = split($2, part, "-"); print $1, part[count - 1], $2 }'
}
two_share() { [ "$(workers | wc -l)" -eq 2 ] && [ "$(workers | awk '{ sum += $1 } END { print sum }')" = 4 ]; }
one_has_all() { workers | grep -v " $killed " | grep -q '^4 '; }
updates() { wc -l <"$folder/updates"; }
has_updates() { [ "$(updates)" -gt "$1" ]; }
has_address() { address=$(grep -o "$1" "$2" 2>/dev/null | head -n 1) && [ -n "$address" ]; }

# Port -1 is a free one.
nats-server -a 127.0.0.1 -p -1 --ports_file_dir "$folder" -js -sd "$folder/js" >"$folder/nats.log" 2>&1 & nats=$!
pids="$nats $pids"
until_done has_address 'nats://127\.0\.0\.1:[0-9]*' "$folder/nats-server_$nats.ports"
export NATS_URL="$address"
"$tripwire" emulate --seed demo --vehicles 4 --speed 5 </dev/null >"$folder/fleet.log" & pids="$! $pids"
until_done has_address '127\.0\.0\.1:[0-9]*' "$folder/fleet.log"
fleet=$address

say tripwire relay work --endpoint "$fleet" --plaintext --interval 1s '&   (twice)'
for _ in 1 2; do
  "$relay" work --endpoint "$fleet" --plaintext --interval 1s & pids="$! $pids"
done
say tripwire relay want t1 t2 t3 t4 --provider demo
until_done "$relay" status >/dev/null 2>&1
"$relay" want t1 t2 t3 t4 --provider demo
until_done two_share
say tripwire follow t1 t2 t3 t4 --provider demo -o text --from "$NATS_URL" '&'
"$tripwire" follow t1 t2 t3 t4 --provider demo -o text --from "$NATS_URL" >"$folder/updates" & pids="$! $pids"
tail -n +1 -f "$folder/updates" & pids="$! $pids"
until_done has_updates 8
say tripwire relay status
"$relay" status
killed=$(workers | awk 'NR == 1 { print $2 }')
case " $pids " in *" $killed "*) ;; *) echo "error: $killed is not a worker of this demo" >&2; exit 1 ;; esac
say kill -9 "$killed"
kill -9 "$killed"
begin=$(date +%s)
until_done one_has_all
took=$(($(date +%s) - begin))
until_done has_updates $(($(updates) + 4))
say tripwire relay status
"$relay" status
printf '\nThe other worker polls all 4 trips since %s s after the kill, and the reader has new updates.\n' "$took"
