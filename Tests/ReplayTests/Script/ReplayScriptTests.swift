import Testing
import WireGRPC
import WireHTTP2

@testable import Replay
@testable import WireGRPCServer
@testable import WireProtobuf

@Suite struct ReplayScriptTests {
  static func script(_ text: String) throws(ReplayError) -> ReplayScript {
    try ReplayScript(path: "s.json", Array(text.utf8))
  }

  /// A script of one call with these steps.
  static func call(_ steps: String, _ condition: String = "") throws(ReplayError) -> ReplayScript {
    try script(#"{"calls": [{"method": "/test.Echo/Say"\#(condition), "steps": [\#(steps)]}]}"#)
  }

  @Test func parsesACall() throws {
    let script = try Self.script(
      """
      {"calls": [{
        "method": "/maps.fleetengine.v1.TripService/GetTrip",
        "request": {
          "@type": "type.googleapis.com/maps.fleetengine.v1.GetTripRequest", "name": "a"},
        "steps": [
          {"delay": "2s", "message": {"bytes": "Bwg="}}, {"delay": "1.5s", "trailers": {}}]
      }]}
      """)
    let call = try #require(script.calls.first)
    #expect(call.request == .message([26, 1, 97]))
    #expect(call.requiredMessages == 1)
    let whole = TimedResponse.wholeRequest
    #expect(
      call.response.steps == [
        .init(
          action: .headers(HeaderList(ResponseHeaders.common)), requiredMessages: whole,
          delay: .seconds(2)),
        .init(action: .message([0, 0, 0, 0, 2, 7, 8]), requiredMessages: whole),
        .init(
          action: .trailers(HeaderList(Status(.ok).headerFields)), requiredMessages: whole,
          delay: .milliseconds(1500)),
      ])
  }

  @Test func codesMatchGRPCAndHTTP2() {
    for number in 0..<17 {
      let code = Script.StatusCode(rawValue: Int32(number))
      #expect(code.name == StatusCode(rawValue: number).description)
    }
    for number in 0..<14 {
      let code = Script.ErrorCode(rawValue: Int32(number))
      #expect(code.name == code.http2.description)
    }
  }

  @Test func parsesAnEmptyScript() throws {
    #expect(try Self.script("{}").calls.isEmpty)
  }

