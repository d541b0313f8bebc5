"""Does each reason of google.api.ErrorReason that a call can meet have a hint of its own?"""

import json

import grpc
import pytest
from google.api import error_reason_pb2
from google.rpc import error_details_pb2

from peers.servers import failures
from peers.servers.reflecting import serving
from support.command import at, assert_failed, tripwire

TRIP = "providers/my-project/trips/t1"
SERVICE = "fleetengine.googleapis.com"
METADATA = {"service": SERVICE, "consumer": "projects/123", "permission": "fleetengine.trips.get", "uid": "u-1",
            "quota_limit": "GetTripPerMinute", "quota_limit_value": "600", "location": "locations/asia",
            "email": "fleet@p.iam.gserviceaccount.com", "parameter": "x-goog-user-ip"}

POLICY = "gcloud org-policies describe gcp.{} --effective --project=123"
KEYS = "https://console.cloud.google.com/apis/credentials?project=123"
QUOTAS = "600 of the quota GetTripPerMinute: https://console.cloud.google.com/iam-admin/quotas?project=123"
APPS = "use an API key that is not restricted to websites or apps: " + KEYS
SUSPENDED = "ask Google to end the suspension of project 123: https://cloud.google.com/resource-manager/docs/"
PROJECT = "check that the project exists: gcloud projects describe 123"
TYPE = "pass a JWT that a service account signs (--sign-as ACCOUNT), or an OAuth access token (--access-token adc)"

HINTS = {
    "SERVICE_DISABLED": f"enable the API: gcloud services enable {SERVICE} --project=123",
    "BILLING_DISABLED": "link the project to an active billing account: gcloud billing projects link 123 ",
    "API_KEY_INVALID": "pass a valid API key: " + KEYS,
    "API_KEY_SERVICE_BLOCKED": f"allow {SERVICE} in the API restrictions of the key: " + KEYS,
    "API_KEY_HTTP_REFERRER_BLOCKED": APPS,
    "API_KEY_IP_ADDRESS_BLOCKED": "allow the address of this machine in the restrictions of the API key: " + KEYS,
    "API_KEY_ANDROID_APP_BLOCKED": APPS,
    "API_KEY_IOS_APP_BLOCKED": APPS,
    "RATE_LIMIT_EXCEEDED": "slow down, or request more than " + QUOTAS,
    "RESOURCE_QUOTA_EXCEEDED": "delete resources that are not needed, or request more than " + QUOTAS,
    "EMULATOR_QUOTA_EXCEEDED": "slow down, or request more than " + QUOTAS,
    "LOCATION_TAX_POLICY_VIOLATED": "create the resource in another location than locations/asia",
    "LOCATION_POLICY_VIOLATED": "create the resource in another location than locations/asia",
    "LOCATION_ORG_POLICY_VIOLATED": POLICY.format("resourceLocations"),
    "USER_PROJECT_DENIED": "gcloud projects add-iam-policy-binding 123 --member=PRINCIPAL"
                           " --role=roles/serviceusage.serviceUsageConsumer",
    "CONSUMER_SUSPENDED": SUSPENDED,
    "GCP_SUSPENDED": SUSPENDED,
    "CONSUMER_INVALID": PROJECT,
    "RESOURCE_PROJECT_INVALID": PROJECT,
    "SECURITY_POLICY_VIOLATED": "allow the call with the unique ID u-1: https://cloud.google.com/vpc-service-controls/",
    "ACCESS_TOKEN_EXPIRED": "get a new token: this one has expired",
    "ACCESS_TOKEN_SCOPE_INSUFFICIENT": "get a token with the scope https://www.googleapis.com/auth/cloud-platform: gcloud",
    "ACCOUNT_STATE_INVALID": "gcloud iam service-accounts enable fleet@p.iam.gserviceaccount.com",
    "ACCESS_TOKEN_TYPE_UNSUPPORTED": TYPE,
    "CREDENTIAL_TYPE_UNSUPPORTED": TYPE,
    "CREDENTIALS_MISSING": "pass a token with --access-token SOURCE",
    "USER_BLOCKED_BY_ADMIN": f"ask the administrator of Google Workspace to turn on {SERVICE} for this account: https:",
    "RESOURCE_USAGE_RESTRICTION_VIOLATED": f"allow {SERVICE} in gcp.restrictServiceUsage: "
                                           + POLICY.format("restrictServiceUsage"),
    "ENDPOINT_USAGE_RESTRICTION_VIOLATED": POLICY.format("restrictEndpointUsage"),
    "TLS_ORG_POLICY_VIOLATED": POLICY.format("restrictTLSVersion"),
    "TLS_CIPHER_RESTRICTION_VIOLATED": POLICY.format("restrictTLSCipherSuites"),
    "SYSTEM_PARAMETER_UNSUPPORTED": "leave out the header x-goog-user-ip",
    "ORG_RESTRICTION_VIOLATION": "allow the organization of project 123 in the header X-Goog-Allowed-Resources",
    "ORG_RESTRICTION_HEADER_INVALID": "correct the header X-Goog-Allowed-Resources",
    "SERVICE_NOT_VISIBLE": f"ask the owner of {SERVICE} to make it visible to project 123",
    "OVERLOADED_CREDENTIALS": "pass only one kind of credentials",
    "IAM_PERMISSION_DENIED": "grant the permission fleetengine.trips.get: gcloud projects add-iam-policy-binding 123"
                             " --member=PRINCIPAL --role=roles/fleetengine.consumerSdkUser",
    "JWT_TOKEN_INVALID": "check the token with 'tripwire token inspect FILE --trip t1'",
    "ACCOUNT_TYPE_UNSUPPORTED": "gcloud auth print-access-token --impersonate-service-account=ACCOUNT",
}

