import WireProtobuf

@testable import Recording

/// Entries and files in the format of a recorder.
enum Logs {
  typealias Entry = BinlogGrpcLogEntry

  static func entry(
    _ id: UInt64, _ type: Entry.EventType, _ payload: Entry.Payload? = nil,
    logger: Entry.Logger = .client, second: Int64 = 0, isTruncated: Bool = false
  ) -> Entry {
    var entry = Entry()
    entry.callId = id
    entry.type = type
    entry.payload = payload
    entry.logger = logger
    entry.payloadTruncated = isTruncated
    entry.timestamp = Timestamp(seconds: second)
    return entry
  }

  static func clientHeader(_ method: String = "/test.Echo/Say") -> Entry.Payload {
    .clientHeader(BinlogClientHeader(methodName: method, authority: "localhost:1"))
  }

  static func serverHeader(_ fields: [(String, [UInt8])] = []) -> Entry.Payload {
    .serverHeader(BinlogServerHeader(metadata: fields.isEmpty ? nil : metadata(fields)))
  }

  static func message(_ bytes: [UInt8], length: Int? = nil) -> Entry.Payload {
    .message(BinlogMessage(length: UInt32(length ?? bytes.count), data: bytes))
  }

  static func trailer(
    _ code: UInt32 = 0, _ text: String = "", details: [UInt8] = [],
    _ fields: [(String, [UInt8])] = []
  ) -> Entry.Payload {
    let trailer = BinlogTrailer(
      metadata: fields.isEmpty ? nil : metadata(fields), statusCode: code, statusMessage: text,
      statusDetails: details)
    return .trailer(trailer)
  }

  static func metadata(_ fields: [(String, [UInt8])]) -> BinlogMetadata {
    BinlogMetadata(
      entry: fields.map { key, value in
        BinlogMetadataEntry(key: key, value: value)
      })
  }

  /// One complete call.
  static func call(_ id: UInt64 = 1, logger: Entry.Logger = .client) -> [Entry] {
    [
      entry(id, .clientHeader, clientHeader(), logger: logger, second: 1),
      entry(id, .clientMessage, message([1]), logger: logger, second: 2),
      entry(id, .clientHalfClose, logger: logger, second: 3),
      entry(id, .serverHeader, serverHeader([("x-first", [97])]), logger: logger, second: 4),
      entry(id, .serverMessage, message([7, 7]), logger: logger, second: 5),
      entry(id, .serverTrailer, trailer(), logger: logger, second: 6),
    ]
  }

  static func bytes(_ entries: [Entry]) -> [UInt8] { entries.flatMap(\.framed) }
}
