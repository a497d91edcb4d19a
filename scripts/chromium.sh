#!/usr/bin/env bash
# Installs Chromium, in which the tests open the pages, unless this machine has it already.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

hint='the tests need Chromium: install it and run again
  Debian, Ubuntu: apt-get install chromium-headless-shell, or chromium    macOS: brew install --cask chromium
  or name one in CHROMIUM'

# The shell makes no window for each page, and so takes half the time.
found() {
  for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name" >/dev/null; then return 0; fi
  done
  return 1
}

if found; then exit 0; fi
apt_ready chromium
apt_install chromium-headless-shell fonts-dejavu-core || apt_install chromium fonts-dejavu-core || true
if found; then exit 0; fi
give_up
