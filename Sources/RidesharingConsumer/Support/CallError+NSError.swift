public import Foundation
public import Tripwire

/// Bridges to an `NSError` like the SDK's: of the domain `io.grpc`, with the number of the gRPC
/// status as its code.
extension CallError: CustomNSError {
  /// The domain of gRPC errors, `io.grpc`.
  public static var errorDomain: String { "io.grpc" }

  public var errorCode: Int { code.rawValue }

  /// Key of ``errorUserInfo``: the message of the server or of this library, a `String`; may be
  /// empty.
  public static let messageKey = "message"
  /// Key of ``errorUserInfo``: the details that the server attached, an array of `String`.
  public static let detailsKey = "details"
  /// Key of ``errorUserInfo``: the reason of the server, such as `SERVICE_DISABLED`, a `String`; absent without one.
  public static let reasonKey = "reason"
  /// Key of ``errorUserInfo``: the error itself, a `CallError`.
  public static let callErrorKey = "callError"
  /// Key of ``errorUserInfo``: the case of ``CallError/Kind-swift.enum``, `serverOrNetwork` or `client`.
  public static let kindKey = "kind"

  /// Contains the token provider's error, an `NSError`, as `NSUnderlyingErrorKey`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: description,
      Self.callErrorKey: self,
      Self.messageKey: message,
      Self.detailsKey: details.map { "\($0)" },
      Self.kindKey: kind == .client ? "client" : "serverOrNetwork",
    ]
    info[Self.reasonKey] = reason
    if let cause = underlyingError {
      // As an NSError, because on Linux nothing else can be cast to it.
      info[NSUnderlyingErrorKey] = ((cause as? DescribedError)?.error ?? cause) as NSError
    }
    return info
  }
}
