#!/bin/sh
# usage: live.sh PROJECT CREDENTIALS [OUT]
#
# Makes read-only calls of Fleet Engine (fleetengine.googleapis.com) for the Cloud project PROJECT, with
# these CREDENTIALS, and prints a line for each check. CREDENTIALS is a service account key in a file, the address of a
# service account that Google signs for (--sign-as), or a source of --access-token: adc, gcloud or metadata.
#
#   ok         the call succeeded
#   none       the call succeeded, but there is nothing to get
#   no access  the server denied the call, or does not have the method; fatal only if no call of
#              either API succeeded, or if another call of the same API did
#   skipped    an earlier check found nothing to get
#   failed     with the error and a hint
#
# The calls are recorded. An anonymized copy of the recording is written to the new file OUT, by default
# tripwire-live.binlog. The recording itself is removed. Each call has a token of its own, signed for what
# the call touches. Tokens are neither printed nor recorded, and are on no command line.
#
# Exit code: 0 if no check failed, 1 if one failed, 2 if the arguments are invalid.
#
# Environment:
#   TRIPWIRE_BIN           the command to run; default: tripwire, from the PATH
#   TRIPWIRE_LIVE_OPTIONS  more options for each call, separated by spaces. For a test server:
#                          --connect-to fleetengine.googleapis.com:443:127.0.0.1:PORT --cacert FILE
#   TRIPWIRE_LIVE_TIME     how long to follow a trip; default: 5s
#
# Profiles and the other variables of tripwire are ignored, so that no call goes to another server.
set -u
umask 077

usage() {
  printf 'error: %s\nusage: %s PROJECT CREDENTIALS [OUT]\n' "$1" "$0" >&2
  exit 2
}

{ [ $# -eq 2 ] || [ $# -eq 3 ]; } || usage "expected two or three arguments, not $#"
project=$1 credentials=$2 out=${3:-tripwire-live.binlog}
case $project in
  '' | *[!A-Za-z0-9.:_-]*) usage "PROJECT must be the ID of a Cloud project" ;;
esac
case $credentials in
  adc | gcloud | metadata) source=--access-token ;;
  *@*) source=--sign-as ;;
  *)
    { [ -f "$credentials" ] && [ -r "$credentials" ]; } || usage "CREDENTIALS must be a readable file, an address, adc, gcloud or metadata"
    source=--credentials
    ;;
esac
[ ! -e "$out" ] || usage "$out already exists"
tripwire=${TRIPWIRE_BIN:-tripwire}
command -v "$tripwire" >/dev/null || usage "$tripwire was not found; install it or set TRIPWIRE_BIN"

options=${TRIPWIRE_LIVE_OPTIONS:-}
unset TRIPWIRE_PROVIDER TRIPWIRE_TOKEN TRIPWIRE_PROFILE TRIPWIRE_ENDPOINT TRIPWIRE_PLAINTEXT \
  TRIPWIRE_SIGN_AS TRIPWIRE_CREDENTIALS_JSON
# No profiles are found there.
export XDG_CONFIG_HOME=/dev/null

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
parent=providers/$project
passed=0 empty=0 denied=0 failed=0

# Prints the result of a check.
report() { printf '%-9s  %s\n' "$1" "$2"; }

# Runs a command of tripwire for the service; its output is $work/out, its errors $work/err.
run() {
  command=$1
  shift
  # The options are words.
  # shellcheck disable=SC2086
  "$tripwire" "$command" "$@" "$source" "$credentials" --endpoint fleetengine.googleapis.com:443 \
    --record "$work/recording" --record-filter '*,-grpc.health.v1.Health/Check' $options >"$work/out" 2>"$work/err" </dev/null
}

# Prints the error and the hint of the last command.
explain() { grep -E '^(error|hint): ' "$work/err" || sed 5q "$work/err"; }

fail() {
  failed=$((failed + 1))
  report failed "$1"
  explain | sed 's/^/             /'
}

