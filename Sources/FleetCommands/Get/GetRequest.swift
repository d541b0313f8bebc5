import CommandCalls
import CommandLine
import CommandResources
import CommandShell
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
    let response: FetchedResource
    do throws(CallError) {
      response = try await server.fleet().resource(
        name,
        TripRequestOptions(
          view: options.view ?? .unspecified, routeFormat: options.routeFormat ?? .unknownFormatType
        ),
        options: { server.callOptions($0, isOnlyCall: true) })
    } catch {
      throw ErrorReport(error, server.hint(about: .resource(name.description)))
    }
    let unknown = response.unknownFieldCount
    if options.server.output.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "unknown field")) not shown\n")
    }
    let resource = response.resource
    switch options.output {
    case .text: return resource.text(console.clock())
    case .geojson, .svg:
      let journey = resource.journey()
      RouteWarnings(console).check(journey)
      return options.output == .svg ? resource.picture(console.clock()) : journey.geoJSONLine
    case .json:
      do throws(JSONEncodingError) {
        return escapedJSON(try fields.json(resource.message, pretty: true) + "\n")
      } catch {
        throw ErrorReport(
          unwritable: error, path: name.kind.getPath, attempts: response.attempts)
      }
    }
  }
}
