public import Foundation
import Tripwire

/// The base class of request options.
public class GMTSRequestOptions: NSObject {
  fileprivate override init() {}
}

/// Options for following a trip.
///
/// `@unchecked Sendable`, also in its subclass: a lock protects all mutable state.
public class GMTCTripModelOptions: GMTSRequestOptions, NSCopying, NSMutableCopying,
  @unchecked Sendable
{
  struct Values: Hashable, Sendable {
    var autoRefreshTimeInterval: TimeInterval = 0
    var tripRequestHeader: GMTSRequestHeader?
  }

  let observed: Observed<Values>

  var values: Values { observed.value }

  /// The time from one poll to the next, in seconds; 0 is Tripwire's default, 5. At least 0.1, at
  /// most a day.
  public var autoRefreshTimeInterval: TimeInterval { values.autoRefreshTimeInterval }

  /// Sent with every request.
  public var tripRequestHeader: GMTSRequestHeader? { values.tripRequestHeader }

  /// Refreshes at the default interval, without a header.
  public override init() {
    observed = Observed(Values())
  }

  /// Creates options from an interval in seconds and a header. See the properties.
  public convenience init(
    autoRefreshTimeInterval: TimeInterval, trip tripRequestHeader: GMTSRequestHeader?
  ) {
    self.init(
      Values(
        autoRefreshTimeInterval: autoRefreshTimeInterval, tripRequestHeader: tripRequestHeader))
  }

  init(_ values: Values) {
    observed = Observed(values)
    super.init()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? GMTCTripModelOptions)?.values == values
  }

  public override var hash: Int { values.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { GMTCTripModelOptions(values) }

  public func mutableCopy(with zone: NSZone? = nil) -> Any {
    GMTCMutableTripModelOptions(options: self)
  }
}

/// Mutable options for following a trip. A change of a trip model's own options applies from the
/// next poll on, and a shorter interval makes that poll earlier.
public final class GMTCMutableTripModelOptions: GMTCTripModelOptions, @unchecked Sendable {
  public override var autoRefreshTimeInterval: TimeInterval {
    get { values.autoRefreshTimeInterval }
    set { observed.change { $0.autoRefreshTimeInterval = newValue } }
  }

  public override var tripRequestHeader: GMTSRequestHeader? {
    get { values.tripRequestHeader }
    set { observed.change { $0.tripRequestHeader = newValue } }
  }

  /// Copies other options; nil means the default ones.
  public convenience init(options: GMTCTripModelOptions?) {
    self.init(options?.values ?? Values())
  }
}

extension TripModelOptions {
  mutating func take(_ values: GMTCTripModelOptions.Values) {
    let interval = values.autoRefreshTimeInterval
    // NaN is not greater than 0 either.
    refreshInterval =
      interval > 0 ? .seconds(min(interval, 86_400)) : Self.defaultRefreshInterval
    header = values.tripRequestHeader?.header
  }
}
