import TripwireCLI

runTripwireMap { request throws(PageServerError) in try BrowserServer(request) }
