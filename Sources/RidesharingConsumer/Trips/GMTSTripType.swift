import Tripwire

/// Whether a trip shares its vehicle with others.
public enum GMTSTripType: Int, Sendable {
  case unknown = 0
  case shared = 1
  case exclusive = 2

  init(_ type: TripType) {
    self = Self(rawValue: Int(type.rawValue)) ?? .unknown
  }
}

/// The purpose of a stop.
public enum GMTSTripWaypointType: Int, Sendable {
  case unknown = 0
  case pickUp = 1
  case dropOff = 2
  case intermediateDestination = 3

  init(_ type: WaypointType) {
    self = Self(rawValue: Int(type.rawValue)) ?? .unknown
  }
}

/// The speed of traffic.
public enum GMTSSpeedType: Int, Sendable {
  case noData = 0
  case normal = 1
  case slow = 2
  case trafficJam = 3

  init(_ speed: SpeedReadingInterval.Speed) {
    self = Self(rawValue: Int(speed.rawValue)) ?? .noData
  }
}
