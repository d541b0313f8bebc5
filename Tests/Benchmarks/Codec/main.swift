import FleetEngineAPI
import WireProtobuf
import WireSystem

// Measures the codec with the payloads of a folder: `codec-benchmark FOLDER`. Prints a line for each
// case: payload, operation, minimum and median nanoseconds per operation.
// `codec-benchmark FOLDER PAYLOAD OPERATION COUNT` repeats one case COUNT times, for profilers.

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

/// Prevents the optimizer from removing an unused value.
@inline(never)
func use<T>(_ value: borrowing T) {}

/// Returns the minimum and median of 15 samples of about 4 ms each.
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
  let operation: String
  let body: () -> Void
}

func cases<M: Message & Touchable>(
  _ type: M.Type, _ payload: String, in folder: String
) throws -> [Case] {
  let bytes = load("\(folder)/\(payload).pb")
  let message = try M(serializedBytes: bytes)
  let twin = try M(serializedBytes: bytes)
  let json = try message.jsonUTF8Bytes()
  return [
    Case(operation: "decode") { do { use(try M(serializedBytes: bytes)) } catch {} },
    Case(operation: "touch") {
      do {
        var sum = Sum()
        try M(serializedBytes: bytes).touch(&sum)
        use(sum)
      } catch {}
    },
    Case(operation: "encode") { use(message.serializedBytes()) },
    Case(operation: "equal") { use(message == twin) },
    Case(operation: "to-json") { do { use(try message.jsonUTF8Bytes()) } catch {} },
    Case(operation: "from-json") { do { use(try M(jsonUTF8Bytes: json)) } catch {} },
  ]
}

func cases(_ payload: String, in folder: String) throws -> [Case] {
  payload == "search_50"
    ? try cases(SearchTripsResponse.self, payload, in: folder)
    : try cases(Trip.self, payload, in: folder)
}

let arguments = CommandLine.arguments
guard arguments.count == 2 || arguments.count == 5 else {
  fail("usage: codec-benchmark FOLDER [PAYLOAD OPERATION COUNT]")
}
let folder = arguments[1]

if arguments.count == 5 {
  let all = try cases(arguments[2], in: folder)
  guard let one = all.first(where: { $0.operation == arguments[3] }), let count = Int(arguments[4])
  else { fail("no operation \(arguments[3]), or no count") }
  for _ in 0..<count { one.body() }
} else {
  for payload in ["trip_small", "trip_medium", "trip_large", "search_50", "trip_unknown"] {
    for one in try cases(payload, in: folder) {
      let (least, median) = measure(one.body)
      print(payload, one.operation, Int(least), Int(median))
    }
  }
}
