#!/bin/sh
# usage: make_packages.sh INSTALLED RELAY OUTPUT
#
# Makes an archive, Debian packages and their checksums in the folder OUTPUT, from what `make install RELAY=no`
# installed with PREFIX=/usr into the folder INSTALLED, and `make install-relay` into the folder RELAY. Without the
# folder RELAY there is no package of it. The bytes depend only on the installed files, VERSION, MAINTAINER and
# SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch), not on the time, the user or the
# umask.
set -eu
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH
packaging=$(cd "$(dirname "$0")" && pwd)
installed=$1 relay=$2 output=$3
# Debian has a package tripwire, which would replace one of this name as its newer version.
package=tripwire-fleet
arch=$(dpkg --print-architecture)
# The programs need libraries of the release that they are built on, such as debian12.
# shellcheck disable=SC1091
version=$VERSION+$(. /etc/os-release && echo "$ID${VERSION_ID:-}")
archive=tripwire-$VERSION-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$output"
cp -r "$installed/usr" "$work/$archive"
install -d "$work/$archive/share/doc/tripwire"
cp "$packaging/copyright" "$packaging/../LICENSE" "$work/$archive/share/doc/tripwire"
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
  -C "$work" -c "$archive" | gzip -n9 >"$output/$archive.tar.gz"

# debian_package NAME DEPENDS FIELDS SUMMARY
#
# Makes a package of the folder $work/NAME. It depends on DEPENDS and on the libraries of its programs. FIELDS are more
# lines of its control file. The description is read from stdin.
debian_package() {
  name=$1
  root=$work/$name
  doc=$root/usr/share/doc/$name
  mkdir -p "$root/DEBIAN" "$doc"
  cp "$packaging/copyright" "$doc"
  cp "$packaging/../CHANGELOG.md" "$doc"
  printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' "$package" "$version" \
    "$MAINTAINER" "$(date -R -d "@$SOURCE_DATE_EPOCH")" >"$doc/changelog"
  gzip -n9 "$doc/changelog" "$doc/CHANGELOG.md" "$root"/usr/share/man/man1/*

  # dpkg-shlibdeps requires the control file of a source package.
  mkdir -p "$work/debian"
  printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$package" "$name" >"$work/debian/control"
  depends=$(cd "$work" && dpkg-shlibdeps -O "$name"/usr/bin/* | sed -n 's/^shlibs:Depends=//p')
  [ -n "$depends" ]
  # The packed relocations need glibc 2.36, which dpkg-shlibdeps does not notice.
  libc=$(printf '%s\n' "$depends" | sed -n 's/.*libc6 (>= \([^)]*\)).*/\1/p')
  if dpkg --compare-versions "$libc" lt 2.36; then
    depends=$(printf '%s\n' "$depends" | sed 's/libc6 ([^)]*)/libc6 (>= 2.36)/')
  fi
  chmod -R u=rwX,go=rX "$root"
  # In KiB, as dpkg-gencontrol(1) counts: the files, each rounded up, and one for every other entry.
  size=$(cd "$root" && find usr \( -type f -printf '%s\n' \) -o -printf '1\n' |
    awk '{ size += int(($1 + 1023) / 1024) } END { print size }')
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  {
    echo "Package: $name"
    [ "$name" = "$package" ] || echo "Source: $package"
    cat <<CONTROL
Version: $version
Architecture: $arch
Maintainer: $MAINTAINER
Installed-Size: $size
Depends: $2$depends
$3
Section: net
Priority: optional
Description: $4
CONTROL
    cat
  } >"$root/DEBIAN/control"
  chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
  # The result of xz depends on the number of its threads.
  dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" \
    "$output/${name}_${version}_$arch.deb" >/dev/null
}

mkdir "$work/$package"
cp -r "$installed/usr" "$work/$package"
share=$work/$package/usr/share
# Debian's zsh reads no site-functions below /usr, and Leaflet is the package libjs-leaflet.
mv "$share/zsh/site-functions" "$share/zsh/vendor-completions"
rm -rf "$share/tripwire/leaflet"
# The package of the program has its page.
relay_page=usr/share/man/man1/tripwire-relay.1
rm "$work/$package/$relay_page"
debian_package "$package" "" "Recommends: ca-certificates, libcurl4, libjs-leaflet
Suggests: $package-relay" \
  "get, follow and map trips of Google Maps Fleet Engine" <<DESCRIPTION
 The command tripwire gets trips and vehicles from Fleet Engine, follows them,
 and shows them on a map in the browser. It mints tokens, decodes error details,
 calls any other gRPC service, and records and replays calls.
 .
 This is not the file integrity checker of the Debian package tripwire, and not
 a Google product.
DESCRIPTION

if [ -d "$relay" ]; then
  mkdir "$work/$package-relay"
  cp -r "$relay/usr" "$work/$package-relay"
  cp "$installed/$relay_page" "$work/$package-relay/$relay_page"
  debian_package "$package-relay" "$package (= $version), " "Recommends: ca-certificates, libcurl4
Suggests: nats-server" \
    "share trips of Google Maps Fleet Engine through NATS" <<DESCRIPTION
 The program tripwire-relay carries out the command tripwire relay. Workers poll
 each wanted trip once, and any number of readers receive it through NATS with
 JetStream. It also receives the trips of tripwire follow --from.
 .
 The package has systemd units for one worker, tripwire-relay.service, and for
 several, tripwire-relay@.service, which are neither enabled nor started.
DESCRIPTION
fi
cd "$output" && sha256sum ./*.deb ./*.tar.gz | sed 's| \./| |' >SHA256SUMS
