import FleetEngineAPI
import TestSupport
import Testing
import WireProtobuf

/// Compares merged trips with those of Python's protobuf.
@Suite struct TripMergeVectorTests {
  @Test func mergesLikePython() throws {
    let vectors = try MergeVector.all(in: "merges_trip.txt")
    #expect(vectors.contains { $0.mask == nil } && vectors.contains { $0.mask != nil })
    for vector in vectors {
      var trip = try Trip(serializedBytes: vector.before)
      let other = try Trip(serializedBytes: vector.other)
      if let mask = vector.mask {
        try trip.merge(
          from: other, fieldMask: FieldMask(mask),
          options: .init(
            replaceMessageFields: vector.replacesMessages,
            replaceRepeatedFields: vector.replacesRepeated))
      } else {
        trip.merge(from: other)
      }
      let expected = try Trip(serializedBytes: vector.after)
      #expect(trip.serializedBytes() == expected.serializedBytes(), "\(vector)")
    }
  }

  /// Merging all differences leaves no difference.
  @Test func mergingChangesMakesTripsEqual() throws {
    for vector in try MergeVector.all(in: "merges_trip.txt") {
      var trip = try Trip(serializedBytes: vector.before)
      var other = try Trip(serializedBytes: vector.other)
      trip.discardUnknownFields()
      other.discardUnknownFields()
      try trip.merge(
        from: other, fieldMask: FieldMask(changesFrom: trip, to: other), options: .replace)
      #expect(trip.serializedBytes() == other.serializedBytes(), "\(vector)")
    }
  }
}
