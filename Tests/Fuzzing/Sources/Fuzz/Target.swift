import WireProtobuf

// What fails a requirement stops the program, for libFuzzer to keep the input.

/// What is done with an input. Inputs may be refused; what must not happen stops the program.
enum Target: String, CaseIterable {
  /// Binary is decoded, and what comes out can be written.
  case binary
  /// The same of JSON.
  case json
  /// What was decoded reads back the same, from binary and from JSON.
  case roundTrip
  /// Every prefix of the input, and every byte of it changed in every bit and to the extremes.
  case neighbours
  /// Every byte of the input changed to every value, which takes minutes.
  case mutations
  /// Every prefix of JSON, and every fourth byte of it with one bit changed.
  case jsonNeighbours
  /// A polyline is decoded, and reads back the same when it is encoded.
  case polyline
  /// A session is told what the input says, and the calls on it end.
  case session
  /// The replay server is told what the input says.
  case server
  /// A binary log is read, damaged or not, and its calls are played.
  case log
  /// A script is read, and its calls are played.
  case script
  /// Descriptors are loaded, printed, and used to read messages.
  case descriptors
  /// No fuzzing: answers differential.py on standard output.
  case answer

  func run<M: Message>(_ type: M.Type, _ input: [UInt8]) {
    switch self {
    case .binary: decode(type, binary: input)
    case .json: decode(type, json: input)
    case .roundTrip: goRound(type, input)
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

private func goRound<M: Message>(_ type: M.Type, _ input: [UInt8]) {
  var unknown = 0
  guard let first = try? M(serializedBytes: input, unknownFieldCount: &unknown) else { return }
  let bytes = first.serializedBytes()
  let second = decoded { () throws(DecodingError) in try M(serializedBytes: bytes) }
  require(second.serializedBytes() == bytes, "the bytes changed")
  // A message with a NaN is not equal to its like.
  let isEqualToItsLike = first == (try? M(serializedBytes: input))
  if isEqualToItsLike {
    require(first == second, "the message changed")
    require(first.hashValue == second.hashValue, "the hash changed")
  }

  guard let json = try? first.jsonUTF8Bytes(options: jsonEncoding) else { return }
  var options = jsonDecoding
  // JSON nests deeper than binary: an array is a level, too.
  options.recursionLimit = 1000
  let third = decoded { () throws(JSONDecodingError) in
    try M(jsonUTF8Bytes: json, options: options)
  }
  let again = decoded { () throws(JSONEncodingError) in
    try third.jsonUTF8Bytes(options: jsonEncoding)
  }
  require(again == json, "the JSON changed")
  // JSON has no unknown fields, no other null, and only one NaN; Any is encoded anew.
  let text = String(decoding: json, as: UTF8.self)
  if unknown == 0, isEqualToItsLike, !text.contains("null"), !text.contains("@type") {
    require(third.serializedBytes() == bytes, "the bytes changed by way of JSON")
  }
}

/// What we wrote ourselves must be readable.
func decoded<Result, Failure: Error>(_ read: () throws(Failure) -> Result) -> Result {
  do {
    return try read()
  } catch {
    fatalError("what was written cannot be read: \(error)")
  }
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
