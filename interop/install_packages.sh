#!/bin/sh
# usage: install_packages.sh PACKAGE...
#
# Installs Debian packages and prints each installed one. It installs no recommended packages and starts no
# service, now or at boot, because tests run the servers themselves.
set -eu

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
# Packages ask this program whether to start their services (invoke-rc.d(8)); 101 forbids it.
policy=${POLICY:-/usr/sbin/policy-rc.d}
log=$(mktemp)
own_policy=

clean_up() {
  [ -z "$own_policy" ] || $sudo rm -f "$policy"
  rm -f "$log"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -e "$policy" ]; then
  own_policy=yes
  printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
  $sudo chmod 755 "$policy"
fi

echo "installing with apt-get: $*"
$sudo apt-get update -qq
# With a pseudo-terminal, apt-get ends lines with CR LF. Without LC_ALL, it prints the user's language.
# shellcheck disable=SC2024
$sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
  -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
installed=$(sed -n 's/^Setting up \([^ ]*\) (\(.*\)) \.\.\.$/\1 \2/p' "$log")
printf '%s\n' "$installed" | sed '/./!d; s/^/  installed /'

# Services of packages that were installed before are not changed.
printf '%s\n' "$installed" | while read -r package version; do
  grep -q "^Unpacking $package .* over " "$log" && continue
  dpkg -L "$package" 2>/dev/null | while read -r file; do
    case $file in
      /etc/init.d/?*) $sudo update-rc.d "${file##*/}" disable ;;
      */systemd/system/*.service | */systemd/system/*.socket | */systemd/system/*.timer)
        # The helper requires the variable that dpkg sets.
        $sudo env DPKG_MAINTSCRIPT_PACKAGE="${package%%:*}" deb-systemd-helper disable "${file##*/}" ;;
    esac >/dev/null 2>&1 || echo "  could not disable ${file##*/}"
  done
done
