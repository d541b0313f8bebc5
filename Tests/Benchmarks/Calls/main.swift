import FleetEngineAPI
import Recording
import Tripwire
import WireGRPCClient
import WireIO
import WireProtobuf
import WireSystem
import WireTLS

// Makes calls to a responder on loopback and prints how long they took:
//
//     rpc-benchmark port=50051 calls=100000 in-flight=100 [cacert=FILE] [decode | fleet] [pool]
//       [rate=2000] [record=FILE]
//
// - `decode` decodes each response as a Trip. Otherwise responses remain bytes.
// - `fleet` does the same through FleetServices, with a token of 700 bytes.
// - `pool` makes the calls from tasks on the concurrent pool instead of the channel's own thread.
// - `rate` starts this many calls per second, evenly spread. Otherwise each call in flight is followed
//   by the next.
// - `record` writes all calls to a binary log, in files of 64 MiB.
//
// Prints seconds, and the median and 99th percentile of a call's time in microseconds.

let options = Dictionary(
  CommandLine.arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1)
    return (parts[0], parts[parts.count - 1])
  }, uniquingKeysWith: { $1 })

func number(_ name: Substring) -> Int? { options[name].flatMap { Int($0) } }

guard let port = number("port"), let calls = number("calls"), let inFlight = number("in-flight")
else {
  print("usage: rpc-benchmark port=N calls=N in-flight=N [cacert=FILE] [decode] [fleet] [pool]")
  exit(2)
}

let loop = try EventLoop.start(name: "benchmark")
var configuration = ChannelConfiguration(
  security: options["cacert"].map { .tls(TLSConfiguration(trust: .file(String($0)))) }
    ?? .plaintext)
configuration.loop = loop
let recorder = try options["record"].map { file in
  var options = RecordingOptions()
  options.maxFileSize = 64 << 20
  options.keptFiles = 1
  // There is only one core, so calls may delay the writing thread for longer than usual.
  options.maxQueuedBytes = 256 << 20
  return try CallRecorder(to: String(file), options: options)
}
if let recorder { configuration.interceptors = [recorder] }
let channel = try Channel(target: "localhost:\(port)", configuration: configuration)
let method = TripServiceMethods.getTrip
let name = "providers/demo/trips/t1"
let decodes = options["decode"] != nil
let fleet: FleetServices? =
  try options["fleet"].map { _ in
    try FleetServices(
      providerID: "demo", endpoint: "localhost:\(port)",
      tokenProvider: FixedToken(String(repeating: "token.", count: 117)),
      configuration: configuration)
  }
let trip = try TripName(providerID: "demo", tripID: "t1")
let share = calls / inFlight
let interval = number("rate").map { Duration.seconds(1) / $0 }
let start = ContinuousClock.now

@Sendable func call() async throws {
  if let fleet {
    _ = try await fleet.tripService.getTrip(trip)
    return
  }
  let request = GetTripRequest(name: name)
  if decodes {
    _ = try await channel.unary(method, request)
  } else {
    _ = try await channel.unary(
      path: method.path, request.serializedBytes(), options: CallOptions(timeout: .seconds(60)))
  }
}

let usesPool = options["pool"] != nil

/// Waits on the loop, where timers are cheapest, unless the calls run on the pool.
@Sendable func pause(until instant: ContinuousClock.Instant) async throws {
  if usesPool { return try await Task.sleep(until: instant) }
  await withCheckedContinuation { continuation in
    loop.schedule(at: instant) { continuation.resume() }
  }
}

/// Cheaper than the standard library's clock with its 128-bit durations, because it is measured, too.
@Sendable func nanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Makes calls one after another. Returns their times in nanoseconds.
@Sendable func work(_ index: Int) async throws -> [UInt32] {
  var times: [UInt32] = []
  times.reserveCapacity(share)
  for turn in 0..<share {
    if let interval { try await pause(until: start + interval * (turn * inFlight + index)) }
    let start = nanoseconds()
    try await call()
    times.append(UInt32(nanoseconds() - start))
  }
  return times
}

try await call()
let executor: any TaskExecutor = usesPool ? globalConcurrentExecutor : channel.executor
let times = try await withThrowingTaskGroup(of: [UInt32].self) { group in
  for index in 0..<inFlight {
    group.addTask(executorPreference: executor) { try await work(index) }
  }
  var times: [UInt32] = []
  for try await some in group { times += some }
  return times.sorted()
}
let seconds = (ContinuousClock.now - start) / .seconds(1)
await channel.close()
if let report = await recorder?.close(), report.dropped > 0 {
  print("the recording lacks \(report.dropped) of \(report.written + report.dropped) entries")
  exit(1)
}

func percentile(_ share: Double) -> Double {
  Double(times[Int(share * Double(times.count))]) / 1000
}

print(seconds, percentile(0.5), percentile(0.99))
