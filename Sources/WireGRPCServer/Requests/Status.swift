package import WireGRPC
package import WireHTTP2

/// The status of a call, as a server sends it.
package struct Status: Equatable {
  var code: StatusCode
  var message: String
  /// A serialized google.rpc.Status, or empty.
  var details: [UInt8]

  package init(_ code: StatusCode, _ message: String = "", _ details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The fields of the trailers.
  package var headerFields: [HeaderField] {
    var fields = [HeaderField("grpc-status", "\(code.rawValue)")]
    if !message.isEmpty {
      fields.append(HeaderField("grpc-message", StatusMessage.encode(message)))
    }
    if !details.isEmpty {
      fields.append(HeaderField("grpc-status-details-bin", Base64.encode(details)))
    }
    return fields
  }
}
