// Times the codec on the payloads: one line per operation and payload, in ns per operation, the
// best of several samples. Its twin for C++ is codec.cpp; codec.py runs the two in turn.
import FleetEngineAPI
import WireProtobuf

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

let clock = ContinuousClock()

/// The bytes of a file.
func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { fatalError("cannot read \(path)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  guard fread(&bytes, 1, bytes.count, file) == bytes.count else { fatalError("short: \(path)") }
  return bytes
}

/// Runs `body` for some 20 ms a sample, and prints the best of 7 samples.
func measure(_ operation: String, _ payload: String, _ body: () throws -> Int) rethrows {
  func time(_ count: Int) throws -> Duration {
    try clock.measure {
      for _ in 0..<count { kept &+= try body() }
    }
  }
  var count = 1
  while try time(count) < .milliseconds(20) { count *= 2 }
  var best = Duration.seconds(1_000)
  for _ in 0..<7 { best = min(best, try time(count)) }
  let (seconds, attoseconds) = best.components
  let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  print(operation, payload, nanoseconds / Double(count))
}

/// What keeps the optimiser from leaving the work out.
nonisolated(unsafe) var kept = 0

/// Takes a message as a caller in another module would: it has to be there, whole.
@inline(never)
func consume<M: Message>(_ message: M) -> Int { 1 }

func measure<M: Message>(_ type: M.Type, _ payload: String, in folder: String) throws {
  let bytes = contents(of: "\(folder)/\(payload).pb")
  let message = try M(serializedBytes: bytes)
  let copy = try M(serializedBytes: bytes)
  try measure("decode", payload) { consume(try M(serializedBytes: bytes)) }
  measure("encode", payload) { message.serializedBytes().count }
  measure("equal", payload) { message == copy ? 1 : 0 }
}

guard CommandLine.arguments.count == 2 else { fatalError("usage: codec-benchmark PAYLOADS") }
let folder = CommandLine.arguments[1]
for payload in ["trip_small", "trip_medium", "trip_large", "trip_unknown"] {
  try measure(Trip.self, payload, in: folder)
}
try measure(SearchTripsResponse.self, "search_50", in: folder)
