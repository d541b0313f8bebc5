import WireProtobuf

// A failed requirement stops the program, so that libFuzzer keeps the input.

/// The operation on an input. Inputs may be rejected; a failed check stops the program.
enum Target: String, CaseIterable {
  /// Decodes binary input, and encodes the result.
  case binary
  /// Decodes JSON input, and encodes the result.
  case json
  /// Checks that a decoded message round-trips in binary and in JSON.
  case roundTrip
  /// Decodes every prefix of the input, and the input with each byte changed to nearby and extreme
  /// values.
  case neighbours
  /// Decodes the input with each byte changed to every value, which takes minutes.
  case mutations
  /// Decodes every prefix of JSON, and the JSON with one bit of every fourth byte changed.
  case jsonNeighbours
  /// Decodes a polyline, and checks that it round-trips.
  case polyline
  /// Sends the input to a session, and checks that the calls on it end.
  case session
  /// Sends the input to the replay server.
  case server
  /// Reads a binary log, with and without skipping damage, and replays its calls.
  case log
  /// Reads a script and replays its calls.
  case script
  /// Loads and prints descriptors, and uses them to decode messages.
  case descriptors
  /// Answers differential.py on standard output, without fuzzing.
  case answer

  func run<M: Message>(_ type: M.Type, _ input: [UInt8]) {
    switch self {
    case .binary: decode(type, binary: input)
    case .json: decode(type, json: input)
    case .roundTrip: checkRoundTrip(type, input)
    case .neighbours:
      for end in input.indices { _ = try? M(serializedBytes: Array(input[..<end])) }
      decodeChanged(type, input) { byte in (0..<8).map { byte ^ 1 << $0 } + [0x00, 0x80, 0xFF] }
    case .mutations:
      decodeChanged(type, input) { _ in Array(0...255) }
    case .jsonNeighbours:
      for end in input.indices {
        _ = try? M(jsonUTF8Bytes: Array(input[..<end]), options: jsonDecoding)
      }
      for index in stride(from: 0, to: input.count, by: 4) {
        var changed = input
        changed[index] ^= 1 << UInt8(index / 4 % 8)
        _ = try? M(jsonUTF8Bytes: changed, options: jsonDecoding)
      }
    case .polyline, .session, .server, .log, .script, .descriptors, .answer: break
    }
  }
}

/// Decodes the input with each of its bytes changed to others.
private func decodeChanged<M: Message>(
  _ type: M.Type, _ input: [UInt8], _ others: (UInt8) -> [UInt8]
) {
  for index in input.indices {
    var changed = input
    for byte in others(input[index]) {
      changed[index] = byte
      _ = try? M(serializedBytes: changed)
    }
  }
}

private func decode<M: Message>(_ type: M.Type, binary input: [UInt8]) {
  do {
    let message = try M(serializedBytes: input)
    _ = message.serializedBytes()
    _ = try? message.jsonUTF8Bytes(options: jsonEncoding)
  } catch {
    require(error.byteOffset <= input.count, "\(error): past the end")
    require(!"\(error)".isEmpty, "no description")
  }
}

private func decode<M: Message>(_ type: M.Type, json input: [UInt8]) {
  do {
    let message = try M(jsonUTF8Bytes: input, options: jsonDecoding)
    _ = message.serializedBytes()
    _ = try? message.jsonUTF8Bytes(options: jsonEncoding)
  } catch {
    require(error.line + error.column <= input.count + 2, "\(error): past the end")
  }
  var lenient = jsonDecoding
  lenient.ignoresUnknownFields = true
  _ = try? M(jsonUTF8Bytes: input, options: lenient)
}

private func checkRoundTrip<M: Message>(_ type: M.Type, _ input: [UInt8]) {
  var unknown = 0
  guard let first = try? M(serializedBytes: input, unknownFieldCount: &unknown) else { return }
  let bytes = first.serializedBytes()
  let second = decoded { () throws(DecodingError) in try M(serializedBytes: bytes) }
  require(second.serializedBytes() == bytes, "the bytes changed")
  // A message with a NaN is not equal to an identical message.
  let isEqualToItself = first == (try? M(serializedBytes: input))
  if isEqualToItself {
    require(first == second, "the message changed")
    require(first.hashValue == second.hashValue, "the hash changed")
  }

  guard let json = try? first.jsonUTF8Bytes(options: jsonEncoding) else { return }
  var options = jsonDecoding
  // JSON nests deeper than binary, because an array is also a level.
  options.recursionLimit = 1000
  let third = decoded { () throws(JSONDecodingError) in
    try M(jsonUTF8Bytes: json, options: options)
  }
  let again = decoded { () throws(JSONEncodingError) in
    try third.jsonUTF8Bytes(options: jsonEncoding)
  }
  require(again == json, "the JSON changed")
  // JSON has no unknown fields, only one kind of null, and only one NaN; an Any is re-encoded.
  let text = String(decoding: json, as: UTF8.self)
  if unknown == 0, !["NaN", "null", "@type"].contains(where: text.contains) {
    require(third.serializedBytes() == bytes, "the bytes changed by way of JSON")
  }
}

/// Returns the result of reading what this program wrote, which must not fail.
func decoded<Result, Failure: Error>(_ read: () throws(Failure) -> Result) -> Result {
  do {
    return try read()
  } catch {
    fatalError("the written data cannot be read: \(error)")
  }
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
