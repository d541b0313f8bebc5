"""The active faults of a server."""

import threading


class ActiveFaults:
    """Faults with `times`, `is_over`, `matches` and `withdraw`. The one that was added first goes first."""

    def __init__(self):
        self._lock = threading.Lock()
        self._faults = []

    def activate(self, fault):
        with self._lock:
            self._faults.append(fault)
        return fault

    def withdraw(self):
        """Withdraws all faults."""
        with self._lock:
            faults, self._faults = self._faults, []
        for fault in faults:
            fault.withdraw()

    def next(self, call):
        """Returns the fault of a call or request, or None."""
        with self._lock:
            self._faults = [each for each in self._faults if each.times != 0 and not each.is_over]
            for fault in self._faults:
                if fault.matches(call):
                    if fault.times is not None:
                        fault.times -= 1
                    return fault
        return None
