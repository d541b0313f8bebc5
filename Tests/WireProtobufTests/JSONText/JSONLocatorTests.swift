import Testing
import WireProtobuf

@Suite struct JSONLocatorTests {
  static let text = Array(
    #"""
    { "other": [{"calls": [1, -2.5e3, null]}, "\"calls\": ["],
      "calls" : [
        {"steps": [], "a": "]}"}, {"steps":[true, [1,[2]],
          "x"]}
      ]
    }
    """#.utf8)

  @Test(
    arguments: [
      ([], "1:1"), ([.key("calls")], "2:13"), ([.name("calls")], "2:3"),
      ([.key("calls"), .index(0)], "3:5"),
      ([.key("calls"), .index(1)], "3:31"),
      ([.key("calls"), .index(1), .key("steps"), .index(0)], "3:41"),
      ([.key("calls"), .index(1), .key("steps"), .index(1)], "3:47"),
      ([.key("calls"), .index(1), .key("steps"), .index(2)], "4:7"),
      // A missing value has the position of its container.
      ([.key("calls"), .index(0), .key("steps"), .index(0)], "3:15"),
      ([.key("calls"), .index(2)], "2:13"), ([.key("absent"), .index(2)], "1:1"),
    ] as [([JSONLocator.Step], String)])
  func findsTheLineAndColumn(path: [JSONLocator.Step], place: String) {
    #expect(JSONLocator.find(path, in: Self.text).description == place)
  }

  @Test func truncatedTextIsNotReadBeyondItsEnd() {
    let path: [JSONLocator.Step] = [.key("calls"), .index(1), .key("steps"), .index(2)]
    for count in Self.text.indices {
      let place = JSONLocator.find(path, in: Array(Self.text[..<count]))
      #expect((1...4).contains(place.line))
    }
  }
}
