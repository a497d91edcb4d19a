#!/usr/bin/env bash
# Lists the modules that programs of this repository link, each with its licence, as told by the
# words of its licence file. It fails where it does not know one: read that file then.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
while read -r path version folder; do
  text=$(cat "$folder"/LICEN[CS]E* "$folder"/COPYING* 2>/dev/null | tr -s '[:space:]' ' ' || true)
  case $text in
    *"Apache License"*) name=Apache-2.0 ;;
    *"Mozilla Public License"*) name=MPL-2.0 ;;
    *"Redistribution and use in source and binary forms"*"Neither the name"*) name=BSD-3-Clause ;;
    *"Redistribution and use in source and binary forms"*) name=BSD-2-Clause ;;
    *"Permission is hereby granted, free of charge"*) name=MIT ;;
    *"Permission to use, copy, modify, and"*"distribute this software for any purpose"*) name=ISC ;;
    *) name=UNKNOWN status=1 ;;
  esac
  printf '%-14s %s %s\n' "$name" "$path" "$version"
done < <(${GO:-go} list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/... ./functions/... ./client | grep . | sort -u)
exit $status
