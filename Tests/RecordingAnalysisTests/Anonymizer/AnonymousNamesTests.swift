import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct AnonymousNamesTests {
  @Test func equalNamesHaveEqualReplacements() {
    var names = AnonymousNames()
    #expect(names.replace("a", .trip) == "trip-1")
    #expect(names.replace("b", .trip) == "trip-2")
    #expect(names.replace("a", .trip) == "trip-1")
    #expect(names.replace("a", .vehicle) == "vehicle-1")
    #expect(names.replace("", .vehicle) == "")
  }

  @Test func keepsTheFormOfResourceNames() {
    var names = AnonymousNames()
    #expect(
      names.replace(resource: "providers/p/trips/x", orID: .name)
        == "providers/provider-1/trips/trip-1")
    #expect(
      names.replace(resource: "providers/p/vehicles/x", orID: .name)
        == "providers/provider-1/vehicles/vehicle-1")
    for (name, copy) in [
      ("deliveryVehicles/x", "deliveryVehicles/delivery-vehicle-1"), ("tasks/x", "tasks/task-1"),
      ("taskTrackingInfo/x", "taskTrackingInfo/tracking-1"),
      ("billableTrips/x", "billableTrips/trip-1"),
    ] {
      #expect(
        names.replace(resource: "providers/p/\(name)", orID: .name)
          == "providers/provider-1/\(copy)")
    }
    #expect(names.replace(resource: "providers/q", orID: .name) == "providers/provider-2")
    #expect(names.replace("x", .trip) == "trip-1")
    #expect(names.replace(resource: "x", orID: .trip) == "trip-1")
    for odd in ["providers/p/others/x", "providers/p/trips/x/y", "a/b", "/", "providers/p/trips"] {
      #expect(names.replace(resource: odd, orID: .trip).hasPrefix("name-"), "\(odd)")
    }
    #expect(names.replace(resource: "providers//trips/", orID: .trip) == "providers//trips/")
  }

  @Test func keepsOnlyTheProviderOfRequestParameters() {
    var names = AnonymousNames()
    let text = "provider_id=providers%2Fp&secret=s&provider_id=p&x=y=z"
    #expect(
      names.replace(requestParameters: text)
        == "provider_id=providers%2Fprovider-1&provider_id=provider-1")
  }

  @Test func listsTheReplacements() {
    var names = AnonymousNames()
    for index in 1...10 { _ = names.replace("t \(index)", .trip) }
    _ = names.replace(resource: "providers/\"p\"/vehicles/t 1", orID: .name)
    _ = names.index(of: "192.0.2.1", .address)
    _ = names.replace(String(repeating: "x", count: 257), .vehicle)
    let lines = names.mapping.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.first == #"{"replacement":"provider-1","original":"\"p\""}"#
        && lines[1] == #"{"replacement":"trip-1","original":"t 1"}"#
        && lines[10] == #"{"replacement":"trip-10","original":"t 10"}"#
        && lines[11] == #"{"replacement":"vehicle-1","original":"t 1"}"#)
    #expect(lines.count == 13 && lines.last == "")
    #expect([.trip, .vehicle, .place].map(names.count) == [10, 1, 0])
  }

  @Test func longTextsAreFast() {
    var names = AnonymousNames()
    let long = "e" + String(repeating: "\u{301}", count: 1 << 20)
    #expect(names.replace(long, .trip) == "trip-long")
    #expect(names.replace(resource: "providers/\(long)/trips/t", orID: .trip) == "name-long")
  }
}

extension AnonymousNames.Kind {
  fileprivate static let trip = Self(ResourceKind.trip)
  fileprivate static let vehicle = Self(ResourceKind.vehicle)
}
