import Testing
import WireProtobuf

@Suite struct StructMembersTests {
  private static let object: Struct = [
    "text": "a", "number": 1.5, "count": 3, "flag": true, "none": nil, "object": ["b": -2, "a": 1],
    "list": ["x", 1, "y"],
  ]

  @Test func membersHaveTheirTypes() {
    let object = Self.object
    #expect(object.text("text") == "a")
    #expect(object.number("number") == 1.5)
    #expect(object.bool("flag") == true)
    #expect(object.object("object") == ["a": 1, "b": -2])
    #expect(object.texts("list") == ["x", "y"])
    #expect(object.members.map(\.name).prefix(3) == ["count", "flag", "list"])
  }

  @Test func otherTypesAreNil() {
    let object = Self.object
    #expect(object.text("number") == nil)
    #expect(object.number("text") == nil)
    #expect(object.bool("absent") == nil)
    #expect(object.object("list") == nil)
    #expect(object.texts("text").isEmpty)
    #expect(object.has("flag") && !object.has("none") && !object.has("absent"))
  }

  @Test func integersAreWholeAndNotNegative() {
    #expect(Self.object.integer("count") == 3)
    #expect(Self.object.integer("number") == nil)
    #expect(Self.object.object("object")?.integer("b") == nil)
  }

  @Test func plainJSONHasNoFractionInIntegers() {
    let value = Value(kind: .structValue(Self.object))
    #expect(
      value.plainJSON == #"{"count":3,"flag":true,"list":["x",1,"y"],"none":null,"number":1.5,"#
        + #""object":{"a":1,"b":-2},"text":"a"}"#)
    #expect(Value(kind: .numberValue(1e300)).plainJSON == "1e+300")
    #expect(Value().plainJSON == "null")
  }
}
