#!/usr/bin/env bash
# Takes the pictures of README.md and docs/ anew, of a demonstration that it starts.
set -euo pipefail
cd "$(dirname "$0")/.."
GO=${GO:-go}
scripts/chromium.sh
. scripts/apt.sh
hint='the pictures have flags and emoji: install a font that has them and run again
  Debian, Ubuntu: apt-get install fonts-noto-color-emoji    macOS has one'
emoji() { [ "$(uname)" = Darwin ] || fc-list 2>/dev/null | grep -qi emoji; }
if ! emoji; then
  apt_ready 'a font with emoji'
  apt_install fontconfig fonts-noto-color-emoji || true
  emoji || give_up
fi
CHROMIUM=$(for name in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome; do
  if [ -n "$name" ] && command -v "$name"; then break; fi
done)
export CHROMIUM
[ -d test/web/node_modules ] || (cd test/web && npm ci --ignore-scripts --no-audit --no-fund)

folder=$(mktemp -d)
trap 'kill "$demo" 2>/dev/null || true; rm -rf "$folder"' EXIT
CGO_ENABLED=0 $GO build -trimpath -o "$folder/local" ./cmd/local
touch "$folder/log"
address=127.0.0.1:${PORT:-8097}
"$folder/local" -demo -addr "$address" >"$folder/log" 2>&1 &
demo=$!
until grep -q "^  Page " "$folder/log"; do # it answers before its players have played their week
  kill -0 "$demo" 2>/dev/null || { cat "$folder/log"; exit 1; }
  sleep 1
done
node test/web/pictures.mjs "http://$address" docs/img
