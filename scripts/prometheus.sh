#!/usr/bin/env bash
# Puts the programs of Prometheus into .build/tools, with which the tests check and evaluate the
# rules of deploy/prometheus, unless this machine has them already. The package is only unpacked:
# it would start a server.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/apt.sh

hint='the tests need prometheus and promtool 2.42 or later: put them on PATH or into .build/tools and run again
  Debian, Ubuntu: apt-get install prometheus    macOS: brew install prometheus'
tools=.build/tools

found() {
  for name in prometheus promtool; do
    command -v "$name" >/dev/null || [ -x "$tools/$name" ] || return 1
  done
}

if found; then exit 0; fi
apt_ready prometheus
mkdir -p "$tools"
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
(cd "$package" && apt-get download -qq prometheus 2>/dev/null) || give_up
dpkg-deb --fsys-tarfile "$package"/prometheus_*.deb | tar -x -C "$tools" --strip-components 3 ./usr/bin/prometheus ./usr/bin/promtool || give_up
if found; then exit 0; fi
give_up
