public import WireGRPC
import WireIO
import WireProtobuf
import WireSystem

/// Records the calls of channels in a gRPC binary log (gRFC A16): `grpc.binarylog.v1.GrpcLogEntry`
/// messages, each after its length in four bytes.
///
///     let recorder = try CallRecorder(to: "trip.binlog")
///     var configuration = ChannelConfiguration()
///     configuration.interceptors.insert(recorder, at: 0)
///     …
///     let report = await recorder.close()
///
/// `tripwire log` and `tripwire replay` read the log.
///
/// Credentials are not recorded: `authorization`, cookies, API keys, and metadata that is marked as
/// sensitive, whose name suggests a secret, or whose value looks like a token. If a server echoes a credential of at
/// least 8 bytes, of this call or a recent one, in a message, a status or metadata, it is masked, as is
/// any JSON web token in metadata. Echoes are found in plain text, Base64 and hexadecimal, also percent-encoded up to twice;
/// other encodings are not. Requests and responses are otherwise recorded unchanged and contain your
/// users' trips and positions: protect the file accordingly.
///
/// As the first interceptor, the recorder also records calls that fail before they reach the
/// network. Calls never wait for the disk: entries are written some milliseconds later on the
/// recorder's thread. A process that is killed loses the entries of that time. An incomplete last
/// entry is removed when the file is opened for writing again.
public final class CallRecorder: CallObserver {
  /// Problems of the existing file: an incomplete last entry, which was removed, or access for other
  /// users.
  public let warnings: [String]

  private let filter: RecordingFilter
  private let writer: BinaryLogWriter
  private struct Calls {
    var lastID: UInt64
    var excluded = 0
    /// The number of excluded calls that match no pattern.
    var unmatched = 0
  }
  private let calls: Locked<Calls>
  private let redactor = CredentialRedactor(memory: 2)

  /// Appends to a log, or creates one that only its owner can access.
  ///
  /// - Parameters:
  ///   - path: the path of the file. Rotated files have a number appended: "trip.binlog.1" precedes
  ///     "trip.binlog". Symbolic links are followed once, and the file that they lead to is rotated. A
  ///     pipe or a device is written directly, and cannot be rotated.
  ///   - options: what to record, and the size, age and number of files.
  ///   - onEvent: called on a thread of the recorder when a problem begins, and when it is over.
  /// - Throws: ``RecordingError`` if the file cannot be written, is not a binary log, or is in use
  ///   by another process or recorder.
  public init(
    to path: String, options: RecordingOptions = RecordingOptions(),
    onEvent: (@Sendable (RecordingEvent) -> Void)? = nil
  ) throws(RecordingError) {
    filter = options.filter
    let file = try openBinaryLog(path, options)
    warnings = file.warnings
    calls = Locked(Calls(lastID: file.highestCallID))
    let loop = try mapError(EventLoop.start(name: "recorder")) { (error: IOError) in
      RecordingError(description: "cannot record: \(error)")
    }
    writer = BinaryLogWriter(file, options, onEvent: onEvent, loop: loop)
  }

  package func observe(_ call: inout StartingCall) {
    guard let log = log(call.path, call.authority, .client) else { return }
    call.observe { log.record($0) }
  }

  /// Returns the function to call with each event of a call that this process serves; nil if the
  /// filter excludes the call.
  ///
  /// - Parameters:
  ///   - path: the path, such as "/package.Service/Method".
  ///   - peer: the address of the client, such as "127.0.0.1:51234".
  package func listener(
    toServed path: String, authority: String, peer: String
  ) -> (@Sendable (CallEvent) -> Void)? {
    guard let log = log(path, authority, .server, peer: peer) else { return nil }
    return { log.record($0) }
  }

  private func log(
    _ path: String, _ authority: String, _ logger: BinlogGrpcLogEntry.Logger, peer: String? = nil
  ) -> CallLog? {
    guard let limits = filter.limits(for: path) else {
      let isMatched = filter.matches(path)
      calls.withLock { calls in
        calls.excluded += 1
        if !isMatched { calls.unmatched += 1 }
      }
      return nil
    }
    let id = calls.withLock { calls in
      calls.lastID = calls.lastID == .max ? 1 : calls.lastID + 1
      return calls.lastID
    }
    return CallLog(
      RecordedCallHead(
        id: id, method: path, authority: authority, limits: limits, logger: logger),
      peer: peer, writer, redactor)
  }

  /// The state of the recording.
  public var report: RecordingReport {
    var report = writer.report
    (report.excludedCalls, report.unmatchedCalls) = calls.withLock { ($0.excluded, $0.unmatched) }
    return report
  }

  /// Writes the queued entries and ends the recording. Later events are dropped and counted.
  ///
  /// - Parameter grace: how long to wait for running calls to end.
  @discardableResult
  public func close(grace: Duration = .zero) async -> RecordingReport {
    await writer.close(grace: grace)
    return report
  }
}

/// Converts the events of one call to entries.
private final class CallLog: Sendable {
  private struct State {
    var sequence: UInt64 = 0
    /// The server address of the present attempt, or the client address of a served call. Nil after
    /// it was recorded with the first entry from the peer.
    var peer: String?
    /// The call, from its start on with its credentials.
    var call: RecordedCallHead
  }

  private let writer: BinaryLogWriter
  private let redactor: CredentialRedactor
  private let state: Locked<State>

  init(
    _ call: RecordedCallHead, peer: String?, _ writer: BinaryLogWriter,
    _ redactor: CredentialRedactor
  ) {
    self.writer = writer
    self.redactor = redactor
    state = Locked(State(peer: peer, call: call))
  }

  func record(_ event: CallEvent) {
    state.withLock { state in
      var peer: String?
      switch event {
      case .attempt(_, let address):
        state.peer = address
        return
      case .attemptFailed:
        state.peer = nil
        return
      case .start(let metadata, _):
        redactor.note(metadata)
        let credentials = redactor.credentials
        if !credentials.isEmpty { state.call = state.call.sent(with: credentials) }
        peer = state.peer.take()
      case .responseHeaders:
        peer = state.peer.take()
      case .end(let result):
        // A local status did not come from a peer.
        if case .failure(let error) = result, error.origin == .local { break }
        peer = state.peer.take()
      case .requestMessage, .requestEnd, .responseMessage:
        break
      }
      // With the lock held, so that entries are in the order of their sequence numbers.
      state.sequence += 1
      writer.write(
        event,
        EntryHead(call: state.call, sequence: state.sequence, time: WallTime.exact, peer: peer))
    }
  }
}
