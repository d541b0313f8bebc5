import Testing
import WireProtobuf

@Suite struct MessageTests {
  @Test func withAClosure() {
    let message = Optionals.with {
      $0.number = 1
      $0.scalars = .with { $0.string = "a" }
    }
    #expect(message == Optionals(number: 1, scalars: Scalars(string: "a")))
  }

  @Test func theClosuresErrorIsThrownAsItIs() {
    struct Fault: Error {}
    let make = { () throws(Fault) in try Optionals.with { _ throws(Fault) in throw Fault() } }
    #expect(throws: Fault.self) { try make() }
  }
}
