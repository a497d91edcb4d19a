#!/usr/bin/env bash
# Counts the lines of the product: Go without tests, test kits, generated files and blank lines.
# A test kit is the package testkit, or one whose name ends in test.
set -euo pipefail
cd "$(dirname "$0")/.."
find internal cmd functions client -name '*.go' ! -name '*_test.go' ! -path '*/testdata/*' ! -path '*test/*' ! -path '*/testkit/*' -print0 |
  { xargs -0 grep -L '^// Code generated .* DO NOT EDIT\.$' || true; } | # it fails if no file is generated
  xargs grep -c '[^[:space:]]' /dev/null |
  awk -F: '$1 != "/dev/null" { sub("/[^/]*$", "", $1); lines[$1] += $2 }
    END { for (p in lines) printf "%7d  %s\n", lines[p], p }' |
  sort -k2 |
  awk '{ print; sum += $1 } END { printf "%7d  in %d packages\n", sum, NR }'
