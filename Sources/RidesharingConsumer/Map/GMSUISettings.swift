public import Foundation
import WireSystem

/// The settings of a ``GMTCMapView``. ``scrollGestures`` and ``zoomGestures`` have an effect on a map in a
/// browser; the others are only stored.
public final class GMSUISettings: NSObject, Sendable {
  private struct State {
    var scrollGestures = true
    var zoomGestures = true
    var tiltGestures = true
    var rotateGestures = true
    var consumesGesturesInView = true
    var compassButton = false
    var myLocationButton = false
    var indoorPicker = true
    var allowScrollGesturesDuringRotateOrZoom = true
    var whenChanged: @Sendable () -> Void = {}
  }

  private let state = Locked(State())

  override init() {}

  func whenChanged(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenChanged = body }
  }

  private func change(_ body: (inout State) -> Void) {
    let whenChanged = state.withLock { state in
      body(&state)
      return state.whenChanged
    }
    whenChanged()
  }

  /// Sets the four settings for gestures.
  public func setAllGesturesEnabled(_ enabled: Bool) {
    change {
      $0.scrollGestures = enabled
      $0.zoomGestures = enabled
      $0.tiltGestures = enabled
      $0.rotateGestures = enabled
    }
  }

  /// Whether people may drag the map; true by default.
  public var scrollGestures: Bool {
    get { state.withLock { $0.scrollGestures } }
    set { change { $0.scrollGestures = newValue } }
  }

  /// Whether people may zoom the map; true by default. On a map in a browser it also
  /// shows or hides the zoom buttons.
  public var zoomGestures: Bool {
    get { state.withLock { $0.zoomGestures } }
    set { change { $0.zoomGestures = newValue } }
  }

  /// True by default.
  public var tiltGestures: Bool {
    get { state.withLock { $0.tiltGestures } }
    set { change { $0.tiltGestures = newValue } }
  }

  /// True by default.
  public var rotateGestures: Bool {
    get { state.withLock { $0.rotateGestures } }
    set { change { $0.rotateGestures = newValue } }
  }

  /// True by default.
  public var consumesGesturesInView: Bool {
    get { state.withLock { $0.consumesGesturesInView } }
    set { change { $0.consumesGesturesInView = newValue } }
  }

  /// False by default.
  public var compassButton: Bool {
    get { state.withLock { $0.compassButton } }
    set { change { $0.compassButton = newValue } }
  }

  /// False by default.
  public var myLocationButton: Bool {
    get { state.withLock { $0.myLocationButton } }
    set { change { $0.myLocationButton = newValue } }
  }

  /// True by default.
  public var indoorPicker: Bool {
    get { state.withLock { $0.indoorPicker } }
    set { change { $0.indoorPicker = newValue } }
  }

  /// True by default.
  public var allowScrollGesturesDuringRotateOrZoom: Bool {
    get { state.withLock { $0.allowScrollGesturesDuringRotateOrZoom } }
    set { change { $0.allowScrollGesturesDuringRotateOrZoom = newValue } }
  }
}
