import TripwireCLI

runTripwireRelay(NATSEngine())
