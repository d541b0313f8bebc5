public import Foundation
public import Tripwire

/// As `NSError` an error of the trip model is what the SDK's is: of the domain `io.grpc`, with the
/// number of the gRPC status as its code.
extension CallError: CustomNSError {
  /// The domain of the errors of gRPC, `io.grpc`.
  public static var errorDomain: String { "io.grpc" }

  public var errorCode: Int { code.rawValue }

  /// For ``errorUserInfo``: what the server or this side said, a `String`; may be empty.
  public static let messageKey = "message"
  /// For ``errorUserInfo``: the details the server attached, an array of `String`.
  public static let detailsKey = "details"
  /// For ``errorUserInfo``: the error itself, a `CallError`.
  public static let callErrorKey = "callError"
  /// For ``errorUserInfo``: `serverOrNetwork` for an error that passes by itself, `client` for one
  /// that only the app can mend.
  public static let kindKey = "kind"

  /// With what the token provider failed with, an `NSError`, for `NSUnderlyingErrorKey`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: description,
      Self.callErrorKey: self,
      Self.messageKey: message,
      Self.detailsKey: details.map { "\($0)" },
      Self.kindKey: kind == .client ? "client" : "serverOrNetwork",
    ]
    if let cause = underlyingError {
      // As such: outside of Darwin nothing else can be cast to it.
      info[NSUnderlyingErrorKey] = ((cause as? DescribedError)?.error ?? cause) as NSError
    }
    return info
  }
}
