import FleetEngineAPI
import RelayAPI
import WireIO
import WireProtobuf

/// The calls of JetStream that the relay needs, as JSON over requests
/// (https://docs.nats.io/reference/reference-protocols/nats_api_reference).
struct JetStream: Sendable {
  private static let longestElection = Duration.seconds(20)
  private static let patience = Duration.seconds(1)
  /// A cluster sends a direct read to any copy of the stream, for a minute or more also to one that is cut off.
  private static let repetition = Duration.milliseconds(250)

  let client: RelayClient
  /// Called by `retrying` for each failed attempt after ``patience``.
  private let waiting: @Sendable (NATSError) -> Void

  init(_ client: RelayClient, waiting: @escaping @Sendable (NATSError) -> Void = { _ in }) {
    self.client = client
    self.waiting = waiting
  }

  /// The last message of a subject in a stream.
  struct StoredMessage: Sendable {
    let message: NATSMessage
    /// Its number in the stream.
    let sequence: UInt64
    /// When the server stored it, in seconds since 1970, by the server's clock.
    let time: Double
  }

  // MARK: Messages

  /// Stores a message and returns its number in the stream.
  ///
  /// - Parameter expected: the number of the subject's last message, 0 for none; nil for any.
  func publish(
    _ subject: String, in stream: String, _ data: [UInt8], headers: [String: String] = [:],
    after expected: UInt64? = nil
  ) async throws(NATSError) -> UInt64 {
    try await number(
      of: subject, in: stream,
      client.request(message(subject, data, headers, after: expected), to: stream))
  }

  /// Stores a message without a task. `completion` gets its number in the stream, on the loop, after this
  /// function has returned.
  func publish(
    _ subject: String, in stream: String, _ data: [UInt8], after expected: UInt64,
    completion: @escaping @Sendable (Result<UInt64, NATSError>) -> Void
  ) {
    let end = { @Sendable (reply: Result<NATSMessage, NATSError>) in
      client.loop.execute {
        completion(
          Result { () throws(NATSError) in try number(of: subject, in: stream, reply.get()) })
      }
    }
    do throws(NATSError) {
      client.delayedRequest(
        try message(subject, data, [:], after: expected), to: stream, completion: end)
    } catch {
      end(.failure(error))
    }
  }

  /// - Throws: if the message is too large.
  private func message(
    _ subject: String, _ data: [UInt8], _ headers: [String: String], after expected: UInt64?
  ) throws(NATSError) -> NATSMessage {
    var headers = headers
    if let expected { headers["Nats-Expected-Last-Subject-Sequence"] = "\(expected)" }
    let size = data.count + headers.reduce(16) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
    guard size <= client.maxPayload else {
      throw NATSError(
        .tooLarge,
        "\(size) bytes are more than the \(client.maxPayload) bytes of max_payload of NATS")
    }
    return NATSMessage(subject, headers: headers, data: data)
  }

  /// The number of a stored message.
  private func number(
    of subject: String, in stream: String, _ reply: NATSMessage
  ) throws(NATSError) -> UInt64 {
    if reply.status == 503 {
      guard let domain = client.options.domain else {
        throw NATSError(.noStream, "NATS has no stream \(stream) for messages of \(subject)")
      }
      throw NATSError(
        .noStream,
        "the JetStream domain \(domain) stores no messages of \(subject), or NATS does not reach the domain",
        hint: RelayHint.noStreamOrDomain)
    }
    let answer = try Self.parse(reply)
    let action = "store a message in the stream \(stream) of NATS"
    if let error = Self.error(in: answer, action: action) { throw error }
    guard let sequence = answer.integer("seq") else {
      throw NATSError(.other, "cannot \(action): the reply has no sequence number")
    }
    return sequence
  }

  private func directSubject(of subject: String, in stream: String) -> String {
    "\(client.options.apiPrefix).DIRECT.GET.\(stream).\(subject)"
  }

  /// The subject of requests for the last message of a key.
  func directSubject(of key: String, in bucket: RelayNames.Bucket) -> String {
    directSubject(of: bucket.subject(key), in: bucket.stream)
  }

  /// Returns the last message of a subject; nil if there is none.
  func last(
    _ subject: String, in stream: String
  ) async throws(NATSError) -> StoredMessage? {
    let reply: NATSMessage
    do throws(NATSError) {
      reply = try await client.request(
        NATSMessage(directSubject(of: subject, in: stream)), to: stream,
        repeatedAfter: Self.repetition)
    } catch {
      // nats-server 2.9 answers no request for a stream that does not exist.
      guard error.kind == .timeout else { throw error }
      throw NATSError(
        .timeout, "NATS has no stream \(stream), or did not answer",
        hint: client.options.domain == nil
          ? RelayHint.noStreamOrAnswer : RelayHint.noStreamOrDomain)
    }
    switch reply.status {
    case nil: break
    case 404: return nil
    case 503:
      guard let domain = client.options.domain else {
        throw NATSError(
          .noStream, "NATS has no stream \(stream), or JetStream is off",
          hint: RelayHint.noStreamOrJetStream)
      }
      throw NATSError(
        .noStream,
        "the JetStream domain \(domain) has no stream \(stream), or NATS does not reach the domain",
        hint: RelayHint.noStreamOrDomain)
    default:
      throw NATSError(
        .other, "cannot read \(subject): \(reply.headers["Description"] ?? "status 400")")
    }
    guard let sequence = reply.headers["Nats-Sequence"].flatMap({ UInt64($0) }) else {
      throw NATSError(.other, "cannot read \(subject): the reply has no sequence number")
    }
    let time = reply.headers["Nats-Time-Stamp"].flatMap(seconds) ?? 0
    return StoredMessage(message: reply, sequence: sequence, time: time)
  }

