import CommandCalls
import CommandLine
package import CommandShell
import Recording
import Replay
import WireGRPCClient
import WireGRPCServer
import WireSystem

package let replayCommand = Command.local(
  name: "replay", summary: "serve a recording or a script as a gRPC server", ReplayOptions(),
  ReplayOptions.all, operand: .file, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    exitOnSignals()
    guard !line.operands.isEmpty else {
      throw .usage("FILE is missing", hint: "pass a recording: tripwire replay trip.binlog")
    }
    if let error = UsageError.invalidFiles(line.operands) { throw ErrorReport(error) }
    let configuration = try options.configuration()
    let use = line.operands.contains("-") ? "recording is" : nil
    if let error = options.schema.contradiction(withStandardInputFor: use) {
      throw ErrorReport(error)
    }
    let schema = try await options.schema.loaded(until: nil)
    ResourceLimits.raiseOpenFiles()
    return try await options.logged(console) { log throws(ErrorReport) in
      try await options.record.recorded(warn: { console.warn($0) }) {
        recorder throws(ErrorReport) in
        var configuration = configuration
        if let recorder { configuration.server.observers.append(recorder.listener) }
        if let log { configuration.server.observers.append(log.listener) }
        return try await serve(line.operands, configuration, schema, console)
      }
    }
  })

/// Loads the files, and serves them until a signal arrives.
private func serve(
  _ files: [String], _ configuration: ReplayConfiguration, _ schema: Schema?, _ console: Console
) async throws(ErrorReport) -> ExitCode {
  let server = try await RunningReplay(
    of: files, configuration, types: schema?.pool, descriptors: schema?.ownFiles ?? [],
    warn: console.warn)
  // Only from here: while a file is loaded, a signal ends the process at once.
  let end = EndSignal()
  let protocolName = configuration.server.tls == nil ? "plaintext" : "TLS"
  let code = console.print(
    "listening on \(server.address) (\(protocolName)): \(server.summary) of"
      + " \(escaped(server.name))\n")
  guard code == .success else { return code }
  let signal = await end.wait()
  await server.stop()
  return signal == SIGHUP ? .signal(SIGHUP) : .success
}

extension CallRecorder {
  /// Returns the observer of a call; nil for a request that names no method.
  fileprivate func listener(to call: ServedCall) -> ServedCall.Listener? {
    guard call.namesMethod else { return nil }
    guard let listener = listener(toServed: call.path, authority: call.authority, peer: call.peer)
    else { return nil }
    return { event in
      if case .exchange(let event) = event { listener(event) }
    }
  }
}

struct ReplayOptions: Sendable {
  var listen = "127.0.0.1:0"
  var playback = PlaybackOptions()
  var record = RecordOptions()
  var requiresToken = false
  var isVerbose = false
  var schema = SchemaOptions()
  var certificateFile: String?
  var keyFile: String?

  static let all: [Option<ReplayOptions>] =
    [
      .value(
        "listen", "HOST:PORT", .common,
        "listen at this address, such as 127.0.0.1:50051\n:PORT listens at all addresses, which other"
          + " machines can reach. Port 0 selects a free port. Default: 127.0.0.1:0.",
        parse: Parse.listenAddress, store: { $0.listen = $1 }),
      .value(
        "tls-cert", "FILE", .common,
        "serve TLS with the certificate in this PEM file\nIntermediate certificates follow it in"
          + " FILE.",
        parse: Parse.text, store: { $0.certificateFile = $1 }),
      .value(
        "tls-key", "FILE", .common,
        "use the private key in this PEM file\nDefault: the file of --tls-cert.",
        parse: Parse.text, store: { $0.keyFile = $1 }
      ).requiring("tls-cert"),
      .value(
        "protoset", "FILE", .common,
        "add the types of this FileDescriptorSet (repeatable)\nFor the messages of a script and for"
          + " reflection. FILE may be compressed with gzip; - reads stdin. Made by protoc --include_imports"
          + " --descriptor_set_out=FILE.",
        parse: Parse.text, store: { $0.schema.protosets.append($1) }),
      .flag(
        "require-token", .common,
        "reject calls without a bearer token\nThe status is UNAUTHENTICATED, as from Fleet Engine."
          + " Any bearer token is accepted. Health checks and reflection need no token.",
        store: { $0.requiresToken = true }),
      .flag(
        "verbose", short: "v", .common,
        "log each call on stderr when it ends\nShows the time, peer, method, resource, status and"
          + " latency, and which recorded call matched or why none did.",
        store: { $0.isVerbose = true }),
    ] + PlaybackOptions.options(.common).map { $0.inside(\.playback) }
    + RecordOptions.all.map { $0.inside(\.record) }

  /// Calls `body` with an access log if -v was given.
  func logged(
    _ console: Console,
    _ body: (AccessLog?) async throws(ErrorReport) -> ExitCode
  ) async throws(ErrorReport) -> ExitCode {
    guard isVerbose else { return try await body(nil) }
    let lines = try mapError(LineQueue(console)) { (error: IOError) in
      ErrorReport(local: "cannot \(error)")
    }
    let code = try await body(AccessLog(lines, clock: console.clock))
    // stderr may have no reader.
    endProcessSoon(code)
    await lines.close()
    return code
  }

