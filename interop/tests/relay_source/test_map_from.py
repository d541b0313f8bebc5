"""Does `tripwire map --from` show what a relay sends?"""

import urllib.request

from peers.relay.messages import NAME, failing, state


def test_page_gets_the_states_of_a_relay(relay):
    fake = relay("map", NAME, "--until", "complete")
    assert fake.arguments[:2] == ["read", NAME]
    url = fake.map_url
    fake.send(failing(5, "no trip"), state("ENROUTE_TO_PICKUP"))
    assert b"<html" in urllib.request.urlopen(url).read()
    fake.send(state("COMPLETE"))
    code, error = fake.end()
    assert code == 0 and "no trip" in error
