"""A Google Cloud for each test, with a user, three service accounts and the identity of a workload."""

import pytest

from peers.fleet import ServiceAccount
from peers.google import GoogleCloud, Identities, credentials_files


@pytest.fixture(scope="session")
def keys():
    """Service accounts with the keys of those in each test, because new keys take time."""
    return {name: ServiceAccount.make() for name in ("signer", "delegate", "machine")}


class Cast:
    """The user and the delegate are Token Creators of the signer, and so is the workload. The user is one of
    the delegate, and the signer one of the delegate."""

    def __init__(self, keys):
        self.identities = Identities()
        self.user = self.identities.add_user()
        self.signer, self.delegate, self.machine = (
            self.identities.add_account(name, key_of=keys[name]) for name in ("signer", "delegate", "machine"))
        self.subject_token = self.identities.add_subject()
        self.subject = self.identities.subjects[self.subject_token]
        self.identities.allow(self.user, self.signer, self.delegate)
        self.identities.allow(self.delegate, self.signer)
        self.identities.allow(self.signer, self.delegate)
        self.identities.allow(self.machine, self.signer, self.machine)
        self.identities.allow(self.subject, self.signer)


@pytest.fixture
def cast(keys):
    return Cast(keys)


@pytest.fixture
def identities(cast):
    return cast.identities


@pytest.fixture
def cloud(identities, certificates, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    with GoogleCloud(identities, certificates, home) as cloud:
        yield cloud


@pytest.fixture
def user_file(cast, tmp_path):
    """The credentials file of the user."""
    return credentials_files.save(tmp_path / "user.json", credentials_files.authorized_user(cast.user))
