#!/usr/bin/env bash
# The first deployment to AWS, and each later one: `make deploy`.
#
# The script reads settings from .env.deploy, which git ignores and only this user may read.
# It asks once for missing settings and adds the answers to the file; it makes the product's
# own secrets. It asks nothing else. SAM gets its parameters in a temporary file that only this
# user may read: every process on the machine can read command-line arguments.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 077
GO=${GO:-go}
SETTINGS=${SETTINGS:-.env.deploy}

die() { echo "deploy: $*" >&2; exit 1; }

for tool in sam "$GO"; do
  command -v "$tool" >/dev/null || die "$tool is not on PATH; see docs/operate/deploy.md"
done
touch "$SETTINGS"
chmod 600 "$SETTINGS"

# setting NAME: prints its value in the file, or in the environment, without quotes.
setting() {
  local line value
  line=$(grep -E "^$1=" "$SETTINGS" | tail -n 1 || true)
  value=${line#*=}
  [ -n "$line" ] || value=${!1:-}
  case $value in
    \"*\") value=${value#\"} value=${value%\"} ;;
    \'*\') value=${value#\'} value=${value%\'} ;;
  esac
  printf '%s' "$value"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# wrong: reads NAME=value\0 … and prints the settings that the template would refuse. It
# succeeds where there are any.
wrong() {
  $GO run ./scripts/settings >"$work/faults" 2>"$work/errors" && return 1
  [ -s "$work/faults" ] || die "$(cat "$work/errors")"
  cat "$work/faults"
}

has() { grep -qE "^$1=" "$SETTINGS" || [ -n "${!1+set}" ]; }

# ask NAME REQUIRED QUESTION: asks once and adds the answer to the file, even an empty one.
# Where the template would refuse the answer, it says why and asks again.
ask() {
  local answer= says=
  if has "$1"; then
    [ "$2" != yes ] || [ -n "$(setting "$1")" ] || die "$1 is empty in $SETTINGS: $3"
    return
  fi
  [ -t 0 ] || [ -n "${DEPLOY_ASKS:-}" ] || {
    [ "$2" != yes ] || die "$1 is missing in $SETTINGS: $3"
    return 0
  }
  while :; do
    printf '%s\n  %s = ' "$3" "$1" >&2
    IFS= read -r answer || die "$1 is missing in $SETTINGS"
    if says=$(printf '%s=%s\0' "$1" "$answer" | wrong); then
      printf '  invalid value: %s\n' "${says#"$1: "}" >&2
    elif [ -n "$answer" ] || [ "$2" != yes ]; then
      break
    fi
  done
  printf '%s=%s\n' "$1" "$answer" >>"$SETTINGS"
}

# invent NAME: makes a secret of the product's own, unless there is one. In a workflow it makes
# none: the machine would forget it and make another one next time, which would lock everybody
# out.
invent() {
  grep -qE "^$1=" "$SETTINGS" && return
  [ -z "${CI:-}" ] || [ -n "$(setting "$1")" ] || die "$1 is missing: make one with openssl rand -hex 32 and keep it among the secrets of the workflow"
  has "$1" && return
  printf '%s=%s\n' "$1" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >>"$SETTINGS"
  echo "deploy: generated $1 (in $SETTINGS)" >&2
}

ask AWS_REGION yes "AWS region, the nearest to the Upstash database, such as eu-west-1"
ask UPSTASH_REDIS_REST_URL yes "REST URL of the Upstash database (Upstash console, REST API)"
ask UPSTASH_REDIS_REST_TOKEN yes "REST token, not the read-only one"
ask CLERK_ISSUER no "Clerk's Frontend API URL, such as https://clerk.example.com (empty: no sign-in with Clerk)"
ask CLERK_AUTHORIZED_PARTIES no "Origins where players sign in, comma-separated; native for apps (empty: any)"
ask ALLOWED_ORIGINS no "Origins whose pages may call the API, comma-separated (empty: any)"
ask DATABASE_URL no "Postgres for the archive, such as Neon's pooled address (empty: no archive)"
if [ -n "$(setting DATABASE_URL)" ]; then
  ask DATABASE_URL_DIRECT no "its direct address for migrations (empty: the same)"
fi
invent OPS_TOKEN
invent SIGNING_KEYS

# The key may be in a file, in the form in which Clerk's dashboard shows it.
key=$(setting CLERK_JWT_KEY)
key=${key//$'\n'/\\n}
file=$(setting CLERK_JWT_KEY_FILE)
if [ -n "$file" ]; then
  [ -r "$file" ] || die "CLERK_JWT_KEY_FILE: $file cannot be read"
  key=$(awk '{printf "%s\\n", $0}' "$file")
fi
[ -z "$key" ] || [ -n "$(setting CLERK_ISSUER)" ] || die "CLERK_JWT_KEY needs CLERK_ISSUER beside it"

# The name of a setting follows from its parameter: CLERK_ISSUER for ClerkIssuer.
parameters=$(awk '/^[A-Z]/ { inside = /^Parameters:/ } inside && /^  [A-Za-z]+:$/ { gsub(/[ :]/, ""); print }' template.yaml)
named() { sed 's/[A-Z]/_&/g; s/^_//' <<<"$1" | tr '[:lower:]' '[:upper:]'; }

settings=$(for parameter in $parameters; do named "$parameter"; done)
for name in $(grep -oE '^[A-Za-z_0-9]+=' "$SETTINGS" | tr -d =); do
  case " AWS_REGION STACK_NAME DATABASE_URL_DIRECT CLERK_JWT_KEY_FILE $(tr '\n' ' ' <<<"$settings")" in
    *" $name "*) ;;
    *) echo "deploy: unknown setting $name; see docs/reference/environment.md" >&2 ;;
  esac
done

# All settings are checked before anything is built: a deployment takes minutes to find the
# first wrong one.
for name in AWS_REGION $settings; do
  value=$key
  [ "$name" = CLERK_JWT_KEY ] || value=$(setting "$name")
  printf '%s=%s\0' "$name" "$value"
done >"$work/settings"
if wrong <"$work/settings" >"$work/refused"; then
  sed 's/^/deploy: /' "$work/refused" >&2
  die "fix $SETTINGS or the environment, and run this again"
fi
case $(setting DATABASE_URL) in
  '{{resolve:'*) [ -n "$(setting DATABASE_URL_DIRECT)" ] || die "DATABASE_URL is a reference, which only AWS can read: give DATABASE_URL_DIRECT for the migrations" ;;
