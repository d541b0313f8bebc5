import FleetEngineAPI
import WireProtobuf

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// Times the codec on the payloads of a folder: `codec-benchmark FOLDER`.
// Prints one line a case: payload, operation, least and median nanoseconds per operation.
// `codec-benchmark FOLDER PAYLOAD OPERATION COUNT` runs one case so often, for profilers.

func fail(_ message: String) -> Never {
  print(message)
  exit(2)
}

func load(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { fail("cannot read \(path)") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}

/// Keeps the optimiser from seeing that nobody uses a value.
@inline(never)
func use<T>(_ value: borrowing T) {}

/// Least and median of 15 samples of some 4 ms each.
func measure(_ operation: () -> Void) -> (least: Double, median: Double) {
  let clock = ContinuousClock()
  func nanoseconds(_ count: Int) -> Double {
    let time = clock.measure { for _ in 0..<count { operation() } }
    return Double(time.components.attoseconds) / 1e9 + Double(time.components.seconds) * 1e9
  }
  operation()
  var count = 1
  while nanoseconds(count) < 4e6 { count *= 2 }
  let samples = (0..<15).map { _ in nanoseconds(count) / Double(count) }.sorted()
  return (samples[0], samples[samples.count / 2])
}

struct Case {
  let payload: String
  let operation: String
  let body: () -> Void
}

func cases<M: Message>(_ type: M.Type, _ payload: String, in folder: String) throws -> [Case] {
  let bytes = load("\(folder)/\(payload).pb")
  let message = try M(serializedBytes: bytes)
  let twin = try M(serializedBytes: bytes)
  let json = try message.jsonUTF8Bytes()
  let operations: [(String, () -> Void)] = [
    ("decode", { do { use(try M(serializedBytes: bytes)) } catch {} }),
    ("encode", { use(message.serializedBytes()) }),
    ("equal", { use(message == twin) }),
    ("to-json", { do { use(try message.jsonUTF8Bytes()) } catch {} }),
    ("from-json", { do { use(try M(jsonUTF8Bytes: json)) } catch {} }),
  ]
  return operations.map { Case(payload: payload, operation: $0, body: $1) }
}

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 5 else {
  fail("usage: codec-benchmark FOLDER [PAYLOAD OPERATION COUNT]")
}
let folder = arguments[1]
let all =
  try cases(Trip.self, "trip_small", in: folder) + cases(Trip.self, "trip_medium", in: folder)
  + cases(Trip.self, "trip_large", in: folder)
  + cases(SearchTripsResponse.self, "search_50", in: folder)
  + cases(Trip.self, "trip_unknown", in: folder)

if arguments.count == 5 {
  for one in all where one.payload == arguments[2] && one.operation == arguments[3] {
    for _ in 0..<(Int(arguments[4]) ?? 0) { one.body() }
  }
} else {
  for one in all {
    let (least, median) = measure(one.body)
    print(one.payload, one.operation, Int(least), Int(median))
  }
}
