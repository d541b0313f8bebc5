public import Foundation
import Tripwire
import WireSystem

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

  fileprivate let locked: Locked<Values>

  var values: Values { locked.withLock { $0 } }

  /// The time from one poll to the next, in seconds; 0 is Tripwire's default, 5. At least 0.1, at
  /// most a day.
  public var autoRefreshTimeInterval: TimeInterval { values.autoRefreshTimeInterval }

  /// Sent with every request.
  public var tripRequestHeader: GMTSRequestHeader? { values.tripRequestHeader }

  /// Refreshes at the default interval, without a header.
  public override init() {
    locked = Locked(Values())
  }

  public convenience init(
    autoRefreshTimeInterval: TimeInterval, trip tripRequestHeader: GMTSRequestHeader?
  ) {
    self.init(
      Values(
        autoRefreshTimeInterval: autoRefreshTimeInterval, tripRequestHeader: tripRequestHeader))
  }

  init(_ values: Values) {
    locked = Locked(values)
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
//
// Sendable, because `whenChanged` is a constant and the values are behind the lock of GMTCTripModelOptions.
public final class GMTCMutableTripModelOptions: GMTCTripModelOptions, @unchecked Sendable {
  /// Called after each change. The values may have changed again by then.
  private let whenChanged: @Sendable (GMTCMutableTripModelOptions) -> Void

  public override var autoRefreshTimeInterval: TimeInterval {
    get { values.autoRefreshTimeInterval }
    set { change { $0.autoRefreshTimeInterval = newValue } }
  }

  public override var tripRequestHeader: GMTSRequestHeader? {
    get { values.tripRequestHeader }
    set { change { $0.tripRequestHeader = newValue } }
  }

  public convenience override init() {
    self.init(Values())
  }

  public convenience init(options: GMTCTripModelOptions?) {
    self.init(options?.values ?? Values())
  }

  init(
    _ values: Values,
    whenChanged: @escaping @Sendable (GMTCMutableTripModelOptions) -> Void = { _ in }
  ) {
    self.whenChanged = whenChanged
    super.init(values)
  }

  func change(_ body: (inout Values) -> Void) {
    locked.withLock { body(&$0) }
    whenChanged(self)
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
