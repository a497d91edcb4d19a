# `make help`, the default, lists the targets for people.
#
# SAM calls `make build-<LogicalId>` with ARTIFACTS_DIR set, in a copy of the
# sources without .git; those targets use nothing but the sources and the Go tool.

GO     ?= go
N      ?= 30
SCRIPT := scripts

FUNCTIONS := $(notdir $(patsubst %/,%,$(dir $(wildcard functions/*/main.go))))

# The version that a build reports: the tag or revision of the sources. Without git, as in SAM's
# copy, it is the version that `make deploy` passes on, else the newest release in the
# changelog.
VERSION ?= $(or $(shell git describe --tags --always --dirty 2>/dev/null),$(shell sed -n 's/^.. \[*\(v[0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1),unknown)
export VERSION

# Flags of a deployment. They leave out the RPC mode of the retired go1.x runtime, HTTP/2 (no
# function uses it), symbols, and paths of the building machine.
TAGS    := lambda.norpc,nethttpomithttp2
GOBUILD  = CGO_ENABLED=0 $(GO) build -tags $(TAGS) -trimpath -buildvcs=false -ldflags "-s -w -X github.com/framedle/leaderboards/internal/product/app.version=$(VERSION)"
# Lambda's processors are Graviton2 or later and have the atomic instructions of Armv8.1. So the
# compiler emits only these, without a fallback.
ARM     := GOOS=linux GOARCH=arm64 GOARM64=v8.0,lse

.DEFAULT_GOAL := help
.PHONY: help dev demo test web generate docs pictures build deploy invoke replay replay-activity import soak bench-coldstart bench-rest bench-http bench-queue bench-closing bench-past bench-invocation bench-cost bench-typing bench-parquet bench-abuse bench-live bench-bands bench lint lines licences fmt clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev: ## run everything locally in one process; ARGS='-addr 127.0.0.1:8080'
	$(GO) build -o .build/local ./cmd/local && exec .build/local $(ARGS)

demo: ## make dev with simulated players and a week of data
	$(GO) build -o .build/local ./cmd/local && exec .build/local -demo $(ARGS)

test: ## run all checks: format, vet, staticcheck, builds, tests
	@GO="$(GO)" $(SCRIPT)/test.sh

web: ## build the client, the pages and the widget into sdk/js/dist and web/dist
	cd sdk/js && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs
	cd web && npm ci --ignore-scripts --no-audit --no-fund && node build.mjs

generate: ## regenerate files made from the game file's keys and the route table
	$(GO) test ./internal/gamefile -run TestWhatIsMadeFromTheKeysIsCurrent -update
	$(GO) test ./internal/api -run TestWhatIsMadeFromTheRowsIsCurrent -update

docs: ## build the documentation's site into site/.vitepress/dist, and check its links
	cd site && npm ci --ignore-scripts --no-audit --no-fund && npm run build && node check.mjs

pictures: ## take the screenshots of README.md and docs/
	@GO="$(GO)" $(SCRIPT)/pictures.sh

build: $(addprefix .build/,$(addsuffix /bootstrap,$(FUNCTIONS))) ## build every function into .build/<name>/bootstrap

deploy: ## build and deploy to AWS (prompts for missing settings)
	@GO="$(GO)" $(SCRIPT)/deploy.sh

.PHONY: FORCE
.build/%/bootstrap: FORCE
	$(ARM) $(GOBUILD) -o $@ ./functions/$*

# One line for each function of template.yaml.
.PHONY: build-SubmitFunction build-LeaderboardFunction build-CronDailyFunction build-CronWeeklyFunction build-CronSaveFunction build-CronUsageFunction build-EnqueueFunction build-IngestFunction build-OpsFunction build-MeFunction build-FriendsFunction build-WebhookFunction build-DuelFunction build-EventsFunction build-ComputeFunction build-GraphqlFunction build-CronMergeFunction
build-SubmitFunction: build/submit
build-EnqueueFunction: build/enqueue
build-IngestFunction: build/ingest
build-LeaderboardFunction: build/leaderboard
build-CronDailyFunction: build/cron-daily
build-CronWeeklyFunction: build/cron-weekly
build-CronSaveFunction: build/cron-save
build-CronUsageFunction: build/cron-usage
build-OpsFunction: build/ops
build-MeFunction: build/me
build-FriendsFunction: build/friends
build-WebhookFunction: build/webhook
build-DuelFunction: build/duel
build-EventsFunction: build/events
build-ComputeFunction: build/compute
build-GraphqlFunction: build/graphql
build-CronMergeFunction: build/cron-merge

build/%: FORCE
	@test -n "$(ARTIFACTS_DIR)" || { echo "ARTIFACTS_DIR is empty: SAM sets it; by hand, ARTIFACTS_DIR=/tmp/out make build-SubmitFunction" >&2; exit 2; }
	$(ARM) $(GOBUILD) -o "$(ARTIFACTS_DIR)/bootstrap" ./functions/$*

invoke: ## run one function locally with one event: FUNCTION=submit EVENT=events/submit.json
	@$(GO) run ./cmd/invoke -function "$(or $(FUNCTION),leaderboard)" -event "$(or $(EVENT),events/$(or $(FUNCTION),leaderboard).json)" $(ARGS)

replay: ## replay a recorded day through the API; ARGS='-file scores.csv'
	$(GO) run ./lab/cmd/replay $(ARGS)

replay-activity: ## replay messages as events with unreliable senders: FILE=messages.txt ARGS='-cut 40'
	$(GO) run ./lab/cmd/replay activity $(ARGS) $(FILE)

import: ## import scores from a file: ARGS='scores.csv'
	$(GO) run ./cmd/lbctl import $(ARGS)

soak: ## simulate three months and compare with a reference model; SEED=1 ARGS='-players 200'
	$(GO) run ./lab/cmd/soak $(if $(SEED),-seed $(SEED)) -database-url auto -history -streaks -snapshots -removals -loss 40 $(ARGS)

bench-coldstart: ## start-up time, size and memory vs. a minimal function; N=30 runs of each
	$(GO) run ./lab/bench/coldstart -n $(N)

bench-rest: ## CPU of the local Upstash server per command, vs. Redis and a minimal function; N=20000 commands a round
	$(GO) run ./lab/bench/rest $(if $(filter command line,$(origin N)),-n $(N))

bench-http: ## throughput, latency and CPU on a board of a million players, vs. a minimal function; ARGS='-n 1000 -only card'
	$(GO) run ./lab/bench/http $(ARGS)

bench-abuse: ## load test with 1,000 abusive clients; ARGS='-for 60s'
	$(GO) run ./lab/bench/abuse $(ARGS)

bench-live: ## memory, CPU and latency with 1,000 viewers; ARGS='-n 100 -changes 20'
	$(GO) run ./lab/bench/live $(ARGS)

bench-bands: ## a board of 20 million players split over four databases; ARGS='-n 1000000'
	$(GO) run ./lab/bench/bands $(ARGS)

bench-queue: ## throughput of queued scores on boards of a million players
	$(GO) test ./internal/feature/queue -run '^$$' -bench '^BenchmarkIngest$$' -benchtime 5s

bench-closing: ## commands, time and latency of closing a day of N players
	$(GO) run ./lab/bench/closing $(if $(filter command line,$(origin N)),-n $(N)) $(ARGS)

bench-past: ## import of a year of history, checked against a plain count; ARGS='-file days.csv -share 0.1'
	$(GO) run ./lab/bench/past $(ARGS)

bench-invocation: ## CPU time, log and response size of each function as deployed; N=2000 of each
	$(GO) run ./lab/bench/invocation $(if $(filter command line,$(origin N)),-n $(N))

bench-cost: ## billed commands per daily player, vs. the baseline; ARGS='-n 100,1000'
	$(GO) run ./lab/bench/cost $(ARGS)

bench-typing: ## billed commands of the typing game's baseline day; ARGS='-seed 2'
	$(GO) run ./lab/bench/typing $(ARGS)

bench-parquet: ## export and import of a day of a million players as Parquet; ARGS='-n 100000'
	$(GO) run ./lab/bench/parquet $(ARGS)

bench: ## run the Go benchmarks of all packages
	$(GO) test -run '^$$' -bench . -benchmem ./...

lint: ## run vet, staticcheck, and cfn-lint if installed
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	@if command -v cfn-lint >/dev/null; then cfn-lint template.yaml && echo "cfn-lint: ok"; \
	else echo "cfn-lint: not on PATH, template.yaml was not linted (pip install cfn-lint)"; fi

licences: ## list the licence of each linked module
	@GO="$(GO)" $(SCRIPT)/licences.sh

# What .github/workflows/release.yml attaches to a release.
.PHONY: release
release: build ## build the release archives into .build/release
	@mkdir -p .build/release
	@for name in $(FUNCTIONS); do (cd .build/$$name && zip -q -X ../release/$$name-arm64.zip bootstrap); done
	@for to in linux/amd64 linux/arm64 darwin/arm64 windows/amd64; do \
	  GOOS=$${to%/*} GOARCH=$${to#*/} CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags "-s -w -X github.com/framedle/leaderboards/internal/product/app.version=$(VERSION)" \
	    -o .build/release/lbctl-$${to%/*}-$${to#*/} ./cmd/lbctl || exit 1; done

lines: ## count the product's lines by package
	@$(SCRIPT)/lines.sh

fmt: ## format all Go files
	gofmt -w .

clean: ## remove build output
	rm -rf .build .aws-sam coverage.out
