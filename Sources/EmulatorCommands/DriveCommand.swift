import CommandCalls
import CommandLine
import CommandResources
package import CommandShell
import FleetEmulator
import RouteFiles
import Tripwire
import WireProtobuf
import WireSystem

package let driveCommand = Command.calling(
  name: "drive", summary: "drive a vehicle along a route",
  operand: .custom(placeholder: "NAME") { _ in
    Completer.Line.names(of: DriveRequest.kinds)
  },
  help: { help },
  request: { (line, options: DriveOptions) throws(UsageError) in
    try DriveRequest(line, options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

struct DriveRequest: Sendable {
  static let kinds: [ResourceKind] = [.vehicle, .deliveryVehicle]

  private let name: ResourceName
  private let along: String
  private let options: DriveOptions

  init(_ line: ParsedCommandLine, _ options: DriveOptions) throws(UsageError) {
    self.options = options
    guard let operand = line.operands.first else {
      throw UsageError(
        message: "NAME is missing",
        hint: "pass a vehicle: tripwire drive providers/my-project/vehicles/v1 --along track.gpx")
    }
    if let error = ResourceKind.separated(line.operands, options.provider, in: "drive") {
      throw error
    }
    if line.operands.count > 1 {
      throw UsageError(
        message: "unexpected argument \(escaped(line.operands[1])): drive takes one NAME",
        hint: "pass the route with --along FILE")
    }
    name = try resourceName(operand, options.provider, Self.kinds)
    guard let along = options.along else {
      throw UsageError(
        message: "--along is missing",
        hint: "pass a route with --along FILE, or positions on stdin with --along -")
    }
    self.along = along
    guard along == "-" else { return }
    if let option = options.drive.speed != nil
      ? "--speed" : options.drive.stops.isEmpty ? nil : "--stop"
    {
      throw .conflict("--along -", option, hint: "remove \(option): the positions set the speed")
    }
    if let use = options.server.standardInput {
      throw UsageError(
        message: "--along - cannot read stdin: the \(use) read from it",
        hint: "read the token or the headers from a file")
    }
  }

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let drive = try drive()
    let input = along == "-" ? try PositionInput() : nil
    return try await options.server.withServer(console, on: nil, isOnlyCall: false) {
      (server) async throws(ErrorReport) -> ExitCode in
      let sender = try LocationSender(
        name, drive, server, console, printsJSON: options.printsJSON ?? !console.outputIsTerminal(),
        errorFormat: options.server.output.errorFormat)
      if let plan = drive.plan {
        console.note(
          "driving \(escaped(name.description)) along \(escaped(along)): \(Units.distance(meters: plan.meters)) in"
            + " \(Units.seconds(plan.duration)), a location every \(Units.seconds(options.drive.interval))"
        )
      }
      defer { if let summary = sender.summary { console.note(summary) } }
      try await sender.run(input)
      return .success
    }
  }

  private func drive() throws(ErrorReport) -> Drive {
    var options = options.drive
    options.seed = name.description
    guard along != "-" else { return Drive(options) }
    let file = try mapError(LocalFile(along)) { (error: IOError) in
      ErrorReport("along", along, FileReadError(error))
    }
    let bytes = try mapError(
      file.contents(limit: Route.sizeLimit, until: .now + LocalFile.defaultTimeout)
    ) { (error: FileReadError) in ErrorReport("along", along, error) }
    let isRecording = RecordedRoute.isRecording(bytes)
    let recording = isRecording ? try RecordedRoute(bytes, before: file, of: along) : nil
    let route: Route
    do throws(RouteFileError) {
      if let recording {
        route = try recording.route(of: name)
      } else {
        route = try Route(file: bytes)
      }
    } catch {
      let place = [along, error.position.map { "\($0)" }].compactMap(\.self)
      throw ErrorReport(
        local: escaped("--along: \(place.joined(separator: ":")): \(error.reason)"), of: "--along",
        hint: error.hint)
    }
    return try mapError(Drive(along: route, options)) { (error: Drive.Fault) in
      switch error {
      case .timeGoesBack(let point):
        ErrorReport(
          local: escaped("--along: \(along): point \(point) is earlier than the one before it"),
          of: "--along", hint: "set the speed with --speed, which ignores the times")
      case .stopAfterEnd(let meters, let length):
        ErrorReport(
          local:
            "--stop: \(Units.fixed(meters, decimals: 0)) m is after the end of the route, which has"
            + " \(Units.fixed(length, decimals: 0)) m", of: "--stop",
          hint: "pass a shorter distance")
      }
    }
  }
}

extension Console {
  /// Writes a line about the progress to stderr, unless --quiet is given.
  fileprivate func note(_ text: String) { if !isQuiet { error(text + "\n") } }
}

private let help = HelpText(
  usage: "tripwire drive NAME --along FILE [options]",
  about:
    "Sends the locations of a vehicle to Fleet Engine as a driver's app does, with UpdateVehicle or"
    + " UpdateDeliveryVehicle, and prints each location that was sent. It ends when the server has the last"
    + " location of the route, or of stdin. After server and network errors it backs off up to about 30s, and"
    + " sends the location of that time."
    + " Other errors end it. The vehicle must exist. NAME is providers/PROJECT/vehicles/VEHICLE or"
    + " providers/PROJECT/deliveryVehicles/VEHICLE. With --provider, providers/PROJECT/ may be omitted.",
  examples: [
    "tripwire drive providers/p/vehicles/v1 --along track.gpx":
      "repeat a recorded track at its own speed",
    "tripwire drive vehicles/v1 --provider p --along route.geojson --stop 500:30s": "",
    "gps | tripwire drive providers/p/deliveryVehicles/v1 --along -":
      "send positions that a program prints",
  ], options: DriveOptions.all,
  exitCodes: ExitCode.table.map { row in
    row.term == "0" ? ("0", "the server has the last location") : row
  })
