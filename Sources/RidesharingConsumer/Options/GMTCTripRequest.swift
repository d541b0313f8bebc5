public import Foundation

/// The base class of requests.
public class GMTSRequest: NSObject {
  fileprivate var header: GMTSRequestHeader?

  /// Identifies the caller of the request; nil if there is no header.
  public var requestHeader: GMTSRequestHeader? { header }

  fileprivate init(requestHeader: GMTSRequestHeader?) {
    header = requestHeader
  }
}

/// The name of a trip and its refresh interval. It only stores these values: trip models
/// are created from names, not from requests.
public class GMTCTripRequest: GMTSRequest, NSCopying, NSMutableCopying {
  fileprivate var name: String
  fileprivate var interval: TimeInterval

  /// Empty by default.
  public var tripName: String { name }
  /// In seconds.
  public var autoRefreshTimeInterval: TimeInterval { interval }

  /// Creates a request from a header, the full name of a trip (`providers/{provider}/trips/{trip}`) and an interval in
  /// seconds. A name of nil becomes empty.
  public init(
    requestHeader: GMTSRequestHeader?, tripName: String?, autoRefreshTimeInterval: TimeInterval
  ) {
    name = tripName ?? ""
    interval = autoRefreshTimeInterval
    super.init(requestHeader: requestHeader)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? GMTCTripRequest else { return false }
    return name == other.name && interval == other.interval && header == other.header
  }

  public override var hash: Int { name.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any {
    GMTCTripRequest(
      requestHeader: header, tripName: name, autoRefreshTimeInterval: interval)
  }

  public func mutableCopy(with zone: NSZone? = nil) -> Any {
    GMTCMutableTripRequest(
      requestHeader: header, tripName: name, autoRefreshTimeInterval: interval)
  }
}

/// A mutable request.
public final class GMTCMutableTripRequest: GMTCTripRequest {
  public override var requestHeader: GMTSRequestHeader? {
    get { header }
    set { header = newValue }
  }

  public override var tripName: String {
    get { name }
    set { name = newValue }
  }

  public override var autoRefreshTimeInterval: TimeInterval {
    get { interval }
    set { interval = newValue }
  }
}
