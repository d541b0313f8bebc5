import CommandShell
import Tripwire
import WireHTTP2
import WireIO
import WireTransport

extension DoctorSteps {
  private static let names = ["options", "name", "tcp", "proxy", "tls", "alpn", "http2"]

  /// Makes the steps from the name to HTTP/2. Returns whether the server can be called.
  func connect(_ add: Add) async throws(ErrorReport) -> Bool {
    let probe: ConnectionProbe
    do throws(ConnectionFailure) {
      probe = try ConnectionProbe(target: server.endpoint, server.configuration)
    } catch {
      return try fail("options", report(CallError(error)), nil, add)
    }
    let start = ContinuousClock.now
    let addresses: [SocketAddress]
    do throws(ConnectionFailure) {
      addresses = try await probe.addresses()
    } catch {
      return try fail("name", report(CallError(error)), .now - start, add)
    }
    let list = addresses.map(\.host).joined(separator: ", ")
    try add(
      probe.host.map { host in
        .ok("name", host == list ? "\(host) is an address" : "\(host): \(list)", .now - start)
      } ?? .ok("name", list))
    guard let address = try await dial(addresses, probe, add) else {
      return try skip(after: "tcp", add)
    }
    return try await open(address, probe, add)
  }

  /// Connects to each address. Returns the first that answers.
  private func dial(
    _ addresses: [SocketAddress], _ probe: ConnectionProbe, _ add: Add
  ) async throws(ErrorReport) -> SocketAddress? {
    var reports: [(address: SocketAddress, report: ConnectionProbe.Report)] = []
    for address in addresses {
      reports.append((address, await probe.connect(to: address, onlyTCP: true)))
    }
    let first = Task.isCancelled ? nil : reports.first { $0.report.failed == nil }?.address
    for (address, report) in reports {
      if let failed = report.failed {
        var step = DoctorStep.failed("tcp", self.report(CallError(failed.failure)), failed.time)
        step.message = "\(address): \(failed.failure.detail)"
        if first != nil {
          // localhost has two addresses, and many servers listen at only one of them.
          let isUsual =
            failed.failure.reason == .refused && probe.host.map(ProxyExceptions.isLoopback) ?? false
          step.outcome = isUsual ? .info : .warning
          step.hint =
            isUsual
            ? nil : "make the server reachable at \(address), or remove the address from DNS"
        }
        try add(step)
      } else {
        try add(.ok("tcp", address.description, report.done.first?.time))
      }
    }
    return first
  }

  /// Makes a connection to an address that answers.
  private func open(
    _ address: SocketAddress, _ probe: ConnectionProbe, _ add: Add
  ) async throws(ErrorReport) -> Bool {
    let report = await probe.connect(to: address)
    func time(_ step: ConnectionProbe.Step) -> Duration? {
      report.done.first { $0.step == step }?.time
    }
    let failure = report.failed.map { failed in
      (step: failed.step, report: self.report(CallError(failed.failure)), time: failed.time)
    }
    let lacksALPN = report.failed?.failure.reason == .noALPN
    if let failure, failure.step == .tcp {
      return try fail("tcp", failure.report, failure.time, add)
    }
    if let failure, failure.step == .proxy {
      return try fail("proxy", failure.report, failure.time, add)
    }
    try add(
      probe.proxy.map { .ok("proxy", "\($0) opened a tunnel to \(server.endpoint)", time(.proxy)) }
        ?? .ok("proxy", "none for this server"))
    if probe.usesTLS {
      var step: DoctorStep
      if let failure, failure.step == .tls, !lacksALPN {
        step = .failed("tls", failure.report, failure.time)
      } else {
        step = .ok("tls", report.tls.map { "\($0.version), \($0.cipher)" } ?? "done", time(.tls))
      }
      step.add(report.certificates, console.clock())
      try add(step)
      if step.outcome == .failed { return try skip(after: "tls", add) }
      if let failure, lacksALPN { return try fail("alpn", failure.report, nil, add) }
      try add(.ok("alpn", report.tls?.alpn ?? ""))
    } else {
      try add(.skipped("tls", "plaintext"))
      try add(.skipped("alpn", "plaintext"))
    }
    if let failure { return try fail("http2", failure.report, failure.time, add) }
    try add(.http2(report.settings, time(.http2)))
    return true
  }

  /// Adds a failed step, and skips those after it. Returns false.
  private func fail(
    _ name: String, _ report: ErrorReport, _ time: Duration?, _ add: Add
  ) throws(ErrorReport) -> Bool {
    try add(.failed(name, report, time))
    return try skip(after: name, add)
  }

  private func skip(after failed: String, _ add: Add) throws(ErrorReport) -> Bool {
    for name in Self.names.drop(while: { $0 != failed }).dropFirst() {
      try add(.skipped(name, "\(failed) failed"))
    }
    return false
  }
}

extension DoctorStep {
  /// The rest of a certificate's lifetime below which it is a warning.
  private static let shortestLifetime: Int64 = 14 * 86_400

  /// Adds the certificates of the server, its own first.
  fileprivate mutating func add(_ certificates: [Certificate], _ clock: WallClock) {
    let ends = certificates.map { certificate in
      (try? Timestamp(jsonString: certificate.notAfter.quotedAsJSON))?.seconds
    }
    lines += zip(certificates, ends).map { certificate, end in
      "\(certificate.subject), issuer \(certificate.issuer), valid to \(certificate.notAfter)"
        + (end.map { " (\(clock.relative($0)))" } ?? "")
    }
    let json = JSONWriter.text { json in
      json.array(certificates) { json, certificate in
        json.object { json in
          json.member("subject", certificate.subject)
          json.member("issuer", certificate.issuer)
          json.member("names", certificate.names)
          json.member("notBefore", certificate.notBefore)
          json.member("notAfter", certificate.notAfter)
        }
      }
    }
    members.append(("certificates", json))
    let renewal = "renew the certificate of the server"
    if let end = ends.compactMap(\.self).min(), end - clock.now < Self.shortestLifetime {
      warn(
        end > clock.now
          ? "a certificate expires \(clock.relative(end))"
          : "a certificate expired \(clock.relative(end))",
        hint: end > clock.now ? renewal : renewal + ", or correct the clock of this machine")
    }
  }

  fileprivate static func http2(_ settings: HTTP2Settings?, _ time: Duration?) -> DoctorStep {
    func text(_ value: UInt32) -> String { value == .max ? "no limit" : "\(value)" }
    func limit(_ value: UInt32) -> String { value == .max ? "null" : "\(value)" }
    guard let settings else { return .ok("http2", "ready", time) }
    var step = DoctorStep.ok(
      "http2",
      "concurrent streams: \(text(settings.maxConcurrentStreams)), window:"
        + " \(settings.initialWindowSize), frame size: \(settings.maxFrameSize), header list:"
        + " \(text(settings.maxHeaderListSize))", time)
    let json = JSONWriter.object { json in
      json.member("headerTableSize", settings.headerTableSize)
      json.member("maxConcurrentStreams", json: limit(settings.maxConcurrentStreams))
      json.member("initialWindowSize", settings.initialWindowSize)
      json.member("maxFrameSize", settings.maxFrameSize)
      json.member("maxHeaderListSize", json: limit(settings.maxHeaderListSize))
    }
    step.members.append(("settings", json))
    return step
  }
}
