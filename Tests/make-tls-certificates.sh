#!/bin/sh
# Writes WireTLSTests/Certificates/Certificates.swift: an authority, valid and invalid certificates that it
# signed, and certificates of others.
# Needs the openssl command (3.0 or newer). Everything but `expired` and `notYetValid` lasts until 2126.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat > openssl.cnf <<'CONFIG'
[req]
distinguished_name = name
prompt = no
[name]
[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = policy
copy_extensions = none
unique_subject = no
[policy]
commonName = supplied
organizationName = optional
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[leaf]
subjectAltName = DNS:localhost, DNS:*.fleet.example, IP:127.0.0.1, IP:::1
[other]
subjectAltName = DNS:other.example, DNS:www.other.example, IP:192.0.2.7, IP:2001:db8::7
[nameless]
basicConstraints = CA:FALSE
[clientOnly]
subjectAltName = DNS:localhost
extendedKeyUsage = clientAuth
CONFIG

# key NAME: a P-256 key.
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }

# sign NAME SUBJECT ISSUER EXTENSIONS FROM TO: signed by ISSUER, or by itself when that is its name.
sign() {
  test -e "$1.key" || key "$1"
  : > index.txt
  openssl req -new -config openssl.cnf -key "$1.key" -subj "$2" -utf8 -out "$1.csr"
  if [ "$1" = "$3" ]; then signer="-selfsign -keyfile $1.key"
  else signer="-cert $3.pem -keyfile $3.key"; fi
  # shellcheck disable=SC2086
  openssl ca -config openssl.cnf -batch -notext -utf8 -in "$1.csr" $signer -extensions "$4" \
    -startdate "$5" -enddate "$6" -out "$1.pem" 2> log || { cat log; exit 1; }
}

old=19990101000000Z start=20240101000000Z end=21260101000000Z
sign root "/CN=Test Root" root root $old $end
sign intermediate "/CN=Test Intermediate" root root $old $end
sign good "/O=Flüsse/CN=localhost" intermediate leaf $start $end
sign expired "/CN=localhost" root leaf $old 20010101000000Z
sign notYetValid "/CN=localhost" root leaf 21250101000000Z $end
sign otherHost "/CN=other.example" root other $start $end
sign commonNameOnly "/CN=localhost" root nameless $start $end
sign clientOnly "/CN=localhost" root clientOnly $start $end
sign selfSigned "/CN=localhost" selfSigned leaf $start $end
sign strangeRoot "/CN=Strange Root" strangeRoot root $start $end

{
  echo "// Written by Tests/make-tls-certificates.sh: do not edit."
  echo
  echo "/// Certificates and keys for the tests, in PEM. They protect nothing."
  echo "enum Certificates {"
  echo "  /// The file name of the root in a hashed directory."
  echo "  static let hashedRootName = \"$(openssl x509 -subject_hash -noout -in root.pem).0\""
  for name in root intermediate good expired notYetValid otherHost commonNameOnly clientOnly \
    selfSigned strangeRoot; do
    echo "  static let $name = PEMIdentity("
    echo '    certificate: """'
    sed 's/^/      /' $name.pem
    echo '      """,'
    echo '    key: """'
    sed 's/^/      /' $name.key
    echo '      """)'
  done
  echo "}"
} > "$here/WireTLSTests/Certificates/Certificates.swift"
