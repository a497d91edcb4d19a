#!/usr/bin/env bash
# Installs a Redis-compatible server, unless this machine has one already: the tests compare
# the embedded server with a real one. It must be Valkey 8, or Redis 7.2 or later, since older
# servers answer some commands differently.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

hint='the tests need a Redis-compatible server: install Valkey 8 (or Redis 7.2 and later) and run again
  Debian 12: apt-get install -t bookworm-backports valkey-server    macOS: brew install valkey
  or name one in REDIS_SERVER'

# found prints the server that the tests will run.
found() {
  for name in "${REDIS_SERVER:-}" valkey-server redis-server; do
    if [ -n "$name" ] && command -v "$name"; then return 0; fi
  done
  return 1
}

# fit reports whether a server is new enough.
fit() {
  local version
  version=$("$1" --version | sed -n 's/.* v=\([0-9]*\.[0-9]*\).*/\1/p')
  [ "$(printf '%s\n' 7.2 "$version" | sort -V | head -1)" = 7.2 ]
}

if server=$(found); then
  if fit "$server"; then exit 0; fi
  echo "$server is too old; $hint" >&2
  exit 1
fi
apt_ready valkey-server
for package in valkey-server/bookworm-backports valkey-server; do
  if apt_install "$package"; then
    exit 0
  fi
done
give_up
