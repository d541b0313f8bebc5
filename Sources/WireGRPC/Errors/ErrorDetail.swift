public import WireProtobuf

/// A detail that a server attached to its status: one of google.rpc's error details, decoded, or
/// any other message as received.
public enum ErrorDetail: Sendable, Hashable {
  /// The cause as a reason and a domain, such as `ACCESS_TOKEN_EXPIRED` of `googleapis.com`.
  case errorInfo(ErrorInfo)
  /// How long to wait before a retry.
  case retryInfo(RetryInfo)
  /// Stack traces of the server.
  case debugInfo(DebugInfo)
  /// The quotas that were exceeded.
  case quotaFailure(QuotaFailure)
  /// The preconditions that failed.
  case preconditionFailure(PreconditionFailure)
  /// The invalid fields of the request.
  case badRequest(BadRequest)
  /// The ID with which the provider of the service finds the request.
  case requestInfo(RequestInfo)
  /// The resource that the call needed.
  case resourceInfo(ResourceInfo)
  /// Links to documentation.
  case help(Help)
  /// A message for a user, in the language of a locale.
  case localizedMessage(LocalizedMessage)
  /// A message of another type, or one that does not decode as its type.
  case other(AnyMessage)
}

extension ErrorDetail {
  /// Decodes the message. The type is the part of the type URL after the last slash.
  public init(_ any: AnyMessage) {
    let decode = Self.decoders[Self.shortName(any.typeUrl)]
    self = (try? decode?(any.value)) ?? .other(any)
  }

  /// The detail as a message of any type, for `unpack(_:)`, JSON or another status. For JSON, the
  /// types of google.rpc are in `TypeRegistry.googleRpcErrorDetailsProto`.
  ///
  /// ``other(_:)`` returns the message as the server sent it. Other details are encoded again,
  /// including unknown fields, and their type URL starts with `type.googleapis.com/`. The received
  /// bytes are in ``CallError/trailers``, as a google.rpc.Status in `grpc-status-details-bin`.
  public var any: AnyMessage {
    if case .other(let any) = self { any } else { AnyMessage(packing: message) }
  }

  package var message: any Message {
    switch self {
    case .errorInfo(let detail): detail
    case .retryInfo(let detail): detail
    case .debugInfo(let detail): detail
    case .quotaFailure(let detail): detail
    case .preconditionFailure(let detail): detail
    case .badRequest(let detail): detail
    case .requestInfo(let detail): detail
    case .resourceInfo(let detail): detail
    case .help(let detail): detail
    case .localizedMessage(let detail): detail
    case .other(let any): any
    }
  }

  private static let decoders: [Substring: @Sendable ([UInt8]) throws -> ErrorDetail] = [
    "google.rpc.ErrorInfo": { .errorInfo(try ErrorInfo(serializedBytes: $0)) },
    "google.rpc.RetryInfo": { .retryInfo(try RetryInfo(serializedBytes: $0)) },
    "google.rpc.DebugInfo": { .debugInfo(try DebugInfo(serializedBytes: $0)) },
    "google.rpc.QuotaFailure": { .quotaFailure(try QuotaFailure(serializedBytes: $0)) },
    "google.rpc.PreconditionFailure": {
      .preconditionFailure(try PreconditionFailure(serializedBytes: $0))
    },
    "google.rpc.BadRequest": { .badRequest(try BadRequest(serializedBytes: $0)) },
    "google.rpc.RequestInfo": { .requestInfo(try RequestInfo(serializedBytes: $0)) },
    "google.rpc.ResourceInfo": { .resourceInfo(try ResourceInfo(serializedBytes: $0)) },
    "google.rpc.Help": { .help(try Help(serializedBytes: $0)) },
    "google.rpc.LocalizedMessage": {
      .localizedMessage(try LocalizedMessage(serializedBytes: $0))
    },
  ]

  /// Returns the part after the last slash, or an empty string if that is longer than every known
  /// name: Swift compares long runs of combining marks slowly.
  private static func shortName(_ typeURL: String) -> Substring {
    let url = typeURL.utf8
    let slash = url.lastIndex(of: UInt8(ascii: "/"))
    let name = slash.map { url[url.index(after: $0)...] } ?? url[...]
    return name.count > 64 ? "" : Substring(name)
  }
}

extension Sequence<ErrorDetail> {
  /// The longest delay that a RetryInfo asks for; nil if there is none.
  package var retryDelay: Duration? {
    lazy.compactMap { detail in
      if case .retryInfo(let info) = detail { info.retryDelay?.duration } else { nil }
    }.max()
  }
}
