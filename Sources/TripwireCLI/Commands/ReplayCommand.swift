#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

let replayCommand = Command(
  name: "replay", summary: "serve the calls of a recording on loopback",
  run: { (arguments, console) in
    var options = ReplayOptions()
    let line = parse(
      arguments, ReplayOptions.all, into: &options, environment: console.environment)
    if line.wantsHelp { return console.print(help) }
    do throws(ErrorReport) {
      let recording = try recording(line)
      let end = EndSignal([SIGINT, SIGTERM])
      let server = try await RunningReplay(of: recording, at: options.listen, warn: console.warn)
      let code = console.print("listening on \(server.address)\n")
      guard code == .success else { return code }
      await end.wait()
      await server.stop()
      return .success
    } catch {
      return console.report(error, as: .text)
    }
  })

/// What `tripwire replay` was told.
struct ReplayOptions: Sendable {
  var listen = "127.0.0.1:0"

  static let all: [Option<ReplayOptions>] = [
    .value(
      "listen", "HOST:PORT", .common,
      "where to listen; any free port of 127.0.0.1 if not given, port 0 for any free port",
      parse: Parse.listenAddress, store: { $0.listen = $1 })
  ]
}

private func recording(_ line: ParsedCommandLine) throws(ErrorReport) -> String {
  var error = line.error
  if line.operands.isEmpty {
    error =
      error ?? UsageError(message: "FILE is missing", hint: "as in: tripwire replay trip.binlog")
  } else if line.operands.count > 1 {
    error =
      error ?? UsageError(message: "one FILE at a time: what is \(escaped(line.operands[1]))?")
  }
  if let error { throw ErrorReport(error, command: "replay") }
  return line.operands[0]
}

private let help =
  HelpText(
    usage: "tripwire replay FILE [--listen HOST:PORT]",
    about: "Serves the calls of a recording (gRPC binary log) over plaintext HTTP/2 until Ctrl-C or"
      + " SIGTERM. The first line on stdout says where: \"listening on 127.0.0.1:41234\".",
    sections: [
      HelpText.Section(
        title: "Examples",
        rows: [
          ("tripwire replay trip.binlog --listen 127.0.0.1:50051", ""),
          ("tripwire get providers/p/trips/t1 --endpoint 127.0.0.1:50051 --plaintext", ""),
          ("tripwire get providers/p/trips/t1 --replay trip.binlog", "both in one process"),
        ])
    ] + HelpText.sections(of: ReplayOptions.all) + [
      HelpText.Section(
        title: "Exit codes",
        rows: [
          ("0", "ended by Ctrl-C or SIGTERM"),
          ("1", "the recording cannot be read, the address cannot be listened on"),
          ("2", "the command line is wrong"),
        ])
    ]
  ).description
