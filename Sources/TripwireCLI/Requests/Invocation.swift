import DynamicProtobuf
import Tripwire
import WireGRPC
import WireGRPCClient

/// A call of a method that is known by its descriptor: JSON goes in, JSON comes out.
final class Invocation: Sendable {
  let method: DynamicProtobuf.MethodDescriptor
  let pool: DescriptorPool
  let options: CallCommandOptions
  let server: Server
  let channel: Channel
  let console: Console

  init(
    method: DynamicProtobuf.MethodDescriptor, pool: DescriptorPool, options: CallCommandOptions,
    server: Server, channel: Channel, console: Console
  ) {
    self.method = method
    self.pool = pool
    self.options = options
    self.server = server
    self.channel = channel
    self.console = console
  }

  /// Makes the call, and writes each answer to stdout as it comes.
  func run() async throws(ErrorReport) {
    let requests = try Requests(
      options.data ?? .text(""), of: method.input, in: pool,
      ignoresUnknownFields: options.allowsUnknownFields,
      // Those of a stream come while the call is under way, which has a deadline itself.
      until: method.streamsRequests ? nil : server.filesDeadline)
    switch (method.streamsRequests, method.streamsResponses) {
    case (false, false): try await unary(requests)
    case (false, true): try await serverStreaming(requests)
    case (true, let isMany):
      try await streaming(requests, isMany ? .bidirectional : .clientStreaming)
    }
  }

  private func unary(_ requests: Requests) async throws(ErrorReport) {
    var requests = requests
    let request = try await requests.only()
    let bytes = request.serializedBytes()
    try write(
      try await authorized(for: request) { attempt throws(CallError) in
        let outcome = await channel.unary(
          path: method.path, bytes, options: attempt.options, refusal: attempt.refusal)
        do throws(CallError) {
          return try json(outcome.answer().message)
        } catch {
          throw outcome.complete(error, path: method.path)
        }
      })
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
    try await printAnswers(of: call, from: first)
  }

  /// Requests go out as they come in, answers come as they do.
  private func streaming(_ requests: Requests, _ kind: MethodKind) async throws(ErrorReport) {
    // Made once: what was sent is gone.
    let call = try await authorized(for: nil) { attempt in
      channel.open(
        path: method.path, kind: kind, options: attempt.options, refusal: attempt.refusal)
    }
    let sending = Task { () async -> ErrorReport? in await send(requests, on: call) }
    var failure: ErrorReport?
    do throws(ErrorReport) {
      try await printAnswers(of: call, from: try await answer(of: call))
    } catch {
      failure = error
    }
    // The server may end the call before all is sent.
    sending.cancel()
    let unsent = await sending.value
    guard let failure else { return }
    // A request that could not be sent cancels the call: that is the first cause.
    if failure.code == .cancelled, let unsent { throw unsent }
    throw failure
  }

  /// - Returns: why not all requests were sent, unless the call is over: then its end says why.
  private func send(_ requests: Requests, on call: StreamingCall) async -> ErrorReport? {
    var requests = requests
    do throws(ErrorReport) {
      while let request = try await requests.next() {
        do throws(CallError) {
          try await call.send(request.serializedBytes())
        } catch {
          throw report(error)
        }
      }
    } catch {
      call.cancel()
      return error
    }
    if !Task.isCancelled { call.finish() }
    return nil
  }

  // MARK: Options

  /// Makes a call with a token, the headers that Fleet Engine routes by, and those of the method's
  /// routing rule.
  private func authorized<Response>(
    for request: DynamicMessage?,
    _ attempt: (AuthorizedAttempt) async throws(CallError) -> Response
  ) async throws(ErrorReport) -> Response {
    let defaults = FleetEngineMethods.defaults[method.path]
    var callOptions = server.callOptions(defaults?.retryPolicy, isOnlyCall: true)
    callOptions.timeout = callOptions.timeout ?? defaults?.timeout
    let routing = request.flatMap { Routing(method, $0) }
    callOptions.metadata = requestMetadata(
      routing: routing?.parameter, resourceName: defaults == nil ? nil : routing?.value ?? "",
      own: callOptions.metadata)
    do throws(CallError) {
      return try await withToken(
        of: server.tokens, on: channel, for: AuthorizationContext(of: request), callOptions,
        attempt)
    } catch {
      throw report(error)
    }
  }

  // MARK: Answers

  /// - Parameter first: the first answer; nil if the call ended without.
  private func printAnswers(
    of call: StreamingCall, from first: [UInt8]?
  ) async throws(ErrorReport) {
    var next = first
    while let message = next {
      do throws(ErrorReport) {
        let text: String
        do throws(CallError) {
          text = try json(message)
        } catch {
          throw report(call.complete(error))
        }
        try write(text)
      } catch {
        call.cancel()
        throw error
      }
      next = try await answer(of: call)
    }
  }

  private func answer(of call: StreamingCall) async throws(ErrorReport) -> [UInt8]? {
    do throws(CallError) {
      return try await call.next()
    } catch {
      throw report(error)
    }
  }

  private func json(_ bytes: [UInt8]) throws(CallError) -> String {
    var unknown = 0
    let json: [UInt8]
    do {
      let message = try DynamicMessage(
        serializedBytes: bytes, as: method.output, in: pool, unknownFieldCount: &unknown)
      json = try message.jsonUTF8Bytes(
        options: DynamicJSONOptions(
          pretty: isPretty, emitsDefaults: options.emitsDefaults, showsUnknownTypes: true))
    } catch {
      throw .local(.internal, "the response cannot be written as JSON: \(error)")
    }
    if options.server.output.isVerbose, unknown > 0 {
      console.error("* \(Units.count(unknown, "unknown field")) not shown\n")
    }
    return String(decoding: json, as: UTF8.self) + "\n"
  }

  private func write(_ text: String) throws(ErrorReport) {
    do throws(OutputError) {
      try console.output(escapedJSON(text))
    } catch {
      throw ErrorReport(error)
    }
  }

  /// One answer for people to read is in several lines, unless it was asked for otherwise.
  private var isPretty: Bool {
    switch options.output {
    case .json: true
    case .ndjson: false
    case nil: !method.streamsResponses && console.outputIsTerminal()
    }
  }

  private func report(_ error: CallError) -> ErrorReport {
    var error = error
    error.path = method.path
    return ErrorReport(error, server.hint(about: .method(String(method.path.dropFirst()))))
  }
}
