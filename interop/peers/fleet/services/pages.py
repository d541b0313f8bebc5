"""Pages of a list, and the tokens for the next page.

A token names the last resource of its page and has a checksum of the request, because the other parameters
must not change between pages.
"""

import base64
import json
import zlib

from peers.fleet.services.errors import invalid

DEFAULT_SIZE = 100


def page_of(found, request, get_name=lambda each: each.name):
    """Returns the page that a request asks for, and the token of the next page, which may be empty."""
    if request.page_size < 0:
        raise invalid("page_size", "must not be negative")
    found = sorted(found, key=get_name)
    checksum = checksum_of(request)
    if request.page_token:
        last = last_name(request.page_token, checksum)
        found = [each for each in found if get_name(each) > last]
    size = request.page_size or DEFAULT_SIZE
    page = found[:size]
    if len(found) <= size:
        return page, ""
    token = json.dumps({"after": get_name(page[-1]), "of": checksum})
    return page, base64.urlsafe_b64encode(token.encode()).decode()


def last_name(token, checksum):
    try:
        found = json.loads(base64.b64decode(token, altchars=b"-_", validate=True))
        last, of = found["after"], found["of"]
    except (ValueError, KeyError, TypeError):
        raise invalid("page_token", "is not a token of an earlier response") from None
    if of != checksum:
        raise invalid("page_token", "is for a request with other parameters")
    return last


def checksum_of(request):
    """Returns a checksum of the parameters that have to stay the same."""
    same = type(request)()
    same.CopyFrom(request)
    for field in ("page_size", "page_token", "header"):
        if field in same.DESCRIPTOR.fields_by_name:
            same.ClearField(field)
    return zlib.crc32(same.SerializeToString(deterministic=True))
