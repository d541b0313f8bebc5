"""Are the merge test vectors of the Swift tests still what Python's protobuf generates?"""

import make_merges


def test_files_equal_their_regeneration():
    for path, lines in make_merges.files().items():
        assert path.read_text().splitlines() == lines, f"run make_merges.py: {path.name}"
