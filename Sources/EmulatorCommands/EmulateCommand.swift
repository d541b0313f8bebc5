import CommandCalls
import CommandLine
import CommandResources
package import CommandShell
import EmulatorState
import FleetEmulator
import HTTPServer
import ProtobufDescriptors
import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf
import WireSystem

struct EmulateOptions: Sendable {
  var serving = ServingOptions()
  var provider = "demo"
  var isDemo = false
  var vehicles = 3
  var deliveryVehicles = 1
  var speed = 1
  var requiresToken = false
  var accountFile: String?
  var stateFile: String?
  var rest: PageAddress?
  var map: PageAddress?
  var mapOptions = MapOptions()
  var isVirtual = false
  var startTime: Timestamp?
  var faults: [Fault] = []
  var faultsFile: String?

  static let all: [Option<EmulateOptions>] =
    [
      .value(
        "seed", "demo", .common,
        "begin with vehicles that move\nThey are v1, v2, …, and each has one trip after the other: t1,"
          + " t1-2, t1-3. Without --seed, there are no resources at the beginning.",
        choice: Choice([("demo", true)]), store: { $0.isDemo = $1 }),
      .value(
        "vehicles", "N", .common, "with --seed demo: the number of vehicles\nDefault: 3.",
        parse: Parse.count(1...10_000), store: { $0.vehicles = $1 }
      ).requiring("seed"),
      .value(
        "deliveries", "N", .common,
        "with --seed demo: the number of delivery vehicles\nDefault: 1. Each has one journey after the other: d1 has"
          + " the tasks d1-1, d1-2 and so on. Deliveries and pickups have the tracking IDs track-d1-1 and so on.",
        parse: Parse.count(0...10_000), store: { $0.deliveryVehicles = $1 }
      ).requiring("seed"),
      .value(
        "speed", "N", .common,
        "with --seed demo: vehicles are N times as fast\nFrom 1 to 1000. Default: 1, which is 8 m/s.",
        parse: Parse.count(1...1_000), store: { $0.speed = $1 }
      ).requiring("seed"),
      .value(
        "provider", "ID", .common,
        "with --seed demo: the Cloud project in the names\nDefault: demo. Calls may use the names of any project.",
        parse: Parse.providerID, store: { $0.provider = $1 }
      ).requiring("seed"),
      .value(
        "state", "FILE", .common,
        "keep the resources in this SQLite database\nIt is created if it does not exist. A change is saved before its"
          + " call returns, and is there when another emulator begins with FILE, also after SIGKILL. Without --state,"
          + " the resources are in memory only.",
        parse: Parse.text, store: { $0.stateFile = $1 }),
      .flag(
        "virtual-time", .common,
        "let time stand still until AdvanceTime is called\nThe time of resources and vehicles follows"
          + " tripwire.emulator.v1.EmulatorService/AdvanceTime, so that a test controls it. Deadlines of calls and the"
          + " latencies of faults follow the clock of the system.",
        store: { $0.isVirtual = true }),
      .value(
        "start-time", "TIME", .common,
        "with --virtual-time: begin at TIME\nSuch as 2026-11-21T09:30:00Z. Default: the present time.",
        parse: Parse.time, store: { $0.startTime = $1 }
      ).requiring("virtual-time"),
      .value(
        "fault", "FAULT", .common,
        "add a fault, such as UNAVAILABLE,for=20s\nMay be repeated. FAULT is EFFECT[,KEY=VALUE]..."
          + " EFFECT is a status such as UNAVAILABLE; quota or quota=CALLS for"
          + " RESOURCE_EXHAUSTED, always or after CALLS in a minute; latency=TIME; silence; disconnect; or"
          + " stuck-location, with which vehicles stay where they are. The keys are method=GetTrip (repeatable),"
          + " resource=trips/t1 or a full name, after=TIME, for=TIME, and times=N for the next N calls.",
        parse: Parse.fault, store: { $0.faults.append($1) }),
      .value(
        "faults", "FILE", .common,
        "begin with the faults of this JSON file\nIt is {\"faults\": [...]}. 'tripwire describe"
          + " tripwire.emulator.v1.Fault' shows the fields of a fault. CreateFault and DeleteFault"
          + " change the faults later.",
        parse: Parse.text, store: { $0.faultsFile = $1 }),
      .flag(
        "require-token", .common,
        "reject calls without a bearer token\nThe status is UNAUTHENTICATED, as from Fleet Engine. Any bearer token"
          + " is accepted. Health checks and reflection need no token.",
        store: { $0.requiresToken = true }),
      .value(
        "check-tokens", "FILE", .common,
        "accept only tokens that the service account of this key file has signed, and check their claims\nThe rules"
          + " are those of Fleet Engine: signature, audience, times, and the claims for the method. 'tripwire token"
          + " mint' makes tokens.",
        parse: Parse.text, store: { $0.accountFile = $1 }
      ).excluding(["require-token"]),
      .value(
        "rest", "HOST:PORT", .common,
        "serve the methods over HTTP with JSON, too\nWithout TLS, and for web pages of all origins."
          + " :PORT listens at all addresses, which other machines can reach. Port 0 selects a free port.",
        parse: Parse.pageAddress, store: { $0.rest = $1 }),
      .value(
        "map", "HOST:PORT", .common,
        "serve a page that shows the vehicles on a map\nPort 0 selects a free port. If other machines"
          + " can reach the address, the URL contains a random key. The page shows at most 1000 vehicles.",
        parse: Parse.pageAddress, store: { $0.map = $1 }),
    ]
    + MapOptions.all.map {
      $0.inside(\.mapOptions).inFullHelpOnly().requiring("map")
    }
    + ServingOptions.all().map { $0.inside(\.serving) }
}

