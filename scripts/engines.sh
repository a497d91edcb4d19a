#!/usr/bin/env bash
# Installs the compilers and libraries of the clients for engines that the tests run, C++ and
# C#, unless this machine has them already.
set -euo pipefail
. "$(dirname "$0")/apt.sh"

hint='the tests need g++ with libcurl and nlohmann/json, and Mono with Newtonsoft.Json: install them and run again
  Debian, Ubuntu: apt-get install g++ libcurl4-openssl-dev nlohmann-json3-dev mono-mcs mono-runtime libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil'

found() {
  command -v mcs >/dev/null && command -v mono >/dev/null && [ -e /usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll ] &&
    printf '#include <curl/curl.h>\n#include <nlohmann/json_fwd.hpp>\n' | g++ -std=c++17 -x c++ -fsyntax-only - 2>/dev/null
}

if found; then exit 0; fi
apt_ready "compilers of C++ and C#"
apt_install g++ libcurl4-openssl-dev nlohmann-json3-dev mono-mcs mono-runtime libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil || true
if found; then exit 0; fi
give_up
