import MapPage
import Tripwire
import WireIO
import WireSystem

/// Runs the command line of this process as `tripwire map`, and exits with its exit code.
///
/// - Parameter start: starts a server for the page.
package func runTripwireMap(
  serving start:
    @escaping @Sendable (PageServerRequest) throws(PageServerError) -> any PageServer
) {
  runProgram { arguments, console in await mapCommand(start).run(arguments, console) }
}

typealias PageServerStart =
  @Sendable (PageServerRequest) throws(PageServerError) -> any PageServer

func mapCommand(_ start: @escaping PageServerStart) -> Command {
  Command.calling(
    name: "map", summary: mapSummary, operand: .resource, help: { mapHelp },
    request: { (line, options: MapCommandOptions) throws(UsageError) in
      if let error = options.contradiction { throw error }
      if let error = options.follow.relay.contradiction(line, MapCommandOptions.all) {
        throw error
      }
      return MapRequest(
        follow: FollowRequest(
          names: try FollowRequest.names(line, options.follow, of: "map"),
          options: options.follow),
        options: options, start: start)
    },
    run: { (request, console) throws(ErrorReport) in try await request.run(console) })
}

/// The resources and the options of `tripwire map`.
struct MapRequest: Sendable {
  let follow: FollowRequest
  let options: MapCommandOptions
  let start: PageServerStart

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let leaflet = try options.map.leafletFiles()
    var page = options.map.page
    page.names = follow.names.map(\.description)
    let server: any PageServer
    do throws(PageServerError) {
      server = try start(
        PageServerRequest(
          host: options.listen.host, port: options.listen.port,
          allowsRemote: options.allowsRemote,
          files: ServedFile.page(leaflet, page),
          tileOrigin: options.map.tiles?.origin))
    } catch {
      throw ErrorReport(local: escaped(error.message), hint: error.hint)
    }
    defer { server.stop() }
    try console.write("\(server.url)\n")
    if options.opensBrowser { openBrowser(server.url, console) }
    let display = MapDisplay(
      server, failsFast: options.follow.failsFast,
      isReplayed: options.server.connection.replay != nil,
      waitsForPages: options.follow.goal == nil, console,
      errorFormat: options.server.output.errorFormat)
    guard let loop = console.loop else {
      throw ErrorReport(
        local: "cannot start the map server: the event loop did not start",
        hint: "report this as a bug in tripwire")
    }
    return try await follow.run(console, on: loop) { _ in display }
  }

  /// Does not wait, because the program may be the browser itself, which continues after this process.
  private func openBrowser(_ url: String, _ console: Console) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    Task {
      let output = try? await ChildProcess.run(
        ["sh", "-c", "exec \(program) \"$1\" >/dev/null 2>&1", "sh", url], limit: 0,
        timeout: .seconds(1 << 32), outlivesParent: true)
      guard output?.end != .exited(0) else { return }
      console.warn("--open: \(program) failed; open the address in a browser")
    }
  }
}

let mapSummary = "show trips, vehicles and tasks on a map in the browser"

let mapHelp =
  HelpText(
    usage: "tripwire map NAME... [options]",
    about:
      "Follows trips, vehicles, tasks and shipments as 'tripwire follow' does, and shows them on a map in the"
      + " browser. Prints the address of the page. Without --allow-remote, only this machine can open it."
      + " The command ends on Ctrl-C, or when all trips have ended, all tasks and shipments are closed, and"
      + " no page is open. If no page was ever opened, it waits 60 s for one. With a vehicle it ends only on"
      + " Ctrl-C, after --for, or at an error with --fail-fast. NAME is"
      + " providers/PROJECT/ with trips/TRIP, vehicles/VEHICLE, tasks/TASK, deliveryVehicles/VEHICLE or"
      + " taskTrackingInfo/TRACKING_ID. With --provider, providers/PROJECT/ may be omitted, and so may"
      + " trips/. " + FollowRequest.namesFromInput,
    sections: [
      HelpText.Section(
        title: HelpText.examples,
        rows: [
          ("tripwire map providers/my-project/trips/t1 --open", "show a trip in the browser"),
          (
            "tripwire map providers/p/trips/t1 --replay trip.binlog --interval 1s",
            "show a recording as if it were live"
          ),
          (
            "tripwire search trips --provider p --active -o name | tripwire map -",
            "show the trips that are found"
          ),
          ("tripwire log trip.binlog --map trip.html", "make a page of a recording"),
        ])
    ], options: MapCommandOptions.all, exitCodes: FollowRequest.exitCodes)
