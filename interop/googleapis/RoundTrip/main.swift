import WireProtobuf
import WireSystem

// Reads messages from standard input and writes them to standard output in other encodings.
//
// Input: the name of a type, a message in binary, and the same message in JSON. Output: the error, or an
// empty part and four encodings: the binary input as binary and as JSON, this JSON as binary, and the
// JSON input as binary. Each part follows its length in four bytes, little-endian.

func fail(_ message: String) -> Never {
  let bytes = Array("RoundTrip: \(message)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  exit(1)
}

/// Reads this many bytes from standard input, or fewer if it ends.
func readBytes(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    var chunk = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
    let read = read(STDIN_FILENO, &chunk, chunk.count)
    guard read >= 0 else { fail("cannot read standard input") }
    if read == 0 { break }
    bytes += chunk[..<read]
  }
  return bytes
}

/// Reads one part; nil at the end of the input.
func readPart() -> [UInt8]? {
  let header = readBytes(4)
  if header.isEmpty { return nil }
  let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
  let bytes = readBytes(length)
  guard header.count == 4, bytes.count == length else { fail("the input is cut off") }
  return bytes
}

func writePart(_ bytes: [UInt8]) {
  var rest = ((0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else { fail("cannot write to standard output") }
    rest = rest.dropFirst(count)
  }
}

let types = TypeRegistry(generatedTypes)

func written<M: Message>(_ type: M.Type, bytes: [UInt8], json: [UInt8]) throws -> [[UInt8]] {
  var options = JSONDecodingOptions()
  options.types = types
  let message = try M(serializedBytes: bytes)
  let text = try message.jsonUTF8Bytes(options: JSONEncodingOptions(types: types))
  return [
    message.serializedBytes(), text, try M(jsonUTF8Bytes: text, options: options).serializedBytes(),
    try M(jsonUTF8Bytes: json, options: options).serializedBytes(),
  ]
}

while let name = readPart() {
  guard let bytes = readPart(), let json = readPart() else { fail("the input is cut off") }
  let name = String(decoding: name, as: UTF8.self)
  do {
    guard let type = types.type(for: "/" + name) else { fail("\(name) was not generated") }
    let parts = try written(type, bytes: bytes, json: json)
    writePart([])
    for part in parts { writePart(part) }
  } catch {
    writePart(Array("\(error)".utf8))
  }
}
