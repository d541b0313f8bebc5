#!/bin/sh
# usage: make_packages.sh INSTALLED OUTPUT
#
# Makes an archive, a Debian package and their checksums in the folder OUTPUT, from what `make install` installed
# with PREFIX=/usr into the folder INSTALLED. The bytes depend only on the installed files, VERSION, MAINTAINER and
# SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch), not on the time, the user or the
# umask.
set -eu
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH
packaging=$(cd "$(dirname "$0")" && pwd)
installed=$1 output=$2
# Debian has a package tripwire, which would replace one of this name as its newer version.
package=tripwire-fleet
arch=$(dpkg --print-architecture)
archive=tripwire-$VERSION-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$output"
cp -r "$installed/usr" "$work/$archive"
install -d "$work/$archive/share/doc/tripwire"
cp "$packaging/copyright" "$packaging/../LICENSE" "$work/$archive/share/doc/tripwire"
tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
  -C "$work" -c "$archive" | gzip -n9 >"$output/$archive.tar.gz"

root=$work/root
doc=$root/usr/share/doc/$package
mkdir -p "$root/DEBIAN" "$doc"
cp -r "$installed/usr" "$root"
# Debian's zsh reads no site-functions below /usr, and Leaflet is the package libjs-leaflet.
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
rm -rf "$root/usr/share/tripwire/leaflet"
cp "$packaging/copyright" "$doc"
cp "$packaging/../CHANGELOG.md" "$doc"
printf '%s (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n -- %s  %s\n' "$package" "$VERSION" \
  "$MAINTAINER" "$(date -R -d "@$SOURCE_DATE_EPOCH")" >"$doc/changelog"
gzip -n9 "$doc/changelog" "$doc/CHANGELOG.md" "$root"/usr/share/man/man1/*

# dpkg-shlibdeps requires the control file of a source package.
mkdir "$work/debian"
printf 'Source: %s\n\nPackage: %s\nArchitecture: any\n' "$package" "$package" >"$work/debian/control"
# The packed relocations need glibc 2.36, which dpkg-shlibdeps does not notice.
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/* |
  sed -n 's/libc6 ([^)]*)/libc6 (>= 2.36)/; s/^shlibs:Depends=//p')
[ -n "$depends" ]
chmod -R u=rwX,go=rX "$root"
# In KiB, as dpkg-gencontrol(1) counts: the files, each rounded up, and one for every other entry.
size=$(cd "$root" && find usr \( -type f -printf '%s\n' \) -o -printf '1\n' |
  awk '{ size += int(($1 + 1023) / 1024) } END { print size }')
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<CONTROL
Package: $package
Version: $VERSION
Architecture: $arch
Maintainer: $MAINTAINER
Installed-Size: $size
Depends: $depends
Recommends: ca-certificates, libjs-leaflet
Section: net
Priority: optional
Description: get, follow and map trips of Google Maps Fleet Engine
 The command tripwire gets trips and vehicles from Fleet Engine, follows them,
 and shows them on a map in the browser. It mints tokens, decodes error details,
 calls any other gRPC service, and records and replays calls.
 .
 This is not the file integrity checker of the Debian package tripwire, and not
 a Google product.
CONTROL
chmod 644 "$root/DEBIAN/control" "$root/DEBIAN/md5sums"
# The result of xz depends on the number of its threads.
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$root" \
  "$output/${package}_${VERSION}_$arch.deb" >/dev/null
cd "$output" && sha256sum ./*.deb ./*.tar.gz | sed 's| \./| |' >SHA256SUMS
