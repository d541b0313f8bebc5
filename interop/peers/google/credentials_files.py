"""Credentials files as gcloud and the Cloud console write them, for the identities of the tests."""

import json

HOST = "https://{}.googleapis.com"
STS = HOST.format("sts")
POOL = "//iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/pool/providers/provider"
WORKFORCE = "//iam.googleapis.com/locations/global/workforcePools/pool/providers/provider"


def save(path, content, mode=0o600):
    """Writes the content of a file as JSON; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=mode)
    path.write_text(json.dumps(content, indent=2) + "\n")
    path.chmod(mode)
    return path


def authorized_user(user, **more):
    """As `gcloud auth application-default login` writes it."""
    return {
        "account": "", "client_id": user.client_id, "client_secret": user.client_secret,
        "refresh_token": user.refresh_token, "type": "authorized_user",
        "universe_domain": "googleapis.com"} | more


def service_account(account, **more):
    return account.info | more


def impersonated(account, source, delegates=(), **more):
    """As `gcloud auth application-default login --impersonate-service-account` writes it."""
    return {
        "delegates": [each.email for each in delegates],
        "service_account_impersonation_url": impersonation_url(account),
        "source_credentials": source, "type": "impersonated_service_account"} | more


def external_account(credential_source, impersonates=None, **more):
    """As `gcloud iam workload-identity-pools create-cred-config` writes it."""
    content = {
        "universe_domain": "googleapis.com", "type": "external_account", "audience": POOL,
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "token_url": f"{STS}/v1/token",
        "credential_source": credential_source}
    if impersonates:
        content["service_account_impersonation_url"] = impersonation_url(impersonates)
    return content | more


def external_account_authorized_user(user, **more):
    """As `gcloud auth application-default login` writes it for a workforce identity."""
    return {
        "type": "external_account_authorized_user", "audience": WORKFORCE, "client_id": user.client_id,
        "client_secret": user.client_secret, "refresh_token": user.refresh_token,
        "token_url": f"{STS}/v1/oauthtoken", "token_info_url": f"{STS}/v1/introspect",
        "universe_domain": "googleapis.com"} | more


def impersonation_url(account):
    host = HOST.format("iamcredentials")
    return f"{host}/v1/projects/-/serviceAccounts/{account.email}:generateAccessToken"
