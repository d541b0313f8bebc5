@testable import Recording
@testable import WireGRPC

/// Acts as a channel: starts a call with a recorder and sends its events.
struct RecordedCallDriver {
  private let call: StartingCall

  init(_ recorder: CallRecorder, path: String = "/test.Echo/Say") {
    var call = StartingCall(
      path: path, kind: .unary, authority: "localhost:1", metadata: Metadata(), timeout: nil)
    recorder.observe(&call)
    self.call = call
  }

  var isRecorded: Bool { !call.observers.isEmpty }

  func send(_ events: CallEvent...) {
    for event in events {
      for observer in call.observers { observer(event) }
    }
  }

  /// Sends the events of a call with one message each way.
  func succeed(_ bytes: [UInt8] = [7]) {
    send(
      .start(metadata: Metadata(), timeout: nil), .attempt(number: 1, peer: "127.0.0.1:443"),
      .message(request: bytes), .requestEnd, .responseHeaders(Metadata()),
      .message(response: bytes), .end(.success(Metadata())))
  }
}

extension CallEvent {
  static func message(request bytes: [UInt8]) -> CallEvent {
    .requestMessage(CallMessage(message: .init(isCompressed: false, bytes: bytes), limit: .max))
  }

  static func message(response bytes: [UInt8], isCompressed: Bool = false) -> CallEvent {
    .responseMessage(
      CallMessage(message: .init(isCompressed: isCompressed, bytes: bytes), limit: 1 << 20))
  }
}

extension Logs {
  /// Reads all entries of a complete log.
  static func read(_ path: String) throws -> [Entry] {
    var reader = BinaryLogReader(try BinaryLogSource(opening: path))
    var entries: [Entry] = []
    while let entry = try reader.next() { entries.append(entry.value) }
    guard reader.truncatedTail == nil else { throw TruncatedLog() }
    return entries
  }

  struct TruncatedLog: Error {}
}
