import Testing

@testable import WireGRPC

@Suite struct RoutingRuleTests {
  private func rule(_ template: String) -> RoutingRule<String> {
    RoutingRule(field: "name", template: template) { $0 }
  }

  @Test(
    arguments: [
      ("{provider_id=providers/*}", "providers/p1/trips/t1", "provider_id=providers%2Fp1"),
      ("{provider_id=providers/*}", "providers/p1", "provider_id=providers%2Fp1"),
      ("{provider_id=providers/*}", "providers/ü x", "provider_id=providers%2F%C3%BC%20x"),
      ("{a=**}", "x/y/z", "a=x%2Fy%2Fz"), ("{a=x/**}", "x/y/z", "a=x%2Fy%2Fz"),
    ])
  func matchingValueHasAParameter(_ template: String, _ value: String, _ parameter: String) {
    #expect(rule(template).parameter(for: value) == parameter)
  }

  @Test(
    arguments: [
      ("{provider_id=providers/*}", ""), ("{provider_id=providers/*}", "providers"),
      ("{provider_id=providers/*}", "providers//trips/t"), ("{provider_id=providers/*}", "x/p1"),
      ("broken", "providers/p1"), ("{a}", "x"),
    ])
  func otherValueHasNoParameter(_ template: String, _ value: String) {
    #expect(rule(template).parameter(for: value) == nil)
  }
}
