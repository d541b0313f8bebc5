public import WireProtobuf

/// One detail that a server attached to its status: google.rpc's error details decoded, anything
/// else kept as it came.
public enum ErrorDetail: Sendable, Hashable {
  case errorInfo(ErrorInfo)
  case retryInfo(RetryInfo)
  case debugInfo(DebugInfo)
  case quotaFailure(QuotaFailure)
  case preconditionFailure(PreconditionFailure)
  case badRequest(BadRequest)
  case requestInfo(RequestInfo)
  case resourceInfo(ResourceInfo)
  case help(Help)
  case localizedMessage(LocalizedMessage)
  /// A type this library does not know, or a value that does not decode as the type it claims.
  case other(AnyMessage)
}

extension ErrorDetail {
  /// Decodes by the part of the type URL after the last slash.
  public init(_ any: AnyMessage) {
    self = Self.known(any) ?? .other(any)
  }

  /// The detail as a message of any type, for `unpack(_:)`, JSON or another status. For JSON, the
  /// types of google.rpc are in `TypeRegistry.googleRpcErrorDetailsProto`.
  ///
  /// A detail in ``other(_:)`` is as the server sent it. The others are encoded again, with the
  /// fields that this library does not know, and their type URL begins with `type.googleapis.com/`.
  /// The bytes that the server sent are in the metadata of ``CallError``, as a google.rpc.Status in
  /// `grpc-status-details-bin`.
  public var any: AnyMessage {
    let known: any Message
    switch self {
    case .errorInfo(let detail): known = detail
    case .retryInfo(let detail): known = detail
    case .debugInfo(let detail): known = detail
    case .quotaFailure(let detail): known = detail
    case .preconditionFailure(let detail): known = detail
    case .badRequest(let detail): known = detail
    case .requestInfo(let detail): known = detail
    case .resourceInfo(let detail): known = detail
    case .help(let detail): known = detail
    case .localizedMessage(let detail): known = detail
    case .other(let any): return any
    }
    return AnyMessage(packing: known)
  }

  private static func known(_ any: AnyMessage) -> ErrorDetail? {
    func decoded<Detail: Message>(_ type: Detail.Type) -> Detail? {
      try? Detail(serializedBytes: any.value)
    }
    switch shortName(any.typeUrl) {
    case "google.rpc.ErrorInfo": return decoded(ErrorInfo.self).map(Self.errorInfo)
    case "google.rpc.RetryInfo": return decoded(RetryInfo.self).map(Self.retryInfo)
    case "google.rpc.DebugInfo": return decoded(DebugInfo.self).map(Self.debugInfo)
    case "google.rpc.QuotaFailure": return decoded(QuotaFailure.self).map(Self.quotaFailure)
    case "google.rpc.PreconditionFailure":
      return decoded(PreconditionFailure.self).map(Self.preconditionFailure)
    case "google.rpc.BadRequest": return decoded(BadRequest.self).map(Self.badRequest)
    case "google.rpc.RequestInfo": return decoded(RequestInfo.self).map(Self.requestInfo)
    case "google.rpc.ResourceInfo": return decoded(ResourceInfo.self).map(Self.resourceInfo)
    case "google.rpc.Help": return decoded(Help.self).map(Self.help)
    case "google.rpc.LocalizedMessage":
      return decoded(LocalizedMessage.self).map(Self.localizedMessage)
    default: return nil
    }
  }

  /// What is behind the last slash, unless it is longer than any name we know: Swift takes long to
  /// compare a long run of accents.
  private static func shortName(_ typeURL: String) -> Substring {
    let url = typeURL.utf8
    let slash = url.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { url[url.index(after: $0)...] } ?? url[...]
    return name.count > 64 ? "" : Substring(name)
  }
}
