package import CommandLine
package import CommandShell
import Recording
package import WireGRPCServer
import WireProtobuf
import WireSystem
import WireTLS

/// The options of a command that serves gRPC.
package struct ServingOptions: Sendable {
  package var listen = "127.0.0.1:0"
  private var record = RecordOptions()
  private var isVerbose = false
  private var certificateFile: String?
  private var keyFile: String?

  package init() {}

  /// - Parameter logged: what -v shows besides the call.
  package static func all(logged: String = "") -> [Option<ServingOptions>] {
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
      .flag(
        "verbose", short: "v", .common,
        "log each call on stderr when it ends\nShows the time, peer, method, resource, status and"
          + " latency\(logged).",
        store: { $0.isVerbose = true }),
    ] + RecordOptions.all.map { $0.inside(\.record) }
  }

  /// The protocol in the line that names the address.
  package var protocolName: String { certificateFile == nil ? "plaintext" : "TLS" }

  /// Calls `body` with the configuration of a server whose calls are logged and recorded as requested.
  package func served(
    _ console: Console, _ body: (ServerConfiguration) async throws(ErrorReport) -> ExitCode
  ) async throws(ErrorReport) -> ExitCode {
    var configuration = ServerConfiguration()
    configuration.tls = try tls()
    ResourceLimits.raiseOpenFiles()
    let secured = configuration
    return try await logged(console) { log throws(ErrorReport) in
      try await record.recorded(warn: { console.warn($0) }) { recorder throws(ErrorReport) in
        var configuration = secured
        if let recorder { configuration.observers.append(recorder.listener) }
        if let log { configuration.observers.append(log.listener) }
        return try await body(configuration)
      }
    }
  }

  /// Waits for a signal, and returns the exit code for it. Until then, a server runs.
  package static func untilSignal(
    _ end: EndSignal, _ stop: () async -> Void
  ) async -> ExitCode {
    let signal = await end.wait()
    await stop()
    return signal == SIGHUP ? .signal(SIGHUP) : .success
  }

  /// Calls `body` with an access log if -v was given.
  private func logged(
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
