#!/usr/bin/env bash
# Sees to it that Python 3.9 or later is on this machine, since the tests run the
# recipe for it. Does nothing where it is; otherwise installs it.
set -euo pipefail

hint='the tests need Python 3.9 or later as python3: install it and run again
  Debian, Ubuntu: apt-get install python3    macOS: brew install python'

found() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }

if found; then exit 0; fi
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
echo "installing python3 for the tests"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 >/dev/null 2>&1 || true
if found; then exit 0; fi
echo "$hint" >&2
exit 1
