import WireGRPC
import WireProtobuf

/// What is the same in all entries of a call.
final class RecordedCallHead: Sendable {
  let id: UInt64
  let method: String
  let authority: String
  let limits: RecordingFilter.Limits
  /// Which side of it writes.
  let logger: BinlogGrpcLogEntry.Logger
  /// What may not be in them.
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

/// What every entry begins with.
struct EntryHead: Sendable {
  let call: RecordedCallHead
  /// From 1.
  let sequence: UInt64
  let time: Timestamp
  /// Where the first thing came from that the other side said; nil of all else.
  let peer: String?
}

/// Writes what happens to calls as entries of a binary log, each behind its length.
///
/// Field by field, without making a `BinlogGrpcLogEntry` first: that takes several times as long, and
/// is done on the thread that calls are made on.
struct EntryEncoder {
  /// Whole entries.
  private(set) var bytes: [UInt8] = []
  /// How many there are.
  private(set) var count = 0

  private var kinds = MetadataKinds()
  /// The last address, as it is written.
  private var address: (peer: String, bytes: [UInt8]) = ("", [])

  /// Begins anew, in the memory of what is empty.
  mutating func clear(into memory: [UInt8]) {
    bytes = memory
    count = 0
  }

  mutating func add(_ event: CallEvent, _ head: EntryHead) {
    switch event {
    case .start(let metadata, let timeout):
      let room = Self.room(for: metadata) + Self.room(for: head.call.method, head.call.authority)
      add(.clientHeader, head, room: room) { encoder, head, writer in
        let header = writer.open(6, limit: room)
        let isCutShort = encoder.put(metadata, head, limit: room, to: &writer)
        writer.put(2, head.call.method.utf8, without: head.call.credentials)
        writer.put(3, head.call.authority.utf8, without: head.call.credentials)
        if let timeout {
          let timeout = WireDuration(timeout)
          writer.put(4, messageOf: Int64(timeout.seconds), timeout.nanos)
        }
        writer.close(header)
        return isCutShort
      }
    case .requestMessage(let message):
      add(message.uncompressed, of: message.wireSize, isRequest: true, head)
    case .responseMessage(let message):
      add(message.uncompressed, of: message.wireSize, isRequest: false, head)
    case .requestEnd:
      add(.clientHalfClose, head, room: 0) { _, _, _ in false }
    case .responseHeaders(let metadata):
      let room = Self.room(for: metadata)
      add(.serverHeader, head, room: room) { encoder, head, writer in
        let header = writer.open(7, limit: room)
        let isCutShort = encoder.put(metadata, head, limit: room, to: &writer)
        writer.close(header)
        return isCutShort
      }
    case .end(.failure(let error)) where error.origin == .local && error.code == .cancelled:
      add(.cancel, head, room: 0) { _, _, _ in false }
    case .end(.success(let trailers)):
      add(0, "", trailers, head)
    case .end(.failure(let error)):
      add(UInt32(clamping: error.code.rawValue), error.message, error.metadata, head)
    case .attempt, .attemptFailed:
      break
    }
  }

  /// - Parameters:
  ///   - contents: the message; nil when it cannot be decompressed, which how the call ends will tell.
  ///   - size: on the wire.
  mutating func add(_ contents: [UInt8]?, of size: Int, isRequest: Bool, _ head: EntryHead) {
    let length = UInt64(UInt32(clamping: contents?.count ?? size))
    let recorded = (contents ?? []).prefix(min(head.call.limits.message, Self.longestMessage))
    let isCutShort = contents?.count != recorded.count
    add(isRequest ? .clientMessage : .serverMessage, head, room: recorded.count) {
      _, head, writer in
      writer.put(tag: 8, FieldWriter.size(of: length) + FieldWriter.size(of: recorded.count))
      writer.put(1, length)
      writer.put(2, recorded, without: head.call.credentials, isCutShort: isCutShort)
      return isCutShort
    }
  }

