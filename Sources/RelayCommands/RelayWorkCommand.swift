import CommandLine
import CommandResources
import CommandShell
import HTTPServer
import TripRelay
import Tripwire

struct RelayWorkOptions: ServerCommandOptions {
  var isLongRunning: Bool { true }
  var warnings: [String] { server.tls.warnings + relay.warnings }
  var poll = PollOptions()
  var relay = RelayServer()
  var capacity: Int?
  var replicas = 1
  var partitions: Int?
  var metrics: PageAddress?
  var allowsRemote = false

  var server: ServerOptions {
    get { poll.server }
    set { poll.server = newValue }
  }

  static let all: [Option<RelayWorkOptions>] =
    [
      .value(
        "capacity", "N", .common, "poll at most N resources\nDefault: 100000.",
        parse: Parse.count(1...1_000_000), store: { $0.capacity = $1 }
      ).inFullHelpOnly(),
      .value(
        "replicas", "N", .common,
        "keep N copies of the streams: 1 (default), 3 or 5\nFor a NATS cluster. Existing streams with fewer"
          + " copies get more. A worker never removes copies.",
        choice: Choice([("1", 1), ("3", 3), ("5", 5)]), store: { $0.replicas = $1 }),
      .value(
        "partitions", "N", .common,
        "distribute the states over N streams: 1, 2, 4, 8, 16, 32 or 64\nFor more than 100,000 resources on a NATS"
          + " cluster. All workers and readers follow, also while they run. The number does not shrink.",
        choice: Choice(StreamLayout.choices.map { ("\($0)", $0) }), store: { $0.partitions = $1 }
      ).inFullHelpOnly(),
      .value(
        "metrics", "HOST:PORT", .common,
        "serve Prometheus metrics at http://HOST:PORT/metrics\nHOST:PORT is, for example, 127.0.0.1:9464. An address that other"
          + " machines can reach requires --allow-remote.",
        parse: Parse.pageAddress, store: { $0.metrics = $1 }),
      .flag(
        "allow-remote", .common,
        "let other machines read the metrics\nThe metrics contain no names of resources.",
        store: { $0.allowsRemote = true }
      ).requiring("metrics"),
    ] + RelayServer.relayOptions.map { $0.inside(\.relay) }
    + PollOptions.all.map { $0.inside(\.poll) }
}

let relayWorkCommand = Command.calling(
  name: "relay work", summary: "run a worker, which polls a share of the resources",
  operand: .other, help: { help },
  request: { (line, options: RelayWorkOptions) throws(UsageError) in
    if let operand = line.operands.first {
      throw UsageError(
        message: "unexpected argument \(shown(operand))",
        hint: "request a resource: tripwire relay want \(shown(operand))")
    }
    if let error = options.metrics?.refusal(by: "--metrics", options.allowsRemote) { throw error }
    return options
  },
  run: { (options, console) throws(ErrorReport) in try await options.run(console) })

extension RelayWorkOptions {
  fileprivate func run(_ console: Console) async throws(ErrorReport) -> ExitCode {
    let loop = try console.requiredLoop()
    return try await server.withServer(console, on: loop, isOnlyCall: false) {
      (target) async throws(ErrorReport) -> ExitCode in
      console.waitLine.end()
      let counter = CallCounter()
      let fleet = try fleet(target, counter)
      let metrics = WorkerMetrics(counter)
      let monitoring = try self.metrics.map { address throws(ErrorReport) in
        try monitoringServer(of: metrics, at: address)
      }
      defer { monitoring?.stop() }
      if let monitoring, !console.isQuiet {
        console.error("metrics: \(monitoring.url)\(Self.metricsPath)\n")
      }
      try await relay.withClient(on: loop) { client throws(NATSError) in
        let options = worker(target, console.redactor)
        try await RelayWorker(
          client, fleet, metrics: metrics, options,
          started: { name, others in
            guard !console.isQuiet else { return }
            let line =
              "worker \(name): polls \(target.endpoint) every \(Units.seconds(poll.interval)), at most"
              + " \(Units.count(options.capacity, "resource")); shares the work of"
              + " \(client.shownURL) with \(Units.count(others, "other worker"))"
            console.error("\(escaped(line))\n")
          }, report: { console.report($0) }
        ).run()
      }
      return .success
    }
  }

  private static let metricsPath = "metrics"

  /// Serves the metrics over HTTP.
  private func monitoringServer(
    of metrics: WorkerMetrics, at address: PageAddress
  ) throws(ErrorReport) -> HTTPServer {
    var options = HTTPServerOptions(files: [])
    options.computedFiles = [
      ComputedFile(path: Self.metricsPath, contentType: WorkerMetrics.contentType) {
        Array(metrics.text.utf8)
      }
    ]
    options.listen(at: address)
    // No page shows trips.
    options.limits.pages = 0
    if allowsRemote { options.allowOtherMachines(withKey: false) }
    return try mapError(HTTPServer(options)) { (error: HTTPServerError) in
      ErrorReport(local: escaped("--metrics: \(error)"), hint: error.hint)
    }
  }

  private func fleet(
    _ target: Server, _ counter: CallCounter
  ) throws(ErrorReport) -> FleetServices {
    var configuration = target.configuration
    configuration.interceptors.append(counter)
    do throws(CallError) {
      // The provider of each call is in the name of its resource.
      return try FleetServices(
        providerID: "relay", endpoint: target.endpoint, tokenProvider: target.tokens,
        configuration: configuration)
    } catch {
      throw ErrorReport(local: escaped(error.message))
    }
  }

  private func worker(
    _ target: Server, _ redactor: CredentialRedactor
  ) -> RelayWorkerOptions {
    var options = RelayWorkerOptions()
    if let capacity { options.capacity = capacity }
    options.replicas = replicas
    options.partitions = partitions
    options.trip = TripModelOptions(
      refreshInterval: poll.interval, routeFormat: poll.routeFormat ?? .unknownFormatType,
      view: poll.view ?? .unspecified, callOptions: target.callOptions(nil))
    options.redact = { redactor.redacted($0) }
    return options
  }
}

private let help = HelpText(
  usage: "tripwire relay work [options]",
  about:
    "Runs a worker, which polls trips, vehicles, tasks and shipments and publishes their states in NATS."
    + " When it begins, it prints a line with the addresses, the interval and the number of other workers."
    + " Start any number of workers: each resource that a reader or 'relay want' requests is polled by one"
    + " of them. On SIGTERM a worker hands its resources over to the others. If it cannot connect to NATS at"
    + " the start, it exits with 1. Later it prints a problem with NATS when the problem starts or"
    + " changes, and keeps running, unless NATS refuses its credentials. If NATS is unreachable for more than a minute, it stops polling until NATS is"
    + " reachable again. Readers receive the errors of the polls; -v traces the calls.",
  examples: [
    "tripwire relay work":
      "work with NATS and the Google Cloud credentials of this machine",
    "tripwire relay work --nats nats://nats.example --nats-creds worker.creds": "",
    "tripwire relay work --token-command 'gettoken $TRIPWIRE_TRIP_ID'": "",
  ], options: RelayWorkOptions.all,
  exitCodes: relayExitCodes)
