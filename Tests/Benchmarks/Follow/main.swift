import FleetEngineAPI
import Tripwire
import WireGRPCClient
import WireSystem
import WireTLS

// Follows trips on a responder on loopback and prints the cost:
//
//     follow-benchmark port=50051 trips=10000 [interval=5] [seconds=20] [cacert=FILE] [hold]
//
// With `hold` it only gets the trips and keeps them in memory. Prints the share of a core in percent
// after all trips were received, memory in MiB, and the number of trips that are late.

let options = Dictionary(
  CommandLine.arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1)
    return (parts[0], parts[parts.count - 1])
  }, uniquingKeysWith: { $1 })

func number(_ name: Substring) -> Int? { options[name].flatMap { Int($0) } }

guard let port = number("port"), let count = number("trips") else {
  print("usage: follow-benchmark port=N trips=N [interval=N] [seconds=N] [cacert=FILE] [hold]")
  exit(2)
}

/// Counts updates.
final class Counter: TripModelSubscriber, Sendable {
  let refreshed = Locked(0)

  func tripModel(
    _ tripModel: TripModel, didUpdate trip: Trip?, updatedPropertyFields: TripPropertyFields
  ) {
    refreshed.withLock { $0 += 1 }
  }
}

func seconds(of clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the resident memory in bytes.
func memory() throws(FileReadError) -> Int {
  let text = try LocalFile.contents(of: "/proc/self/statm", limit: 256)
  let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
  return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

var configuration = ChannelConfiguration(
  security: options["cacert"].map { .tls(TLSConfiguration(trust: .file(String($0)))) }
    ?? .plaintext)
let fleet = try FleetServices(
  providerID: "demo", endpoint: "localhost:\(port)", configuration: configuration)

if options["hold"] != nil {
  var trips: [Trip] = []
  for _ in 0..<count { trips.append(try await fleet.tripService.getTrip(fleet.tripName("t1"))) }
  print(0, Double(try memory()) / 1_048_576, trips.count)
  exit(0)
}

let interval = Duration.seconds(number("interval") ?? 5)
let counter = Counter()
let models = try (0..<count).map { number in
  fleet.tripService.tripModel(forTripName: try fleet.tripName("t\(number)"))
}
for model in models {
  model.options.refreshInterval = interval
  model.register(counter, on: .main)
}
while counter.refreshed.withLock({ $0 }) < count {
  try await Task.sleep(for: .milliseconds(50))
  if let failure = models.lazy.compactMap(\.failure).first { throw failure.error }
}
// Wait until the refreshes are spread over the interval.
try await Task.sleep(for: interval)
let before = (seconds(of: CLOCK_MONOTONIC), seconds(of: CLOCK_PROCESS_CPUTIME_ID))
try await Task.sleep(for: .seconds(number("seconds") ?? 20))
let elapsed = seconds(of: CLOCK_MONOTONIC) - before.0
let share = (seconds(of: CLOCK_PROCESS_CPUTIME_ID) - before.1) / elapsed
let late = models.filter { model in model.refreshed.map { .now - $0 > interval * 1.2 } ?? true }
print(share * 100, Double(try memory()) / 1_048_576, late.count)
