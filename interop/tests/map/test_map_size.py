"""Is the page of a recording of two hours small and fast?"""

import statistics

import pytest

from measure_map import KINDS, measure, page_of_long_trip


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_two_hours(browser, tmp_path, kind):
    measured = measure(browser, page_of_long_trip(tmp_path, *KINDS[kind]))
    print(measured)
    assert measured.megabytes < 5
    # Bounds for a busy machine: an idle one needs a third of a second, and 5 ms.
    assert measured.ready < 10
    assert statistics.median(measured.work) < 50
    assert statistics.median(measured.gaps) < 100
