#!/bin/sh
# usage: version.sh
#
# Prints the version of the packages: that of the command, and the commit's date and name if the commit has no tag
# of this version.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/WireGRPC/Methods/UserAgent.swift)
commit=$(git describe --always --abbrev=12 --exclude='*' --dirty=.dirty 2>/dev/null) || commit=
tag=$(git describe --tags --exact-match --match "$version" --dirty 2>/dev/null) || tag=
if [ -z "$commit" ] || [ "$tag" = "$version" ]; then echo "$version"; else
  echo "$version+git$(git show -s --format=%cd --date=format:%Y%m%d).$commit"
fi
