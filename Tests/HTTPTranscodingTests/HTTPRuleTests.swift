import DynamicProtobuf
import ProtobufDescriptors
import Testing
import WireProtobuf

@testable import HTTPTranscoding

/// Rules that Fleet Engine's methods do not have.
struct HTTPRuleTests {
  /// Methods `M0`, `M1`, … of `Note { string name = 1; bool draft = 2; Note inner = 3; repeated Note more = 4; }`.
  private func transcoder(_ rules: [HttpRule]) throws -> Transcoder {
    func field(
      _ name: String, _ number: Int32, _ type: FieldDescriptorProto.TypeEnum,
      _ label: FieldDescriptorProto.Label = .optional
    ) -> FieldDescriptorProto {
      FieldDescriptorProto(
        name: name, number: number, label: label, type: type,
        typeName: type == .message ? ".t.Note" : nil)
    }
    let note = DescriptorProto(
      name: "Note",
      field: [
        field("name", 1, .string), field("draft", 2, .bool), field("inner", 3, .message),
        field("more", 4, .message, .repeated),
      ])
    var methods: [MethodDescriptorProto] = []
    for (index, rule) in rules.enumerated() {
      let options = try MethodOptions(
        serializedBytes: MethodExtensions(http: rule).serializedBytes())
      methods.append(
        MethodDescriptorProto(
          name: "M\(index)", inputType: ".t.Note", outputType: ".t.Note", options: options))
    }
    var file = FileDescriptorProto(name: "t.proto", package: "t", messageType: [note])
    file.service = [ServiceDescriptorProto(name: "S", method: methods)]
    file.syntax = "proto3"
    return try Transcoder(DescriptorPool([file]))
  }

  private func rule(
    _ pattern: HttpRule.Pattern, body: String = "", response: String = ""
  ) -> HttpRule {
    var rule = HttpRule()
    rule.pattern = pattern
    rule.body = body
    rule.responseBody = response
    return rule
  }

  @Test func additionalBindingsCount() throws {
    var first = rule(.get("/a/{name}"))
    first.additionalBindings = [rule(.post("/b/{inner.name=x/*}"), body: "*")]
    let transcoder = try transcoder([first])
    #expect(try transcoder.call(HTTPCallRequest(method: "GET", path: "/a/n")).path == "/t.S/M0")
    #expect(try transcoder.call(HTTPCallRequest(method: "POST", path: "/b/x/n")).path == "/t.S/M0")
    #expect(throws: TranscodingError.self) {
      try transcoder.call(HTTPCallRequest(method: "POST", path: "/a/n"))
    }
  }

  @Test func literalsAndVerbsTakePrecedence() throws {
    let transcoder = try transcoder([
      rule(.get("/{name=**}")), rule(.get("/notes/{name}")), rule(.get("/notes/me")),
      rule(.get("/{name=**}:run")), rule(.custom(CustomHttpPattern(kind: "*", path: "/any"))),
    ])
    for (path, method) in [
      ("/x/y", 0), ("/notes/x", 1), ("/notes/me", 2), ("/notes/me:run", 3), ("/any", 4),
    ] {
      #expect(
        try transcoder.call(HTTPCallRequest(method: "GET", path: path)).path == "/t.S/M\(method)")
    }
    #expect(try transcoder.call(HTTPCallRequest(method: "FLY", path: "/any")).path == "/t.S/M4")
  }

  @Test func aFieldMayBeTheResponse() throws {
    let call = try transcoder([rule(.get("/a"), response: "inner")]).call(
      HTTPCallRequest(method: "GET", path: "/a"))
    // Inner has the name "n".
    #expect(
      String(decoding: try call.json([0x1a, 3, 0x0a, 1, 0x6e]), as: UTF8.self)
        == "{\n  \"name\": \"n\"\n}")
    #expect(String(decoding: try call.json([]), as: UTF8.self) == "{}")
  }

  @Test func parametersAreOfLeafFields() throws {
    let transcoder = try transcoder([rule(.get("/a"))])
    func call(_ query: String) throws -> [UInt8] {
      var request = HTTPCallRequest(method: "GET", path: "/a")
      request.query = query
      return try transcoder.call(request).request
    }
    #expect(try call("draft=true&inner.inner.draft=true") == [0x10, 1, 0x1a, 4, 0x1a, 2, 0x10, 1])
    for query in ["draft=1", "inner=x", "more.name=x", "name.inner=x", "draft", "inner..name=x"] {
      #expect(throws: TranscodingError.self, "\(query)") { try call(query) }
    }
  }

  @Test func invalidRulesAreReported() {
    let rules = [
      rule(.get("a")), rule(.get("/{nam}")), rule(.get("/{inner}")), rule(.get("/{more.name}")),
      rule(.get("/{more}")), rule(.post("/a"), body: "more"), rule(.post("/a"), body: "name"),
      rule(.post("/a"), body: "x"), rule(.get("/a"), response: "name"),
      rule(.get("/a"), response: "x"), HttpRule(),
    ]
    for rule in rules {
      #expect(throws: InvalidHTTPRule.self, "\(rule)") { try transcoder([rule]) }
    }
  }
}