  private mutating func add(
    _ code: UInt32, _ message: String, _ trailers: Metadata, _ head: EntryHead
  ) {
    let details = trailers.isEmpty ? nil : trailers[binary: "grpc-status-details-bin"]
    let room = Self.room(for: trailers) + Self.room(for: message) + (details?.count ?? 0)
    add(.serverTrailer, head, room: room) { encoder, head, writer in
      let trailer = writer.open(9, limit: room)
      let isCutShort = encoder.put(trailers, head, limit: room, to: &writer)
      writer.put(2, UInt64(code))
      writer.put(3, message.utf8, without: head.call.credentials)
      if let details { writer.put(4, details, without: head.call.credentials) }
      writer.close(trailer)
      return isCutShort
    }
  }

  /// So that the entry is one that readers take.
  private static let longestMessage = BinaryLogReader.entryLimit - (1 << 20)
}

// MARK: - Parts of an entry

extension EntryEncoder {
  /// What is in every entry takes no more, whatever the numbers are.
  private static let commonRoom = 16 * FieldWriter.fieldRoom

  private static func room(for texts: String...) -> Int {
    texts.reduce(0) { $0 + $1.utf8.count + FieldWriter.fieldRoom }
  }

  private static func room(for metadata: Metadata) -> Int {
    metadata.entries.reduce(0) {
      $0 + $1.name.utf8.count + $1.value.size + 3 * FieldWriter.fieldRoom
    }
  }

  /// - Parameters:
  ///   - room: how many bytes the payload takes at most, without the numbers in it.
  ///   - payload: writes it, and says whether it is cut short.
  private mutating func add(
    _ type: BinlogGrpcLogEntry.EventType, _ head: EntryHead, room: Int,
    payload: (inout EntryEncoder, EntryHead, inout FieldWriter) -> Bool
  ) {
    if let peer = head.peer, peer != address.peer {
      address = (peer, BinlogAddress(peer).serializedBytes())
    }
    // Taken out while it is added to, as what writes the payload may change all else.
    var bytes: [UInt8] = []
    swap(&bytes, &self.bytes)
    let start = bytes.count
    bytes.append(addingCapacity: room + Self.commonRoom + address.bytes.count) { span in
      unsafe span.withUnsafeMutableBufferPointer { memory, size in
        var writer = unsafe FieldWriter(UnsafeMutableRawBufferPointer(memory))
        writer.skip(EntryFramer.prefixLength)
        writer.put(1, messageOf: head.time.seconds, head.time.nanos)
        writer.put(2, head.call.id)
        writer.put(3, head.sequence)
        writer.put(4, UInt64(type.rawValue))
        writer.put(5, UInt64(head.call.logger.rawValue))
        if payload(&self, head, &writer) { writer.put(10, 1) }
        if head.peer != nil { writer.put(11, address.bytes) }
        size = writer.size
      }
    }
    EntryFramer.end(&bytes, from: start)
    swap(&bytes, &self.bytes)
    count += 1
  }

  /// Puts in what is the application's of some metadata: neither what belongs to gRPC or HTTP, nor what
  /// proves who asks. Whether some was left out that is.
  private mutating func put(
    _ entries: Metadata, _ head: EntryHead, limit: Int, to writer: inout FieldWriter
  ) -> Bool {
    guard !entries.isEmpty else { return false }
    let metadata = writer.open(1, limit: limit)
    defer { writer.close(metadata, keepsEmpty: false) }
    var room = head.call.limits.metadata
    for entry in entries where kinds.isApplications(entry) {
      let (name, value) = (entry.name.utf8.count, entry.value.size)
      // What traces calls takes no room (gRFC A16).
      if entry.name != "grpc-trace-bin" {
        room -= name + value
        guard room >= 0 else { return true }
      }
      writer.put(tag: 1, FieldWriter.size(of: name) + FieldWriter.size(of: value))
      writer.put(1, entry.name.utf8, without: head.call.credentials)
      switch entry.value {
      case .text(let text): writer.put(2, text.utf8, without: head.call.credentials)
      case .binary(let bytes): writer.put(2, bytes, without: head.call.credentials)
      }
    }
    return false
  }
}

extension Metadata.Value {
  /// In bytes, as it is recorded.
  fileprivate var size: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}
