import Tripwire

/// What `tripwire get` asks for, and of whom.
struct GetRequest: Sendable {
  let name: ResourceName
  let options: GetOptions

  /// The text for stdout.
  func answer(_ console: Console) async throws(ErrorReport) -> String {
    let token = try options.token?.token()
    return try await interruptible(on: console.loop) {
      () async throws(ErrorReport) -> String in
      guard let recording = options.replay else {
        let security = ChannelConfiguration.Security(options)
        return try await answer(from: options.endpoint, security, token, console)
      }
      let server = try await RunningReplay(of: recording, at: "127.0.0.1:0") { warning in
        if options.errorFormat == .text { console.warn(warning) }
      }
      defer { withExtendedLifetime(server) {} }
      return try await answer(from: server.address, .plaintext, token, console)
    }
  }

  private func answer(
    from endpoint: String, _ security: ChannelConfiguration.Security, _ token: FixedToken?,
    _ console: Console
  ) async throws(ErrorReport) -> String {
    do throws(CallError) {
      let fleet = try FleetServices(
        providerID: name.providerID, endpoint: endpoint, tokenProvider: token,
        configuration: configuration(security, console))
      switch name {
      case .trip(let name):
        var request = GetTripRequest()
        request.name = name.description
        if let view = options.view { request.view = view }
        if let format = options.routeFormat { request.routeFormatType = format }
        let response = try await fleet.tripService.getTrip(
          request, options: callOptions(TripServiceMethods.getTrip.retryPolicy))
        return try text(of: response, response.message.text, console)
      case .vehicle(let name):
        var request = GetVehicleRequest()
        request.name = name.description
        let response = try await fleet.vehicleService.getVehicle(
          request, options: callOptions(VehicleServiceMethods.getVehicle.retryPolicy))
        return try text(of: response, response.message.text, console)
      }
    } catch {
      let hint = Hint(endpoint: endpoint, name: name.description, hasToken: token != nil)
      throw ErrorReport(error, hint: hint.text(for: error))
    }
  }

  private func callOptions(_ policy: RetryPolicy?) -> CallOptions {
    var retryPolicy = policy
    if let retries = options.retries { retryPolicy?.maxAttempts = retries + 1 }
    return CallOptions(
      timeout: options.timeout, metadata: options.headers,
      maxReceiveMessageSize: options.maxMessageSize, retryPolicy: retryPolicy)
  }

  private func configuration(
    _ security: ChannelConfiguration.Security, _ console: Console
  ) -> ChannelConfiguration {
    var configuration = ChannelConfiguration(
      security: security, proxy: options.replay == nil ? options.proxy : .none,
      authority: options.authority,
      userAgentPrefix: "tripwire-cli/\(libraryVersion)", failFast: true)
    configuration.loop = console.loop
    if options.isVerbose { configuration.trace = TraceLog(console).write }
    return configuration
  }

  /// The message as JSON, or as `words` put it for people.
  private func text<Response>(
    of response: CallResponse<Response>, _ words: (WallClock) -> String, _ console: Console
  ) throws(CallError) -> String {
    let unknown = response.unknownFieldCount
    if options.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "field")) unknown to this version, not shown\n")
    }
    switch options.output {
    case .text: return words(console.clock())
    case .json:
      do throws(JSONEncodingError) {
        let json = try response.message.jsonString(options: .pretty) + "\n"
        return console.outputIsTerminal() ? escapedJSON(json) : json
      } catch {
        throw CallError(
          code: .internal, message: "the answer cannot be written as JSON: \(error)",
          origin: .local, attempts: response.attempts)
      }
    }
  }
}

extension ChannelConfiguration.Security {
  fileprivate init(_ options: GetOptions) {
    guard !options.isPlaintext else {
      self = .plaintext
      return
    }
    var tls = TLSConfiguration()
    if let file = options.trustFile { tls.trust = .file(file) }
    if options.skipsVerification { tls.verification = .none }
    if let file = options.certificateFile {
      tls.identity = TLSConfiguration.Identity(
        certificate: .file(file), privateKey: .file(options.keyFile ?? file))
    }
    tls.revocationLists = options.revocationFile.map { .file($0) }
    tls.keyLogFile = options.keyLogFile
    self = .tls(tls)
  }
}
