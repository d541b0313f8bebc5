import WireGRPC
import WireProtobuf

/// The values that all entries of a call share.
final class RecordedCallHead: Sendable {
  let id: UInt64
  let method: String
  let authority: String
  let limits: RecordingFilter.Limits
  /// The side of the call that records it.
  let logger: BinlogGrpcLogEntry.Logger
  /// The credentials that entries must not contain.
  let credentials: [Credential]

  init(
    id: UInt64, method: String, authority: String, limits: RecordingFilter.Limits,
    logger: BinlogGrpcLogEntry.Logger = .client, credentials: [Credential] = []
  ) {
    self.id = id
    self.method = method
    self.authority = authority
    self.limits = limits
    self.logger = logger
    self.credentials = credentials
  }

  func sent(with credentials: [Credential]) -> RecordedCallHead {
    RecordedCallHead(
      id: id, method: method, authority: authority, limits: limits, logger: logger,
      credentials: credentials)
  }
}

/// The values with which every entry begins.
struct EntryHead: Sendable {
  let call: RecordedCallHead
  /// The number of the entry in its call, from 1.
  let sequence: UInt64
  let time: (seconds: Int64, nanoseconds: Int32)
  /// The address of the other side, in its first entry only; otherwise nil.
  let peer: String?
}

/// Encodes the events of calls as entries of a binary log, each after its length.
///
/// Writes the fields of `BinlogGrpcLogEntry` one by one. Creating the messages first takes twice as
/// many instructions on the thread that makes the calls.
struct EntryEncoder {
  /// Complete entries.
  private(set) var bytes: [UInt8] = []
  /// The number of entries in `bytes`.
  private(set) var count = 0

  private var kinds = MetadataKinds()
  /// The last address, which most entries share.
  private var address: (peer: String, message: BinlogAddress) = ("", BinlogAddress())

  /// Drops all entries and continues in the storage of an empty array.
  mutating func clear(into memory: [UInt8]) {
    bytes = memory
    count = 0
  }

  mutating func add(_ event: CallEvent, _ head: EntryHead) {
    let call = head.call
    switch event {
    case .start(let metadata, let timeout):
      let (entries, isCut) = recorded(metadata, call)
      add(.clientHeader, head, payload: 6, isCut: isCut) { writer throws(WireWriter.Full) in
        try writer.metadata(entries, without: call.credentials)
        try writer.bytes(2, call.method.utf8, without: call.credentials)
        try writer.bytes(3, call.authority.utf8, without: call.credentials)
        let timeout = timeout.map { WireDuration($0) }
        try writer.message(timeout, 4, "timeout", UnknownFields())
      }
    case .requestMessage(let message):
      add(message.uncompressed, of: message.wireSize, isRequest: true, head)
    case .responseMessage(let message):
      add(message.uncompressed, of: message.wireSize, isRequest: false, head)
    case .requestEnd:
      add(.clientHalfClose, head)
    case .responseHeaders(let metadata):
      let (entries, isCut) = recorded(metadata, call)
      add(.serverHeader, head, payload: 7, isCut: isCut) { writer throws(WireWriter.Full) in
        try writer.metadata(entries, without: call.credentials)
      }
    case .end(.failure(let error)) where error.origin == .local && error.code == .cancelled:
      add(.cancel, head)
    case .end(.success(let trailers)):
      add(0, "", trailers, head)
    case .end(.failure(let error)):
      add(UInt32(clamping: error.code.rawValue), error.message, error.trailers, head)
    case .attempt, .attemptFailed:
      break
    }
  }

  /// Adds a message of a call.
  ///
  /// - Parameters:
  ///   - contents: the message; nil if it cannot be decompressed, which the end of the call reports.
  ///   - size: the size on the wire, in bytes.
  mutating func add(_ contents: [UInt8]?, of size: Int, isRequest: Bool, _ head: EntryHead) {
    let kept = (contents ?? []).prefix(min(head.call.limits.message, Self.longestMessage))
    let isCut = contents?.count != kept.count
    let type: BinlogGrpcLogEntry.EventType = isRequest ? .clientMessage : .serverMessage
    add(type, head, payload: 8, isCut: isCut, size: kept.count) { writer throws(WireWriter.Full) in
      try writer.scalar(UInt32(clamping: contents?.count ?? size), .uint32, 1, "length")
      try writer.bytes(2, kept, without: head.call.credentials, isCut: isCut)
    }
  }

