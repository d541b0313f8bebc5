public import Tripwire

#if os(iOS)
  import Foundation
#endif

/// Identifies the caller, in the body of each request.
public final class GMTSRequestHeader: GMTCImmutableData, @unchecked Sendable {
  /// Not in the SDK: the header as the API's type.
  public let header: RequestHeader

  /// The header of a consumer app that uses this library. The platform is set on iOS only, because the
  /// API has none for Linux and macOS.
  public static let defaultHeader: GMTSRequestHeader = {
    var header = RequestHeader(sdkVersion: GMTCServices.SDKVersion(), sdkType: .consumer)
    #if os(iOS)
      header.platform = .ios
      header.osVersion = ProcessInfo.processInfo.operatingSystemVersionString
    #endif
    return GMTSRequestHeader(header)
  }()

  /// Not in the SDK, whose headers are opaque.
  public init(_ header: RequestHeader) {
    self.header = header
    super.init(content: header)
  }
}
