public import Foundation
public import JourneySharing
import WireSystem

/// The SDK's base class of ``GMTCMapView``. In this module it is another name of that class.
public typealias GMSMapView = GMTCMapView

/// The SDK's map view without a map. ``journeys`` and ``cameraBounds`` contain the data to draw for
/// its trips. `serve(on:)` of the module JourneyMap shows the view in a browser.
///
/// It follows the trip of a session while it shows the session. All members may be used on any
/// thread. The delegate is called on the main queue.
public final class GMTCMapView: NSObject, Sendable {
  private struct State {
    var delegate = WeakDelegate()
    var isInitialized = false
    var shown: [ShownSession] = []
    var frame: CGRect
    var pickupLocation: GMTSTerminalLocation?
    var dropoffLocation: GMTSTerminalLocation?
    var allowsCameraAutoUpdate = true
    var cameraBounds: MapBounds?
    var cameraResets = 0
  }

  /// The styles of polylines and markers.
  public let consumerMapStyleCoordinator = GMTCConsumerMapStyleCoordinator()
  /// The gestures and controls of the map.
  public let settings = GMSUISettings()
  let observers = MapObservers()
  let waitingTaps = Locked(0)
  private let state: Locked<State>

  /// Creates a map view without sessions.
  ///
  /// - Parameter frame: stored, without any effect.
  public init(frame: CGRect) {
    state = Locked(State(frame: frame))
    super.init()
    consumerMapStyleCoordinator.observed.whenChanged { [weak self] _ in
      self?.redrawRidesharingOverlays()
    }
    settings.observed.whenChanged { [weak self] _ in self?.notifyObservers() }
    initializeSoon()
  }

  /// The rectangle that ``init(frame:)`` received or that was set last. It has no effect.
  public var frame: CGRect {
    get { state.withLock { $0.frame } }
    set { state.withLock { $0.frame = newValue } }
  }

  /// The requested pickup location, which a map in a browser shows until it is nil.
  public var pickupLocation: GMTSTerminalLocation? {
    get { state.withLock { $0.pickupLocation } }
    set {
      state.withLock { $0.pickupLocation = newValue }
      notifyObservers()
    }
  }

  /// The requested drop-off location, which a map in a browser shows until it is nil.
  public var dropoffLocation: GMTSTerminalLocation? {
    get { state.withLock { $0.dropoffLocation } }
    set {
      state.withLock { $0.dropoffLocation = newValue }
      notifyObservers()
    }
  }

  // MARK: The delegate

  /// The delegate, held weakly.
  public var delegate: (any GMTCMapViewDelegate)? {
    get { state.withLock { $0.delegate }.delegate }
    set {
      let delegate = WeakDelegate(delegate: newValue)
      state.withLock { $0.delegate = delegate }
      initializeSoon()
    }
  }

  private func initializeSoon() {
    DispatchQueue.main.async { [weak self] in self?.initialize() }
  }

  private func initialize() {
    guard let delegate else { return }
    let isFirst = state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
    guard isFirst else { return }
    delegate.mapViewDidInitialize(self)
    delegate.mapViewDidInitializeCustomerState(self)
  }

  // MARK: Sessions

  /// Shows a session and follows its trip. Does nothing if it is already shown.
  public func show(_ mapViewSession: any GMTCMapViewSession) {
    guard let session = mapViewSession as? GMTCJourneySharingSession else { return }
    let shown = ShownSession(session, on: self)
    let isNew = state.withLock { state in
      guard !state.shown.contains(where: { $0.session === session }) else { return false }
      state.shown.append(shown)
      return true
    }
    guard isNew else { return }
    shown.follow()
    notifyObservers()
  }

  /// Hides a session. Its trip is no longer followed unless it has other subscribers.
  public func hide(_ mapViewSession: any GMTCMapViewSession) {
    // Released after the lock, because their `deinit` takes the model's lock.
    let hidden = state.withLock { state in
      let hidden = state.shown.filter { $0.session === mapViewSession }
      state.shown.removeAll { $0.session === mapViewSession }
      return hidden
    }
    guard !hidden.isEmpty else { return }
    updateCamera()
    notifyObservers()
  }

  /// Removes all sessions from the map.
  public func hideAllMapViewSessions() {
    for session in activeSessions() { hide(session) }
  }

  /// The sessions that are shown, in the order in which they were added.
  public func activeSessions() -> [any GMTCMapViewSession] {
    shownSessions.map(\.session)
  }

  var shownSessions: [ShownSession] { state.withLock { $0.shown } }

  // MARK: Journeys and camera

  /// Not in the SDK: the journey of each session that is shown and whose trip is known.
  public var journeys: [Journey] {
    let style = consumerMapStyleCoordinator.style
    return shownSessions.compactMap { $0.journey(style) }
  }

  /// Not in the SDK: the area that the camera shows; nil while there is nothing to show.
  public var cameraBounds: MapBounds? { state.withLock { $0.cameraBounds } }

  /// Whether the camera follows the trips that are shown; true by default.
  public var isAllowCameraAutoUpdate: Bool {
    get { state.withLock { $0.allowsCameraAutoUpdate } }
    set {
      state.withLock { $0.allowsCameraAutoUpdate = newValue }
      updateCamera()
      notifyObservers()
    }
  }

  var cameraResets: Int { state.withLock { $0.cameraResets } }

  /// Moves the camera to the trips that are shown, even if it does not follow them or if a person has moved it.
  public func resetCamera() {
    state.withLock { $0.cameraResets += 1 }
    moveCamera()
  }

  private func moveCamera() {
    let cameras = journeys.compactMap(\.camera)
    let bounds =
      cameras.count == 1 ? cameras[0] : MapBounds(cameras.flatMap { [$0.southwest, $0.northeast] })
    state.withLock { $0.cameraBounds = bounds }
    notifyObservers()
  }

  /// Notifies the delegate about all sessions on the main queue, soon.
  public func redrawRidesharingOverlays() {
    DispatchQueue.main.async { [weak self] in
      guard let self else { return }
      for shown in shownSessions { redraw(shown) }
    }
  }

  /// Called on the main queue.
  func redraw(_ shown: ShownSession) {
    updateCamera()
    notifyObservers()
    guard let journey = shown.journey(consumerMapStyleCoordinator.style) else { return }
    delegate?.mapView(self, didUpdate: journey, of: shown.session)
  }

  private func updateCamera() {
    if isAllowCameraAutoUpdate { moveCamera() }
  }
}
