#!/bin/sh
# Runs swift test with the given options. Prints a dot for every 50 tests, the failures and one line of
# totals. .build/test.log has the whole output.
set -u
cd "$(dirname "$0")/.."
mkdir -p .build
log=.build/test.log status=.build/test.status

{ "${SWIFT:-swift}" test "$@" 2>&1; echo $? >"$status"; } | tee "$log" | awk '
  # The lines after a failure belong to it, up to the next line with a mark.
  /^✘ Suite/ { shown = 0; next }
  /^✘/ { shown = 1 }
  /^(✔|◇|Test Suite|Test Case)/ { shown = 0 }
  shown || /^✔ Test run with / { if (dots) { print ""; dots = 0 }; print; fflush(); next }
  /^✔ Test / && ++passed % 50 == 0 { printf "."; dots = 1; fflush() }'

status=$(cat "$status")
# A crash leaves no line with a mark.
if [ "$status" != 0 ]; then
  grep -q '^✘' "$log" || tail -n 40 "$log"
  echo "swift test failed; the whole output is in $log" >&2
fi
exit "$status"
