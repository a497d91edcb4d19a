#!/usr/bin/env bash
# Installs the programs of Postgres 14 or later, unless this machine has them already. The
# tests run the history over a real server, which they start themselves; so no server is left
# running.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

hint='the tests need Postgres 14 or later: install it and run again
  Debian, Ubuntu: apt-get install postgresql    macOS: brew install postgresql@17
  or name the folder of initdb and postgres in PG_BIN'

# found reports whether there are programs that are new enough in the places in which the
# tests look.
found() {
  local bins=("${PG_BIN:-}") bin version
  if [ -z "${PG_BIN:-}" ]; then
    bins=(/usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin)
    if command -v postgres >/dev/null; then
      bins+=("$(dirname "$(readlink -f "$(command -v postgres)")")")
    fi
  fi
  for bin in "${bins[@]}"; do
    [ -x "$bin/initdb" ] || continue
    version=$("$bin/postgres" --version 2>/dev/null | sed -n 's/^postgres (PostgreSQL) \([0-9]*\).*/\1/p')
    if [ "${version:-0}" -ge 14 ]; then return 0; fi
  done
  return 1
}

if found; then exit 0; fi
[ -z "${PG_BIN:-}" ] || give_up
apt_ready postgresql
# The package would create and start a cluster, which nothing here uses. So a setting prevents
# this during the installation, and is restored afterwards.
own=/etc/postgresql-common/createcluster.conf
if apt_install postgresql-common; then
  "${as_root[@]}" cp -p "$own" "$own.before"
  "${as_root[@]}" sed -i 's/^#* *create_main_cluster *=.*/create_main_cluster = false/' "$own"
  apt_install postgresql || true
  "${as_root[@]}" mv "$own.before" "$own"
  if found; then exit 0; fi
fi
give_up
