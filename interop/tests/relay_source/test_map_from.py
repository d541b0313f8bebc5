"""Does `tripwire map --from` show what a relay sends?"""

import urllib.request

from peers.relay.messages import NAME, failing, state


def test_page_gets_the_states_of_a_relay(relay):
    fake = relay("map", NAME, "--until", "complete")
    assert fake.arguments[:2] == ["read", NAME]
    url = fake.map_url
    assert b"<html" in urllib.request.urlopen(url).read()
    fake.send(failing(5, "no trip"))
    assert b"NOT_FOUND: no trip" in fake.process.stderr.readline()
    fake.send(state("ENROUTE_TO_PICKUP"))
    fake.send(state("COMPLETE"))
    assert fake.end()[0] == 0
