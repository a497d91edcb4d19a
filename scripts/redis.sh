#!/usr/bin/env bash
# Sees to it that a Redis-compatible server is on this machine, since the tests
# hold the embedded one against a real one. Does nothing where there is one.
set -euo pipefail
if [ -n "${REDIS_SERVER:-}" ] || command -v valkey-server >/dev/null || command -v redis-server >/dev/null; then
  exit 0
fi
hint='the tests need a Redis-compatible server: install valkey-server (or redis-server) and run again
  Debian, Ubuntu: apt-get install valkey-server    macOS: brew install valkey'
if ! command -v apt-get >/dev/null; then
  echo "$hint" >&2
  exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! sudo -n true 2>/dev/null; then
    echo "$hint" >&2
    exit 1
  fi
  as_root=(sudo -n)
fi
echo "installing valkey-server or redis-server for the tests"
"${as_root[@]}" apt-get update -qq
for package in valkey-server/bookworm-backports valkey-server redis-server; do
  if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1; then
    exit 0
  fi
done
echo "$hint" >&2
exit 1
