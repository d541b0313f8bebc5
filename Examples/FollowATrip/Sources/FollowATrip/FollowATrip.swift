// Follows a trip and prints its changes, until it is complete or canceled.
//
//     FollowATrip NAME             from Fleet Engine, with the token in token.jwt
//     FollowATrip NAME HOST:PORT   from a test server without TLS

import Tripwire

@main struct FollowATrip {
  static func main() async {
    do { try await follow() } catch { print("error:", error) }
  }

  static func follow() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let text = arguments.first else {
      print("usage: FollowATrip providers/PROJECT/trips/TRIP [HOST:PORT]")
      return
    }
    let name = try TripName(text)
    let fleet = try services(for: name.providerID, at: arguments.dropFirst().first)

    let model = fleet.tripService.tripModel(forTripName: name)
    model.options.refreshInterval = .seconds(1)
    for await update in model.updates {
      if update.failureChanged, let failure = update.failure { print("error:", failure.error) }
      guard let trip = update.trip else { continue }
      if update.changed.contains(.tripStatus) { print("status:", trip.tripStatus) }
      if update.changed.contains(.etaToNextWaypoint), let eta = trip.etaToNextWaypoint {
        print("ETA:", try eta.jsonString())
      }
      if update.changed.contains(.remainingDistanceOfActiveRoute),
        let meters = trip.remainingDistanceOfActiveRoute
      {
        print("distance to the next stop:", meters, "m")
      }
    }
  }

  /// Fleet Engine, or a test server that needs neither TLS nor a token.
  static func services(for providerID: String, at endpoint: String?) throws -> FleetServices {
    guard let endpoint else {
      return try FleetServices(
        providerID: providerID, tokenProvider: FileToken(path: "token.jwt"))
    }
    return try FleetServices(
      providerID: providerID, endpoint: endpoint,
      configuration: ChannelConfiguration(security: .plaintext))
  }
}
