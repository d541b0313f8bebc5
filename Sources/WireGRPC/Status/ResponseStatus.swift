package import WireHTTP2
import WireProtobuf

/// The status of a call, parsed from its trailers (gRPC PROTOCOL-HTTP2, Trailers).
package struct ResponseStatus {
  enum Code: Hashable {
    case present(StatusCode)
    case missing
    /// `grpc-status` cannot be parsed; the text is the reason.
    case malformed(String)
  }

  var code: Code
  /// The decoded `grpc-message`, or the message in `grpc-status-details-bin` if there is none.
  var message: String
  var details: [ErrorDetail]
  var metadata: Metadata
  /// Set only if the call failed.
  var retryPushback: RetryPushback?

  package init(_ fields: [HeaderField]) {
    metadata = Metadata(received: fields)
    code = .missing
    message = ""
    details = []
    var text: String?
    for field in fields {
      switch field.name {
      case "grpc-status": code = Self.parse(field.value, after: code)
      case "grpc-message": text = text ?? StatusMessage.decode(field.value)
      default: break
      }
    }
    if let entry = metadata.entries.first(where: { $0.name == "grpc-status-details-bin" }),
      case .binary(let bytes) = entry.value, let status = try? RPCStatus(serializedBytes: bytes)
    {
      details = status.details.map { ErrorDetail($0) }
      // `grpc-message` takes precedence over the message in the details.
      if text == nil { text = status.message }
    }
    message = text ?? ""
    if code != .present(.ok) { retryPushback = RetryPushback(fields) }
  }

  private static func parse(_ text: String, after earlier: Code) -> Code {
    guard let number = decimal(text) else {
      let shown = text.shortened(to: 32)
      return .malformed(
        text.isInteger
          ? "grpc-status is \(shown), which is not a gRPC code"
          : "grpc-status is \"\(shown)\", which is not a number")
    }
    let code = Code.present(StatusCode(rawValue: number))
    switch earlier {
    case .missing, code: return code
    case .present(let other):
      return .malformed("grpc-status has two values, \(other.rawValue) and \(number)")
    case .malformed: return earlier
    }
  }
}

/// Parses decimal digits. Returns nil without digits, with other characters, or above `Int32.max`.
private func decimal(_ text: String) -> Int? {
  guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
    return nil
  }
  return Int32(text).map { Int($0) }
}

extension String {
  fileprivate var isInteger: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    return !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// Returns the first `limit` scalars, with control characters replaced by spaces and `…` if text
  /// was cut. Peers can send text of any length.
  package func shortened(to limit: Int) -> String {
    let scalars = unicodeScalars.lazy.map { $0.properties.generalCategory == .control ? " " : $0 }
    var text = String(String.UnicodeScalarView(scalars.prefix(limit)))
    if unicodeScalars.dropFirst(limit).first != nil { text += "…" }
    return text
  }
}
