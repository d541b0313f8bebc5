"""One credentials file of every kind that Google's clients read."""

import json
import stat

from peers.google import credentials_files as files
from peers.google.http_messages import Answer

EXECUTABLE = """\
#!/bin/sh
env | grep ^GOOGLE_EXTERNAL_ACCOUNT_ | sort > "$0.env"
printf '%s\\n' "$@" >> "$0.env"
cat "$0.json"
"""


def url_source(cast, cloud, format_):
    """Returns the source of a subject token at a URL, in JSON or as text."""
    page = json.dumps({"token": cast.subject_token}) if format_ else cast.subject_token
    cloud.tokens.pages["/subject"] = Answer.text(page, content_type="text/plain")
    return {"url": f"http://{cloud.tokens.address}/subject?audience=a", "headers": {"Metadata": "True"}} | (
        {"format": {"type": "json", "subject_token_field_name": "token"}} if format_ else {})


def file_source(cast, folder, format_=False):
    path = folder / "subject"
    path.write_text(json.dumps({"token": cast.subject_token}) if format_ else cast.subject_token)
    return {"file": str(path)} | (
        {"format": {"type": "json", "subject_token_field_name": "token"}} if format_ else {})


def executable_source(cast, folder, **more):
    """Returns a source that runs a program, which writes its variables and arguments to `executable.env`."""
    program = folder / "executable"
    program.write_text(EXECUTABLE)
    program.chmod(stat.S_IRWXU)
    (folder / "executable.json").write_text(json.dumps({
        "version": 1, "success": True, "token_type": "urn:ietf:params:oauth:token-type:jwt",
        "id_token": cast.subject_token, "expiration_time": 4102444800}))
    return {"executable": {"command": f"{program} --flag 'two words'", "timeout_millis": 30000} | more}


KINDS = {
    "user": lambda cast, cloud, folder: files.authorized_user(cast.user),
    "user with scopes": lambda cast, cloud, folder: files.authorized_user(
        cast.user, scopes=["openid", "https://www.googleapis.com/auth/cloud-platform"]),
    "service account": lambda cast, cloud, folder: files.service_account(cast.signer),
    "impersonated by user": lambda cast, cloud, folder: files.impersonated(
        cast.signer, files.authorized_user(cast.user)),
    "impersonated by delegate": lambda cast, cloud, folder: files.impersonated(
        cast.signer, files.authorized_user(cast.user), [cast.delegate]),
    "impersonated by service account": lambda cast, cloud, folder: files.impersonated(
        cast.delegate, files.service_account(cast.signer)),
    "impersonated by workforce": lambda cast, cloud, folder: files.impersonated(
        cast.signer, files.external_account_authorized_user(cast.user)),
    "external file": lambda cast, cloud, folder: files.external_account(file_source(cast, folder)),
    "external JSON file": lambda cast, cloud, folder: files.external_account(file_source(cast, folder, True)),
    "external URL": lambda cast, cloud, folder: files.external_account(url_source(cast, cloud, False)),
    "external JSON URL": lambda cast, cloud, folder: files.external_account(url_source(cast, cloud, True)),
    "external executable": lambda cast, cloud, folder: files.external_account(
        executable_source(cast, folder)),
    "external impersonated": lambda cast, cloud, folder: files.external_account(
        file_source(cast, folder), cast.signer),
    "external with lifetime": lambda cast, cloud, folder: files.external_account(
        file_source(cast, folder), cast.signer,
        service_account_impersonation={"token_lifetime_seconds": 1800}),
    "external with client": lambda cast, cloud, folder: files.external_account(
        file_source(cast, folder), client_id="client", client_secret="hush-hush-hush"),
    "workforce": lambda cast, cloud, folder: files.external_account(
        file_source(cast, folder), audience=files.WORKFORCE, workforce_pool_user_project="my-project",
        subject_token_type="urn:ietf:params:oauth:token-type:id_token"),
    "workforce user": lambda cast, cloud, folder: files.external_account_authorized_user(cast.user),
}
"""Functions that return the content of a file, given the cast, the cloud and a folder for further files."""

VARIABLES = {"GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES": "1"}


def save(kind, cast, cloud, folder):
    """Saves a credentials file of this kind; returns its path."""
    return files.save(folder / "credentials.json", KINDS[kind](cast, cloud, folder))
