// Runs the view controller of an iOS app that follows a trip.
//
//     GuideViewController NAME             from Fleet Engine, with the token in token.jwt
//     GuideViewController NAME HOST:PORT   from a test server without TLS

import Foundation
import RidesharingConsumer
import Tripwire

let arguments = Array(CommandLine.arguments.dropFirst())
guard let text = arguments.first else {
  print("usage: GuideViewController providers/PROJECT/trips/TRIP [HOST:PORT]")
  exit(2)
}

// An app does this when it starts.
do {
  let providerID = try TripName(text).providerID
  if arguments.count > 1 {
    try GMTCServices.setEndpoint(
      arguments[1], configuration: ChannelConfiguration(security: .plaintext))
    GMTCServices.setAccessTokenProvider(TestTokenProvider(), providerID: providerID)
  } else {
    GMTCServices.setAccessTokenProvider(SampleAccessTokenProvider(), providerID: providerID)
  }
} catch {
  print("error:", error)
  exit(1)
}

let controller = MapViewController(backend: BookingBackend(tripName: text))
controller.onTripEnd = { exit(0) }
controller.viewDidLoad()
Task { @MainActor in
  do { try await controller.serveMap() } catch { print("no map:", error) }
}

// UIKit runs the main queue in an app.
RunLoop.main.run()