  private mutating func add(
    _ code: UInt32, _ message: String, _ trailers: Metadata, _ head: EntryHead
  ) {
    let (entries, isCut) = recorded(trailers, head.call)
    let details = trailers.isEmpty ? nil : trailers[binary: "grpc-status-details-bin"]
    let credentials = head.call.credentials
    add(.serverTrailer, head, payload: 9, isCut: isCut) { writer throws(WireWriter.Full) in
      try writer.metadata(entries, without: credentials)
      try writer.scalar(code, .uint32, 2, "statusCode")
      try writer.bytes(3, message.utf8, without: credentials)
      try writer.bytes(4, details ?? [], without: credentials)
    }
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - number: the field of the payload; nil if there is none.
  ///   - isCut: whether a limit truncates the payload.
  ///   - size: the size of the message in the payload, in bytes.
  ///   - payload: writes the fields of the payload.
  private mutating func add(
    _ type: BinlogGrpcLogEntry.EventType, _ head: EntryHead, payload number: Int? = nil,
    isCut: Bool = false, size: Int = 0,
    _ payload: (inout WireWriter) throws(WireWriter.Full) -> Void = { _ in }
  ) {
    if let peer = head.peer, peer != address.peer { address = (peer, BinlogAddress(peer)) }
    let peer = head.peer == nil ? nil : address.message
    bytes.append(messageOf: size + 512) { writer throws(WireWriter.Full) in
      try writer.framed { writer throws(WireWriter.Full) in
        try writer.message(1) { writer throws(WireWriter.Full) in
          try writer.scalar(head.time.seconds, .int64, 1, "seconds")
          try writer.scalar(head.time.nanoseconds, .int32, 2, "nanos")
        }
        try writer.scalar(head.call.id, .uint64, 2, "callId")
        try writer.scalar(head.sequence, .uint64, 3, "sequenceIdWithinCall")
        try writer.scalar(type, .enum(BinlogGrpcLogEntry.EventType.self), 4, "type")
        try writer.scalar(head.call.logger, .enum(BinlogGrpcLogEntry.Logger.self), 5, "logger")
        if let number { try writer.message(number, size: size, payload) }
        try writer.scalar(isCut, .bool, 10, "payloadTruncated")
        try writer.message(peer, 11, "peer")
      }
    }
    count += 1
  }

  /// Returns the application's metadata, without the names of gRPC and HTTP and without credentials,
  /// and whether the limit truncates it.
  private mutating func recorded(
    _ metadata: Metadata, _ call: RecordedCallHead
  ) -> (entries: [Metadata.Entry], isCut: Bool) {
    var entries: [Metadata.Entry] = []
    var room = call.limits.metadata
    for entry in metadata.entries where kinds.kind(of: entry) == .application {
      // Trace IDs do not count against the limit (gRFC A16).
      if entry.name != "grpc-trace-bin" {
        room -= entry.name.utf8.count + entry.value.size
        guard room >= 0 else { return (entries, true) }
      }
      entries.append(entry)
    }
    return (entries, false)
  }

  /// Readers accept entries up to ``BinaryLogReader/entryLimit``.
  private static let longestMessage = BinaryLogReader.entryLimit - (1 << 20)
}

extension WireWriter {
  /// Writes metadata as the first field of a header or trailer.
  fileprivate mutating func metadata(
    _ entries: [Metadata.Entry], without credentials: [Credential]
  ) throws(Full) {
    guard !entries.isEmpty else { return }
    try message(1) { writer throws(Full) in
      for entry in entries {
        try writer.message(1) { writer throws(Full) in
          try writer.bytes(1, entry.name.utf8, without: credentials)
          switch entry.value {
          case .text(let text): try writer.bytes(2, text.utf8, without: credentials)
          case .binary(let bytes): try writer.bytes(2, bytes, without: credentials)
          }
        }
      }
    }
  }

  /// Writes bytes with credentials masked.
  ///
  /// - Parameter isCut: whether the bytes are truncated. A short piece of a credential at their end is
  ///   then masked, too.
  fileprivate mutating func bytes(
    _ number: Int, _ bytes: some Collection<UInt8>, without credentials: [Credential],
    isCut: Bool = false
  ) throws(Full) {
    try unsafe self.bytes(number, bytes) { output in
      if !credentials.isEmpty { unsafe credentials.redact(output, isCutShort: isCut) }
    }
  }
}

extension Metadata.Value {
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
