import Testing

@testable import WireProtobuf

@Suite struct JSONPathTests {
  static func error<M: Message>(_ type: M.Type, _ text: String) -> JSONDecodingError? {
    #expect(throws: JSONDecodingError.self) { try M(jsonString: text) }
  }

  @Test(
    arguments: [
      (Repeated.self, #"{"scalars": [{}, {"int32": 1}, {"bool": 7}]}"#, "Repeated.scalars[2].bool"),
      (Repeated.self, #"{"far_points": [{"x": tru"#, "Repeated.far_points[0].x"),
      (Repeated.self, #"{"farPoints": [{}, {"x": tru"#, "Repeated.far_points[1].x"),
      (Repeated.self, #"{"int32s": [1, 2"#, "Repeated.int32s[1]"),
      (Repeated.self, #"{"int32s": [1, 2], "bools": 1}"#, "Repeated.bools"),
      // After a comma, the error is in the object, which has no next member.
      (Repeated.self, #"{"scalars": [{"int32": 1,}]}"#, "Repeated.scalars[0]"),
      (Repeated.self, #"{"int32s": [], "nope": 1}"#, "Repeated"),
      (Repeated.self, #"{"strings": ["]", "\\\"[", 1]}"#, "Repeated.strings[2]"),
      (Maps.self, #"{"scalars": {"a": {}, "k": {"bool": 1}}}"#, #"Maps.scalars["k"].bool"#),
      (Maps.self, #"{"counts": {"counts": "x"}}"#, #"Maps.counts["counts"]"#),
      (Maps.self, #"{"points": {"-1": {"y": {}}}}"#, #"Maps.points["-1"].y"#),
      (Maps.self, #"{"counts": {"a": 1, "a": 2}}"#, #"Maps.counts["a"]"#),
      (Struct.self, #"{"a": {"b": [1, {"c": nul"#, #"Struct["a"]["b"][1]["c"]"#),
      (ListValue.self, "[[], [nul", "ListValue[1][0]"),
      (
        WellKnown.self, #"{"any": {"@type": "x/google.protobuf.Duration", "value": 1}}"#,
        "WellKnown.any.value"
      ),
    ] as [(any Message.Type, String, String)])
  func errorsHaveAFieldPath(_ type: any Message.Type, _ text: String, _ path: String) {
    #expect(Self.error(type, text)?.fieldPath == path)
  }

  @Test(arguments: [
    (#"{"farPoints": [{}, {"x": tru"#, "farPoints[1].x"),
    (#"{"far_points": [{"x": tru"#, "far_points[0].x"), ("[", ""), ("{", ""),
    (#"{"farPoints": [], "farPoints": []}"#, "farPoints"),
  ])
  func errorsHaveTheNamesInTheText(_ text: String, _ path: String) {
    #expect(Self.error(Repeated.self, text)?.namePath == path)
  }

  @Test func longPathsAreShortened() {
    let deep = String(repeating: #"{"left":"#, count: 200)
    #expect(
      Self.error(Tree.self, deep)?.fieldPath
        == "Tree" + String(repeating: ".left", count: 8) + "…"
        + String(repeating: ".left", count: 8))
  }

  @Test func longKeysAreShortened() {
    let key = String(repeating: "a", count: 1000)
    #expect(
      Self.error(Maps.self, #"{"counts": {"\#(key)": tru"#)?.fieldPath
        == "Maps.counts[\"\(key.prefix(100))…\"]")
    #expect(
      Self.error(Maps.self, "{\"counts\": {\"a\u{7F}\u{202E}b\": tru")?.fieldPath
        == #"Maps.counts["ab"]"#)
  }
}
