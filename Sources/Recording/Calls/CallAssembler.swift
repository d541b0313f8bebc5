import WireGRPC

/// Assembles the entries of a log into calls.
///
/// A call consists of the entries of one logger with the same call_id, from its CLIENT_HEADER on; see
/// ``CallNumbers``.
struct CallAssembler {
  /// The number of warnings that are reported individually.
  static let warningLimit = 10

  /// The calls in the order of their first entries.
  private(set) var calls: [RecordedCall] = []
  /// The first warnings about skipped parts, entries and metadata, in the order of the log.
  private(set) var warnings: [String] = []
  private(set) var warningCount = 0
  private var indices: [CallNumbers.Key: Int] = [:]
  private var numbers = CallNumbers()
  private var path = ""

  /// - Parameter path: the path of the log that contains the entry.
  mutating func add(_ entry: BinaryLogReader.Entry, of path: String) throws(BinaryLogError) {
    self.path = path
    let value = entry.value
    guard value.callId != 0 else { throw failure("call_id is 0", entry) }
    let key = CallNumbers.Key(value)
    let call = numbers.call(of: value)

    if value.type == .clientHeader {
      let index = calls.count
      try start(call, entry)
      indices[key] = index
    } else if let index = indices[key] {
      try extend(index, by: entry)
    } else {
      warn("call \(value.callId) has no CLIENT_HEADER", entry)
    }
  }

  private mutating func start(
    _ call: CallNumbers.Call, _ entry: BinaryLogReader.Entry
  ) throws(BinaryLogError) {
    guard case .clientHeader(let header) = entry.value.payload, let method = call.method else {
      throw failure("CLIENT_HEADER without client_header", entry)
    }
    calls.append(
      RecordedCall(
        id: entry.value.callId, number: call.number, method: method, authority: header.authority,
        time: entry.value.timestamp, requestMetadata: metadata(header.metadata, entry)))
  }

  private mutating func extend(
    _ index: Int, by entry: BinaryLogReader.Entry
  ) throws(BinaryLogError) {
    let value = entry.value
    func note(_ kind: RecordedCall.Event.Kind) {
      calls[index].events.append(RecordedCall.Event(kind: kind, time: value.timestamp))
    }

    switch value.type {
    case .clientMessage:
      calls[index].requests.append(try message(entry))
      note(.request)
      if !value.isComplete { calls[index].requestIsTruncated = true }
    case .serverMessage:
      calls[index].responses.append(try message(entry))
      note(.response)
      if !value.isComplete { calls[index].responseIsTruncated = true }
    case .serverHeader:
      guard case .serverHeader(let header) = value.payload else {
        throw failure("SERVER_HEADER without server_header", entry)
      }
      calls[index].headers = metadata(header.metadata, entry)
      note(.headers)
      if !value.isComplete { calls[index].responseIsTruncated = true }
    case .serverTrailer:
      guard case .trailer(let trailer) = value.payload else {
        throw failure("SERVER_TRAILER without trailer", entry)
      }
      calls[index].ending = RecordedCall.Ending(
        code: StatusCode(rawValue: Int(trailer.statusCode)), message: trailer.statusMessage,
        details: trailer.statusDetails, trailers: metadata(trailer.metadata, entry),
        time: value.timestamp)
      note(.ending)
      if !value.isComplete { calls[index].responseIsTruncated = true }
    case .clientHalfClose:
      note(.halfClose)
    case .cancel:
      note(.cancel)
    case .clientHeader, .unknown, .unrecognized:
      break
    }
  }

  private func message(
    _ entry: BinaryLogReader.Entry
  ) throws(BinaryLogError) -> [UInt8] {
    guard case .message(let message) = entry.value.payload else {
      throw failure("\(entry.value.type.name ?? "a message event") without message", entry)
    }
    return message.data
  }

  private func failure(_ reason: String, _ entry: BinaryLogReader.Entry) -> BinaryLogError {
    BinaryLogError(path: path, entry: entry.number, offset: entry.offset, reason: reason)
  }

  private mutating func metadata(
    _ list: BinlogMetadata?, _ entry: BinaryLogReader.Entry
  ) -> Metadata {
    list?.metadata { warn("\($0)", entry) } ?? Metadata()
  }

  private mutating func warn(_ reason: String, _ entry: BinaryLogReader.Entry) {
    warn("\(path): entry \(entry.number) at byte \(entry.offset): skipped: \(reason)")
  }

  mutating func takeWarnings(of logs: BinaryLogSequence) {
    for warning in logs.warnings { warn(warning) }
    logs.warnings = []
  }

  private mutating func warn(_ text: String) {
    warningCount += 1
    if warningCount <= Self.warningLimit { warnings.append(text) }
  }
}
