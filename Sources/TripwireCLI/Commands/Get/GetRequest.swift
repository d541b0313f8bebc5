import JourneySharing
import Tripwire

/// The request of `tripwire get`.
struct GetRequest: Sendable {
  let name: ResourceName
  let options: GetOptions
  /// Nil prints all fields.
  let fields: ResponseFields?

  /// Makes the call and returns the text for stdout.
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
          options: callOptions(TripServiceMethods.getTrip, server))
        switch options.output {
        case .geojson: text = .success(Journey(response.message).geoJSONLine)
        case .svg: text = .success(response.message.picture(console.clock()))
        case .json, .text:
          text = self.text(
            of: response, from: TripServiceMethods.getTrip.path, response.message.text, console)
        }
      case .task(let name):
        var request = GetTaskRequest()
        request.name = name.description
        let response = try await fleet.deliveryService.getTask(
          request, options: callOptions(DeliveryServiceMethods.getTask, server))
        text = self.text(
          of: response, from: DeliveryServiceMethods.getTask.path, response.message.text,
          journey: { Journey(response.message) }, console)
      case .deliveryVehicle(let name):
        var request = GetDeliveryVehicleRequest()
        request.name = name.description
        let response = try await fleet.deliveryService.getDeliveryVehicle(
          request, options: callOptions(DeliveryServiceMethods.getDeliveryVehicle, server))
        text = self.text(
          of: response, from: DeliveryServiceMethods.getDeliveryVehicle.path,
          response.message.text, journey: { Journey(response.message) }, console)
      case .taskTrackingInfo(let name):
        var request = GetTaskTrackingInfoRequest()
        request.name = name.description
        let response = try await fleet.deliveryService.getTaskTrackingInfo(
          request, options: callOptions(DeliveryServiceMethods.getTaskTrackingInfo, server))
        text = self.text(
          of: response, from: DeliveryServiceMethods.getTaskTrackingInfo.path,
          response.message.text, journey: { Journey(response.message) }, console)
      case .vehicle(let name):
        var request = GetVehicleRequest()
        request.name = name.description
        let response = try await fleet.vehicleService.getVehicle(
          request, options: callOptions(VehicleServiceMethods.getVehicle, server))
        text = self.text(
          of: response, from: VehicleServiceMethods.getVehicle.path, response.message.text,
          journey: { Journey(response.message) }, console)
      }
    } catch {
      throw ErrorReport(error, server.hint(about: .resource(name.description)))
    }
    return try text.get()
  }

  private func callOptions<Request, Response>(
    _ method: MethodDescriptor<Request, Response>, _ server: Server
  ) -> CallOptions {
    server.callOptions(method.retryPolicy, isOnlyCall: true)
  }

  /// Returns the message as JSON, as the text that `words` returns, or as a map.
  private func text<Response>(
    of response: CallResponse<Response>, from path: String, _ words: (WallClock) -> String,
    journey: () -> Journey? = { nil }, _ console: Console
  ) -> Result<String, ErrorReport> {
    let unknown = response.unknownFieldCount
    if options.server.output.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "unknown field")) not shown\n")
    }
    if options.output == .geojson || options.output == .svg, let journey = journey() {
      return .success(options.output == .svg ? journey.picture : journey.geoJSONLine)
    }
    switch options.output {
    case .text: return .success(words(console.clock()))
    case .json, .geojson, .svg:
      do throws(JSONEncodingError) {
        let json = try fields.json(response.message, pretty: true)
        return .success(escapedJSON(json + "\n"))
      } catch {
        return .failure(ErrorReport(unwritable: error, path: path, attempts: response.attempts))
      }
    }
  }
}
