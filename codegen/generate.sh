#!/bin/sh
# Makes the Swift of every .proto file, with the plugin in this folder, and writes what changed. It
# is checked in; `git diff` is empty afterwards unless a .proto file or the plugin changed.
#
# The plugin reads and writes its own messages with code that it generated itself: to change that
# code, change the plugin, run this twice, and look at the difference.
#
#   PLUGIN=path/to/protoc-gen-tripwire   use this one instead of building it
set -eu
cd "$(dirname "$0")/.."

if [ -z "${PLUGIN:-}" ]; then
  swift build -c release --product protoc-gen-tripwire
  PLUGIN=$(swift build -c release --show-bin-path)/protoc-gen-tripwire
fi

# Where protoc keeps the files of google/protobuf.
google=$(pkg-config --variable=includedir protobuf 2>/dev/null || echo /usr/include)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# put FOLDER: brings what is in the scratch folder there. Only files that differ are written, so
# that nothing else is built anew; generated files that are no longer made go.
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

# The comments of Google's own files are not ours to copy.
generate Sources/WireProtobuf/Generated access=public,runtime=self,docs=false \
  google/protobuf/any.proto google/protobuf/duration.proto google/protobuf/empty.proto \
  google/protobuf/field_mask.proto google/protobuf/struct.proto google/protobuf/timestamp.proto \
  google/protobuf/wrappers.proto
generate Sources/ProtobufDescriptors/Generated access=package,docs=false \
  google/protobuf/descriptor.proto google/protobuf/compiler/plugin.proto \
  google/api/routing.proto routing_extension.proto
generate Sources/WireGRPC/Generated access=public \
  google/rpc/code.proto google/rpc/error_details.proto google/rpc/status.proto
generate Sources/Recording/Generated access=package grpc/binlog/v1/binarylog.proto
# Tripwire calls Fleet Engine, with tokens; a client beside it would do so without.
service=google/maps/fleetengine/v1
generate Sources/FleetEngineAPI/Generated \
  access=public,clients=false,service_config=protos/$service/fleetengine_grpc_service_config.json \
  google/type/latlng.proto google/geo/type/viewport.proto \
  $service/fleetengine.proto $service/header.proto $service/traffic.proto \
  $service/trip_api.proto $service/trips.proto $service/vehicle_api.proto $service/vehicles.proto
generate interop/client/Generated access=internal grpc/testing/test.proto

# generate_test FOLDER FILE...
generate_test() {
  folder=$1
  shift
  protoc --plugin=protoc-gen-tripwire="$PLUGIN" -I "$folder" -I "$google" \
    --tripwire_out="$scratch" --tripwire_opt=access=internal "$@"
  put "$folder/Generated"
}
generate_test Tests/WireProtobufTests everything.proto shop.proto
generate_test Tests/CodeGenTests awkward.proto
