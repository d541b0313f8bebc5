"""A Google Cloud for tests of signing in: token endpoints, metadata server, signer, gcloud, Cloud
Logging and a fleet.

In a test:

    identities = Identities()
    user, account = identities.add_user(), identities.add_account("signer")
    identities.allow(user, account)
    with GoogleCloud(identities, certificates, folder) as cloud:
        cloud.tokens.faults.fail(503, times=2)
        cloud.signer.fault = signer_faults.denies()
        path = credentials_files.save(folder / "adc.json", credentials_files.authorized_user(user))
        result = cloud.get("--access-token", path, "--sign-as", account.email)
        cloud.tokens.requests, cloud.signer.calls, cloud.guard.tokens, cloud.metadata.requests

`cloud.google_auth(GOOGLE_APPLICATION_CREDENTIALS=path)` gets a token of the same servers with PyPI's google-auth.
No connection leaves loopback: the servers have certificates for the host names of Google, to which `--connect-to`
redirects the command.
"""

from peers.google import credentials_files, signer_faults
from peers.google.cloud import GoogleCloud
from peers.google.identities import Identities

__all__ = ["GoogleCloud", "Identities", "credentials_files", "signer_faults"]
