import Testing

@testable import WireProtobuf

@Suite struct MessageTests {
  @Test func withSetsFields() {
    let message = Optionals.with {
      $0.number = 1
      $0.scalars = .with { $0.string = "a" }
    }
    #expect(message == Optionals(number: 1, scalars: Scalars(string: "a")))
  }

  @Test func withRethrowsTheClosuresError() {
    struct ClosureError: Error {}
    let make = { () throws(ClosureError) in
      try Optionals.with { _ throws(ClosureError) in throw ClosureError() }
    }
    #expect(throws: ClosureError.self) { try make() }
  }
}
