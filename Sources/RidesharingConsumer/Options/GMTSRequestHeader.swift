public import Tripwire

#if os(iOS)
  import Foundation
#endif

/// Who is asking: a header in the body of each request.
public final class GMTSRequestHeader: GMTCImmutableData, @unchecked Sendable {
  /// Ours, not the SDK's: the same as the API has it.
  public let header: RequestHeader

  /// A consumer's app that uses this library. The API has no platform for Linux and for macOS, so
  /// there none is said.
  public static let defaultHeader: GMTSRequestHeader = {
    var header = RequestHeader()
    header.sdkType = .consumer
    header.sdkVersion = GMTCServices.SDKVersion()
    #if os(iOS)
      header.platform = .ios
      header.osVersion = ProcessInfo.processInfo.operatingSystemVersionString
    #endif
    return GMTSRequestHeader(header)
  }()

  /// Ours, not the SDK's, whose headers are opaque.
  public init(_ header: RequestHeader) {
    self.header = header
    super.init(content: header)
  }
}
