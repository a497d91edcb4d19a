# Shared by the scripts that install tools of the tests: installs packages with apt-get,
# where this user may do so. These scripts source this file and set hint, which tells the user
# what to do by hand.

as_root=()

give_up() {
  echo "$hint" >&2
  exit 1
}

# apt_ready NAME announces the installation, or gives up where nothing can be installed.
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
