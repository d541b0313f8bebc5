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
    var copy = BinlogGrpcLogEntry(
      timestamp: value.timestamp, callId: value.callId,
      sequenceIdWithinCall: value.sequenceIdWithinCall, type: value.type, logger: value.logger,
      payloadTruncated: value.payloadTruncated, peer: value.peer.map { address($0) })
    switch (value.type, value.payload) {
    case (.clientHeader, .clientHeader(let header)):
      copy.payload = .clientHeader(self.header(header, method))
    case (.serverHeader, .serverHeader(let header)):
      copy.payload = .serverHeader(BinlogServerHeader(metadata: self.copy(header.metadata)))
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
    let host = header.authority.split(separator: ":").first ?? ""
    return BinlogClientHeader(
      metadata: copy(header.metadata), methodName: method,
      authority: host == "fleetengine.googleapis.com"
        ? String(host) : messages.names.replace(header.authority, .host),
      timeout: header.timeout)
  }

  /// A message with its length only.
  private func missing(_ value: BinlogGrpcLogEntry) -> BinlogMessage {
    guard case .message(let message) = value.payload else { return BinlogMessage() }
    return BinlogMessage(length: max(message.length, UInt32(clamping: message.data.count)))
  }

  /// Nil for a message that does not decode.
  private func message(of entry: LoggedEntry) -> BinlogMessage? {
    guard case .message(let message) = entry.value.payload, entry.isComplete,
      let type = types.type(of: entry), let reading = try? types.read(message.data, as: type)
    else {
      omissions.add("messages that cannot be read")
      return nil
    }
    let bytes = messages.copy(reading.message).serializedBytes()
    return BinlogMessage(length: UInt32(bytes.count), data: bytes)
  }

  private func trailer(_ trailer: BinlogTrailer) -> BinlogTrailer {
    var new = BinlogTrailer(
      metadata: copy(trailer.metadata), statusCode: UInt32(code(Int(trailer.statusCode))),
      statusMessage: messages.names.replace(text: trailer.statusMessage))
    guard !trailer.statusDetails.isEmpty else { return new }
    guard let status = try? RPCStatus(serializedBytes: trailer.statusDetails) else {
      omissions.add("details that cannot be read")
      return new
    }
    new.statusDetails = RPCStatus(
      code: Int32(code(Int(status.code))), message: messages.names.replace(text: status.message),
      details: status.details.compactMap { detail($0) }
    ).serializedBytes()
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
    return AnyMessage(
      typeUrl: "type.googleapis.com/\(type.fullName)",
      value: messages.copy(reading.message).serializedBytes())
  }

  private func copy(_ metadata: BinlogMetadata?) -> BinlogMetadata? {
    guard let metadata else { return nil }
    let entries = metadata.entry.compactMap { entry in
      self.metadata.copy(entry.key, entry.value, &messages.names)
        .map { BinlogMetadataEntry(key: entry.key, value: $0) }
    }
    return BinlogMetadata(entry: entries)
  }

  /// Addresses for documentation (RFC 5737, RFC 3849), and no port other than that of HTTPS.
  private func address(_ peer: BinlogAddress) -> BinlogAddress {
    let number = messages.names.index(of: peer.address, .address)
    let address =
      switch peer.type {
      case .ipv4: "192.0.2.\(number % 256)"
      case .ipv6: "2001:db8::\(String(number, radix: 16))"
      default: "address-\(number)"
      }
    return BinlogAddress(
      type: peer.type, address: address, ipPort: peer.ipPort == 443 ? 443 : 0)
  }
}
