VERSION  ?= $(shell git describe --tags --dirty 2>/dev/null || echo v0.0.0-dev)
COMMIT   ?= $(shell git rev-parse HEAD 2>/dev/null)
FUZZTIME ?= 30s

# The time of a release is that of its commit, so that two builds of it are alike.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
DATE               = $(shell TZ=UTC date -d @$(SOURCE_DATE_EPOCH) +%F 2>/dev/null || TZ=UTC date -r $(SOURCE_DATE_EPOCH) +%F)

# Where a release is made, and for which systems.
DIST    ?= dist
TARGETS ?= linux/amd64 linux/arm64 windows/amd64 darwin/amd64 darwin/arm64

.PHONY: help build test test-race test-race-doors test-browser test-draws test-all test-faults test-load quick bench bench-compare bench-doc fuzz check release release-check test-packages clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

build: ## build ./muster
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)' -o muster ./cmd/muster

# What each target runs is in scripts/suite/stages.go, and a table in CONTRIBUTING.md says why.
test: ## run all tests that a change must pass, in about 25 minutes; as root, installs what they need
	@go run ./scripts/suite test

quick: ## run the tests that need nothing but Go, in about a minute
	@go run ./scripts/suite quick

test-race: ## run all tests with the race detector, but for the next
	@go run ./scripts/suite test-race

test-race-doors: ## run the tests of the API, the pages and the commands with the race detector
	@go run ./scripts/suite test-race-doors

test-browser: ## run the tests of pages in all looks
	@go run ./scripts/suite test-browser

test-draws: ## run the tests that draw cases at random, with all of them
	@go run ./scripts/suite test-draws

test-all: ## run all of the tests
	@go run ./scripts/suite test test-race test-race-doors test-browser test-draws test-faults test-load
	packaging/try/run

test-faults: ## run the crash ledger, power cuts and disk faults; as root, since they mount disks
	@go run ./scripts/suite test-faults

test-load: ## hold the server to its limits under load; wants the machine for itself
	@go run ./scripts/suite test-load

bench: ## measure time and allocations on both databases, in half an hour; BENCH=-all what doc/performance.md has, or other flags
	CGO_ENABLED=0 scripts/with-postgres go run ./bench $(BENCH)

# The whole result, of which the document has the medians.
BENCH_RESULT ?= /tmp/muster-bench.json

bench-compare: ## what changed between the results of two runs, OLD=old.json NEW=new.json, and is more than noise
	go run ./bench text '$(OLD)' > /tmp/muster-bench-old.txt
	go run ./bench text '$(NEW)' > /tmp/muster-bench-new.txt
	go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da old=/tmp/muster-bench-old.txt new=/tmp/muster-bench-new.txt

bench-doc: ## measure in an hour and a half what doc/performance.md has, and renew it
	CGO_ENABLED=0 scripts/with-postgres go run ./bench -all -work 5m -json '$(BENCH_RESULT)' $(BENCH)
	go run ./bench doc '$(BENCH_RESULT)' doc

fuzz: ## run each fuzz test for FUZZTIME (30s)
	scripts/fuzz $(FUZZTIME)

check: ## look for mistakes without running the tests
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	go vet -tags full,volume,browser,deep ./...
	go tool staticcheck ./...
	go tool staticcheck -tags full,volume,browser,deep ./...
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
