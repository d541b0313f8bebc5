#!/bin/sh
# Runs protobuf's conformance suite against the codec: all required and recommended tests in binary and
# JSON, without a failure list. Generated messages run the proto3 tests, dynamic ones proto2 and proto3.
#
# The official runner is built from Debian's source package of the installed libprotobuf. A separate
# package list is used to download it, so the machine's list does not change. All files are kept in
# .build/conformance/VERSION.
#
#   PLUGIN=path/to/protoc-gen-tripwire   use this plugin instead of building it
set -eu
cd "$(dirname "$0")/../.."
here=$PWD/interop/conformance

fail() { echo "conformance: $*" >&2; exit 1; }

version=$(dpkg-query -W -f '${source:Version}' libprotobuf-dev) \
  || fail "needs Debian's libprotobuf-dev"
# The numbers in passed.txt are for this version of the suite.
case $version in
  3.21.12-*) ;;
  *) fail "needs libprotobuf-dev 3.21.12 (Debian 12), this machine has $version" ;;
esac
scratch=$PWD/.build/conformance/$version
source=$scratch/source runner=$scratch/runner testee=$scratch/testee
mkdir -p "$scratch"

# Downloads the source package. Its package list is that of this machine, in either of Debian's two
# formats, changed from binaries to sources.
download() {
  mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial"
  if [ -f /etc/apt/sources.list.d/debian.sources ]; then
    list=$scratch/debian.sources
    sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >"$list"
  elif [ -f /etc/apt/sources.list ]; then
    list=$scratch/sources.list
    sed -n 's/^deb\(-src\)\{0,1\}[[:space:]]/deb-src /p' /etc/apt/sources.list | sort -u >"$list"
  else
    fail "no Debian package list in /etc/apt"
  fi
  set -- -qq -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=- \
    -o Dir::State::lists="$scratch/lists" -o Dir::Cache="$scratch/cache" -o APT::Sandbox::User=root
  apt-get "$@" update
  (cd "$scratch" && apt-get "$@" source --download-only "protobuf=$version")
}

if [ ! -d "$source" ]; then
  echo "downloading the source package of protobuf $version"
  download
  rm -rf "$source.part"
  mkdir "$source.part"
  tar -xzf "$scratch"/protobuf_*.orig.tar.gz -C "$source.part" --strip-components=1
  mv "$source.part" "$source"
fi

if [ ! -x "$runner/conformance_test_runner" ]; then
  echo "building conformance_test_runner"
  rm -rf "$runner"
  mkdir -p "$runner"
  suite=$source/conformance messages=google/protobuf/test_messages
  (
    cd "$runner"
    protoc -I "$suite" -I "$source/src" --cpp_out=. conformance.proto \
      ${messages}_proto2.proto ${messages}_proto3.proto
    # Largest first. The source package provides only the headers that libprotobuf-dev lacks.
    printf '%s\n' ${messages}_proto2.pb.cc ${messages}_proto3.pb.cc conformance.pb.cc \
      "$suite"/binary_json_conformance_suite.cc "$suite"/text_format_conformance_suite.cc \
      "$suite"/third_party/jsoncpp/jsoncpp.cpp "$suite"/conformance_test.cc \
      "$suite"/conformance_test_main.cc "$suite"/conformance_test_runner.cc \
      | xargs -P "$(nproc)" -n 1 g++ -std=c++17 -w -I . -I "$suite" -idirafter "$source/src" -c
    g++ ./*.o -lprotobuf -lpthread -o conformance_test_runner
  )
fi

if [ -z "${PLUGIN:-}" ]; then
  swift build --product protoc-gen-tripwire
  PLUGIN=$(swift build --show-bin-path)/protoc-gen-tripwire
fi
mkdir -p "$testee"
cp -R "$here/Package.swift" "$here/Testee" "$testee"
protoc --plugin=protoc-gen-tripwire="$PLUGIN" -I "$source/conformance" -I "$source/src" \
  --tripwire_out="$testee/Testee" conformance.proto google/protobuf/test_messages_proto3.proto
swift build --package-path "$testee" --product Testee
bin=$(swift build --package-path "$testee" --show-bin-path)

# run NAME TESTEE: runs the suite, and compares how many tests pass with passed.txt.
run() {
  status=0
  timeout 300 "$runner/conformance_test_runner" --enforce_recommended --output_dir "$scratch" \
    "$2" >"$scratch/output" 2>&1 || status=$?
  if [ $status -ne 0 ]; then
    cat "$scratch/output"
    fail "$1: the runner ended with $status"
  fi
  echo "$1:"
  grep 'CONFORMANCE SUITE' "$scratch/output"

  expected=$(sed -n "s/^$1 //p" "$here/passed.txt")
  passed=$(sed -n 's/^CONFORMANCE SUITE PASSED: \([0-9]*\) successes.*/\1/p' "$scratch/output" \
    | head -n 1)
  [ "$passed" -ge "$expected" ] \
    || fail "$1: $passed tests passed, fewer than $expected (interop/conformance/passed.txt)"
  [ "$passed" -eq "$expected" ] \
    || echo "more tests pass: write $1 $passed to interop/conformance/passed.txt"
}

run generated "$bin/Testee"

# The runner starts the testee without arguments.
protoc -I "$source/conformance" -I "$source/src" --include_imports \
  --descriptor_set_out="$scratch/protoset" conformance.proto \
  google/protobuf/test_messages_proto2.proto google/protobuf/test_messages_proto3.proto
swift build --product dynamic-testee
printf '#!/bin/sh\nexec "%s" "%s"\n' "$(swift build --show-bin-path)/dynamic-testee" \
  "$scratch/protoset" >"$scratch/dynamic-testee"
chmod +x "$scratch/dynamic-testee"
run dynamic "$scratch/dynamic-testee"
