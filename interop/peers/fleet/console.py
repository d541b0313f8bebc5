"""The commands for a running fleet, one line each.

    t1 go ARRIVED_AT_PICKUP     and so t1 cancel, reroute, silence, speak, delay SECONDS,
                                change_vehicle ID, hide FIELD…, show FIELD…
    fail CODE [TIMES]           for all trips; so exceed_quota SECONDS, hang, slow SECONDS,
                                old SECONDS, garble
    withdraw                    the failures
    advance SECONDS             lets time pass
    expire SECONDS              makes tokens so much older
"""

TRIP = {"go": str, "cancel": None, "reroute": None, "silence": None, "speak": None,
        "delay": float, "change_vehicle": str, "hide": str, "show": str}
FAULTS = {"exceed_quota": float, "hang": None, "slow": float, "old": float, "garble": None}


def obey(fleet, lines, answers):
    """Carries out the lines and answers each with ok or an error."""
    for line in lines:
        if words := line.split():
            try:
                do(fleet, *words)
                done = "ok"
            except (KeyError, ValueError, TypeError, IndexError) as error:
                done = f"no: {line.strip()}: {error!r}; type help"
            print(__doc__ if words == ["help"] else done, file=answers, flush=True)


def do(fleet, what, *arguments):
    if what in fleet.trips:
        method, *arguments = arguments
        kind = TRIP[method]
        getattr(fleet.trips[what], method)(*(kind(each) for each in arguments))
    elif what == "fail":
        code, times = (*arguments, None)[:2]
        fleet.faults.fail(code, times=times and int(times))
    elif what in FAULTS:
        getattr(fleet.faults, what)(*(FAULTS[what](each) for each in arguments))
    elif what == "withdraw":
        fleet.faults.withdraw()
    elif what == "advance":
        fleet.advance(float(*arguments))
    elif what == "expire":
        fleet.guard.ahead += float(*arguments)
    elif what != "help":
        raise KeyError(what)
