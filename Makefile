# tripwire: `make` alone lists the targets.

SWIFT  = swift
BUILD  = $(SWIFT) build --explicit-target-dependency-import-check error
PREFIX = /usr/local
PYTHON = .venv/bin/python

# A release, with the Swift runtime linked in. lld removes unused code of the runtime and links the archives of STATIC
# (docs/decisions/build/release-linking.md). A build ID would depend on the folder.
RELEASE    = TRIPWIRE_COMMIT=$(COMMIT) TRIPWIRE_COMMIT_DATE=$(COMMIT_DATE) \
  PKG_CONFIG_PATH=$(STATIC):$(PKG_CONFIG_PATH) $(BUILD) -c release --static-swift-stdlib -Xswiftc -enforce-exclusivity=unchecked $(LINK_$(shell uname))
LINK_Linux = -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --build-id=none -Xswiftc -L$(STATIC)
# For `tripwire --version`; empty without a Git checkout.
COMMIT      = $(shell git describe --always --abbrev=12 --exclude='*' --dirty 2>/dev/null)
COMMIT_DATE = $(shell git show -s --format=%cs 2>/dev/null)
RELEASED   = $$($(SWIFT) build -c release --show-bin-path)
# The TestService on libgrpc++.
SERVER = $(CURDIR)/.build/interop/test_service
# A client of any service on libgrpc++.
CLIENT = $(CURDIR)/.build/interop/generic_client
# A folder with the static libstdc++ but not the shared one, so that the linker uses it, and descriptions of libevent and
# SQLite that name their archives.
STATIC     = $(CURDIR)/.build/static

.PHONY: help ci ci-full demo demo-trip demo-map demo-relay build examples test interop interop-long soak sanitize
.PHONY: conformance fuzz fuzz-session check-api check-generated check-release check-symbols
.PHONY: bench bench-codec bench-rpc bench-follow bench-replay bench-relay codec-benchmark rpc-benchmark check-speed
.PHONY: thresholds generate docs lint screenshots install uninstall clean static command check-swift
.PHONY: dist check-dist check-container deps deps-map deps-docs deps-generate deps-test deps-interop deps-conformance deps-bench deps-dist deps-relay
.PHONY: command-relay install-relay install-protos

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

# The targets of .ci/run, and those that take longer.
CI      = demo check-generated lint docs check-symbols test
CI_FULL = $(CI) check-api check-release examples check-speed interop-long check-dist check-container conformance fuzz sanitize soak

ci: ## run everything that has to pass before a merge (15 minutes on two cores)
	@$(call steps,$(CI))

ci-full: ## run every test (some hours)
	@$(call steps,$(CI_FULL))

# Makes each target in turn and prints its time in seconds.
steps = for step in $(1); do printf '\n== make %s\n' $$step; begin=$$(date +%s); \
	  $(MAKE) --no-print-directory $$step || exit 1; \
	  took="$$took $$step $$(($$(date +%s) - begin)) s"; done; printf '\n==%s\n' "$$took"

demo: command ## serve a recorded trip on loopback and get it (no account)
	@sh interop/demo.sh "$$($(SWIFT) build --show-bin-path)/tripwire"

demo-trip: command ## follow a recorded trip to its end (no account)
	@"$$($(SWIFT) build --show-bin-path)/tripwire" follow providers/demo/trips/t1 \
	  --replay interop/recordings/trip.binlog --interval 1s

demo-map: command deps-map ## show a recorded trip on a map in the browser (no account)
	@"$$($(SWIFT) build --show-bin-path)/tripwire" map providers/demo/trips/t1 \
	  --replay interop/recordings/trip.binlog --interval 1s --open

demo-relay: command-relay ## share moving trips with a relay, and kill a worker (no account)
	@sh interop/demo_relay.sh "$$($(SWIFT) build --show-bin-path)"

command: deps
	$(BUILD) --product tripwire

command-relay: command deps-relay
	$(BUILD) --product tripwire-relay

build: deps deps-relay ## build the library and the command (debug)
	$(BUILD)