# Runs a check of the API $api: check NAME COMMAND... A command without output found nothing.
check() {
  title=$1
  shift
  run "$@"
  code=$?
  case $code in
    0)
      eval "${api}_works=yes"
      if [ -s "$work/out" ]; then
        passed=$((passed + 1))
        report ok "$title"
      else
        empty=$((empty + 1))
        report none "$title"
      fi ;;
    71 | 76) # PERMISSION_DENIED, UNIMPLEMENTED
      denied=$((denied + 1))
      eval "${api}_denied=\$((${api}_denied + 1))"
      report 'no access' "$title"
      explain | sed 's/^/             /' ;;
    *) fail "$title" ;;
  esac
  return $code
}

# Prints the first tracking ID in the last output.
first_tracking_id() { sed -n 's/^.*"trackingId":"\([^"\\]*\)".*$/\1/p' "$work/out" | sed 1q; }

# Prints the name of the first resource in the last output.
first_name() { sed -n 's/^{"name":"\([^"\\]*\)".*$/\1/p' "$work/out" | sed 1q; }

# Gets a resource, if there is one: get TITLE NAME
get() {
  if [ -n "$2" ]; then check "$1" get "$2"; else report skipped "$1"; fi
}

trips_works='' trips_denied=0 deliveries_works='' deliveries_denied=0

title="check the connection and the token"
run doctor
code=$?
if [ $code -eq 0 ]; then
  passed=1
  report ok "$title"
else
  failed=1
  report failed "$title"
  # The report has the failed step with its hint. An error is on stderr.
  grep -E '^(error|hint): ' "$work/err" | sed 's/^/             /'
  sed -n '/^failed/,/hint:/p' "$work/out" | sed 's/^/             /'
  # Without a connection or a token, all other checks would fail, too.
  if [ $code -eq 68 ] || [ $code -eq 78 ] || grep -q '^failed *token' "$work/out"; then
    printf '\n%s\n' "The other checks need a connection and a token. No call was made."
    exit 1
  fi
fi

api=trips
check "search active trips" search trips "$parent" --active --limit 1 -o json
trip=$(first_name)
check "search trips" search trips "$parent" --limit 1 -o json
trip=${trip:-$(first_name)}
get "get a trip" "$trip"
if [ -n "$trip" ]; then
  check "follow the trip" follow "$trip" --interval 1s --for "${TRIPWIRE_LIVE_TIME:-5s}" --fail-fast \
    -o json
else
  report skipped "follow the trip"
fi
check "list vehicles" search vehicles "$parent" --limit 20 -o json
vehicle=$(first_name)
degrees='\([-0-9.e]*\)'
place=$(sed -n \
  "s/^.*\"lastLocation\":{\"location\":{\"latitude\":$degrees,\"longitude\":$degrees}.*\$/\1,\2/p" \
  "$work/out" | sed 1q)
get "get a vehicle" "$vehicle"
if [ -n "$place" ]; then
  check "search vehicles near one of them" search vehicles "$parent" "--near=$place" --limit 5 -o json
else
  report skipped "search vehicles near one of them"
fi

api=deliveries
check "list delivery vehicles" search delivery-vehicles "$parent" --limit 1 -o json
vehicle=$(first_name)
get "get a delivery vehicle" "$vehicle"
check "list tasks" search tasks "$parent" --limit 20 -o json
task=$(first_name) tracking=$(first_tracking_id)
get "get a task" "$task"
get "track a shipment" "${tracking:+$parent/taskTrackingInfo/$tracking}"

echo
if [ -z "$trips_works$deliveries_works" ]; then
  echo "No call of Fleet Engine succeeded."
  failed=$((failed + denied))
else
  # A role that can read only a part of an API is probably not what the user wants to confirm.
  if [ -n "$trips_works" ]; then failed=$((failed + trips_denied)); fi
  if [ -n "$deliveries_works" ]; then failed=$((failed + deliveries_denied)); fi
  why="the project does not use it, or the account has no role for it"
  [ -n "$trips_works" ] || echo "No access to the API for on-demand trips: $why."
  [ -n "$deliveries_works" ] || echo "No access to the API for deliveries: $why."
fi
if [ ! -e "$work/recording" ]; then
  echo "No call was recorded."
elif "$tripwire" log "$work/recording" --anonymize "$out" >"$work/out" 2>"$work/err"; then
  cat "$work/err"
  echo "Look through the copy before you send it: tripwire log $out -o json"
else
  fail "anonymize the recording"
fi
echo "$passed ok, $empty none, $denied no access, $failed failed"
[ "$failed" -eq 0 ]
