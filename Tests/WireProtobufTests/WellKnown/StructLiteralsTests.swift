import Testing

@testable import WireProtobuf

@Suite struct StructLiteralsTests {
  @Test func literalsOfEveryKindEqualTheirJSON() throws {
    let name = "ann"
    let object: Struct = [
      "null": nil, "flag": true, "whole": -3, "half": 0.5, "text": "a", "greeting": "to \(name)",
      "list": [1, "b", nil, [], [:]], "object": ["x": false],
    ]
    let json =
      #"{"null":null,"flag":true,"whole":-3,"half":0.5,"text":"a","greeting":"to ann","#
      + #""list":[1,"b",null,[],{}],"object":{"x":false}}"#
    #expect(try object == Struct(jsonString: json))
    #expect(object.fields["null"]?.kind == .nullValue(.nullValue))
  }

  @Test func listAndValueLiteralsEqualTheirJSON() throws {
    let list: ListValue = [1, [true], "a"]
    #expect(try list == ListValue(jsonString: #"[1,[true],"a"]"#))
    #expect(Value("a") == Value(kind: .stringValue("a")))
    #expect(Value(1) == 1.0)
    let large: Value = 18_446_744_073_709_551_616
    #expect(large == Value(kind: .numberValue(0x1p64)))
  }

  @Test func lastValueOfARepeatedKeyCounts() {
    let object: Struct = ["a": 1, "a": 2]
    #expect(object == ["a": 2])
    let value: Value = ["a": 1, "a": 2]
    #expect(value == ["a": 2])
  }

  @Test func nilStillUnsetsAField() {
    var message = WellKnown(value: nil)
    #expect(!message.hasValue)
    message.value = "a"
    #expect(message.hasValue)
    message.value = nil
    #expect(message.value == nil && !message.hasValue)
    message.value = .some(nil)
    #expect(message.hasValue && message.value?.nullValue == .nullValue)
  }
}
