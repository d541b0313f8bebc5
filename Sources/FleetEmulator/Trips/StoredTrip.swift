import FleetEngineAPI
import Tripwire
import WireProtobuf

/// A trip, without what its vehicle adds.
struct StoredTrip: Sendable, Equatable {
  private let packed: PackedMessage<Trip>
  /// Nil if all fields of the trip are for its riders.
  private let packedWithoutInput: PackedMessage<Trip>?
  let status: TripStatus
  let vehicleID: String
  /// The time of the last change.
  let updated: Timestamp
  /// When the parts that come from the vehicle last changed.
  var versions = TripVersions()

  init(_ trip: Trip, at now: Timestamp) {
    packed = PackedMessage(trip)
    var output = trip
    output.actualPickupPoint = nil
    output.actualDropoffPoint = nil
    packedWithoutInput = output == trip ? nil : PackedMessage(output)
    (status, vehicleID, updated) = (trip.tripStatus, trip.vehicleId, now)
  }

  var trip: Trip { packed.content }

  /// The binary form.
  var bytes: [UInt8] { packed.bytes }

  /// The binary form without the fields that are input only.
  var bytesWithoutInput: [UInt8] { (packedWithoutInput ?? packed).bytes }

  /// Whether the trip has a vehicle and is not over.
  var isAssigned: Bool { !vehicleID.isEmpty && !status.isFinal }

  /// Whether the trip affects the route of a driver (Fleet Engine reference, `active_trips_only`).
  var isActive: Bool { status != .new && !status.isFinal }

  mutating func replace(by trip: Trip, at now: Timestamp) {
    let versions = versions
    self = StoredTrip(trip, at: now)
    self.versions = versions
  }
}

/// When the parts of a trip last changed that GetTrip returns only if they are newer than a version in the request.
struct TripVersions: Sendable, Hashable {
  var route: Timestamp?
  var traffic: Timestamp?
  var waypoints: Timestamp?
  var paths: Timestamp?

  /// Notes which parts of two states differ.
  mutating func update(from old: TripProgress, to new: TripProgress, at now: Timestamp) {
    if old.segment != new.segment { route = now.after(route) }
    // Traffic is sent in points of the route.
    if old.traffic != new.traffic || new.traffic != nil && old.segment != new.segment {
      traffic = now.after(traffic)
    }
    if old.stops != new.stops { waypoints = now.after(waypoints) }
    if old.paths != new.paths { paths = now.after(paths) }
  }
}

extension Timestamp? {
  /// Whether a response has a part with this version.
  ///
  /// - Parameter known: the version of the client; nil if it wants the part in any case.
  func isNewer(than known: Timestamp?) -> Bool {
    guard let known else { return true }
    return map { $0 > known } ?? false
  }
}
