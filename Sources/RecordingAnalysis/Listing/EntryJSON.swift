import DynamicProtobuf
import Recording
import Tripwire
import WireGRPC
import WireProtobuf

/// Writes entries as JSON objects, one per line: the JSON of `grpc.binarylog.v1.GrpcLogEntry`, with the
/// number of the call as `call`. Bytes of a known type are decoded, under another name:
///
/// - a message's `data` as `decoded`,
/// - a trailer's `statusDetails` as `status`,
/// - the `value` of metadata that is text as `text`.
///
/// Credentials are redacted, although no recording should have any.
package struct EntryJSON {
  private let types: MessageTypes

  package init(_ types: MessageTypes) {
    self.types = types
  }

  /// Returns the object, without an end of line.
  package func object(_ entry: LoggedEntry) -> String {
    let value = entry.value
    var object = JSONObject()
    object.add("call", String(entry.call.number))
    object.add("timestamp", value.timestamp.flatMap { try? $0.jsonString() })
    object.add("callId", String(value.callId).quotedAsJSON)
    object.add("sequenceIdWithinCall", String(value.sequenceIdWithinCall).quotedAsJSON)
    object.add("type", value.type.name.map(\.quotedAsJSON) ?? String(value.type.rawValue))
    object.add("logger", value.logger.name.map(\.quotedAsJSON) ?? String(value.logger.rawValue))
    add(value.payload, of: entry, to: &object)
    if value.payloadTruncated { object.add("payloadTruncated", "true") }
    if let peer = value.peer { object.add("peer", json(peer)) }
    return object.text
  }

  private func add(
    _ payload: BinlogGrpcLogEntry.Payload?, of entry: LoggedEntry, to object: inout JSONObject
  ) {
    switch payload {
    case .clientHeader(let header):
      var inner = JSONObject()
      inner.add("metadata", header.metadata.map(json))
      inner.add("methodName", header.methodName.quotedAsJSON)
      if !header.authority.isEmpty { inner.add("authority", header.authority.quotedAsJSON) }
      inner.add("timeout", header.timeout.flatMap { try? $0.jsonString() })
      object.add("clientHeader", inner.text)
    case .serverHeader(let header):
      var inner = JSONObject()
      inner.add("metadata", header.metadata.map(json))
      object.add("serverHeader", inner.text)
    case .message(let message):
      object.add("message", json(message, of: entry))
    case .trailer(let trailer):
      object.add("trailer", json(trailer))
    case nil: break
    }
  }

  private func json(_ message: BinlogMessage, of entry: LoggedEntry) -> String {
    var object = JSONObject()
    object.add("length", String(message.length))
    add(
      message.data, "data", as: types.type(of: entry), under: "decoded",
      isWhole: entry.isComplete, to: &object)
    return object.text
  }

  private func json(_ trailer: BinlogTrailer) -> String {
    var object = JSONObject()
    object.add("metadata", trailer.metadata.map(json))
    object.add("statusCode", String(trailer.statusCode))
    if !trailer.statusMessage.isEmpty {
      object.add("statusMessage", trailer.statusMessage.quotedAsJSON)
    }
    if !trailer.statusDetails.isEmpty {
      add(status: trailer.statusDetails, to: &object)
    }
    return object.text
  }

  /// Adds decoded bytes, and the bytes themselves unless all of them were decoded.
  private func add(
    _ bytes: [UInt8], _ name: String, as type: MessageDescriptor?, under decodedName: String,
    isWhole: Bool, to object: inout JSONObject
  ) {
    var isComplete = false
    if let type, isWhole {
      do {
        let reading = try types.read(bytes, as: type)
        let options = DynamicJSONOptions(showsUnknownTypes: true)
        object.add(decodedName, try reading.message.jsonString(options: options))
        isComplete = reading.unknownFieldCount == 0
        if !isComplete { object.add("unknownFieldCount", String(reading.unknownFieldCount)) }
      } catch {
        object.add("undecodable", "\(error)".quotedAsJSON)
      }
    }
    if !isComplete { object.add(name, "\"" + Base64.encode(bytes, padded: true) + "\"") }
  }

  /// Adds a google.rpc.Status. Each detail is decoded separately: one that cannot be decoded has its bytes as
  /// `@value`.
  private func add(status bytes: [UInt8], to object: inout JSONObject) {
    do throws(DecodingError) {
      var status = try RPCStatus(serializedBytes: bytes)
      let details = status.details.map { $0.json(in: types.pool) ?? Self.bytes(of: $0) }
      status.details = []
      // Without details, the code and the message are always JSON.
      let head = (try? status.jsonString())?.dropFirst().dropLast() ?? ""
      var inner = JSONObject(members: String(head))
      if !details.isEmpty { inner.add("details", "[" + details.joined(separator: ",") + "]") }
      object.add("status", inner.text)
      guard !status.unknownFields.fields.isEmpty else { return }
      object.add("unknownFieldCount", String(status.unknownFields.fields.count))
    } catch {
      object.add("undecodable", "\(error)".quotedAsJSON)
    }
    object.add("statusDetails", "\"" + Base64.encode(bytes, padded: true) + "\"")
  }

  private static func bytes(of any: AnyMessage) -> String {
    var object = JSONObject()
    object.add("@type", any.typeUrl.quotedAsJSON)
    object.add("@value", "\"" + Base64.encode(any.value, padded: true) + "\"")
    return object.text
  }

  private func json(_ metadata: BinlogMetadata) -> String {
    let entries = metadata.entry.map { entry in
      var object = JSONObject()
      object.add("key", entry.key.quotedAsJSON)
      if let text = entry.shown {
        object.add("text", text.quotedAsJSON)
      } else {
        object.add("value", "\"" + Base64.encode(entry.value, padded: true) + "\"")
      }
      return object.text
    }
    return "{\"entry\":[" + entries.joined(separator: ",") + "]}"
  }

  private func json(_ peer: BinlogAddress) -> String {
    var object = JSONObject()
    object.add("type", peer.type.name.map(\.quotedAsJSON) ?? String(peer.type.rawValue))
    object.add("address", peer.address.quotedAsJSON)
    if peer.ipPort != 0 { object.add("ipPort", String(peer.ipPort)) }
    return object.text
  }
}

extension BinlogMetadataEntry {
  /// The value if it is text, "<redacted>" for a credential; nil for bytes.
  package var shown: String? {
    // Searching a long name takes long.
    if key.utf8.count >= 256 || MetadataRules.mayBeSecret(key) { return "<redacted>" }
    guard let text = String(validating: value, as: UTF8.self) else { return nil }
    if MetadataRules.isCredential(text) { return "<redacted>" }
    return key.hasSuffix("-bin") ? nil : text
  }
}
