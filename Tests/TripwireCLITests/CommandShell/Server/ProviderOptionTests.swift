import Testing

@testable import CommandLine
@testable import CommandShell

@Suite struct ProviderOptionTests {
  @Test(arguments: [
    ("t1", "providers/p/trips/t1"), ("trips/t1", "providers/p/trips/t1"),
    ("vehicles/v1", "providers/p/vehicles/v1"), ("tasks/t1", "providers/p/tasks/t1"),
    ("deliveryVehicles/v1", "providers/p/deliveryVehicles/v1"), ("trips/", "providers/p/trips/"),
    ("providers/q/trips/t1", "providers/q/trips/t1"), ("trip/t1", "trip/t1"), ("", ""),
    ("trips/a/b", "trips/a/b"), ("/t1", "/t1"),
  ])
  func shortNamesAreCompleted(text: String, name: String) {
    #expect(ProviderOption(id: "p").fullName(text) == name)
    #expect(ProviderOption().fullName(text) == text)
  }

  @Test(arguments: ["", "a/b", "/", "providers/p", "a b", "a?b", "ä"])
  func invalidProviderIsRefused(text: String) {
    #expect(throws: InvalidValue.self) { try Parse.providerID(text) }
  }
}
