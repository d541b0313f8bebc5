"""Do our Fleet Engine protos equal those of PyPI's google-maps-fleetengine packages?"""

import pytest

from descriptors.apis import APIS
from descriptors.compare import differences, shape_of_files, shape_of_services

each_api = pytest.mark.parametrize("api", APIS, ids=str)


@each_api
def test_messages_and_enums_equal_upstream(ours, api):
    theirs = shape_of_files(api.their_files(), deprecated=api.their_deprecated)
    # In Python, fields with the name of a built-in function end with an underscore.
    theirs = {name.removesuffix("_"): shape for name, shape in theirs.items()}
    assert len([name for name in theirs if theirs[name]["kind"] == "field"]) > api.fields
    assert differences(shape_of_files(ours(*api.paths)), theirs) == []


@each_api
def test_methods_equal_upstream(ours, api):
    theirs = api.their_methods()
    assert len(theirs) == api.methods
    assert differences(shape_of_services(ours(*api.paths)), theirs) == []
