public import Foundation
public import JourneySharing
import Tripwire

/// The style of a route. Colors are `MapColor` of JourneySharing, because UIColor is not available.
public class GMTCPolylineStyleOptions: NSObject, NSCopying, NSMutableCopying {
  fileprivate(set) var style: JourneyStyle.Polyline

  /// In points of the screen; 2 by default.
  public var strokeWidth: CGFloat { CGFloat(style.width) }
  /// Blue by default.
  public var strokeColor: MapColor! { style.color }
  /// True by default.
  public var isVisible: Bool { style.isVisible }
  /// Elements with a higher index are drawn on top; 10 by default.
  public var zIndex: Int32 { style.zIndex }
  /// Whether it is drawn as a geodesic, not as a straight line on the Mercator projection.
  public var isGeodesic: Bool { style.isGeodesic }
  /// Whether traffic is shown along it; false by default.
  public var isTrafficEnabled: Bool { style.isTrafficEnabled }

  public convenience override init() {
    self.init(.sdkDefault)
  }

  init(_ style: JourneyStyle.Polyline) {
    self.style = style
  }

  /// Returns the color for this speed of traffic.
  public func trafficColor(for speedType: GMTSSpeedType) -> MapColor {
    style.trafficColors[speedType.speed] ?? style.color
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? GMTCPolylineStyleOptions)?.style == style
  }

  public override var hash: Int { style.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { GMTCPolylineStyleOptions(style) }

  public func mutableCopy(with zone: NSZone? = nil) -> Any {
    GMTCMutablePolylineStyleOptions(style)
  }
}

/// Mutable style options of a route.
public final class GMTCMutablePolylineStyleOptions: GMTCPolylineStyleOptions {
  /// Negative values and NaN set the default.
  public override var strokeWidth: CGFloat {
    get { CGFloat(style.width) }
    set { style.width = newValue >= 0 ? Double(newValue) : JourneyStyle.Polyline.sdkDefault.width }
  }

  /// Nil sets the default.
  public override var strokeColor: MapColor! {
    get { style.color }
    set { style.color = newValue ?? JourneyStyle.Polyline.sdkDefault.color }
  }

  public override var isVisible: Bool {
    get { style.isVisible }
    set { style.isVisible = newValue }
  }

  public override var zIndex: Int32 {
    get { style.zIndex }
    set { style.zIndex = newValue }
  }

  public override var isGeodesic: Bool {
    get { style.isGeodesic }
    set { style.isGeodesic = newValue }
  }

  public override var isTrafficEnabled: Bool {
    get { style.isTrafficEnabled }
    set { style.isTrafficEnabled = newValue }
  }

  /// Sets the color of the stretches with this speed of traffic, shown if ``isTrafficEnabled`` is true.
  public func setTrafficColorFor(_ speedType: GMTSSpeedType, color: MapColor) {
    style.trafficColors[speedType.speed] = color
  }
}

extension GMTSSpeedType {
  fileprivate var speed: SpeedReadingInterval.Speed {
    SpeedReadingInterval.Speed(rawValue: Int32(rawValue))
  }
}
