import DynamicProtobuf
import ProtobufDescriptors
import WireProtobuf
import WireSystem

// Answers requests of protobuf's conformance_test_runner, or of a client with the same protocol, with
// dynamic messages. Requests come on standard input, responses go to standard output, each after its
// length in four bytes, little-endian. The argument is a FileDescriptorSet with the types of all
// messages, including conformance.proto.

func fail(_ message: String) -> Never {
  let bytes = Array("dynamic-testee: \(message)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  exit(1)
}

/// Reads this many bytes, or fewer if the file ends.
func readBytes(_ file: Int32, _ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    var chunk = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
    let read = read(file, &chunk, chunk.count)
    guard read >= 0 else { fail("cannot read") }
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

let path = CommandLine.arguments.dropFirst().first ?? ""
let file = open(path, O_RDONLY)
guard file >= 0 else { fail("cannot open \(path)") }
let testee: Testee
do {
  let set = try FileDescriptorSet(serializedBytes: readBytes(file, .max))
  testee = try Testee(DescriptorPool(set.file))
} catch {
  fail("\(path): \(error)")
}

while true {
  let header = readBytes(STDIN_FILENO, 4)
  if header.isEmpty { break }
  let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
  let bytes = readBytes(STDIN_FILENO, length)
  guard header.count == 4, bytes.count == length else { fail("a request is cut off") }
  let output = testee.answer(bytes)
  writeBytes((0..<4).map { UInt8(truncatingIfNeeded: output.count >> (8 * $0)) } + output)
}
