"""The commands for a running fleet, one line each.

    t1 go ARRIVED_AT_PICKUP     moves the trip to a status; also: t1 cancel, reroute, stop_reports,
                                resume_reports, delay SECONDS, change_vehicle ID, hide FIELD…,
                                show FIELD…
    d1 replan [INDEX…]          plans the remaining stops of the delivery vehicle in this order, by
                                default reversed; also: reroute, stop_reports, resume_reports,
                                delay SECONDS
    d1-2 fail                   the task will fail
    fail CODE [TIMES] [METHOD]  fails all calls, or those of a method; also: exceed_quota SECONDS,
                                hang, slow SECONDS, old SECONDS, garble
    fail_with_details CODE [TIMES] [METHOD]  adds every kind of detail of google.rpc
    withdraw                    withdraws all faults
    advance SECONDS             advances the time
    expire SECONDS              ages all tokens
"""

from peers.servers import failures

TRIP = {"go": str, "cancel": None, "reroute": None, "stop_reports": None, "resume_reports": None,
        "delay": float, "change_vehicle": str, "hide": str, "show": str}
DELIVERY = {"reroute": None, "stop_reports": None, "resume_reports": None, "delay": float}
FAULTS = {"exceed_quota": float, "hang": None, "slow": float, "old": float, "garble": None}


def run_console(fleet, lines, answers):
    """Executes the lines and answers each with ok or an error."""
    for line in lines:
        if words := line.split():
            try:
                do(fleet, *words)
                done = "ok"
            except KeyError:
                done = f"error: {line.strip()}: no such command, trip, delivery vehicle or task; type help"
            except (ValueError, TypeError, IndexError):
                done = f"error: {line.strip()}: an argument is missing, invalid or unexpected; type help"
            print(__doc__ if words == ["help"] else done, file=answers, flush=True)


def do(fleet, what, *arguments):
    if what in fleet.trips:
        method, *arguments = arguments
        kind = TRIP[method]
        getattr(fleet.trips[what], method)(*(kind(each) for each in arguments))
    elif what in fleet.delivery_vehicles:
        vehicle, (method, *arguments) = fleet.delivery_vehicles[what], arguments
        if method == "replan":
            vehicle.replan([int(each) for each in arguments] or None)
        else:
            kind = DELIVERY[method]
            vehicle.do(method, *(kind(each) for each in arguments))
    elif what in fleet.tasks:
        if arguments != ("fail",):
            raise KeyError(*arguments)
        fleet.tasks[what].will_fail = True
    elif what in ("fail", "fail_with_details"):
        code, times, method = (*arguments, None, None)[:3]
        details = failures.all_details() if what == "fail_with_details" else ()
        fleet.faults.fail(
            code, "failed on purpose", *details, times=times and int(times), method=method)
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
