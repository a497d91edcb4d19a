#!/usr/bin/env bash
# Installs Python 3.9 or later, since the tests run the recipe for Python, unless this machine
# has it already.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

hint='the tests need Python 3.9 or later as python3: install it and run again
  Debian, Ubuntu: apt-get install python3    macOS: brew install python'

found() { python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; }

if found; then exit 0; fi
apt_ready python3
apt_install python3 || true
if found; then exit 0; fi
give_up
