import CommandCalls
import CommandLine
import CommandResources
package import CommandShell
import JourneySharing
import Tripwire

package let getCommand = Command.calling(
  name: "get", summary: "get a trip, a vehicle or a delivery by its name", operand: .resource,
  help: { help },
  request: { (line, options: GetOptions) throws(UsageError) in try GetRequest(line, options) },
  run: { (request, console) throws(ErrorReport) in
    console.print(try await request.answer(console))
  })

private struct GetRequest: Sendable {
  let name: ResourceName
  let options: GetOptions
  /// Nil prints all fields.
  let fields: ResponseFields?

  init(_ line: ParsedCommandLine, _ options: GetOptions) throws(UsageError) {
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a name: tripwire get providers/my-project/trips/t1")
    }
    if let error = ResourceKind.separated(line.operands, options.provider, in: "get") {
      throw error
    }
    guard line.operands.count == 1 else {
      let other = line.operands[1]
      let isServer = (try? HostAndPort(other))?.port != nil
      throw UsageError(
        message: "unexpected argument \(escaped(other)): get takes one NAME",
        hint: isServer ? UsageError.hint(forServer: other) : nil)
    }
    name = try resourceName(operand, options.provider)
    if name.kind != .trip, options.view != nil || options.routeFormat != nil {
      let option = options.view != nil ? "--view" : "--route-format"
      throw .conflict(option, "a \(name.kind.noun)", hint: "remove \(option)")
    }
    if options.fields != nil, options.output != .json {
      throw .conflict("--fields", "-o \(options.output)", hint: "use -o json")
    }
    self.options = options
    fields = try ResponseFields(options.fields, of: name.kind.messageName)
  }

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

private let help = HelpText(
  usage: "tripwire get NAME [options]",
  about:
    "Gets a trip, a vehicle, a task, a delivery vehicle or the tracking information of a"
    + " shipment, and writes it to stdout. " + NameOperands.nameHelp,
  examples: [
    "tripwire get providers/my-project/trips/t1":
      "print a trip as JSON, with the credentials of this machine",
    "tripwire get providers/p/trips/t1 --sign-as app@p.iam.gserviceaccount.com":
      "print what a rider's app may see",
    "tripwire get providers/p/trips/t1 --token-file - -o text < token.jwt": "",
    "tripwire get providers/p/trips/t1 --endpoint localhost:50051 --plaintext -v": "",
  ], options: GetOptions.all, exitCodes: ExitCode.table)
