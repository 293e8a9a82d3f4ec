VERSION  ?= $(shell git describe --tags --dirty 2>/dev/null || echo v0.0.0-dev)
COMMIT   ?= $(shell git rev-parse HEAD 2>/dev/null)
FUZZTIME ?= 30s

# The time of a release is that of its commit, so that two builds of it are alike.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
DATE               = $(shell TZ=UTC date -d @$(SOURCE_DATE_EPOCH) +%F 2>/dev/null || TZ=UTC date -r $(SOURCE_DATE_EPOCH) +%F)

# Where a release is made, and for which systems.
DIST    ?= dist
TARGETS ?= linux/amd64 linux/arm64 windows/amd64 darwin/amd64 darwin/arm64

.PHONY: help build test test-faults test-load quick bench bench-doc fuzz check release release-check test-packages clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

build: ## build ./muster
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)' -o muster ./cmd/muster

# The race detector watches our code and the database driver, not SQLite itself: C translated to Go that works on memory
# of its own, of which it could tell nothing, and which it slows 26 times. Nor does it watch the arithmetic of password
# hashes and of compression, which has no memory but its caller's: compress/gzip around the latter is watched.
UNWATCHED = modernc.org/sqlite/lib modernc.org/libc golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b compress/flate
RACE      = -race $(UNWATCHED:%=-gcflags=%=-race=false)

# Tests about volume or time have the build tag volume and a name that begins with TestVolume, those with a browser
# the tag browser and TestBrowser. They run without the race detector.
test: ## run all tests; installs what they need, or says what to install
	scripts/install-test-tools
	go -C packaging test ./...
	scripts/with-postgres go test -count=1 -timeout 60m $(RACE) -tags full ./...
	scripts/with-postgres go test -timeout 45m -tags full,volume,browser -run '^Test(Volume|Browser)' ./...

# With the build tag faults the crash ledger is whole, and there are power cuts and failing system calls besides.
test-faults: ## run the crash ledger, power cuts and disk faults; as root, since they mount disks
	scripts/install-test-tools
	scripts/with-postgres go test -timeout 30m -v -tags full,volume,faults -run '^(TestVolumeCrashLedger|TestFault|TestFull)' ./cmd/muster

test-load: ## hold the server to its limits under load; takes minutes and wants the machine for itself
	scripts/install-test-tools
	scripts/with-postgres go test -tags full,volume,load -run '^TestVolumeLoad$$' -timeout 30m -v ./cmd/muster

quick: ## run the tests that need nothing but Go
	go test ./...
	go -C packaging test ./...

bench: ## measure time and allocations on both databases; BENCH='-sizes 1000,100000' or other flags of it
	CGO_ENABLED=0 scripts/with-postgres go run ./bench $(BENCH)

# The whole result, of which the document has the medians.
BENCH_RESULT ?= /tmp/muster-bench.json

bench-doc: ## measure, and renew doc/performance.md and its charts
	CGO_ENABLED=0 scripts/with-postgres go run ./bench -json '$(BENCH_RESULT)' $(BENCH)
	go run ./bench doc '$(BENCH_RESULT)' doc

fuzz: ## run each fuzz test for FUZZTIME (30s)
	scripts/fuzz $(FUZZTIME)

check: ## look for mistakes without running the tests
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	go vet -tags full,volume,faults,load,browser ./...
	go tool staticcheck ./...
	go tool staticcheck -tags full,volume,faults,load,browser ./...
	go mod tidy -diff
	for os in windows darwin; do export GOOS=$$os CGO_ENABLED=0 && go build ./... && go vet ./... || exit; done
	cd packaging && go vet ./... && go tool -modfile ../go.mod staticcheck ./... && go mod tidy -diff

release: ## build archives, packages, bills of materials and checksums for TARGETS in dist/
	go -C packaging run ./release -root .. -out '$(abspath $(DIST))' -version '$(VERSION)' -commit '$(COMMIT)' -epoch '$(SOURCE_DATE_EPOCH)' -targets '$(TARGETS)'

release-check: ## show that two builds of a release, in different folders, are alike to the byte
	scripts/release-check

test-packages: ## install, use, update and remove the packages on a fresh Debian; needs root and debootstrap
	packaging/try/run

print-%:
	@echo '$($*)'

clean: ## remove what was built, never data
	rm -rf dist
	rm -f muster coverage.* *.test *.prof
