public import Foundation

/// The settings of a ``GMTCMapView``. Each property of ``Values`` is read and set as a property of this
/// class.
@dynamicMemberLookup
public final class GMSUISettings: NSObject, Sendable {
  /// ``scrollGestures`` and ``zoomGestures`` have an effect on a map in a browser; the others are only
  /// stored.
  public struct Values: Sendable {
    /// Whether people may drag the map; true by default.
    public var scrollGestures = true
    /// Whether people may zoom the map; true by default. On a map in a browser it also shows or hides the
    /// zoom buttons.
    public var zoomGestures = true
    /// True by default.
    public var tiltGestures = true
    /// True by default.
    public var rotateGestures = true
    /// True by default.
    public var consumesGesturesInView = true
    /// False by default.
    public var compassButton = false
    /// False by default.
    public var myLocationButton = false
    /// True by default.
    public var indoorPicker = true
    /// True by default.
    public var allowScrollGesturesDuringRotateOrZoom = true
  }

  let observed = Observed(Values())

  override init() {}

  /// Reads or sets one of the values.
  public subscript(dynamicMember setting: WritableKeyPath<Values, Bool>) -> Bool {
    get { observed.value[keyPath: setting] }
    set { observed.change { $0[keyPath: setting] = newValue } }
  }

  /// Sets the four settings for gestures.
  public func setAllGesturesEnabled(_ enabled: Bool) {
    observed.change {
      $0.scrollGestures = enabled
      $0.zoomGestures = enabled
      $0.tiltGestures = enabled
      $0.rotateGestures = enabled
    }
  }
}
