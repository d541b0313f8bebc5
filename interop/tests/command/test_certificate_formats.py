"""Does the hint about a certificate or a key that is not PEM have the command that converts it?"""

import subprocess

import pytest

from support.command import assert_failed, tripwire

# An address without a listener: a command whose files are valid fails with UNAVAILABLE.
GET = ["get", "providers/p/trips/t1", "--endpoint", "unix:/nonexistent/socket"]


@pytest.mark.parametrize("option, command, kind", [
    ("--cacert", "x509 -outform DER -in {0.authority}", "a certificate in DER"),
    ("--cert", "x509 -outform DER -in {0.client.chain}", "a certificate in DER"),
    ("--cert", "pkcs12 -export -passout pass: -in {0.client.chain} -inkey {0.client.key}", "PKCS#12"),
    ("--key", "pkey -outform DER -in {0.client.key}", "a private key in DER"),
])
def test_hint_converts_a_binary_file(certificates, tmp_path, option, command, kind):
    path = tmp_path / "a file"
    subprocess.run(["openssl", *command.format(certificates).split(), "-out", path], check=True)
    others = ["--cert", certificates.client.chain] if option == "--key" else []
    result = tripwire(*GET, *others, option, path)
    assert_failed(result, 1, error=f"{option}: {path} is {kind}, not PEM",
                  hint="convert it to PEM: openssl ")
    conversion = result.stderr.partition("convert it to PEM: ")[2]
    # openssl asks for the password of a PKCS#12 file, which is empty here.
    subprocess.run(conversion, shell=True, check=True, input=b"\n")
    key = ["--key", certificates.client.key] if command.startswith("x509") and option == "--cert" else []
    result = tripwire(*GET, *others, option, f"{path}.pem", *key)
    assert_failed(result, 78, "the unix socket does not exist")
