public import Tripwire

/// The appearance of a journey. The defaults are the Consumer SDK's, with two exceptions: traffic is
/// shown, and the remaining route is gray.
public struct JourneyStyle: Sendable, Hashable {
  /// The appearance of a route.
  public struct Polyline: Sendable, Hashable {
    /// The color of the route where no color of the traffic applies.
    public var color: MapColor
    /// The width in screen points.
    public var width: Double
    /// Whether the route is shown.
    public var isVisible: Bool
    /// Elements with a higher index are drawn on top.
    public var zIndex: Int32
    /// Whether it is drawn as a geodesic, the shortest path on the globe, not as a straight line on the Mercator
    /// projection.
    public var isGeodesic: Bool
    /// Whether the known speed of traffic is shown along it.
    public var isTrafficEnabled: Bool
    /// The color of a stretch by its speed; ``color`` if there is none for the speed.
    public var trafficColors: [SpeedReadingInterval.Speed: MapColor]

    /// Creates the style of a route. See the properties.
    public init(
      color: MapColor = .blue, width: Double = 2, isVisible: Bool = true, zIndex: Int32 = 10,
      isGeodesic: Bool = false, isTrafficEnabled: Bool = true,
      trafficColors: [SpeedReadingInterval.Speed: MapColor] = defaultTrafficColors
    ) {
      self.color = color
      self.width = width
      self.isVisible = isVisible
      self.zIndex = zIndex
      self.isGeodesic = isGeodesic
      self.isTrafficEnabled = isTrafficEnabled
      self.trafficColors = trafficColors
    }

    /// Green for normal speed, orange for slow traffic and red for a jam.
    public static let defaultTrafficColors: [SpeedReadingInterval.Speed: MapColor] = [
      .normal: .green, .slow: .orange, .trafficJam: .red,
    ]

    func trafficColor(for speed: SpeedReadingInterval.Speed) -> MapColor {
      trafficColors[speed] ?? color
    }
  }

  /// The appearance of a stop or of the vehicle.
  public struct Marker: Sendable, Hashable {
    /// The color of the default icon.
    public var color: MapColor
    /// Whether the marker is shown.
    public var isVisible: Bool
    /// Elements with a higher index are drawn on top.
    public var zIndex: Int32
    /// Whether it lies flat on the map and rotates with it, instead of facing the viewer.
    public var isFlat: Bool
    /// The point of the icon that lies on the marker's position, from 0 (left, top) to 1 (right,
    /// bottom).
    public var anchor: Anchor
    /// The name or the URL of the icon, for the code that draws the marker; nil for that code's
    /// default icon.
    public var icon: String?

    /// A point of an icon.
    public struct Anchor: Sendable, Hashable {
      /// From 0 (left) to 1 (right).
      public var x: Double
      /// From 0 (top) to 1 (bottom).
      public var y: Double

      /// Creates a point from fractions of the icon's width and height.
      public init(x: Double, y: Double) {
        self.x = x
        self.y = y
      }

      /// The middle of the icon.
      public static let center = Anchor(x: 0.5, y: 0.5)
    }

    /// Creates the style of a marker. See the properties.
    public init(
      color: MapColor, isVisible: Bool = true, zIndex: Int32 = 0, isFlat: Bool = false,
      anchor: Anchor = .center, icon: String? = nil
    ) {
      self.color = color
      self.isVisible = isVisible
      self.zIndex = zIndex
      self.isFlat = isFlat
      self.anchor = anchor
      self.icon = icon
    }
  }

  /// The route to the next stop of the trip.
  public var activeRoute = Polyline()
  /// The route from the next stop to the drop-off.
  public var remainingRoute = Polyline(color: .gray)
  /// The marker where the rider is picked up.
  public var pickup = Marker(color: .green)
  /// A stop between pickup and drop-off.
  public var intermediateDestination = Marker(color: .orange)
  /// The marker where the rider is dropped off.
  public var dropoff = Marker(color: .red)
  /// The marker at the last known position of the vehicle.
  public var vehicle = Marker(color: .blue, isFlat: true)

  /// Creates the default style.
  public init() {}

  /// The style of a kind of route.
  public subscript(kind: Journey.Polyline.Kind) -> Polyline {
    get { self[keyPath: Self.path(of: kind)] }
    set { self[keyPath: Self.path(of: kind)] = newValue }
  }

  private static func path(
    of kind: Journey.Polyline.Kind
  ) -> WritableKeyPath<JourneyStyle, Polyline> {
    switch kind {
    case .activeRoute: \.activeRoute
    case .remainingRoute: \.remainingRoute
    }
  }

  /// The style of a kind of marker.
  public subscript(kind: Journey.Marker.Kind) -> Marker {
    get { self[keyPath: Self.path(of: kind)] }
    set { self[keyPath: Self.path(of: kind)] = newValue }
  }

  private static func path(of kind: Journey.Marker.Kind) -> WritableKeyPath<JourneyStyle, Marker> {
    switch kind {
    case .pickup: \.pickup
    case .intermediateDestination: \.intermediateDestination
    case .dropoff: \.dropoff
    case .vehicle: \.vehicle
    }
  }
}
