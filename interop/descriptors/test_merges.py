"""Are the merges that the Swift tests compare with still those of Python's protobuf?"""

import make_merges


def test_the_files_are_what_it_makes_now():
    for path, lines in make_merges.files().items():
        assert path.read_text().splitlines() == lines, f"run make_merges.py: {path.name}"
