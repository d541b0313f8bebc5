import DynamicProtobuf
import Recording
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
    return JSONWriter.object { json in
      json.member("call", entry.call.number)
      json.member("timestamp", json: value.timestamp.flatMap { try? $0.jsonString() })
      json.member("callId", String(value.callId))
      json.member("sequenceIdWithinCall", String(value.sequenceIdWithinCall))
      json.member("type", value.type.name, or: value.type.rawValue)
      json.member("logger", value.logger.name, or: value.logger.rawValue)
      add(value.payload, of: entry, to: &json)
      if value.payloadTruncated { json.member("payloadTruncated", true) }
      if let peer = value.peer {
        json.object("peer") { json in
          json.member("type", peer.type.name, or: peer.type.rawValue)
          json.member("address", peer.address)
          json.member("ipPort", peer.ipPort == 0 ? nil : peer.ipPort)
        }
      }
    }
  }

  private func add(
    _ payload: BinlogGrpcLogEntry.Payload?, of entry: LoggedEntry, to json: inout JSONWriter
  ) {
    switch payload {
    case .clientHeader(let header):
      json.object("clientHeader") { json in
        add(header.metadata, to: &json)
        json.member("methodName", header.methodName)
        json.member("authority", header.authority.isEmpty ? nil : header.authority)
        json.member("timeout", json: header.timeout.flatMap { try? $0.jsonString() })
      }
    case .serverHeader(let header):
      json.object("serverHeader") { add(header.metadata, to: &$0) }
    case .message(let message):
      json.object("message") { json in
        json.member("length", message.length)
        add(message, of: entry, to: &json)
      }
    case .trailer(let trailer):
      json.object("trailer") { json in
        add(trailer.metadata, to: &json)
        json.member("statusCode", trailer.statusCode)
        json.member("statusMessage", trailer.statusMessage.isEmpty ? nil : trailer.statusMessage)
        if !trailer.statusDetails.isEmpty { add(status: trailer.statusDetails, to: &json) }
      }
    case nil: break
    }
  }

  /// Adds the decoded data, and the bytes themselves unless all of them were decoded.
  private func add(_ message: BinlogMessage, of entry: LoggedEntry, to json: inout JSONWriter) {
    var isComplete = false
    if let type = types.type(of: entry), entry.isComplete {
      do {
        let reading = try types.read(message.data, as: type)
        let options = DynamicJSONOptions(showsUnknownTypes: true)
        json.member("decoded", json: try reading.message.jsonString(options: options))
        isComplete = reading.unknownFieldCount == 0
        if !isComplete { json.member("unknownFieldCount", reading.unknownFieldCount) }
      } catch {
        json.member("undecodable", "\(error)")
      }
    }
    if !isComplete { json.member("data", base64: message.data) }
  }

  /// Adds a google.rpc.Status. Each detail is decoded separately: one that cannot be decoded has its bytes as
  /// `@value`.
  private func add(status bytes: [UInt8], to json: inout JSONWriter) {
    do throws(DecodingError) {
      let status = try RPCStatus(serializedBytes: bytes)
      json.object("status") { json in
        json.member("code", status.code == 0 ? nil : status.code)
        json.member("message", status.message.isEmpty ? nil : status.message)
        guard !status.details.isEmpty else { return }
        json.member("details", status.details) { json, detail in
          json.put(json: (detail.json(in: types.pool) ?? Self.bytes(of: detail)).utf8)
        }
      }
      guard !status.unknownFields.fields.isEmpty else { return }
      json.member("unknownFieldCount", status.unknownFields.fields.count)
    } catch {
      json.member("undecodable", "\(error)")
    }
    json.member("statusDetails", base64: bytes)
  }

  private static func bytes(of any: AnyMessage) -> String {
    JSONWriter.object { json in
      json.member("@type", any.typeUrl)
      json.member("@value", base64: any.value)
    }
  }

  private func add(_ metadata: BinlogMetadata?, to json: inout JSONWriter) {
    guard let metadata else { return }
    json.object("metadata") { json in
      json.objects("entry", metadata.entry) { json, entry in
        json.member("key", entry.key)
        if let text = entry.shown {
          json.member("text", text)
        } else {
          json.member("value", base64: entry.value)
        }
      }
    }
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
