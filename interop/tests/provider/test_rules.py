"""Do tests check the documented rules, each with its source, and each guess of the emulator?"""

from support.rules import guesses, marked, source

FEWEST = 60


def test_each_rule_has_a_source():
    rules = marked("rule")
    assert len({(element, text) for element, text, _ in rules}) >= FEWEST
    for element, *_ in rules:
        assert source(element).startswith("https://")


def test_each_guess_in_the_article_has_a_test():
    assert {subject for subject, _ in marked("guess")} == set(guesses())