  /// Returns the last state of a resource; nil if there is none.
  func lastState(
    of name: ResourceName, in layout: StreamLayout
  ) async throws(NATSError) -> LastState? {
    guard let last = try await last(layout.subject(of: name), in: layout.stream(of: name))
    else { return nil }
    // A message that is not a state of the resource is replaced by the next one.
    let state = (try? ResourceState(serializedBytes: last.message.data)) ?? ResourceState()
    let isValid = state.name == name.description && state.sequence < 1 << 63
    return LastState(isValid ? state : ResourceState(), number: last.sequence, time: last.time)
  }

  // MARK: API

  /// Repeats calls for some seconds while a cluster elects leaders, or a node does not know yet that a stream
  /// was created. Such a node refuses the message, or nobody answers.
  func retrying<Result>(
    _ calls: () async throws(NATSError) -> Result
  ) async throws(NATSError) -> Result {
    let start = ContinuousClock.now
    while true {
      do throws(NATSError) {
        return try await calls()
      } catch {
        switch error.kind {
        case .noStream, .noLeader, .timeout: break
        default: throw error
        }
        let elapsed = ContinuousClock.now - start
        if elapsed > Self.patience { waiting(error) }
        guard elapsed < Self.longestElection,
          await client.loop.sleep(until: .now + .milliseconds(200))
        else {
          throw error
        }
      }
    }
  }

  /// Makes a call of the API and returns its response.
  func call(
    _ name: String, _ json: String = "", action: String
  ) async throws(NATSError) -> Struct {
    let message = NATSMessage("\(client.options.apiPrefix).\(name)", data: Array(json.utf8))
    let reply: NATSMessage
    do {
      reply = try await client.request(message, to: "JetStream")
    } catch {
      guard error.kind == .timeout else { throw error }
      throw NATSError(.timeout, "cannot \(action): \(error.message)", hint: error.hint)
    }
    if reply.status == 503 {
      guard let domain = client.options.domain else {
        throw NATSError(.noJetStream, "cannot \(action): NATS has no JetStream")
      }
      throw NATSError(
        .noJetStream, "cannot \(action): NATS does not reach the JetStream domain \(domain)",
        hint: RelayHint.noDomain)
    }
    let answer = try Self.parse(reply)
    if let error = Self.error(in: answer, action: action) { throw error }
    return answer
  }

  /// Returns the configuration and the state of a stream.
  func info(of stream: String) async throws(NATSError) -> Struct {
    try await call("STREAM.INFO.\(stream)", action: "read the stream \(stream)")
  }

  private static func parse(_ reply: NATSMessage) throws(NATSError) -> Struct {
    do {
      return try Struct(jsonUTF8Bytes: reply.data)
    } catch {
      throw NATSError(.other, "NATS sent a reply that is not JSON")
    }
  }

  private static func error(in answer: Struct, action: String) -> NATSError? {
    guard let error = answer.object("error") else { return nil }
    let text = error.text("description") ?? "error \(error.integer("code") ?? 0)"
    let message = "cannot \(action): \(text)"
    // The numbers of nats-server's errors.json.
    let number = error.integer("err_code") ?? 0
    let kind: NATSError.Kind =
      switch number {
      case 10_003: .badRequest
      case 10_008: .noLeader
      case 10_035, 10_039, 10_076: .noJetStream
      case 10_059: .noStream
      case 10_058, 10_065, 10_052: .incompatibleStream
      // Since 2.11, the second one for a message that another one on its way replaces.
      case 10_071, 10_164: .wrongLastSequence
      case 10_054: .tooLarge
      case 10_002, 10_023, 10_026, 10_027, 10_028, 10_047, 10_077: .full
      default: .other
      }
    let hint: String? =
      switch number {
      case 10_005, 10_074: RelayHint.tooFewServers
      case 10_054: RelayHint.tooLargeForStream
      default: nil
      }
    return NATSError(
      kind, message, hint: hint,
      // "wrong last sequence: 640"
      lastSequence: kind == .wrongLastSequence
        ? text.split(separator: " ").last.flatMap { UInt64($0) } : nil)
  }
}

/// Parses a time such as `2026-11-23T21:00:00.123456789Z`, in seconds since 1970.
private func seconds(_ text: String) -> Double? {
  (try? Timestamp(jsonString: "\"\(text)\""))?.secondsSince1970
}
