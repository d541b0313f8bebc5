import Tripwire

/// Whether a trip shares its vehicle with others.
public enum GMTSTripType: Int, Sendable {
  /// The server sent no type, or one without a name here.
  case unknown = 0
  /// The vehicle may serve other trips at the same time.
  case shared = 1
  /// The vehicle serves only this trip.
  case exclusive = 2

  init(_ type: TripType) {
    self = Self(rawValue: Int(type.rawValue)) ?? .unknown
  }
}

/// The purpose of a stop.
public enum GMTSTripWaypointType: Int, Sendable {
  /// The server sent no type, or one without a name here.
  case unknown = 0
  /// The rider gets in.
  case pickUp = 1
  /// The rider gets out, and the trip ends.
  case dropOff = 2
  /// A stop between pickup and drop-off.
  case intermediateDestination = 3

  init(_ type: WaypointType) {
    self = Self(rawValue: Int(type.rawValue)) ?? .unknown
  }
}

/// The speed of traffic.
public enum GMTSSpeedType: Int, Sendable {
  /// No speed is known.
  case noData = 0
  /// Traffic flows normally.
  case normal = 1
  /// Traffic is slower than normal.
  case slow = 2
  /// Traffic is jammed.
  case trafficJam = 3

  init(_ speed: SpeedReadingInterval.Speed) {
    self = Self(rawValue: Int(speed.rawValue)) ?? .noData
  }
}
