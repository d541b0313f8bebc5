import JourneySharing
import Tripwire

/// What `tripwire get` asks for, and of whom.
struct GetRequest: Sendable {
  let name: ResourceName
  let options: GetOptions

  /// The text for stdout.
  func answer(_ console: Console) async throws(ErrorReport) -> String {
    try await options.server.withServer(console, on: console.loop) {
      (server) async throws(ErrorReport) -> String in
      try await answer(from: server, console)
    }
  }

  private func answer(
    from server: Server, _ console: Console
  ) async throws(ErrorReport) -> String {
    let text: Result<String, ErrorReport>
    do throws(CallError) {
      let fleet = try FleetServices(
        providerID: name.providerID, endpoint: server.endpoint, tokenProvider: server.tokens,
        configuration: server.configuration)
      switch name {
      case .trip(let name):
        var request = GetTripRequest()
        request.name = name.description
        if let view = options.view { request.view = view }
        if let format = options.routeFormat { request.routeFormatType = format }
        let response = try await fleet.tripService.getTrip(
          request,
          options: server.callOptions(
            TripServiceMethods.getTrip.retryPolicy, isOnlyCall: true))
        text =
          options.output == .geojson
          ? .success(Journey(response.message).geoJSONLine)
          : self.text(
            of: response, from: TripServiceMethods.getTrip.path, response.message.text, console)
      case .vehicle(let name):
        var request = GetVehicleRequest()
        request.name = name.description
        let response = try await fleet.vehicleService.getVehicle(
          request,
          options: server.callOptions(
            VehicleServiceMethods.getVehicle.retryPolicy, isOnlyCall: true))
        text = self.text(
          of: response, from: VehicleServiceMethods.getVehicle.path, response.message.text, console)
      }
    } catch {
      let hint = Hint(
        endpoint: server.endpoint, subject: .resource(name.description),
        hasToken: server.isToldWhoAsks)
      throw ErrorReport(error, hint: hint.text(for: error))
    }
    return try text.get()
  }

  /// The message as JSON, or as `words` put it for people.
  private func text<Response>(
    of response: CallResponse<Response>, from path: String, _ words: (WallClock) -> String,
    _ console: Console
  ) -> Result<String, ErrorReport> {
    let unknown = response.unknownFieldCount
    if options.server.output.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "unknown field")) not shown\n")
    }
    switch options.output {
    case .text: return .success(words(console.clock()))
    case .json, .geojson:
      do throws(JSONEncodingError) {
        let json = try response.message.jsonString(options: .pretty) + "\n"
        return .success(escapedJSON(json))
      } catch {
        return .failure(ErrorReport(unwritable: error, path: path, attempts: response.attempts))
      }
    }
  }
}
