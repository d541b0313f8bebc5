import Testing
import Tripwire

@testable import RecordingAnalysis

@Suite struct ResourceSelectorTests {
  @Test(arguments: [
    ("t1", ResourceKind.trip, "providers/p/trips/t1"), ("trips/t1", .trip, "providers/q/trips/t1"),
    ("tasks/t1", .task, "providers/p/tasks/t1"),
    ("providers/p/deliveryVehicles/v1", .deliveryVehicle, "providers/p/deliveryVehicles/v1"),
  ])
  func namesAResource(text: String, kind: ResourceKind, name: String) throws {
    let wanted = try #require(ResourceSelector(text))
    #expect(wanted.kind == kind)
    #expect(wanted.isNamed(name, kind))
    #expect(!wanted.isNamed(name + "0", kind))
    for other in ResourceKind.allCases where other != kind {
      #expect(!wanted.isNamed("providers/p/\(other.rawValue)/t1", other))
    }
  }

  @Test(arguments: ["others/t1", "providers/p/others/t1", "tasks/", "providers/p/tasks/t1/x", "/"])
  func otherNamesAreRejected(text: String) {
    #expect(ResourceSelector(text) == nil)
  }

  @Test func aTripIsNotAnotherKind() {
    let wanted = ResourceSelector(trip: "providers/p/tasks/t1")
    #expect(!wanted.isNamed("providers/p/tasks/t1", .task))
    #expect(ResourceSelector(trip: "t1").isNamed("providers/p/trips/t1", .trip))
  }
}
