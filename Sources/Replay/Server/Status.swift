import WireGRPC
import WireHTTP2

/// How a call ends.
struct Status: Equatable {
  var code: StatusCode
  var message: String
  /// A serialized google.rpc.Status, or empty.
  var details: [UInt8]

  init(_ code: StatusCode, _ message: String = "", _ details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// As trailers have it.
  var headerFields: [HeaderField] {
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
