VERSION  ?= $(shell git describe --tags --dirty 2>/dev/null || echo v0.0.0-dev)
COMMIT   ?= $(shell git rev-parse HEAD 2>/dev/null)
FUZZTIME ?= 30s

# The time of a release is that of its commit, so that two builds of it are alike.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
DATE               = $(shell TZ=UTC date -d @$(SOURCE_DATE_EPOCH) +%F 2>/dev/null || TZ=UTC date -r $(SOURCE_DATE_EPOCH) +%F)

.PHONY: help build test quick bench fuzz check clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s %s\n", $$1, $$2 }' Makefile

build: ## build ./muster
	CGO_ENABLED=0 go build -trimpath -ldflags '-X main.version=$(VERSION) -X main.commit=$(COMMIT) -X main.date=$(DATE)' -o muster ./cmd/muster

# Tests about volume or time have the build tag volume and a name that begins with TestVolume. They run without the
# race detector, which slows SQLite 26 times.
test: ## run all tests; installs what they need, or says what to install
	scripts/install-test-tools
	scripts/with-postgres go test -race -tags full ./...
	scripts/with-postgres go test -tags full,volume -run '^TestVolume' ./...

quick: ## run the tests that need nothing but Go
	go test ./...

bench: ## measure time and allocations on both databases
	scripts/with-postgres go run ./bench

fuzz: ## run each fuzz test for FUZZTIME (30s)
	scripts/fuzz $(FUZZTIME)

check: ## look for mistakes without running the tests
	@unformatted=$$(gofmt -l .) && test -z "$$unformatted" || { echo "gofmt: $$unformatted"; exit 1; }
	go vet ./...
	go vet -tags full,volume ./...
	go tool staticcheck ./...
	go tool staticcheck -tags full,volume ./...
	go mod tidy -diff

clean: ## remove what was built, never data
	rm -f muster coverage.* *.test *.prof
