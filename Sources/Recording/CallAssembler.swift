import WireGRPC
import WireProtobuf

/// Puts the entries of a log together into calls.
///
/// A call is what entries of one logger with the same call_id tell, from its CLIENT_HEADER on; a
/// second header with that id begins another call, as when processes append to one file in turn.
struct CallAssembler {
  private struct Key: Hashable {
    var logger: GrpcLogEntry.Logger
    var id: UInt64
  }

  /// In the order in which they began.
  private(set) var calls: [RecordedCall] = []
  /// What was left out, each with its entry number.
  private(set) var omissions: [String] = []
  private var open: [Key: Int] = [:]

  /// Throws what is wrong with the entry.
  mutating func add(_ entry: BinaryLogReader.Entry) throws(Defect) {
    let value = entry.value
    guard value.callId != 0 else { throw Defect("call_id is 0") }
    let key = Key(logger: value.logger, id: value.callId)

    if case .clientHeader = value.type {
      guard case .clientHeader(let header) = value.payload else { throw .payload("client_header") }
      open[key] = calls.count
      calls.append(call(of: value, header, number: entry.number))
      return
    }
    guard let index = open[key] else {
      omissions.append("entry \(entry.number) is of call \(value.callId), whose beginning is not here")
      return
    }
    try extend(&calls[index], by: value, number: entry.number)
  }
}