  func configuration() throws(ErrorReport) -> ReplayConfiguration {
    var configuration = playback.configuration
    configuration.listen = listen
    configuration.requiresToken = requiresToken
    configuration.server.tls = try tls()
    return configuration
  }

  private func tls() throws(ErrorReport) -> TLSContext? {
    guard let certificateFile else { return nil }
    let certificate = try Self.contents(of: certificateFile, "tls-cert")
    let key = try keyFile.map { file throws(ErrorReport) in try Self.contents(of: file, "tls-key") }
    do throws(TLSError) {
      return try TLSContext(serverCertificate: certificate, privateKey: key ?? certificate)
    } catch {
      throw report(error)
    }
  }

  private func report(_ error: TLSError) -> ErrorReport {
    guard var fault = error.inputFault else {
      return ErrorReport(local: escaped("--tls-cert: \(error)"))
    }
    let isOfKey = fault.input == .privateKey && keyFile != nil
    fault.path = isOfKey ? keyFile : certificateFile
    return ErrorReport(fault, name: isOfKey ? "--tls-key" : "--tls-cert", keyOption: "--tls-key")
  }

  private static func contents(
    of file: String, _ option: String
  ) throws(ErrorReport) -> [UInt8] {
    try mapError(LocalFile.contents(of: file, limit: 1 << 20)) { (error: FileReadError) in
      ErrorReport(option, file, error)
    }
  }
}

private let help = HelpText(
  usage: "tripwire replay FILE... [--listen HOST:PORT] [--speed N|max] [--loop]\n"
    + "                           [--require-token] [--tls-cert FILE [--tls-key FILE]]\n"
    + "                           [--protoset FILE] [--record FILE] [-v]",
  about:
    "Serves the calls of a recording or of a script as a gRPC server, until Ctrl-C or SIGTERM. A"
    + " recording is a gRPC binary log. If it was rotated, pass all its files. The server uses TLS if"
    + " --tls-cert is given. The first line on stdout names the address and the content: \"listening"
    + " on 127.0.0.1:41234 (plaintext): 6 calls of 2 methods of trip.binlog\". The server also has"
    + " gRPC's health and reflection services. A request to Fleet Engine matches a recorded one if all"
    + " fields are equal, except the field \"header\" and the fields of GetTrip and GetVehicle whose"
    + " names end in \"_version\". A request to another service matches if the bytes of its messages are equal. Other"
    + " requests get NOT_FOUND. If such a request names a resource, the status message lists the fields that differ"
    + " or the recorded names. A method that is not in the recording gets UNIMPLEMENTED.",
  examples: [
    "tripwire replay trip.binlog --listen 127.0.0.1:50051": "",
    "tripwire replay bad-day.json --listen 127.0.0.1:50051": "",
    "tripwire get providers/p/trips/t1 --endpoint 127.0.0.1:50051 --plaintext": "",
    "tripwire get providers/p/trips/t1 --replay trip.binlog": "replay and get in one process",
  ],
  sections: [
    HelpText.Section(
      title: "Scripts",
      rows: [
        (
          "FILE",
          "JSON that describes responses: {\"calls\": [{\"method\": \"/test.Echo/Say\","
            + " \"steps\": [STEP, …]}]}. Add \"request\" or \"resource\" to a call that answers"
            + " only some requests. End a call with trailers or a reset, or with endStream"
        ),
        (
          "STEP",
          "an object with one of the members below, such as {\"ping\": {}}. It may also have"
            + " \"delay\", such as \"1.5s\", and \"after\", the number of request messages to wait for"
        ),
        ("\"headers\"", "{\"status\": 503, \"fields\": [{\"name\": \"a\", \"value\": \"b\"}]}"),
        (
          "\"message\"",
          "{\"json\": {\"@type\": …}}. Optional: \"declaredLength\": 9, a wrong length for the"
            + " prefix; \"split\": [1, 4], the number of bytes in each DATA frame"
        ),
        ("\"data\"", "{\"bytes\": \"PGI+\", \"endStream\": true}, bytes in base64"),
        ("\"trailers\"", "{\"code\": \"NOT_FOUND\", \"message\": \"no such trip\"}"),
        ("\"reset\"", "\"REFUSED_STREAM\", the error code of an RST_STREAM"),
        ("\"goAway\"", "{\"code\": \"ENHANCE_YOUR_CALM\", \"debug\": \"too_many_pings\"}"),
        ("\"ping\", \"close\"", "{}; close closes the connection"),
        (
          "\"frame\"",
          "{\"type\": \"HEADERS\", \"flags\": 4, \"fields\": [{\"name\": \":status\", \"value\":"
            + " \"103\"}]}, a raw frame; other types have a \"payload\" in base64"
        ),
      ])
  ], options: ReplayOptions.all,
  exitCodes: [
    ("0", "stopped by Ctrl-C or SIGTERM while serving"),
    ("1", "a file is invalid or unreadable, or the address cannot be used"),
    ("2", "invalid command line"),
    (
      "128 + signal",
      "130 by Ctrl-C or 143 by SIGTERM while loading files, or by a second signal while"
        + " the last calls finish; 129 by SIGHUP (terminal closed)"
    ),
  ])
