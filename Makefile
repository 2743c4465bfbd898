# make          lists the targets
# make test     runs everything that must pass, and installs missing tools where it can

GO     ?= go
LINTER := bin/golangci-lint

# The two packages that take longest come first. Their tests often wait, so the two run beside
# each other, and none of them runs alone at the end.
TEST   ?= ./internal/service ./internal/e2e ./...

# The race detector does not watch the memory of SQLite's own code: it is
# translated from C, and watching it takes most of the time. It runs on the packages
# that share memory between goroutines, or on those that TEST names, but not on those
# that only compute values once. Without GORACE it would wait a second at the end of
# each package.
RACE    := -race -short -gcflags=modernc.org/...=-race=false
SHARED   = $(shell $(GO) list -f '{{range .Imports}}{{if or (eq . "sync") (eq . "sync/atomic")}}{{$$.ImportPath}}{{break}}{{end}}{{end}}' ./...)
ONCE    := %/assets %/docsite %/generated %/hsmtest %/operator
RACED    = $(if $(filter file,$(origin TEST)),./internal/service $(filter-out $(ONCE),$(SHARED)),$(TEST))

# Without symbol tables, forty test binaries link in half of the time. make lint runs vet.
FAST   := -ldflags=-s -vet=off

# Packages without paths stay valid in the cache for a checkout in another directory. So do the
# results of vet and the linters.
export GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

build: ## Build bin/strongroom, a static binary, and with a C compiler bin/strongroom-pkcs11, its helper for HSMs
	CGO_ENABLED=0 $(GO) build -buildvcs=auto -o bin/strongroom ./cmd/strongroom
	@if command -v "$$($(GO) env CC)" >/dev/null; then \
		echo "CGO_ENABLED=1 $(GO) build -buildvcs=auto -o bin/strongroom-pkcs11 ./cmd/strongroom-pkcs11"; \
		CGO_ENABLED=1 $(GO) build -buildvcs=auto -o bin/strongroom-pkcs11 ./cmd/strongroom-pkcs11; \
	else \
		echo "SKIPPED: bin/strongroom-pkcs11, for root keys in HSMs, needs a C compiler (apt-get install gcc libc6-dev)" >&2; \
	fi

# A value of GOFIPS140: certified, inprocess or a version.
FIPS_MODULE ?= certified

build-fips: ## Build bin/strongroom-fips with Go's FIPS 140-3 module
	CGO_ENABLED=0 GOFIPS140=$(FIPS_MODULE) $(GO) build -buildvcs=auto -o bin/strongroom-fips ./cmd/strongroom

build-openssl: ## Build bin/strongroom-openssl, with RSA by the system's OpenSSL; needs a C compiler, pkg-config and OpenSSL 3
	CGO_ENABLED=1 $(GO) build -tags openssl -buildvcs=auto -o bin/strongroom-openssl ./cmd/strongroom

release: ## Build all release files of VERSION=x.y.z from the last commit, in dist/; KEY=FILE signs them with a minisign key, PASSWORD_FILE=FILE is the file with its password
	GOFLAGS= $(GO) build -C tools -o ../bin/release ./release
	bin/release -version "$(VERSION)" -key "$(KEY)" -password-file "$(PASSWORD_FILE)"

run: build ## Build and serve on 127.0.0.1:8080, data in ./data
	bin/strongroom serve

test: tools test-chart ## Run all tests, then the short forms with the race detector; TEST='-run X ./...' selects
	tools/gotest $(FAST) -timeout 40m $(TEST)
	@if ! $(GO) env CGO_ENABLED | grep -q 1 || ! command -v "$$($(GO) env CC)" >/dev/null; then \
		echo "SKIPPED: the race detector needs a C compiler (apt-get install gcc libc6-dev)" >&2; \
		test "$$CI" != true; \
	else \
		echo "$(GO) test $(FAST) $(RACE) $(RACED)"; \
		GORACE=atexit_sleep_ms=0 $(GO) test $(FAST) $(RACE) -timeout 40m $(RACED); \
	fi

test-chart: ## Test the Helm chart (a separate module with Helm and Kubernetes)
	cd tools/chart && ../gotest -ldflags=-s ./...

fresh: ## Run make run and make test on a minimal Debian in a chroot, as root and as an ordinary user (WHO=root, WHO=user); needs root and mmdebstrap
	tools/fresh $(WHO)

lint: $(LINTER) ## Run the linters of .golangci.yaml, with the checks of go vet
	$(LINTER) run

vuln: build ## Scan the binaries for known vulnerabilities, except those in tools/vuln/accepted.txt; DB=https://vuln.go.dev queries the Go vulnerability database directly
	@$(GO) test -C tools ./vuln
	@$(GO) run -C tools ./vuln -db "$(DB)"

newest: ## Build and test a copy with the newest dependencies; leaves this one unchanged
	@tools/newest

bench: ## Run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

soak: tools ## Run the long forms of the tests, and each fuzz target for FUZZTIME (5m)
	E2E_VAULT=$$(tools/vault) E2E_ALERTS=20 E2E_ALL=1 E2E_KILLS=100 E2E_ROTATIONS=1000 E2E_HISTORIES=50 E2E_FAULTS=10 E2E_HELD_SECONDS=60 E2E_SHORTAGE_SECONDS=40 E2E_BROWNOUT_SECONDS=60 E2E_PUT_BACK=2000 E2E_SEQUENCES=100 E2E_WRONG_TOKENS=10000 \
		tools/gotest -count=1 -p 1 -parallel 2 -timeout 3h ./...
	E2E_ALL=1 $(GO) test $(FAST) $(RACE) -timeout 1h ./...
	E2E_KEY_ALGORITHM=HPKE-XWING E2E_KILLS=30 E2E_ROTATIONS=300 E2E_HISTORIES=20 \
		tools/gotest -count=1 -parallel 2 -timeout 1h -run 'Guess|Histor|RightAnswersAtOnce|TriesBack|NoSecret|Acknowledged|ARotatedKeyIsDead|ReceiptRedeemedOnce' ./internal/e2e
	E2E_RELEASE=1 $(GO) test -C tools -count=1 -timeout 1h ./release
	CGO_ENABLED=1 $(GO) test -count=1 -tags openssl -timeout 1h ./internal/crypto/devicekey/... ./internal/config ./internal/service
	cd tools/chart && E2E_APISERVER=$$(../kubernetes) $(GO) test -count=1 -tags apiserver -run RealAPIServer -timeout 1h .
	tools/fuzz $(or $(FUZZTIME),5m)

generate: ## Regenerate the generated code
	$(GO) generate ./...

tools: ## Install the tools that the tests run: Git, SQLite, openssl, a JDK, Node.js, PostgreSQL, PgBouncer, HAProxy, testssl, Prometheus, Alertmanager, faketime, Chromium (headless shell), SoftHSM2, OpenSC, Python
	@tools/install

# The linter is built from a module of its own: its 400 modules stay out of ours.
$(LINTER): tools/go.mod tools/go.sum
	$(GO) build -C tools -o ../$(LINTER) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: help build build-fips build-openssl release run test test-chart fresh lint vuln newest bench soak generate tools