examples: deps ## build the packages of Examples
	for package in $(dir $(wildcard Examples/*/Package.swift)); do \
	  $(SWIFT) build --package-path $$package --scratch-path .build/examples || exit 1; done

test: deps-test $(SERVER) $(CLIENT) ## install the test peers, run every test except the long ones
	$(BUILD) --build-tests
	@SWIFT="$(SWIFT)" sh Tests/run.sh --skip-build
	@$(PYTEST) $(PARALLEL) -m "not long" interop

ONLY =
interop: deps-interop $(SERVER) $(CLIENT) ## run every case with every peer, one line each (ONLY=envoy)
	$(BUILD)
	$(CASES) -m "interop and not ($(ELSEWHERE))" -k "$(ONLY)" interop

# The time for random faults of a relay, with each version of NATS.
interop-long: export RELAY_MINUTES ?= 10
interop-long: deps-interop $(SERVER) $(CLIENT) ## run the long cases, which make test excludes
	$(BUILD)
	$(CASES) -m "long and not ($(ELSEWHERE))" interop

# The marks of cases that other targets run.
ELSEWHERE = soak or packages or container

MINUTES = 10
soak: export MINUTES := $(MINUTES)
soak: deps-interop $(SERVER) ## check the memory during calls with random faults (MINUTES=10)
	$(BUILD) --product interop-client
	$(CASES) -m soak interop

# The sanitizers exclude each other, so each has its own build. Tests that measure memory or time are
# skipped. The backtracer does not work under a sanitizer. XCTest is disabled, because it leaks and has no
# tests here. With all tests at once, some would exceed time limits of the code that they test.
sanitize: deps-test ## run the Swift tests with the thread and address sanitizers
	for sanitizer in thread address; do \
	  SWIFT_BACKTRACE=enable=no LSAN_OPTIONS=suppressions=$(CURDIR)/Tests/leaks.txt \
	    ASAN_OPTIONS=suppressions=$(CURDIR)/Tests/over-reads.txt \
	    TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/races.txt SWIFT="$(SWIFT)" \
	    sh Tests/run.sh --sanitize=$$sanitizer --scratch-path .build/$$sanitizer \
	    --disable-xctest --experimental-maximum-parallelization-width 8 \
	    --skip MemoryTests --skip ScalingTests || exit 1; done

# Twice as many workers as cores, because many tests mostly wait for other processes. The tests of a file,
# or of a class in it, run in the same worker.
PARALLEL = -n $(shell expr 2 \* $$(getconf _NPROCESSORS_ONLN)) --dist loadscope
CASES = $(PYTEST) --lines -o console_output_style=classic
PYTEST = bin="$$($(SWIFT) build --show-bin-path)"; TRIPWIRE_BIN="$$bin/tripwire" \
  INTEROP_CLIENT="$$bin/interop-client" DYNAMIC_TESTEE="$$bin/dynamic-testee" \
  INTEROP_SERVER="$(SERVER)" GENERIC_CLIENT="$(CLIENT)" $(PYTHON) -m pytest -q

$(SERVER): interop/peers/servers/test_service.cc interop/protos/grpc/testing/test.proto | deps-test
	@mkdir -p $(@D)
	protoc -I interop/protos --cpp_out=$(@D) --grpc_out=$(@D) \
	  --plugin=protoc-gen-grpc="$$(command -v grpc_cpp_plugin)" grpc/testing/test.proto
	g++ -std=c++17 -O1 -Wall -Wextra -Werror -I $(@D) -o $@ $< $(@D)/grpc/testing/*.cc \
	  $$(pkg-config --cflags --libs grpc++ protobuf)

$(CLIENT): interop/peers/servers/generic_client.cc | deps-test
	@mkdir -p $(@D)
	g++ -std=c++17 -O1 -Wall -Wextra -Werror -o $@ $< $$(pkg-config --cflags --libs grpc++)

conformance: deps-conformance ## run protobuf's conformance suite against the codec
	@sh interop/conformance/run.sh

SECONDS = 30
fuzz: deps-test ## fuzz the decoders and compare them with upb (SECONDS=30 each)
	@PYTHON=$(PYTHON) sh Tests/Fuzzing/run.sh $(SECONDS)

fuzz-session: deps-test ## fuzz the HTTP/2 client and server (SECONDS=30)
	@PYTHON=$(PYTHON) sh Tests/Fuzzing/run.sh $(SECONDS) session server

bench: bench-codec bench-rpc bench-follow bench-replay bench-relay ## run all benchmarks, side by side with other implementations
	$(RELEASE)
	TRIPWIRE_BIN="$(RELEASED)/tripwire" $(PYTHON) Tests/Benchmarks/get.py
	TRIPWIRE_BIN="$(RELEASED)/tripwire" $(PYTHON) Tests/Benchmarks/map.py
	$(PYTHON) Tests/Benchmarks/ratios.py

bench-codec: codec-benchmark ## measure the codec against C++ protobuf: time, instructions, mallocs
	BENCHMARK="$(RELEASED)/codec-benchmark" $(PYTHON) Tests/Benchmarks/codec.py

bench-rpc: rpc-benchmark ## measure calls against the floor and gRPC's C++ library, side by side
	CLIENT="$(RELEASED)/rpc-benchmark" $(PYTHON) Tests/Benchmarks/calls.py

bench-follow: deps-bench static ## measure following 10,000 trips against the floor
	$(RELEASE) --product follow-benchmark
	CLIENT="$(RELEASED)/follow-benchmark" $(PYTHON) Tests/Benchmarks/follow.py

bench-replay: deps-bench static ## measure the replay server against those of gRPC C++ and grpcio
	$(RELEASE) --product tripwire
	TRIPWIRE_BIN="$(RELEASED)/tripwire" $(PYTHON) Tests/Benchmarks/replay.py

bench-relay: deps-bench static ## measure the relay: calls, takeover, CPU, memory, fan-out, bytes, ...
	for product in tripwire tripwire-relay ownership-benchmark; do $(RELEASE) --product $$product || exit 1; done
	TRIPWIRE_BIN="$(RELEASED)/tripwire" $(PYTHON) Tests/Benchmarks/relay.py

check-speed: codec-benchmark rpc-benchmark ## fail if codec or calls take more instructions or allocations
	$(COUNTED) $(PYTHON) Tests/Benchmarks/thresholds.py

thresholds: codec-benchmark rpc-benchmark ## set the thresholds of check-speed to the current counts
	$(COUNTED) $(PYTHON) Tests/Benchmarks/thresholds.py --update

COUNTED = BENCHMARK="$(RELEASED)/codec-benchmark" CLIENT="$(RELEASED)/rpc-benchmark"

codec-benchmark: deps-bench static
	$(RELEASE) --product codec-benchmark

rpc-benchmark: deps-bench static
	$(RELEASE) --product rpc-benchmark

generate: deps-generate deps-relay ## regenerate the Swift code from protos/, and articles from the tables of the command
	$(BUILD) --product protoc-gen-tripwire
	PLUGIN="$$($(SWIFT) build --show-bin-path)/protoc-gen-tripwire" sh codegen/generate.sh
	$(BUILD) --build-tests
	@WRITE_ARTICLES=1 SWIFT="$(SWIFT)" sh Tests/run.sh --skip-build --filter GeneratedArticleTests

check-generated: generate ## fail if make generate changes a file
	@changed=$$(git status --porcelain -- Sources Tests codegen interop Examples); [ -z "$$changed" ] || \
	  { printf 'run make generate and commit:\n%s\n' "$$changed"; exit 1; }

docs: deps-docs deps-relay ## build the documentation as one static site; check its links and public comments
	$(BUILD) --target RidesharingConsumer
	$(BUILD) --target JourneyMap
	$(BUILD) --target TripRelay
	$(BUILD) --target TripwireHTTPTokens
	$(BUILD) --target TripwireGoogleAuth
	$(BUILD) --target Recording
	$(BUILD) --target FleetEmulator
	sh docs/build.sh $(SWIFT) "$$($(SWIFT) build --show-bin-path)"
	$(SWIFT) package dump-package | python3 docs/check_comments.py .build/docs/symbols
	python3 docs/check_site.py .build/docs/site

# The last release or, before the first one, the commit in the file.
API_BASELINE = $(shell git describe --tags --abbrev=0 2>/dev/null || cat docs/api/baseline.txt)
check-api: deps-docs deps-relay ## fail if a library has lost API since the last release, except docs/api/accepted-breaks.txt
	@git cat-file -e "$(API_BASELINE)^{commit}" 2>/dev/null || \
	  { echo "the commit $(API_BASELINE) is missing: run git fetch --unshallow --tags" >&2; exit 1; }
	python3 docs/check_api.py $(SWIFT) "$(API_BASELINE)" docs/api/accepted-breaks.txt

lint: deps-test ## check the format of the code, the dependencies, and the paths in the documentation
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests codegen interop \
	  Examples
	.venv/bin/buf lint protos
	$(ESLINT) --format unix Sources/MapPage/Page
	FUZZING=1 $(SWIFT) package dump-package | .venv/bin/python Tests/check_imports.py
	.venv/bin/python docs/check_paths.py

# The folder of Debian's package libjs-leaflet. The modules of its eslint are in folders of their own.
LEAFLET = /usr/share/javascript/leaflet
ESLINT = NODE_PATH=/usr/share/nodejs:/usr/share/javascript eslint

screenshots: deps-test ## write screenshots of the map page to .build/screenshots
	$(BUILD) --product tripwire
	TRIPWIRE_BIN="$$($(SWIFT) build --show-bin-path)/tripwire" $(PYTHON) interop/screenshots.py

install: deps static ## install the release, with the Swift runtime linked in (PREFIX=/usr/local)
	$(RELEASE) --product tripwire
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@install -m 755 "$(RELEASED)/tripwire" "$(DESTDIR)$(PREFIX)/bin"
	@$(STRIP_$(shell uname)) "$(DESTDIR)$(PREFIX)/bin/tripwire"
	@if [ "$(RELAY)" = no ]; then :; elif pkg-config --exists libnats; then \
	  $(MAKE) --no-print-directory install-relay; \
	else echo "tripwire relay needs libnats: install the package libnats-dev" >&2; fi
	@if [ -f "$(LEAFLET)/leaflet.min.js" ]; then \
	  install -d "$(DESTDIR)$(PREFIX)/share/tripwire/leaflet"; \
	  install -m 644 "$(LEAFLET)/leaflet.min.js" "$(LEAFLET)/leaflet.css" \
	    "$(DESTDIR)$(PREFIX)/share/tripwire/leaflet"; \
	else echo "maps need Leaflet: install the package libjs-leaflet" >&2; fi
	@install -d $(addprefix "$(SHARE)"/,tripwire man/man1 $(dir $(COMPLETIONS)))
	@install -m 644 $(RECORDINGS) "$(SHARE)/tripwire"
	@$(MAKE) --no-print-directory install-protos
	@tripwire="$(RELEASED)/tripwire"; \
	for page in $$("$$tripwire" __manual); do \
	  "$$tripwire" __manual "$$page" "$(MANUAL_DATE)" >"$(SHARE)/man/man1/$$page.1" || exit 1; done; \
	set -- bash zsh fish; for file in $(COMPLETIONS); do \
	  "$$tripwire" completion "$$1" >"$(SHARE)/$$file" || exit 1; shift; done
	@[ -n "$(DESTDIR)" ] || sh packaging/after_install.sh "$(PREFIX)"

# The helper program of `tripwire relay`. RELAY=no omits it.
RELAY =
UNITS = $(DESTDIR)$(PREFIX)/lib/systemd/system
install-relay: deps-relay static
	$(RELEASE) --product tripwire-relay
	@install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man/man1" "$(UNITS)"
	@install -m 755 "$(RELEASED)/tripwire-relay" "$(DESTDIR)$(PREFIX)/bin"
	@$(STRIP_$(shell uname)) "$(DESTDIR)$(PREFIX)/bin/tripwire-relay"
	@for unit in tripwire-relay.service tripwire-relay@.service; do \
	  sed 's|@PREFIX@|$(PREFIX)|' "packaging/$$unit" >"$(UNITS)/$$unit" || exit 1; done
	@install -d "$(SHARE)/tripwire/monitoring"
	@install -m 644 packaging/monitoring/* "$(SHARE)/tripwire/monitoring"
	@relay="$(RELEASED)/tripwire-relay"; for page in $$("$$relay" __manual); do \
	  "$$relay" __manual "$$page" "$(MANUAL_DATE)" >"$(SHARE)/man/man1/$$page.1" || exit 1; done

# The messages of a relay and the API of Fleet Engine, with what they import, except google/protobuf, which protoc has.
PROTOS = tripwire/relay google/maps google/api google/geo google/rpc google/type
install-protos:
	@for file in $$(cd protos && find $(PROTOS) -name '*.proto'); do \
	  install -d "$(SHARE)/tripwire/protos/$${file%/*}" && \
	  install -m 644 "protos/$$file" "$(SHARE)/tripwire/protos/$$file" || exit 1; done

# The section with the hashes of modules depends on the folder of the build. GNU strip, if it removes a section, also
# removes GNU_RELRO, so that the relocated data stays writable.
STRIP_Linux  = "$$(clang -print-prog-name=llvm-objcopy)" --strip-all -R .swift_modhash
STRIP_Darwin = strip
SHARE = $(DESTDIR)$(PREFIX)/share
# To try the command without an account.
RECORDINGS = $(addprefix interop/recordings/,demo.binlog trip.binlog delivery.binlog)
# In the order bash, zsh, fish.
COMPLETIONS = bash-completion/completions/tripwire zsh/site-functions/_tripwire \
  fish/vendor_completions.d/tripwire.fish
MANUAL_DATE = $(shell LC_ALL=C git show -s --format=%cd --date='format:%B %-d, %Y' 2>/dev/null || \
  LC_ALL=C date '+%B %-d, %Y')

uninstall: ## remove what make install installed (PREFIX=/usr/local)
	rm -f "$(DESTDIR)$(PREFIX)/bin/tripwire" \
	  "$(DESTDIR)$(PREFIX)/bin/tripwire-relay" "$(UNITS)/tripwire-relay.service" "$(UNITS)/tripwire-relay@.service" \
	  "$(SHARE)/man/man1/tripwire.1" "$(SHARE)"/man/man1/tripwire-*.1 \
	  $(addprefix "$(SHARE)"/,$(COMPLETIONS))
	rm -rf "$(SHARE)/tripwire"
	@case "$(PREFIX)" in /usr|/usr/local) ;; *) \
	  cd "$(DESTDIR)$(PREFIX)" && rmdir $(FOLDERS) "$(DESTDIR)$(PREFIX)" 2>/dev/null || :;; esac

# The folders below PREFIX that make install creates, the inner ones first.
FOLDERS = bin lib/systemd/system lib/systemd lib share/man/man1 share/man \
  share/bash-completion/completions share/bash-completion share/zsh/site-functions share/zsh \
  share/fish/vendor_completions.d share/fish share

# The result depends only on the commit, the toolchain and the release of the system, not on the folder or the time.
ROOT = $(CURDIR)/.build/dist
dist: deps-dist ## write an archive, Debian packages for this release, and SHA256SUMS into dist/
	@rm -rf dist "$(ROOT)" "$(ROOT)-relay"
	@$(MAKE) --no-print-directory install PREFIX=/usr DESTDIR="$(ROOT)" RELAY=no
	@if pkg-config --exists libnats; then \
	  $(MAKE) --no-print-directory install-relay PREFIX=/usr DESTDIR="$(ROOT)-relay"; \
	else echo "the package of tripwire-relay needs libnats: install the package libnats-dev" >&2; fi
	@VERSION="$$(sh packaging/version.sh)" MAINTAINER="$(MAINTAINER)" SOURCE_DATE_EPOCH=$(COMMIT_TIME) \
	  sh packaging/make_packages.sh "$(ROOT)" "$(ROOT)-relay" dist
	@cat dist/SHA256SUMS

MAINTAINER = $(shell git show -s --format='%an <%ae>')
COMMIT_TIME = $(shell git show -s --format=%ct)

check-dist: deps-relay dist deps-test ## build the packages for Debian 12 and 13, and install them (as root)
	@missing=; \
	$(call need,command -v lintian,lintian) \
	$(call need,command -v debootstrap,debootstrap) \
	$(call need,command -v promtool,prometheus) \
	$(INSTALL)
	$(CASES) -m packages interop/tests/package

check-container: deps-test ## build the image and run it (as root, where user namespaces are allowed)
	@missing=; \
	$(call need,command -v buildah,buildah) \
	$(call need,command -v debootstrap,debootstrap) \
	$(INSTALL)
	@if unshare --user true; then $(CASES) -m container interop/tests/package; \
	else echo "skipped: the kernel or this container does not allow user namespaces"; fi

check-symbols: command deps-test ## fail if the command uses regular expressions, which take 1.3 MB of a release
	@used=$$(nm -D --undefined-only "$$($(SWIFT) build --show-bin-path)/tripwire" | grep StringProcessing); \
	[ -z "$$used" ] || { printf 'tripwire uses regular expressions; search in another way:\n%s\n' "$$used"; exit 1; }

# The maximum size in bytes, of which SQLite has 1.2 million and the emulator 0.8 million; grpcurl has 23 million.
MAX_SIZE = 25000000
INSTALLED = $(CURDIR)/.build/installed
check-release: ## install the release into .build/installed, run it, check its size
	@$(MAKE) --no-print-directory install PREFIX=$(INSTALLED) DESTDIR=
	@"$(INSTALLED)/bin/tripwire" --version | tee .build/version
	@[ -z "$(COMMIT)" ] || grep -q "($(COMMIT), " .build/version
	@"$(INSTALLED)/bin/tripwire" map --version
	@ls "$(INSTALLED)/share/man/man1/tripwire-token-mint.1" \
	  $(addprefix "$(INSTALLED)"/share/,$(COMPLETIONS))
	@size=$$(wc -c <"$(INSTALLED)/bin/tripwire"); [ "$$size" -le $(MAX_SIZE) ] || \
	  { echo "tripwire has $$size bytes, more than $(MAX_SIZE)"; exit 1; }; \
	  echo "tripwire has $$size bytes"
	@$(MAKE) --no-print-directory uninstall PREFIX=$(INSTALLED) DESTDIR=
	@left=$$(find "$(INSTALLED)" 2>/dev/null); [ -z "$$left" ] || \
	  { printf 'make uninstall left:\n%s\n' "$$left"; exit 1; }

static: deps
	@mkdir -p $(STATIC)
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a
	@$(call archive,libevent,event)
	@$(call archive,sqlite3,sqlite3)

# $(call archive,PACKAGE,LIBRARY): describes a package with the archive of its library, if it is installed.
archive = rm -f $(STATIC)/$(1).pc; [ "$$(uname)" != Linux ] || \
	  ! test -f "$$(pkg-config --variable=libdir $(1))/lib$(2).a" || \
	  sed 's/-l$(2)/-l:lib$(2).a/' "$$(pkg-config --variable=pcfiledir $(1))/$(1).pc" >$(STATIC)/$(1).pc

clean: ## remove all build results
	rm -rf .build .venv

# The first line of Package.swift has the required version.
NEEDED = $(shell sed -n '1s/.*: *//p' Package.swift)
check-swift:
	@output=$$($(SWIFT) --version 2>&1); \
	found=$$(printf '%s\n' "$$output" | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p'); \
	if ! command -v $(SWIFT) >/dev/null; then \
	  echo "error: $(SWIFT) is not installed: tripwire needs Swift $(NEEDED) or later" >&2; \
	elif [ -z "$$found" ]; then \
	  echo "error: $(SWIFT) does not run: $$(printf '%s\n' "$$output" | head -n 1)" >&2; \
	elif [ "$$(printf '%s\n' $(NEEDED) "$$found" | sort -V | head -n 1)" != $(NEEDED) ]; then \
	  echo "error: $(SWIFT) is version $$found: tripwire needs Swift $(NEEDED) or later" >&2; \
	else exit 0; fi; \
	echo "hint: install it from https://www.swift.org/install" >&2; exit 1

# pkg-config and command -v find missing packages, and apt-get installs them.
# $(call need,CHECK,PACKAGE): PACKAGE is missing if CHECK fails.
need = $(1) >/dev/null 2>&1 || missing="$$missing $(2)";
INSTALL = [ -z "$$missing" ] || { \
	  [ "$$(uname)" != Darwin ] || { echo "run: brew install libnghttp2 openssl@3 zlib libevent sqlite expat cnats pkg-config protobuf" >&2; exit 1; }; \
	  command -v apt-get >/dev/null || { echo "install:$$missing" >&2; exit 1; }; \
	  sh interop/install_packages.sh $$missing; }

# The packages that the command is built from.
deps: check-swift ## install the packages for a build (called by other targets)
	@missing=; \
	$(call need,command -v pkg-config,pkg-config) \
	$(call need,pkg-config --exists libnghttp2,libnghttp2-dev) \
	$(call need,pkg-config --exists openssl,libssl-dev) \
	$(call need,pkg-config --exists zlib,zlib1g-dev) \
	$(call need,pkg-config --exists libevent,libevent-dev) \
	$(call need,pkg-config --exists sqlite3,libsqlite3-dev) \
	$(call need,pkg-config --exists libcurl,libcurl4-openssl-dev) \
	$(call need,pkg-config --exists expat,libexpat1-dev) \
	$(INSTALL)

deps-map: deps
	@missing=; \
	$(call need,[ "$$(uname)" = Darwin ] || test -e $(LEAFLET)/leaflet.min.js,libjs-leaflet) \
	$(INSTALL)

deps-docs: deps
	@missing=; \
	$(call need,command -v python3,python3) \
	$(INSTALL)

# The packages that tripwire-relay is built from.
deps-relay: deps
	@missing=; \
	$(call need,pkg-config --exists libnats,libnats-dev) \
	$(INSTALL)

deps-dist: deps-map
	@missing=; \
	$(call need,command -v dpkg-shlibdeps,dpkg-dev) \
	$(INSTALL)

deps-generate: deps
	@missing=; \
	$(call need,command -v protoc,protobuf-compiler) \
	$(call need,pkg-config --exists protobuf,libprotobuf-dev) \
	$(INSTALL)

deps-test: deps-generate deps-relay ## install the test peers too
	@missing=; \
	$(call need,python3 -c 'import ensurepip',python3-venv) \
	$(call need,command -v nghttpx,nghttp2-proxy) \
	$(call need,command -v h2load,nghttp2-client) \
	$(call need,PATH=$$PATH:/usr/sbin command -v tinyproxy,tinyproxy-bin) \
	$(call need,command -v openssl,openssl) \
	$(call need,[ "$$(uname)" = Darwin ] || test -s /etc/ssl/certs/ca-certificates.crt,ca-certificates) \
	$(call need,PATH=$$PATH:/usr/sbin command -v nats-server,nats-server) \
	$(call need,command -v tmux,tmux) \
	$(call need,command -v zsh,zsh) \
	$(call need,command -v fish,fish) \
	$(call need,command -v mandoc,mandoc) \
	$(call need,[ "$$(uname)" = Darwin ] || command -v strace,strace) \
	$(call need,command -v g++,g++) \
	$(call need,command -v grpc_cpp_plugin,protobuf-compiler-grpc) \
	$(call need,pkg-config --exists grpc++,libgrpc++-dev) \
	$(call need,command -v chromium,chromium) \
	$(call need,command -v chromedriver,chromium-driver) \
	$(call need,[ "$$(uname)" = Darwin ] || test -e $(LEAFLET)/leaflet.min.js,libjs-leaflet) \
	$(call need,$(ESLINT) --version,eslint node-v8-compile-cache) \
	$(INSTALL)
	@$(MAKE) --no-print-directory .venv/installed

deps-interop: deps-test ## install the middleboxes too
	@missing=; \
	$(call need,command -v nginx,nginx) \
	$(call need,command -v haproxy,haproxy) \
	$(call need,command -v ip,iproute2) \
	$(INSTALL)

deps-conformance: deps-generate
	@missing=; \
	$(call need,command -v g++,g++) \
	$(INSTALL)

deps-bench: deps-test
	@missing=; \
	$(call need,command -v hyperfine,hyperfine) \
	$(call need,test -x /usr/bin/time,time) \
	$(call need,command -v valgrind,valgrind libc6-dbg) \
	$(INSTALL)

.venv/installed: interop/requirements.txt
	@echo "installing into .venv: the test peers of interop/requirements.txt"
	@python3 -m venv .venv && .venv/bin/pip install -q --disable-pip-version-check -r interop/requirements.txt
	@touch $@
