#!/usr/bin/env bash
# Runs every check of `make test`, all of them even when one fails, and ends with a
# summary. A skipped test counts as a failure: a test that does not run proves
# nothing. The exit status is 0 only when everything passed.
set -uo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
# The flags with which functions are built: so packages that both the tests and the programs
# built by tests use are compiled once.
export CGO_ENABLED=0 GOFLAGS="${GOFLAGS:-} -trimpath"
# Compilers, checks and tests spend a tenth to a third of their time on garbage collection, and need
# little memory.
export GOGC="${GOGC:-300}"
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
summary=()
failed=0

# step NAME COMMAND...: runs the command and shows its output only if it fails.
step() {
  local name=$1 began=$SECONDS status=ok
  shift
  printf '%-14s ' "$name"
  if ! "$@" >"$log/$name" 2>&1; then
    status=FAILED
    failed=1
  fi
  printf '%s\n' "$status"
  if [ "$status" = FAILED ]; then
    show "$log/$name"
  fi
  summary+=("$(printf '%-14s %-6s %4d s' "$name" "$status" $((SECONDS - began)))")
}

# show prints a log; of the log of a test run it prints only the lines about failures.
show() {
  if grep -qE '^(ok|FAIL|---|===)' "$1"; then
    grep -vE '^(=== |\s*--- PASS|ok  |PASS|\?   )|\[rapid\] OK' "$1"
  else
    cat "$1"
  fi
}

formatted() {
  local files
  files=$(gofmt -l .) || return 1
  [ -z "$files" ] || { echo "not formatted, run make fmt:"; echo "$files"; return 1; }
}

# One more package than there are processors runs at the same time, since tests often wait for
# servers, browsers and clocks. The longest start first, so that none runs alone at the end.
# The flags leave out vet, which has run already, debug information and memory profiles.
tests() {
  GODEBUG=memprofilerate=0 $GO test -timeout 20m -vet=off -ldflags=-w -p $(($(getconf _NPROCESSORS_ONLN) + 1)) -v \
    ./test/web ./internal/product/jobs ./internal/api ./internal/lifecycle/closing ./internal/lifecycle ./functions ./cmd/lbctl ./... || return 1
  ! grep -qE '^\s*--- SKIP' "$log/tests" || { echo "tests were skipped:"; return 1; }
}

checked() {
  $GO tool staticcheck ./...
}

template_lint() {
  cfn-lint template.yaml
}

# What a function brings along is downloaded at each cold start. Those that take scores link no
# Postgres driver; live and all are containers. The engine of GraphQL has a larger part.
small() {
  local size most name
  for name in .build/*/bootstrap; do
    name=${name#.build/} name=${name%/bootstrap} most=18874368
    case $name in
      live | all) continue ;;
      graphql) most=23068672 ;;
      submit | enqueue | ingest | events) most=12582912 ;;
    esac
    size=$(wc -c <".build/$name/bootstrap")
    echo "$name has $size bytes"
    [ "$size" -le "$most" ] || { echo "$name has more than $most bytes: see which functions are new: go tool nm -size -sort size"; return 1; }
  done
}

scripts/redis.sh || exit 1
scripts/postgres.sh || exit 1
scripts/python.sh || exit 1
scripts/chromium.sh || exit 1
scripts/engines.sh || exit 1
scripts/prometheus.sh || exit 1
step format formatted
step vet $GO vet ./...
step staticcheck checked
step build-arm64 make --no-print-directory -j "$(getconf _NPROCESSORS_ONLN)" build
step size small
if command -v cfn-lint >/dev/null; then step cfn-lint template_lint; fi
step tests tests

passed=$(grep -cE '^\s*--- PASS' "$log/tests")
broken=$(grep -cE '^\s*--- FAIL' "$log/tests")
skipped=$(grep -cE '^\s*--- SKIP' "$log/tests")
echo
printf '%s\n' "${summary[@]}"
command -v cfn-lint >/dev/null || echo "cfn-lint       not on PATH, template.yaml was not linted"
echo "tests: $passed passed, $broken failed, $skipped skipped"
if [ $failed -ne 0 ]; then
  echo FAILED
  exit 1
fi
echo PASSED
