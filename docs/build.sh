#!/bin/sh
# Builds the documentation of the libraries as one static site in .build/docs/site. A warning is an error.
#
#   build.sh SWIFT BIN   the swift command, and the folder of the built modules
set -eu
cd "$(dirname "$0")/.."
swift=$1 bin=$2
out=.build/docs
rm -rf "$out"
target=$("$swift" -print-target-info | awk -F '"' '$2 == "triple" { print $4; exit }')

# A module comes after those that it links to: their archives resolve its links.
dependencies=
for module in WireProtobuf WireGRPCClient Tripwire TripwireHTTPTokens TripwireGoogleAuth JourneySharing RidesharingConsumer \
  JourneyMap TripRelay Recording FleetEmulator; do
  # Exported modules without a catalog are documented with the module that exports them.
  case $module in
    WireGRPCClient) exported=WireGRPC,WireTLS ;;
    Tripwire) exported=FleetEngineAPI,FleetEngineDeliveryAPI ;;
    *) exported=$module ;;
  esac
  mkdir -p "$out/symbols/$module"
  "$swift" symbolgraph-extract -module-name $module -output-dir "$out/symbols/$module" \
    -experimental-allowed-reexported-modules=$exported \
    -target "$target" -I "$bin/Modules" -I Sources/COpenSSL -I Sources/CNghttp2 -I Sources/CZlib \
    -I Sources/CEvent -I Sources/CNats -Xcc -fmodule-map-file="$bin/CWireShims.build/module.modulemap" \
    -Xcc -fmodule-map-file="$bin/CSpawn.build/module.modulemap" \
    -Xcc -fmodule-map-file="$bin/CCurl.build/module.modulemap"
  docc convert "Sources/$module/$module.docc" --warnings-as-errors \
    --fallback-default-module-kind Module --enable-experimental-external-link-support $dependencies \
    --additional-symbol-graph-dir "$out/symbols/$module" \
    --output-dir "$out/$module.doccarchive"
  dependencies="$dependencies --dependency $out/$module.doccarchive"
done
docc merge "$out"/*.doccarchive --synthesized-landing-page-name tripwire \
  --synthesized-landing-page-topics-style list --output-path "$out/site"

# The landing page is not at the root.
cat >"$out/site/index.html" <<'END'
<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=documentation/">
<title>tripwire</title>
<a href="documentation/">The documentation of tripwire</a>
END