extension Parse {
  fileprivate static func time(_ text: String) throws(InvalidValue) -> Timestamp {
    guard let time = try? Timestamp(jsonString: text.quotedAsJSON) else {
      throw InvalidValue("expected an RFC 3339 time such as 2026-11-21T09:30:00Z")
    }
    guard time <= EmulatorTime.latest else {
      throw InvalidValue("expected a time before the year 9999")
    }
    return time
  }
}

package let emulateCommand = Command.local(
  name: "emulate", summary: "serve an emulated Fleet Engine", EmulateOptions(),
  EmulateOptions.all, operand: .other, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    exitOnSignals()
    if let operand = line.operands.first {
      throw .usage(
        "unexpected argument \(escaped(operand))",
        hint: "create resources with the API, for example with tripwire create, or pass --seed demo"
      )
    }
    return try await options.serving.served(console) { server throws(ErrorReport) in
      try await options.serve(server, console)
    }
  })

extension EmulateOptions {
  private static let mapInterval = Duration.seconds(1)

  fileprivate func serve(
    _ configuration: ServerConfiguration, _ console: Console
  ) async throws(ErrorReport) -> ExitCode {
    let fleet = try fleet()
    let rest = try restServer(fleet, configuration.observers)
    defer { rest?.stop() }
    let map = try map.map { address throws(ErrorReport) in
      try EmulatorMap(fleet, isVirtual: isVirtual, at: address, mapOptions)
    }
    defer { map?.stop() }
    let server: StandaloneServer
    let address: String
    do throws(ListenError) {
      server = try StandaloneServer("emulator", listen: serving.listen, configuration) {
        EmulatorService(fleet, descriptors: Self.descriptors)
      }
      address = "\(try await server.start())"
    } catch {
      throw ErrorReport(local: escaped("cannot listen on \(error)"), hint: error.hint)
    }
    let end = EndSignal()
    let code = console.print(
      "listening on \(address) (\(serving.protocolName)): \(contents)\n"
        + (rest.map { "listening on \($0.url.dropLast()) (REST)\n" } ?? "")
        + (map.map { "listening on \($0.url) (map)\n" } ?? "") + "\(example(address, fleet))\n")
    guard code == .success else { return code }
    let publishing = map.map { map in
      Task {
        var map = map
        repeat { map.publish() } while await console.sleep(for: Self.mapInterval)
      }
    }
    defer { publishing?.cancel() }
    return await ServingOptions.untilSignal(end) { await server.stop() }
  }

  private func restServer(
    _ fleet: EmulatedFleet, _ observers: [ServedCall.Observer]
  ) throws(ErrorReport) -> HTTPServer? {
    guard let rest else { return nil }
    var options = HTTPServerOptions(
      api: try RESTService(fleet, Self.descriptors(), observers).handler)
    options.listen(at: rest)
    return try mapError(HTTPServer(options)) { (error: HTTPServerError) in
      ErrorReport(local: escaped("--rest: \(error)"), hint: error.hint)
    }
  }

