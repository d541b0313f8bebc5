import TestSupport

@testable import Recording
@testable import WireGRPC

/// Plays a channel to a recorder: begins a call, and tells what happens to it.
struct RecordedCallDriver {
  private let call: StartingCall

  init(_ recorder: CallRecorder, path: String = "/test.Echo/Say") {
    var call = StartingCall(
      path: path, kind: .unary, authority: "localhost:1", metadata: Metadata(), timeout: nil)
    recorder.observe(&call)
    self.call = call
  }

  var isRecorded: Bool { !call.observers.isEmpty }

  func tell(_ events: CallEvent...) {
    for event in events {
      for observer in call.observers { observer(event) }
    }
  }

  /// A whole call with one message each way.
  func succeed(_ bytes: [UInt8] = [7]) {
    tell(
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
  /// All entries of a log, which is whole.
  static func read(_ path: String) throws -> [Entry] {
    var reader = try BinaryLogReader(path: path)
    var entries: [Entry] = []
    while let entry = try reader.next() { entries.append(entry.value) }
    guard reader.tornTail == nil else { throw TornLog() }
    return entries
  }

  struct TornLog: Error {}
}
