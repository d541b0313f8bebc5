import CommandLine
package import CommandShell
package import DynamicProtobuf
import Tripwire
package import WireGRPCClient

/// Calls a method by its descriptor, with requests and responses in JSON.
package final class Invocation: Sendable {
  let method: ServiceDescriptor.Method
  let pool: DescriptorPool
  /// For hints.
  let lookup: SymbolLookup
  let options: CallCommandOptions
  /// Nil prints all fields.
  let fields: ResponseFields?
  package let server: Server
  let channel: Channel
  let console: Console
  /// The resource that the call creates or changes, if it has one.
  let resourceName: String?
  private let detailTypes: @Sendable ([ErrorDetail]) async -> DetailTypes

  package init(
    method: ServiceDescriptor.Method, pool: DescriptorPool,
    lookup: SymbolLookup = .builtIn, options: CallCommandOptions, fields: ResponseFields?,
    server: Server, channel: Channel, console: Console, resourceName: String? = nil,
    detailTypes: @escaping @Sendable ([ErrorDetail]) async -> DetailTypes = { _ in .builtIn }
  ) {
    self.method = method
    self.pool = pool
    self.lookup = lookup
    self.options = options
    self.fields = fields
    self.server = server
    self.channel = channel
    self.console = console
    self.resourceName = resourceName
    self.detailTypes = detailTypes
  }

  /// Makes the calls and writes each response to stdout as it arrives.
  ///
  /// - Returns: the exit code of the first failed call with --keep-going.
  package func run() async throws(ErrorReport) -> ExitCode {
    let requests = try Requests(
      options.data, of: method.input, in: pool, lookup,
      ignoresUnknownFields: options.allowsUnknownFields,
      // The requests of a stream are read during the call, which has its own deadline.
      until: method.streamsRequests ? nil : server.deadline,
      limitsWaits: !method.streamsRequests)
    switch (method.streamsRequests, method.streamsResponses) {
    case (false, false): return try await unary(requests)
    case (false, true): try await serverStreaming(requests)
    case (true, let isMany):
      try await streaming(requests, isMany ? .bidirectional : .clientStreaming)
    }
    return .success
  }

  /// Makes a unary call, and returns the response as JSON.
  ///
  /// - Parameters:
  ///   - request: of the input type of the method.
  ///   - isOnly: whether it is the only call.
  package func answer(
    to request: DynamicMessage, isOnly: Bool = true
  ) async throws(ErrorReport) -> String {
    let bytes = request.serializedBytes()
    return try await authorized(for: request) { attempt throws(CallError) in
      let response = try await attempt.send(bytes, to: method.path, on: channel)
      response.skip()
      do throws(CallError) {
        return try json(response.message, isOnly: isOnly)
      } catch {
        throw response.complete(error)
      }
    }
  }

  private func serverStreaming(_ requests: Requests) async throws(ErrorReport) {
    var requests = requests
    let request = try await requests.only()
    let bytes = request.serializedBytes()
    let (call, first) = try await authorized(for: request) { attempt throws(CallError) in
      let call = channel.open(
        path: method.path, kind: .serverStreaming, bytes, options: attempt.options,
        refusal: attempt.refusal)
      return (call, try await call.next())
    }
    try await printResponses(of: call, from: first)
  }

  /// Sends requests as they are read, and prints responses as they arrive.
  private func streaming(_ requests: Requests, _ kind: MethodKind) async throws(ErrorReport) {
    // There is no second attempt, because requests are read only once.
    let call = try await authorized(for: nil) { attempt in
      channel.open(
        path: method.path, kind: kind, options: attempt.options, refusal: attempt.refusal)
    }
    let sending = Task { () async -> ErrorReport? in await send(requests, on: call) }
    var failure: ErrorReport?
    do throws(ErrorReport) {
      try await printResponses(of: call, from: try await nextResponse(of: call))
    } catch {
      failure = error
    }
    // The server may end the call before all requests are sent.
    sending.cancel()
    let unsent = await sending.value
    guard let failure else { return }
    // A request that cannot be sent cancels the call, so its error is the first cause.
    if failure.code == .cancelled, let unsent { throw unsent }
    throw failure
  }

  /// - Returns: the error that prevented a request from being sent; nil if the end of the call has the
  ///   reason.
  private func send(_ requests: Requests, on call: StreamingCall) async -> ErrorReport? {
    var requests = requests
    do throws(ErrorReport) {
      while let request = try await next(&requests) {
        do throws(CallError) {
          try await call.send(request.serializedBytes())
        } catch {
          throw await report(error)
        }
      }
    } catch {
      call.cancel()
      return error
    }
    if !Task.isCancelled { call.finish() }
    return nil
  }

  /// Returns the next request; nil after the last. The error of a request has its number.
  func next(_ requests: inout Requests) async throws(ErrorReport) -> DynamicMessage? {
    guard let value = try await requests.nextValue() else { return nil }
    do throws(ErrorReport) {
      return try requests.request(value)
    } catch {
      throw error.ofRequest(requests.number)
    }
  }

  // MARK: Options

  /// Makes a call with a token, Fleet Engine's routing headers, and the header of the method's routing
  /// rule.
  private func authorized<Response>(
    for request: DynamicMessage?,
    _ attempt: (AuthorizedAttempt) async throws(CallError) -> Response
  ) async throws(ErrorReport) -> Response {
    let defaults = FleetMethod.all[method.path]
    var callOptions = server.callOptions(defaults?.retryPolicy, isOnlyCall: true)
    callOptions.timeout = callOptions.timeout ?? defaults?.timeout
    let routing = request.flatMap { Routing(method, $0) }
    callOptions.metadata = requestMetadata(
      routing: routing?.parameter, resourceName: defaults == nil ? nil : routing?.value ?? "",
      own: callOptions.metadata)
    do throws(CallError) {
      return try await withToken(
        of: server.tokens, on: channel, for: AuthorizationContext(method, request), callOptions,
        attempt)
    } catch {
      throw await report(error)
    }
  }

  // MARK: Responses

  /// - Parameter first: the first response; nil if the call ended without one.
  private func printResponses(
    of call: StreamingCall, from first: [UInt8]?
  ) async throws(ErrorReport) {
    var next = first
    while let message = next {
      do throws(ErrorReport) {
        let text: String
        do throws(CallError) {
          text = try json(message, isOnly: !method.streamsResponses)
        } catch {
          throw await report(call.complete(error))
        }
        try write(text)
      } catch {
        call.cancel()
        throw error
      }
      next = try await nextResponse(of: call)
    }
  }

  private func nextResponse(of call: StreamingCall) async throws(ErrorReport) -> [UInt8]? {
    do throws(CallError) {
      return try await call.next()
    } catch {
      throw await report(error)
    }
  }

  private func json(_ bytes: [UInt8], isOnly: Bool) throws(CallError) -> String {
    var unknown = 0
    let message: DynamicMessage
    do throws(DecodingError) {
      message = try DynamicMessage(
        serializedBytes: bytes, as: method.output, in: pool, unknownFieldCount: &unknown)
    } catch {
      throw CallError(decoding: error)
    }
    let json: [UInt8]
    do {
      json = try (fields?.selected(from: message) ?? message).jsonUTF8Bytes(
        options: DynamicJSONOptions(
          pretty: isOnly && options.isIndented(on: console),
          emitsDefaults: options.emitsDefaults, showsUnknownTypes: true))
    } catch {
      throw .transport(.internal, "the response cannot be written as JSON: \(error)")
    }
    if options.server.output.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "unknown field")) not shown\n")
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  package func write(_ text: String) throws(ErrorReport) {
    try console.write(escapedJSON(text))
  }

  private func report(_ error: CallError) async -> ErrorReport {
    var error = error
    error.path = method.path
    let path = String(method.path.dropFirst())
    var report = ErrorReport(
      error, server.hint(about: resourceName.map { .changed($0, method: path) } ?? .method(path)))
    report.detailTypes = await detailTypes(error.details)
    return report
  }
}

extension AuthorizationContext {
  /// Creates the context of a request by the fields that name its resources.
  fileprivate init(_ method: ServiceDescriptor.Method, _ request: DynamicMessage?) {
    let known = request.flatMap { request in
      FleetMethod.all[method.path]?.context(request.serializedBytes())
    }
    let names = ["name", "parent"] + ResourceKind.allCases.map { "\($0.field).name" }
    let name = names.lazy
      .compactMap { request?.text(at: $0) }.first { !$0.isEmpty }
    self = known ?? AuthorizationContext(of: name ?? "")
  }
}
