// Serves a map view in browsers, as an app does that was ported from the Consumer SDK.
//
//     map-app HOST:PORT
//
// It reads commands from standard input, one a line, and prints the address of the page, taps on
// markers and `done` after each command.

import Foundation
import JourneyMap
import JourneySharing
import RidesharingConsumer
import Tripwire

/// Accepted by the simulated fleet.
final class AnyToken: NSObject, GMTCAuthorization {
  func fetchToken(
    with authorizationContext: GMTCAuthorizationContext?,
    completion: @escaping GMTCAuthTokenFetchCompletionHandler
  ) {
    completion("any", nil)
  }
}

@MainActor final class MapApp: GMTCMapViewDelegate {
  private let mapView = GMTCMapView(frame: .zero)
  private var sessions: [String: GMTCJourneySharingSession] = [:]
  private var server: JourneyMapServer?

  func start() async throws {
    mapView.delegate = self
    let server = try await mapView.serve(on: "127.0.0.1:0")
    self.server = server
    say(server.url)
  }

  func mapView(
    _ mapView: GMSMapView, didTapConsumerMarker mapMarker: GMSMarker,
    markerType: GMTCMapViewMarkerType
  ) -> Bool {
    let isMain = Thread.isMainThread
    say("tap \(markerType) \(mapMarker.position.latitude) \(isMain ? "main" : "other")")
    return true
  }

  func run(_ command: [String]) async {
    let argument = command.dropFirst().first ?? ""
    switch command.first {
    case "show":
      let model = GMTCServices.shared().tripService.tripModel(forTripName: argument)
      model.options.autoRefreshTimeInterval = 0.1
      let session = GMTCJourneySharingSession(tripModel: model)
      sessions[argument] = session
      mapView.show(session)
    case "hide": sessions.removeValue(forKey: argument).map(mapView.hide)
    case "icon": style { $0.icon = argument }
    case "color": style { $0.color = .black }
    case "route":
      let options = GMTCMutablePolylineStyleOptions()
      options.strokeColor = .orange
      options.strokeWidth = 9
      options.isVisible = argument != "hidden"
      mapView.consumerMapStyleCoordinator.setPolylineStyleOptions(
        options, polylineType: .activeRoute)
    case "pickup":
      let numbers = command.compactMap { Double($0) }
      let point =
        numbers.count == 2 ? GMTSLatLng(latitude: numbers[0], longitude: numbers[1]) : nil
      mapView.pickupLocation = GMTSTerminalLocation(
        point: point, label: nil, description: nil, placeID: nil, generatedID: nil,
        accessPointID: nil)
    case "camera": mapView.isAllowCameraAutoUpdate = argument == "on"
    case "reset": mapView.resetCamera()
    case "gestures": mapView.settings.setAllGesturesEnabled(argument == "on")
    case "close": await server?.close()
    default: break
    }
    say("done")
  }

  private func style(_ change: (GMTCMutableMarkerStyleOptions) -> Void) {
    let options = GMTCMutableMarkerStyleOptions()
    options.isFlat = true
    change(options)
    mapView.consumerMapStyleCoordinator.setMarkerStyleOptions(options, markerType: .tripVehicle)
  }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = Array(CommandLine.arguments.dropFirst())
try GMTCServices.setEndpoint(
  arguments.first ?? "", configuration: ChannelConfiguration(security: .plaintext))
GMTCServices.setAccessTokenProvider(AnyToken(), providerID: "p")
let app = MapApp()
Task { @MainActor in
  do { try await app.start() } catch {
    say("\(error)")
    exit(1)
  }
}
let (commands, continuation) = AsyncStream.makeStream(of: String.self)
Thread.detachNewThread {
  while let line = readLine() { continuation.yield(line) }
  exit(0)
}
Task { @MainActor in
  for await command in commands { await app.run(command.split(separator: " ").map(String.init)) }
}
RunLoop.main.run()
