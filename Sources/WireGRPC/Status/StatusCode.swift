/// The status code of a call, with the numbers of google.rpc.Code (gRPC statuscodes.md).
///
/// The set is open: an unknown number is kept as received.
public struct StatusCode: RawRepresentable, Hashable, Sendable {
  /// The number in `grpc-status`.
  public var rawValue: Int

  /// Creates a code from its number, which may be unknown.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// The call succeeded.
  public static let ok = StatusCode(rawValue: 0)
  /// The caller canceled the call.
  public static let cancelled = StatusCode(rawValue: 1)
  /// An error without a more specific code.
  public static let unknown = StatusCode(rawValue: 2)
  /// The request is invalid, whatever the state of the server.
  public static let invalidArgument = StatusCode(rawValue: 3)
  /// The deadline passed before the call ended. The server may have acted on the request.
  public static let deadlineExceeded = StatusCode(rawValue: 4)
  /// The requested resource does not exist.
  public static let notFound = StatusCode(rawValue: 5)
  /// The resource to create already exists.
  public static let alreadyExists = StatusCode(rawValue: 6)
  /// The caller is known but not permitted.
  public static let permissionDenied = StatusCode(rawValue: 7)
  /// A quota or a size limit is exceeded.
  public static let resourceExhausted = StatusCode(rawValue: 8)
  /// The system is not in the state that the call requires.
  public static let failedPrecondition = StatusCode(rawValue: 9)
  /// The call conflicted with another, such as a concurrent change.
  public static let aborted = StatusCode(rawValue: 10)
  /// A value is past the valid range, such as an offset after the end.
  public static let outOfRange = StatusCode(rawValue: 11)
  /// The server does not implement the method.
  public static let unimplemented = StatusCode(rawValue: 12)
  /// An invariant of the server, the client or the protocol is violated.
  public static let `internal` = StatusCode(rawValue: 13)
  /// The server cannot be reached or is temporarily not available. A retry may succeed.
  public static let unavailable = StatusCode(rawValue: 14)
  /// Data is lost or damaged.
  public static let dataLoss = StatusCode(rawValue: 15)
  /// The credentials are missing or invalid.
  public static let unauthenticated = StatusCode(rawValue: 16)

  package static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
    "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
    "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]
}

extension StatusCode {
  /// The code, or UNKNOWN for a number without a name (gRPC statuscodes.md).
  package var named: StatusCode { Self.names.indices.contains(rawValue) ? self : .unknown }
}

extension StatusCode: CustomStringConvertible {
  /// The name in capitals, "NOT_FOUND", or "CODE_42" for a number without a name.
  public var description: String {
    Self.names.indices.contains(rawValue) ? Self.names[rawValue] : "CODE_\(rawValue)"
  }
}
