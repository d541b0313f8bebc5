public import WireGRPC
import WireIO
import WireProtobuf
import WireSystem

/// Writes what is said on the calls of channels to a gRPC binary log (gRFC A16), for
/// `tripwire log` and `tripwire replay`, and for whatever else reads `grpc.binarylog.v1.GrpcLogEntry`
/// messages with four bytes of length before each.
///
///     let recorder = try CallRecorder(to: "trip.binlog")
///     var configuration = ChannelConfiguration()
///     configuration.interceptors.insert(recorder, at: 0)
///     …
///     let report = await recorder.close()
///
/// Credentials are left out: `authorization`, cookies, API keys, whatever is marked as sensitive, named
/// like a secret or looks like a token. Where a server says again what this call or one of the last was
/// sent with of these, in a message, a status or its own metadata, asterisks are recorded in its place, as
/// they are for a JSON web token in any metadata of a call. They are found in plain text, in Base64 and in
/// hexadecimal, also percent-encoded up to twice; other encodings are not. The rest is what your users'
/// trips and places are: keep it as you would keep those.
///
/// As the first of the interceptors it sees also what fails on the way to the network, which is recorded
/// with its request, and its metadata as far as there is any by then. Calls never wait for the disk: what
/// they say is written some milliseconds later on a thread of the recorder's. A process that is killed
/// loses that much; an entry that was cut short is cut off when the file is written to again.
public final class CallRecorder: CallObserver {
  /// What was wrong with the file as it was found: an end that was cut short, and has been cut off, or
  /// that others may read it.
  public let warnings: [String]

  private let filter: RecordingFilter
  fileprivate let writer: BinaryLogWriter
  private struct Calls {
    var lastID: UInt64
    var leftOut = 0
    /// Those among them that no pattern names.
    var unnamed = 0
  }
  private let calls: Locked<Calls>
  fileprivate let knownSecrets = Locked(KnownSecrets(memory: 2))

  /// Continues a log, or begins one, which nobody else can read.
  ///
  /// - Parameters:
  ///   - path: of the file, and of those before it: "trip.binlog" has "trip.binlog.1" before it.
  ///   - options: what is recorded, and how large and how old files get.
  ///   - onFailure: called when the disk has begun to take nothing more, with the reason; on a thread
  ///     of the recorder's.
  /// - Throws: ``RecordingError`` when the file cannot be written, holds something else, or another
  ///   process or recorder writes it.
  public init(
    to path: String, options: RecordingOptions = RecordingOptions(),
    onFailure: (@Sendable (String) -> Void)? = nil
  ) throws(RecordingError) {
    filter = options.filter
    let file = try BinaryLogFile(path, options)
    warnings = file.warnings
    calls = Locked(Calls(lastID: file.highestCallID))
    let loop = try mapError(EventLoop.start(name: "recorder")) { (error: IOError) in
      RecordingError(description: "cannot record: \(error)")
    }
    writer = BinaryLogWriter(file, options, onFailure: onFailure, loop: loop)
  }

  package func observe(_ call: inout StartingCall) {
    guard let log = log(call.path, call.authority, .client) else { return }
    call.observe { log.hear($0) }
  }

  /// What is to be told all that happens to a call which this side answers; nil for one that the filter
  /// leaves out.
  ///
  /// - Parameters:
  ///   - path: "/package.Service/Method".
  ///   - peer: the client's address, "127.0.0.1:51234".
  package func listener(
    toServed path: String, authority: String, peer: String
  ) -> (@Sendable (CallEvent) -> Void)? {
    guard let log = log(path, authority, .server, peer: peer) else { return nil }
    return { log.hear($0) }
  }

  private func log(
    _ path: String, _ authority: String, _ logger: BinlogGrpcLogEntry.Logger, peer: String? = nil
  ) -> CallLog? {
    guard let limits = filter.limits(for: path) else {
      let isNamed = filter.names(path)
      calls.withLock { calls in
        calls.leftOut += 1
        if !isNamed { calls.unnamed += 1 }
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
      self, peer: peer)
  }

  /// What became of the recording up to now.
  public var report: RecordingReport {
    var report = writer.report
    (report.leftOutCalls, report.unnamedCalls) = calls.withLock { ($0.leftOut, $0.unnamed) }
    return report
  }

  /// Writes what waits, and ends the recording: what calls say afterwards is left out, and counted.
  ///
  /// - Parameter grace: how long to wait for the calls that are under way to end.
  @discardableResult
  public func close(grace: Duration = .zero) async -> RecordingReport {
    await writer.close(grace: grace)
    return report
  }
}

/// Makes the entries of one call of what happens to it.
private final class CallLog: Sendable {
  private struct State {
    var sequence: UInt64 = 0
    /// Where the present attempt went, or the call came from; nil once it is written down, with the
    /// first thing that the other side says.
    var peer: String?
    /// With its secrets, from its start on.
    var call: RecordedCallHead
  }

  private let recorder: CallRecorder
  private let state: Locked<State>

  init(_ call: RecordedCallHead, _ recorder: CallRecorder, peer: String?) {
    self.recorder = recorder
    state = Locked(State(peer: peer, call: call))
  }

  func hear(_ event: CallEvent) {
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
        let secrets = recorder.knownSecrets.withLock { known in
          known.learn(metadata)
          return known.recent
        }
        if !secrets.isEmpty { state.call = state.call.sent(with: secrets) }
        peer = state.peer.take()
      case .responseHeaders:
        peer = state.peer.take()
      case .end(let result):
        // What this side says of it has come from nowhere.
        if case .failure(let error) = result, error.origin == .local { break }
        peer = state.peer.take()
      case .requestMessage, .requestEnd, .responseMessage:
        break
      }
      write(event, peer, &state)
    }
  }

  /// Under the lock, so that entries are in the order of their numbers.
  private func write(_ event: CallEvent, _ peer: String?, _ state: inout State) {
    state.sequence += 1
    let now = WallTime.exact
    recorder.writer.write(
      event,
      EntryHead(
        call: state.call, sequence: state.sequence,
        time: Timestamp(seconds: now.seconds, nanos: now.nanoseconds), peer: peer))
  }
}
