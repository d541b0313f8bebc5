import TripwireCLI

runTripwire()
