import CommandLine
import CommandResources
package import CommandShell
import HTTPServer
import MapPage
import Tripwire
import WireSystem

package let mapCommand = Command.calling(
  name: "map", summary: "show trips, vehicles and tasks on a map in the browser",
  operand: .resource, help: { help },
  request: { (line, options: MapCommandOptions) throws(UsageError) in
    if let error = options.listen.refusal(by: "--listen", options.allowsRemote) { throw error }
    return MapRequest(
      follow: FollowRequest(
        names: try FollowRequest.names(line, options.follow, of: "map"),
        options: options.follow),
      options: options)
  },
  run: { (request, console) throws(ErrorReport) in try await request.run(console) })

struct MapRequest: Sendable {
  let follow: FollowRequest
  let options: MapCommandOptions

  func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let server = try startServer()
    defer { server.finish() }
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

  private func startServer() throws(ErrorReport) -> HTTPServer {
    var page = options.map.page
    page.names = follow.names.map(\.description)
    var served = HTTPServerOptions(files: ServedFile.page(try options.map.leafletFiles(), page))
    served.listen(at: options.listen)
    served.imageSources = options.map.tiles.map { [$0.origin] } ?? []
    if options.allowsRemote { served.allowOtherMachines() }
    return try mapError(HTTPServer(served)) { (error: HTTPServerError) in
      ErrorReport(local: escaped("\(error)"), hint: error.hint)
    }
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

private let help = HelpText(
  usage: "tripwire map NAME... [options]",
  about:
    "Follows trips, vehicles, tasks and shipments as 'tripwire follow' does, and shows them on a map in the"
    + " browser. Prints the address of the page. Without --allow-remote, only this machine can open it."
    + " The command ends on Ctrl-C, or when all trips have ended, all tasks and shipments are closed, and"
    + " no page is open. If no page was ever opened, it waits 60 s for one. With a vehicle it ends only on"
    + " Ctrl-C, after --for, or at an error with --fail-fast."
    + " \(NameOperands.nameHelp) \(NameOperands.inputHelp)",
  examples: [
    "tripwire map providers/my-project/trips/t1 --open": "show a trip in the browser",
    "tripwire map providers/p/trips/t1 --replay trip.binlog --interval 1s":
      "show a recording as if it were live",
    "tripwire search trips --provider p --active -o name | tripwire map -":
      "show the trips that are found",
    "tripwire log trip.binlog --map trip.html": "make a page of a recording",
  ], options: MapCommandOptions.all, exitCodes: FollowRequest.exitCodes)
