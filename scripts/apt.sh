# What redis.sh, postgres.sh, python.sh and chromium.sh share: packages by apt-get, where this
# user may install them. They set hint, what to do by hand, and source this.

as_root=()

give_up() {
  echo "$hint" >&2
  exit 1
}

# apt_ready NAME says what is coming, or gives up where nothing can be installed.
apt_ready() {
  command -v apt-get >/dev/null || give_up
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || give_up
    as_root=(sudo -n)
  fi
  echo "installing $1 for the tests"
  "${as_root[@]}" apt-get update -qq
}

apt_install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}
