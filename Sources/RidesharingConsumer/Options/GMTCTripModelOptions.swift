public import Foundation
import Tripwire
import WireSystem

/// What the options of requests have in common.
public class GMTSRequestOptions: NSObject {
  fileprivate override init() {}
}

/// How a trip is followed.
///
/// `@unchecked Sendable`, also in its subclass: all that changes is behind a lock.
public class GMTCTripModelOptions: GMTSRequestOptions, NSCopying, NSMutableCopying,
  @unchecked Sendable
{
  struct Values: Hashable, Sendable {
    var autoRefreshTimeInterval: TimeInterval = 0
    var tripRequestHeader: GMTSRequestHeader?
  }

  fileprivate let locked: Locked<Values>

  var values: Values { locked.withLock { $0 } }

  /// How often the server is asked, in seconds; 0 is Tripwire's default, 5. Less than 0.1 counts as
  /// 0.1, more than a day as a day.
  public var autoRefreshTimeInterval: TimeInterval { values.autoRefreshTimeInterval }

  /// Sent with every request.
  public var tripRequestHeader: GMTSRequestHeader? { values.tripRequestHeader }

  /// Refreshing at the default interval, without a header.
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

/// How a trip is followed. Changing a trip model's own options counts from the next request on, which
/// a shorter interval brings forward.
public final class GMTCMutableTripModelOptions: GMTCTripModelOptions, @unchecked Sendable {
  /// Told after each change; the values may have changed again by then.
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
    // What is no number is not greater than 0 either.
    refreshInterval =
      interval > 0 ? .seconds(min(interval, 86_400)) : Self.defaultRefreshInterval
    header = values.tripRequestHeader?.header
  }
}
