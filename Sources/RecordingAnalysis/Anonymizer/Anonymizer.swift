import DynamicProtobuf
package import Recording
package import Tripwire
import WireProtobuf

/// Copies entries without the identities and places in them. Content that is not known to be harmless
/// is omitted.
package final class Anonymizer {
  private let types: MessageTypes
  private let messages: AnonymousMessages
  private let metadata: AnonymousMetadata
  package let omissions = Omissions()
  /// The number of copied calls.
  package private(set) var callCount = 0

  /// - Parameter types: the embedded types. The meaning of other types is unknown.
  package init(_ types: MessageTypes) {
    self.types = types
    messages = AnonymousMessages(types.pool, omissions)
    metadata = AnonymousMetadata(omissions)
  }

  /// Returns the copy of an entry; nil to leave it out.
  package func copy(_ entry: LoggedEntry) -> BinlogGrpcLogEntry? {
    guard let method = entry.call.method,
      AnonymousFields.packages.contains(where: { method.hasPrefix("/" + $0) }),
      types.method(method) != nil
    else {
      if entry.call.isNew { omissions.add(callOf: entry.call.method) }
      return nil
    }
    if entry.call.isNew { callCount += 1 }
    let value = entry.value
    guard value.type.name != nil, value.logger.name != nil else {
      omissions.add("entries of unknown kinds")
      return nil
    }
    if !value.unknownFields.isEmpty { omissions.add("unknown fields of entries") }
    var copy = BinlogGrpcLogEntry()
    copy.timestamp = value.timestamp
    copy.callId = value.callId
    copy.sequenceIdWithinCall = value.sequenceIdWithinCall
    copy.type = value.type
    copy.logger = value.logger
    copy.payloadTruncated = value.payloadTruncated
    copy.peer = value.peer.map { address($0) }
    switch (value.type, value.payload) {
    case (.clientHeader, .clientHeader(let header)):
      copy.payload = .clientHeader(self.header(header, method))
    case (.serverHeader, .serverHeader(let header)):
      var new = BinlogServerHeader()
      new.metadata = self.copy(header.metadata)
      copy.payload = .serverHeader(new)
    case (.clientMessage, .message), (.serverMessage, .message):
      let message = message(of: entry)
      if message == nil { copy.payloadTruncated = true }
      copy.payload = .message(message ?? missing(value))
    case (.serverTrailer, .trailer(let trailer)): copy.payload = .trailer(self.trailer(trailer))
    case (_, nil): break
    default: omissions.add("payloads of the wrong kind")
    }
    return copy
  }

  /// Returns the number of different resources of a kind in the copy.
  package func count(of kind: ResourceKind) -> Int { messages.names.count(of: .init(kind)) }

  /// The replacement of each ID, as one JSON object per line.
  package var mapping: String { messages.names.mapping }

  // MARK: Payloads

  private func header(_ header: BinlogClientHeader, _ method: String) -> BinlogClientHeader {
    var new = BinlogClientHeader()
    new.metadata = copy(header.metadata)
    new.methodName = method
    new.timeout = header.timeout
    let host = header.authority.split(separator: ":").first ?? ""
    new.authority =
      host == "fleetengine.googleapis.com"
      ? String(host) : messages.names.replace(header.authority, .host)
    return new
  }

  /// A message with its length only.
  private func missing(_ value: BinlogGrpcLogEntry) -> BinlogMessage {
    guard case .message(let message) = value.payload else { return BinlogMessage() }
    var new = BinlogMessage()
    new.length = max(message.length, UInt32(clamping: message.data.count))
    return new
  }

  /// Nil for a message that does not decode.
  private func message(of entry: LoggedEntry) -> BinlogMessage? {
    guard case .message(let message) = entry.value.payload, entry.isComplete,
      let type = types.type(of: entry), let reading = try? types.read(message.data, as: type)
    else {
      omissions.add("messages that cannot be read")
      return nil
    }
    var new = BinlogMessage()
    new.data = messages.copy(reading.message).serializedBytes()
    new.length = UInt32(new.data.count)
    return new
  }

  private func trailer(_ trailer: BinlogTrailer) -> BinlogTrailer {
    var new = BinlogTrailer()
    new.metadata = copy(trailer.metadata)
    new.statusCode = UInt32(code(Int(trailer.statusCode)))
    new.statusMessage = messages.names.replace(text: trailer.statusMessage)
    guard !trailer.statusDetails.isEmpty else { return new }
    guard let status = try? RPCStatus(serializedBytes: trailer.statusDetails) else {
      omissions.add("details that cannot be read")
      return new
    }
    var copy = RPCStatus()
    copy.code = Int32(code(Int(status.code)))
    copy.message = messages.names.replace(text: status.message)
    copy.details = status.details.compactMap { detail($0) }
    new.statusDetails = copy.serializedBytes()
    return new
  }

  private func code(_ code: Int) -> Int {
    if 0...16 ~= code { return code }
    omissions.add("status codes unknown to gRPC")
    return StatusCode.unknown.rawValue
  }

  private func detail(_ detail: AnyMessage) -> AnyMessage? {
    // The name only: the part before it can be any text.
    guard detail.typeUrl.utf8.count < 128,
      let name = detail.typeUrl.split(separator: "/").last, name.hasPrefix("google.rpc."),
      let type = types.pool.message(String(name)),
      let reading = try? types.read(detail.value, as: type)
    else {
      omissions.add("details of unknown types")
      return nil
    }
    var new = AnyMessage()
    new.typeUrl = "type.googleapis.com/\(type.fullName)"
    new.value = messages.copy(reading.message).serializedBytes()
    return new
  }

  private func copy(_ metadata: BinlogMetadata?) -> BinlogMetadata? {
    guard let metadata else { return nil }
    var new = BinlogMetadata()
    for entry in metadata.entry {
      guard let value = self.metadata.copy(entry.key, entry.value, &messages.names) else {
        continue
      }
      var copy = BinlogMetadataEntry()
      copy.key = entry.key
      copy.value = value
      new.entry.append(copy)
    }
    return new
  }

  /// Addresses for documentation (RFC 5737, RFC 3849), and no port other than that of HTTPS.
  private func address(_ peer: BinlogAddress) -> BinlogAddress {
    var new = BinlogAddress()
    new.type = peer.type
    new.ipPort = peer.ipPort == 443 ? 443 : 0
    let number = messages.names.index(of: peer.address, .address)
    switch peer.type {
    case .ipv4: new.address = "192.0.2.\(number % 256)"
    case .ipv6: new.address = "2001:db8::\(String(number, radix: 16))"
    default: new.address = "address-\(number)"
    }
    return new
  }
}