esac

if [ -n "$(setting DATABASE_URL)" ]; then
  DATABASE_URL=$(setting DATABASE_URL) DATABASE_URL_DIRECT=$(setting DATABASE_URL_DIRECT) $GO run ./cmd/lbctl migrate
fi

# override PARAMETER VALUE: prints one element of a TOML list, quoted for SAM and for TOML.
override() {
  [ -n "$2" ] || return 0
  local value=$2
  value=${value//\"/\\\"}
  value="$1=\"$value\""
  value=${value//\\/\\\\}
  value=${value//\"/\\\"}
  printf '  "%s",\n' "$value"
}

{
  echo 'version = 0.1'
  echo '[default.deploy.parameters]'
  echo 'parameter_overrides = ['
  for parameter in $parameters; do
    value=$key
    [ "$parameter" = ClerkJwtKey ] || value=$(setting "$(named "$parameter")")
    override "$parameter" "$value"
  done
  echo ']'
} >"$work/samconfig.toml"

stack=$(setting STACK_NAME)
region=$(setting AWS_REGION)
sam build --parallel
sam deploy --config-file "$work/samconfig.toml" --stack-name "${stack:-framedle-leaderboards}" --region "$region" \
  --resolve-s3 --capabilities CAPABILITY_IAM --no-confirm-changeset --no-fail-on-empty-changeset

echo "deploy: next, verify the deployment (ApiUrl is above):" >&2
echo "  env \$(grep -E '^(OPS_TOKEN|SIGNING_KEYS)=' $SETTINGS) $GO run ./cmd/lbctl doctor API_URL" >&2
