#!/bin/sh
# Generates the Swift code of the .proto files below with the plugin in this folder, and writes changed files.
# The code is checked in, so `git diff` stays empty unless a .proto file or the plugin changed.
#
# The plugin uses generated code for its own messages. To change that code, change the plugin, run this
# script twice, and check the difference.
#
#   PLUGIN=path/to/protoc-gen-tripwire   use this plugin instead of building it
set -eu
cd "$(dirname "$0")/.."

if [ -z "${PLUGIN:-}" ]; then
  swift build -c release --product protoc-gen-tripwire
  PLUGIN=$(swift build -c release --show-bin-path)/protoc-gen-tripwire
fi

# The folder with protoc's google/protobuf files.
google=$(pkg-config --variable=includedir protobuf 2>/dev/null || echo /usr/include)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# put FOLDER: copies the files of the scratch folder there. Only files that differ are written, so that
# nothing else is built again; obsolete generated files are removed.
put() {
  mkdir -p "$1"
  for old in "$1"/*.pb.swift; do
    if [ -e "$old" ] && [ ! -e "$scratch/${old##*/}" ]; then rm "$old"; fi
  done
  for new in "$scratch"/*.pb.swift; do
    cmp -s "$new" "$1/${new##*/}" || cp "$new" "$1/"
  done
  rm "$scratch"/*.pb.swift
}

# generate FOLDER OPTIONS FILES...
generate() {
  folder=$1 options=$2
  shift 2
  protoc --plugin=protoc-gen-tripwire="$PLUGIN" -I protos -I codegen/protos -I interop/protos \
    -I "$google" --tripwire_out="$scratch" --tripwire_opt="$options" "$@"
  put "$folder"
}

# Without the comments of Google's own files, which have a different license.
generate Sources/WireProtobuf/Generated access=public,runtime=self,docs=false \
  google/protobuf/any.proto google/protobuf/duration.proto google/protobuf/empty.proto \
  google/protobuf/field_mask.proto google/protobuf/struct.proto google/protobuf/timestamp.proto \
  google/protobuf/wrappers.proto
generate Sources/ProtobufDescriptors/Generated access=package,docs=false,registry=false \
  google/protobuf/descriptor.proto google/protobuf/compiler/plugin.proto \
  google/api/http.proto google/api/routing.proto method_extensions.proto
generate codegen/CodeGen/Generated access=internal,registry=false tripwire/codegen/v1/config.proto
generate Sources/WireGRPC/Generated access=public \
  google/rpc/code.proto google/rpc/error_details.proto google/rpc/status.proto
generate Sources/Recording/Generated access=package,registry=false grpc/binlog/v1/binarylog.proto
generate Sources/Replay/Generated access=internal tripwire/script/v1/script.proto
generate Sources/CommandShell/Profiles/Generated access=package,registry=false \
  tripwire/config/v1/config.proto
generate Sources/WireGRPCServer/Generated access=package,clients=false,registry=false \
  grpc/health/v1/health.proto grpc/reflection/v1/reflection.proto
# Without clients, because the calls of Tripwire get tokens.
service=google/maps/fleetengine/v1
generate Sources/FleetEngineAPI/Generated \
  access=public,clients=false,service_config=protos/$service/fleetengine_grpc_service_config.json \
  google/type/latlng.proto google/geo/type/viewport.proto \
  $service/fleetengine.proto $service/header.proto $service/traffic.proto \
  $service/trip_api.proto $service/trips.proto $service/vehicle_api.proto $service/vehicles.proto
delivery=google/maps/fleetengine/delivery/v1
config=protos/$delivery/fleetengine_delivery_grpc_service_config.json
imported=module=google/type:FleetEngineAPI,module=google/geo/type:FleetEngineAPI
generate Sources/FleetEngineDeliveryAPI/Generated \
  access=public,clients=false,service_config=$config,$imported \
  $delivery/common.proto $delivery/delivery_api.proto $delivery/delivery_vehicles.proto \
  $delivery/header.proto $delivery/task_tracking_info.proto $delivery/tasks.proto
modules=module=google/maps/fleetengine/v1:FleetEngineAPI,module=google/type:FleetEngineAPI
modules=$modules,module=google/maps/fleetengine/delivery/v1:FleetEngineDeliveryAPI
generate Sources/Tripwire/Generated access=public,calls=true,$modules \
  $service/trip_api.proto $service/vehicle_api.proto $delivery/delivery_api.proto
iam=google/iam/credentials/v1
generate Sources/TripwireGoogleAuth/Generated \
  access=internal,clients=false,registry=false,service_config=protos/$iam/iamcredentials_grpc_service_config.json \
  $iam/common.proto $iam/iamcredentials.proto
logging=google/logging
generate Sources/CloudLogging/Generated \
  access=public,clients=false,registry=false,service_config=protos/$logging/v2/logging_grpc_service_config.json \
  google/api/monitored_resource.proto $logging/type/log_severity.proto \
  $logging/v2/log_entry.proto $logging/v2/logging.proto
modules=module=google/maps/fleetengine/v1:FleetEngineAPI,module=google/rpc:WireGRPC
modules=$modules,module=google/maps/fleetengine/delivery/v1:FleetEngineDeliveryAPI
generate Sources/RelayAPI/Generated access=package,registry=false,$modules \
  tripwire/relay/v1/poll_error.proto tripwire/relay/v1/resource_state.proto
modules=module=google/type:FleetEngineAPI,module=google/rpc:WireGRPC
generate Sources/FleetEmulator/Generated access=package,clients=false,registry=false,$modules \
  tripwire/emulator/v1/emulator.proto tripwire/emulator/v1/faults.proto
generate interop/client/Generated access=internal grpc/testing/test.proto \
  tripwire/interop/driver.proto

# The built-in descriptors of the command: the files with their imports and comments, except the comments
# of google/protobuf, and without source positions.
embedded=$scratch/embedded_descriptors.pb.swift
{
  echo '// Generated by codegen/generate.sh from protos/. Do not edit.'
  echo
  echo '/// A google.protobuf.FileDescriptorSet, gzipped, in base64.'
  echo 'let embeddedDescriptors: StaticString = """'
  protoc -I codegen/embedded -I protos -I "$google" --include_imports --include_source_info \
    --descriptor_set_out=/dev/stdout \
    google/protobuf/struct.proto google/protobuf/wrappers.proto google/protobuf/empty.proto \
    google/rpc/code.proto google/rpc/error_details.proto google/rpc/status.proto \
    $service/trip_api.proto $service/vehicle_api.proto $delivery/delivery_api.proto \
    grpc/health/v1/health.proto grpc/reflection/v1/reflection.proto tripwire/emulator/v1/emulator.proto \
    tripwire/relay/v1/poll_request.proto tripwire/relay/v1/resource_state.proto tripwire/relay/v1/trip_state.proto \
  | protoc -I codegen/embedded -I protos -I "$google" --decode=google.protobuf.FileDescriptorSet \
    google/protobuf/descriptor.proto google/api/annotations.proto google/api/routing.proto \
  | awk '
    /^  name: / { isGoogle = $2 ~ /^"google\/protobuf\// }
    /^    location {$/ { location = $0; isWanted = 0; next }
    location == "" { print; next }
    /^      span: / { next }
    { location = location "\n" $0 }
    /^      leading_comments: / { isWanted = !isGoogle }
    /^    }$/ { if (isWanted) print location; location = "" }' \
  | protoc -I codegen/embedded -I protos -I "$google" --encode=google.protobuf.FileDescriptorSet \
    google/protobuf/descriptor.proto google/api/annotations.proto google/api/routing.proto \
  | gzip -9n | base64 -w 92 | sed 's/^/  /; s/$/\\/'
  echo
  echo '  """'
} >"$embedded"
# A pipe would hide a failure.
[ "$(wc -l <"$embedded")" -gt 100 ] || { echo "no descriptors to embed" >&2; exit 1; }
put Sources/CommandShell/Generated

# The map page, as the command needs no other files than Leaflet's.
page=Sources/MapPage/Page
# embed NAME FILE...: writes the files as one text, gzipped, in base64.
embed() {
  printf '\nlet %s: StaticString = """\n' "$1"
  shift
  cat "$@" | gzip -9n | base64 -w 92 | sed 's/^/  /; s/$/\\/'
  printf '\n  """\n'
}
{
  echo '// Generated by codegen/generate.sh from Sources/MapPage/Page. Do not edit.'
  embed packedTemplate $page/index.html
  embed packedStyle $page/page.css
  # In the order in which they need each other.
  embed packedScript $page/path.js $page/graticule.js $page/crowd.js $page/map-view.js $page/facts.js $page/panel.js \
    $page/live.js $page/recording.js $page/timeline.js $page/delays.js $page/tracks.js $page/ruler.js \
    $page/calls.js $page/checks.js $page/main.js
} >"$scratch/page_files.pb.swift"
put Sources/MapPage/Generated

# generate_test FOLDER FILE...
generate_test() {
  folder=$1
  shift
  protoc --plugin=protoc-gen-tripwire="$PLUGIN" -I "$folder" -I "$google" \
    --tripwire_out="$scratch" --tripwire_opt=access=internal,presence=true "$@"
  put "$folder/Generated"
}
generate_test Tests/WireProtobufTests everything.proto shop.proto
generate_test Tests/CodeGenTests awkward.proto
generate_test Tests/GeneratedCodeTests forest.proto