  @Test(arguments: [
    ("{", "1:2: unexpected end of JSON; complete the JSON"),
    (#"{"calls": ["#, "s.json:1:12: calls[0]: unexpected end of JSON"),
    (
      #"{"calls": [{"steps": [{"goAway": {"code": 4294967295}}]}]}"#,
      "calls[0].steps[0].goAway.code: number out of range: the field is a signed 32-bit number"
    ),
    (
      #"{"calls": [{"steps": [{"message": {"declaredLength": -1}}]}]}"#,
      "1:54: calls[0].steps[0].message.declaredLength: number out of range"
    ),
    (
      #"{"calls": [{"steps": [{"message": {"declared_length": -1}}]}]}"#,
      "calls[0].steps[0].message.declared_length: number out of range"
    ),
    (#"{"calls":\#n [{"metod": "/a/b"}]}"#, "2:"),
    (
      #"{"calls": [{"steps": [{"trailers": {"code": "FOO"}}]}]}"#,
      #"StatusCode has no value "FOO"; expected one of OK, CANCELLED, UNKNOWN, INVALID_ARGUMENT, "#
    ),
    (
      #"{"calls": [{"steps": [{"trailers": {"code": "CANCELED"}}]}]}"#,
      #"StatusCode has no value "CANCELED"; did you mean CANCELLED?"#
    ),
    (
      #"{"calls": [{"steps": [{"message": {"json": {"@type": "x/test.Absent"}}}]}]}"#,
      "base64"
    ),
    (#"{"colls": []}"#, "did you mean calls?"), (#"{"shrubbery": []}"#, "tripwire replay --help"),
    (
      #"{"calls": [{"method": "Say"}]}"#,
      #"1:23: calls[0].method: expected a method such as "/package.Service/Method", found "Say""#
    ),
    (#"{"calls": [{"method": "/a/b"},\#n  {}]}"#, #"2:3: calls[1].method: expected a method"#),
    (
      #"{"calls": [{"method": "/a/b", "resource": "t"}]}"#,
      #"1:43: calls[0].resource: not supported for /a/b; use "request""#
    ),
    (
      #"{"calls": [{"method": "/maps.fleetengine.v1.TripService/GetTrip", "resource": "t1"}]}"#,
      #"1:79: calls[0].resource: expected a name such as "providers/p/trips/t1" or "trips/t1", found "t1""#
    ),
    (
      #"{"calls": [{"steps": [{"ping": {}, "close": {}}]}]}"#,
      "1:36: calls[0].steps[0].close: close cannot be set together with ping; remove close or ping"
    ),
    (
      #"{"calls": [{"resource": "t", "requestBytes": ""}]}"#,
      "1:30: calls[0].requestBytes: requestBytes cannot be set together with resource"
    ),
    (#"{"x\": [": 1}"#, "1:"),
    (#"{"calls": [{"steps": [{"reset": 4294967295}]}]}"#, "for 4294967295 write -1"),
    (#"{"calls": [{"steps": [{"goAway": {"code": 2147483648}}]}]}"#, "2147483647"),
    ("\u{feff}{\"colls\": []}", "s.json:1:2: "),
  ])
  func errorsHaveAPosition(text: String, part: String) throws {
    let error = #expect(throws: ReplayError.self) { try Self.script(text) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("s.json:"))
    #expect(!text.contains(": Script"), "\(text)")
    let whole = text + "; " + (error?.hint ?? "")
    #expect(whole.contains(part), "\(whole)")
  }

  @Test(arguments: [
    (
      #"{"@type": "x/maps.fleetengine.v1.Trip", "zzzz": 1}"#,
      "maps.fleetengine.v1.Trip' to list its fields"
    ),
    (
      #"{"@type": "x/maps.fleetengine.v1.Trip", "lastLocation": {"zzzz": 1}}"#,
      "maps.fleetengine.v1.Trip' to find the type of lastLocation"
    ),
    (
      #"{"@type": "x/maps.fleetengine.v1.Trip", "remainingWaypoints": [{}, {"zzzz": 1}]}"#,
      "maps.fleetengine.v1.Trip' to find the type of remainingWaypoints"
    ),
    (
      #"{"@type": "x/google.protobuf.Any", "value": {"@type": "x/google.rpc.Help", "zzzz": 1}}"#,
      "google.rpc.Help' to list its fields"
    ),
  ])
  func hintShowsTheTypeOfAnUnknownField(message: String, part: String) throws {
    for step in [
      #"{"message": {"json": \#(message)}}"#, #"{"trailers": {"details": [\#(message)]}}"#,
    ] {
      let error = #expect(throws: ReplayError.self) { try Self.call(#"{"ping": {}}, "# + step) }
      #expect(error?.hint == "run 'tripwire describe \(part)", "\(error?.hint ?? "")")
    }
    let error = #expect(throws: ReplayError.self) {
      try Self.call("", #", "request": \#(message)"#)
    }
    #expect(error?.hint == "run 'tripwire describe \(part)")
  }

  @Test func unknownFieldOfTheScriptPointsToTheExample() throws {
    for step in [#"{"zzzz": {}}"#, #"{"message": {"zzzz": 1}}"#] {
      let error = #expect(throws: ReplayError.self) { try Self.call(step) }
      #expect(error?.hint == "see the example in 'tripwire replay --help'")
    }
  }

  @Test(arguments: [
    (#"{}"#, 1, "the step is empty"),
    (#"{"trailers": {}}, {"headers": {}}"#, 2, #"use "trailers" to end a response"#),
    (#"{"message": {}}, {"headers": {}}"#, 2, "must be the first step"),
    (#"{"trailers": {}}, {"trailers": {}}"#, 2, "has already ended"),
    (#"{"reset": "CANCEL"}, {"message": {}}"#, 2, "has already ended"),
    (#"{"data": {"endStream": true}}, {"trailers": {}}"#, 2, "has already ended"),
    (#"{"headers": {"endStream": true}}, {"data": {}}"#, 2, "has already ended"),
    (#"{"headers": {"status": 100}}"#, 1, #"found 100; for other values set "raw""#),
    (#"{"headers": {"status": 200, "raw": true}}"#, 1, ":status"),
    (#"{"ping": {}, "after": -1}"#, 1, "after"), (#"{"ping": {}, "delay": "-1s"}"#, 1, "delay"),
    (#"{"message": {"flags": 256}}"#, 1, "256"), (#"{"data": {"split": [-1]}}"#, 1, "split"),
    (#"{"frame": {"type": 256}}"#, 1, "type"), (#"{"frame": {"flags": 256}}"#, 1, "flags"),
    (#"{"frame": {"stream": -1}}"#, 1, "stream"),
    (#"{"frame": {"payload": "AA==", "fields": [{}]}}"#, 1, "cannot be used with"),
    (#"{"goAway": {"last": 2}}"#, 1, "odd ID"), (#"{"goAway": {"last": -1}}"#, 1, "found -1"),
  ])
  func invalidStepsAreReported(steps: String, at number: Int, part: String) throws {
    let lines = steps.split(separator: ", {").joined(separator: ",\n{")
    let error = #expect(throws: ReplayError.self) { try Self.call(lines) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("s.json:\(number):"), "\(text)")
    let whole = text + "; " + (error?.hint ?? "")
    #expect(whole.contains(part), "\(whole)")
  }

  @Test(arguments: [
    (#"{"headers": {"status": 100}}"#, "2:24", "headers.status"),
    (#"{"headers": {"raw": true, "status": 200}}"#, "2:37", "headers.status"),
    (#"{"message": {\#n"flags": 256}}"#, "3:10", "message.flags"),
    (#"{"message": {"split": [-1]}}"#, "2:23", "message.split"),
    (#"{"data": {"split": [-1]}}"#, "2:20", "data.split"),
    (#"{"goAway": {"last": 2}}"#, "2:21", "goAway.last"),
    (#"{"frame":\#n{"type": "PING",\#n"flags":999}}"#, "4:9", "frame.flags"),
    (#"{"frame": {"stream": -1}}"#, "2:22", "frame.stream"),
    (#"{"ping": {}, "delay": "-1s"}"#, "2:23", "delay"),
    (#"{"ping": {}, "after": -1}"#, "2:23", "after"),
  ])
  func invalidFieldIsLocated(step: String, place: String, field: String) throws {
    let error = #expect(throws: ReplayError.self) { try Self.call(#"{"ping": {}},\#n"# + step) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("s.json:\(place): calls[0].steps[1].\(field): "), "\(text)")
  }

  @Test func customTypesAreResolved() throws {
    let text = #"""
      {"calls": [{"method": "/a/b", "request": {"@type": "x/a.Own", "n": 1},
        "steps": [{"message": {"json": {"@type": "x/a.Other"}}}]}]}
      """#
    let error = #expect(throws: ReplayError.self) {
      try ReplayScript(path: "s.json", Array(text.utf8)) { url in
        guard url == "x/a.Own" else { return nil }
        return RuntimeJSONType(isCustom: false) { reader throws(JSONDecodingError.Reason) in
          try reader.skipValue()
          return [5]
        }
      }
    }
    #expect(error?.description.contains(#"unknown type "x/a.Other""#) == true)
    let script = try ReplayScript(path: "s.json", Array(text.utf8)) { url in
      RuntimeJSONType(isCustom: false) { reader throws(JSONDecodingError.Reason) in
        try reader.skipValue()
        return Array(url.utf8)
      }
    }
    #expect(script.calls.first?.request == .message(Array("x/a.Own".utf8)))
  }

  @Test(arguments: ["headers", "trailers"])
  func oversizedHeadersAreReported(step: String) throws {
    let value = String(repeating: "v", count: ResponseHeaders.sizeLimit)
    let error = #expect(throws: ReplayError.self) {
      try Self.call(#"{"\#(step)": {"fields": [{"name": "a", "value": "\#(value)"}]}}"#)
    }
    #expect(error?.description.contains("the limit is 1048576") == true)
  }

  @Test func corruptTextDoesNotTrap() throws {
    let text = Array(
      #"""
      {"calls": [{"method": "/test.Echo/Say", "requestBytes": "AQ==", "steps": [
        {"headers": {"status": 201, "fields": [{"name": "a", "value": "\"]}"}]}},
        {"message": {"json": {"@type": "x/google.rpc.Help"}, "declaredLength": 4, "split": [1]}},
        {"goAway": {"last": 3, "debug": "x"}}, {"trailers": {"code": "NOT_FOUND"}}]}]}
      """#.utf8)
    _ = try ReplayScript(path: "s.json", text)
    var failures = 0
    for index in text.indices {
      for byte in [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "9"), 0] {
        var changed = text
        changed[index] = byte
        do { _ = try ReplayScript(path: "s.json", changed) } catch { failures += 1 }
      }
    }
    #expect(failures > text.count)
  }
}
