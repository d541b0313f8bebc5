public import Foundation
public import JourneySharing

/// The style of a marker. There is no `UIImage`: an icon is the path of a file, or a URL, for the code
/// that draws the marker. There is no `iconView`.
public class GMTCMarkerStyleOptions: NSObject, NSCopying, NSMutableCopying {
  fileprivate(set) var style: JourneyStyle.Marker

  /// The point of the icon that lies on the marker's position, from 0 (left, top) to 1 (right,
  /// bottom); {0.5, 0.5} by default.
  public var groundAnchor: CGPoint { CGPoint(x: style.anchor.x, y: style.anchor.y) }
  /// True by default.
  public var isVisible: Bool { style.isVisible }
  /// Nil for the default icon of the code that draws the marker.
  public var icon: String? { style.icon }
  /// Elements with a higher index are drawn on top; 0 by default.
  public var zIndex: Int32 { style.zIndex }
  /// Whether it lies flat on the map and rotates with it; false by default.
  public var isFlat: Bool { style.isFlat }
  /// Not in the SDK: the color of the marker.
  public var color: MapColor { style.color }

  public convenience override init() {
    self.init(.sdkDefault)
  }

  init(_ style: JourneyStyle.Marker) {
    self.style = style
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? GMTCMarkerStyleOptions)?.style == style
  }

  public override var hash: Int { style.hashValue }

  public func copy(with zone: NSZone? = nil) -> Any { GMTCMarkerStyleOptions(style) }

  public func mutableCopy(with zone: NSZone? = nil) -> Any { GMTCMutableMarkerStyleOptions(style) }
}

/// Mutable style options of a marker.
public final class GMTCMutableMarkerStyleOptions: GMTCMarkerStyleOptions {
  public override var groundAnchor: CGPoint {
    get { CGPoint(x: style.anchor.x, y: style.anchor.y) }
    set { style.anchor = .init(x: Double(newValue.x), y: Double(newValue.y)) }
  }

  public override var isVisible: Bool {
    get { style.isVisible }
    set { style.isVisible = newValue }
  }

  public override var icon: String? {
    get { style.icon }
    set { style.icon = newValue }
  }

  public override var zIndex: Int32 {
    get { style.zIndex }
    set { style.zIndex = newValue }
  }

  public override var isFlat: Bool {
    get { style.isFlat }
    set { style.isFlat = newValue }
  }

  public override var color: MapColor {
    get { style.color }
    set { style.color = newValue }
  }
}
