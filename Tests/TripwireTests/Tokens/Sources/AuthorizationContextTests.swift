import FleetEngineAPI
import Testing

@testable import Tripwire

@Suite struct AuthorizationContextTests {
  @Test(arguments: zip(ResourceKind.allCases, ["t1", "v 1", "*", "é", ""]))
  func nameHasTheIDOfItsKind(kind: ResourceKind, id: String) {
    let context = AuthorizationContext(of: "providers/p/\(kind.rawValue)/\(id)")
    #expect(context[kind] == id)
    #expect(ResourceKind.allCases.filter { context[$0] != nil } == [kind])
  }

  @Test(arguments: [
    "", "providers", "providers/", "providers/p", "providers/p/trips", "providers/p/trips/t1/",
    "providers/p/trips/t1/x", "provider/p/trips/t1", "xproviders/p/trips/t1", "providers/p/trip/t1",
    "/providers/p/trips/t1", "trips/t1",
  ])
  func anyOtherNameHasNone(name: String) {
    let context = AuthorizationContext(of: name)
    #expect(ResourceKind.allCases.allSatisfy { context[$0] == nil })
    #expect(context.resourceName == name)
  }
}