  private func fleet() throws(ErrorReport) -> EmulatedFleet {
    var demo = Traffic.Demo()
    demo.vehicles = vehicles
    demo.deliveryVehicles = deliveryVehicles
    demo.provider = parent
    demo.speedup = Double(speed)
    let tokens = try tokens()
    let fleet: EmulatedFleet
    do throws(StateFileError) {
      let file = try stateFile.map { path throws(StateFileError) in try StateFile(path) }
      fleet = EmulatedFleet(
        time: isVirtual ? .standing(startTime ?? .now) : .system, tokens: tokens,
        engine: try file?.engine() ?? FleetEngine(), store: file, demo: isDemo ? demo : nil)
    } catch {
      throw ErrorReport(local: escaped("--state: \(error)"), hint: error.hint)
    }
    let faults = faults + (try faultsFile.map(FaultsFile.faults) ?? [])
    for fault in faults {
      try mapError(fleet.create(fault)) { (error: EngineError) in
        ErrorReport(local: escaped("--faults: \(error.status.message)"))
      }
    }
    try mapError(fleet.save()) { (error: EngineError) in
      ErrorReport(local: escaped("--state: \(error.status.message)"))
    }
    return fleet
  }

  private func tokens() throws(ErrorReport) -> TokenPolicy {
    guard let accountFile else { return requiresToken ? .anyToken : .open }
    return .checked(
      TokenGuard(
        try mapError(ServiceAccountKey(path: accountFile)) { (error: TokenError) in
          ErrorReport(
            local: escaped("--check-tokens: \(error)"),
            hint: "pass the JSON key of a service account with --check-tokens")
        }))
  }

  @Sendable private static func descriptors() -> [FileDescriptorProto] {
    EmbeddedSchema.files.map(\.withPlacedComments)
  }

  /// That of the demo.
  private var parent: String { "providers/\(provider)" }

  private var contents: String {
    isDemo
      ? "\(demoVehicles) of \(escaped(parent))"
      : stateFile.map { "the resources of \(escaped($0))" } ?? "no resources"
  }

  private var demoVehicles: String {
    let vehicles = Units.count(vehicles, "vehicle")
    return deliveryVehicles == 0
      ? vehicles : "\(vehicles) and \(Units.count(deliveryVehicles, "delivery vehicle"))"
  }

  /// A command that calls the emulator.
  private func example(_ address: String, _ fleet: EmulatedFleet) -> String {
    let command =
      isDemo
      ? "follow \(escaped(parent))/trips/\(fleet.currentTrips(of: "v1", parent).first ?? "t1")"
      : "search trips --provider p"
    let token =
      accountFile.map { " --credentials \(shellWord($0))" }
      ?? (requiresToken ? " --token-file FILE" : "")
    let security = serving.protocolName == "TLS" ? "--cacert FILE" : "--plaintext"
    return "tripwire \(command) --endpoint \(address) \(security)\(token)"
  }
}

private let help = HelpText(
  usage: "tripwire emulate [--seed demo [--vehicles N] [--deliveries N]\n"
    + "                         [--speed N]]\n"
    + "                        [--listen HOST:PORT] [--tls-cert FILE [--tls-key FILE]]\n"
    + "                        [--require-token | --check-tokens FILE]\n"
    + "                        [--fault FAULT]... [--faults FILE] [--state FILE]\n"
    + "                        [--virtual-time [--start-time TIME]]\n"
    + "                        [--rest HOST:PORT] [--map HOST:PORT [--tiles URL]]\n"
    + "                        [--record FILE] [-v]",
  about:
    "Serves TripService, VehicleService and DeliveryService as Fleet Engine does until Ctrl-C or SIGTERM:"
    + " for tests, for demos, and for work without an account. It checks requests by the rules of the reference, and"
    + " returns the same codes and details. The first line on stdout names the address: \"listening on"
    + " 127.0.0.1:41234 (plaintext): 3 vehicles and 1 delivery vehicle of providers/demo\". With --rest, the second"
    + " names that of the same methods over HTTP, and with --map another one that of a page with the vehicles. The"
    + " last is a command that calls the server. The server also has gRPC's health and reflection services, and"
    + " tripwire.emulator.v1.EmulatorService, which makes calls fail and drives vehicles.",
  examples: [
    "tripwire emulate --seed demo --listen 127.0.0.1:50051": "",
    "tripwire follow providers/demo/trips/t1 --endpoint 127.0.0.1:50051 --plaintext":
      "follow a trip of the demo",
  ], options: EmulateOptions.all,
  exitCodes: [
    ("0", "stopped by Ctrl-C or SIGTERM while serving"),
    ("1", "a file is invalid or unreadable, or the address cannot be used"),
    ("2", "invalid command line"),
    (
      "128 + signal",
      "143 or 130 by a second SIGTERM or Ctrl-C while the last calls finish; 129 by SIGHUP (terminal closed)"
    ),
  ])
