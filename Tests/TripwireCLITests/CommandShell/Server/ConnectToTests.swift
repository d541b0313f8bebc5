import Testing
import WireTransport

@testable import CommandLine
@testable import CommandShell

@Suite struct ConnectToTests {
  private func address(_ text: String, for target: String) throws -> String? {
    try ConnectTo(text).address(for: Target(target))
  }

  @Test(arguments: [
    ("a.example:443:127.0.0.1:50051", "a.example:443", "127.0.0.1:50051"),
    ("A.Example:443:[::1]:1", "a.example:443", "[::1]:1"),
    ("a.example:443:b:1", "a.example:444", nil), ("a.example:443:b:1", "c.example:443", nil),
    ("::b:1", "a:2", "b:1"), (":2:b:", "a:2", "b:2"), ("a:::1", "a:2", "a:1"),
    ("[::1]:2:b:1", "[::1]:2", "b:1"), ("::b:1", "unix:/s", nil),
  ])
  func replacesTheAddressOfAServer(text: String, target: String, expected: String?) throws {
    #expect(try address(text, for: target) == expected)
  }

  @Test(arguments: [
    "", "a", "a:1", "a:1:b", "a:1:b:2:3", "a:x:b:1", "a:1:b:0", "[::1:1:b:1", "::1:1:b:1:",
  ])
  func rejectsOtherForms(text: String) {
    #expect(throws: InvalidValue.self) { try ConnectTo(text) }
  }

  @Test func authorityStaysThatOfTheServer() throws {
    var options = ConnectionOptions()
    options.connectTo = [try ConnectTo("a:1:b:2")]
    #expect(options.place(of: "a:1") == ("b:2", "a:1"))
    #expect(options.place(of: "c:1") == ("c:1", nil))
    options.authority = "d"
    #expect(options.place(of: "a:1") == ("b:2", "d"))
  }
}
