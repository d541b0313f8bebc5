import CommandCalls
import CommandLine
package import CommandShell
import Replay

package let replayCommand = Command.local(
  name: "replay", summary: "serve a recording or a script as a gRPC server", ReplayOptions(),
  ReplayOptions.all, operand: .file, help: { help },
  run: { (line, options, console) throws(ErrorReport) in
    exitOnSignals()
    guard !line.operands.isEmpty else {
      throw .usage("FILE is missing", hint: "pass a recording: tripwire replay trip.binlog")
    }
    if let error = UsageError.invalidFiles(line.operands) { throw ErrorReport(error) }
    let use = line.operands.contains("-") ? "recording is" : nil
    if let error = options.schema.contradiction(withStandardInputFor: use) {
      throw ErrorReport(error)
    }
    let schema = try await options.schema.loaded(until: nil)
    return try await options.serving.served(console) { server throws(ErrorReport) in
      var configuration = options.playback.configuration
      configuration.listen = options.serving.listen
      configuration.requiresToken = options.requiresToken
      configuration.server = server
      return try await options.serve(line.operands, configuration, schema, console)
    }
  })

struct ReplayOptions: Sendable {
  var serving = ServingOptions()
  var playback = PlaybackOptions()
  var requiresToken = false
  var schema = SchemaOptions()

  static let all: [Option<ReplayOptions>] =
    ServingOptions.all(logged: ", and which recorded call matched or why none did").map {
      $0.inside(\.serving)
    } + [
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
    ] + PlaybackOptions.options(.common).map { $0.inside(\.playback) }

  /// Loads the files, and serves them until a signal arrives.
  func serve(
    _ files: [String], _ configuration: ReplayConfiguration, _ schema: Schema?, _ console: Console
  ) async throws(ErrorReport) -> ExitCode {
    let server = try await RunningReplay(
      of: files, configuration, types: schema?.pool, descriptors: schema?.ownFiles ?? [],
      warn: console.warn)
    // Only from here: while a file is loaded, a signal ends the process at once.
    let end = EndSignal()
    let code = console.print(
      "listening on \(server.address) (\(serving.protocolName)): \(server.summary) of"
        + " \(escaped(server.name))\n")
    guard code == .success else { return code }
    return await ServingOptions.untilSignal(end) { await server.stop() }
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
