"""The commands for a running fleet, one line each.

    t1 go ARRIVED_AT_PICKUP     moves the trip to a status; also: t1 cancel, reroute, stop_reports,
                                resume_reports, delay SECONDS, change_vehicle ID, hide FIELD…,
                                show FIELD…
    fail CODE [TIMES]           fails calls for all trips; also: exceed_quota SECONDS, hang,
                                slow SECONDS, old SECONDS, garble
    withdraw                    withdraws all faults
    advance SECONDS             advances the time
    expire SECONDS              ages all tokens
"""

TRIP = {"go": str, "cancel": None, "reroute": None, "stop_reports": None, "resume_reports": None,
        "delay": float, "change_vehicle": str, "hide": str, "show": str}
FAULTS = {"exceed_quota": float, "hang": None, "slow": float, "old": float, "garble": None}


def run_console(fleet, lines, answers):
    """Executes the lines and answers each with ok or an error."""
    for line in lines:
        if words := line.split():
            try:
                do(fleet, *words)
                done = "ok"
            except (KeyError, ValueError, TypeError, IndexError) as error:
                done = f"error: {line.strip()}: {error!r}; type help"
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
