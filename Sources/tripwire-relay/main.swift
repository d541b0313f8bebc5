import RelayCommands

runTripwireRelay()