NOT_MET = {
    "ERROR_REASON_UNSPECIFIED",
    "SESSION_COOKIE_INVALID", "MISSING_ORIGIN",  # for browsers
    "CREDENTIAL_ANDROID_APP_INVALID",  # for Android apps
    "MCP_SERVER_DISABLED",  # for the Model Context Protocol
}

DOMAINS = {"ENDPOINT_USAGE_RESTRICTION_VIOLATED": "googleapis.com/policies/endpointUsageRestriction",
           "TLS_CIPHER_RESTRICTION_VIOLATED": "googleapis.com/policies/tlsCipherRestriction"}


@pytest.fixture(scope="module")
def address():
    """A server that refuses GetTrip with the reason and the domain in the headers of the call."""
    def refuse(request, context):
        headers = dict(context.invocation_metadata())
        info = error_details_pb2.ErrorInfo(
            reason=headers["x-reason"], domain=headers["x-domain"], metadata=METADATA)
        failures.fail(context, failures.status(grpc.StatusCode.PERMISSION_DENIED, "refused", info))

    trips = grpc.method_handlers_generic_handler(
        "maps.fleetengine.v1.TripService", {"GetTrip": grpc.unary_unary_rpc_method_handler(refuse)})
    with serving(trips) as address:
        yield address


def refused(address, command, reason, *arguments, domain=None):
    # A token that is not a JWT. Without it, the call lacks credentials.
    token = [] if reason == "CREDENTIALS_MISSING" else ["-H", "authorization: Bearer token"]
    domain = domain or DOMAINS.get(reason, "googleapis.com")
    return tripwire(command, TRIP, *at(address), "-H", f"x-reason: {reason}", "-H", f"x-domain: {domain}", *token,
                    *arguments)


def test_every_reason_of_the_enum_is_known():
    assert not HINTS.keys() & NOT_MET
    assert set(error_reason_pb2.ErrorReason.keys()) == HINTS.keys() | NOT_MET


@pytest.mark.parametrize("reason", HINTS)
def test_reason_has_its_own_hint(address, reason):
    assert_failed(refused(address, "get", reason), 71, hint=HINTS[reason], lines=[f"reason {reason} ("])


@pytest.mark.parametrize("reason, domain", [
    *((reason, None) for reason in sorted(NOT_MET)), ("NEWER_REASON", None), ("SERVICE_DISABLED", "example.com")])
def test_other_reasons_have_the_general_hint(address, reason, domain):
    assert_failed(refused(address, "get", reason, domain=domain), 71, hint="check the claims with")


def test_doctor_has_the_same_hint(address):
    result = refused(address, "doctor", "SERVICE_DISABLED", "-o", "json")
    *_, call = json.loads(result.stdout)["steps"]
    assert (result.code, call["name"], call["hint"]) == (71, "call", HINTS["SERVICE_DISABLED"])
