import WireProtobuf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Answers requests of protobuf's conformance_test_runner. Requests come on standard input, responses go to
// standard output, each after its length in four bytes, little-endian.

func fail(_ message: String) -> Never {
  let bytes = Array("testee: \(message)\n".utf8)
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

func writeBytes(_ bytes: [UInt8]) {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    guard count > 0 else { fail("cannot write to standard output") }
    rest = rest.dropFirst(count)
  }
}

while true {
  let header = readBytes(4)
  if header.isEmpty { break }
  let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
  let bytes = readBytes(length)
  guard header.count == 4, bytes.count == length else { fail("a request is cut off") }
  let response: Response
  do {
    response = Response(result: answer(try Request(serializedBytes: bytes)))
  } catch {
    response = Response(result: .runtimeError("the request: \(error)"))
  }
  let output = response.serializedBytes()
  writeBytes((0..<4).map { UInt8(truncatingIfNeeded: output.count >> (8 * $0)) } + output)
}
