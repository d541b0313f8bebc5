import TripRelay
import WireSystem

// Simulates workers of a relay that share trips, in virtual time, and prints how the trips are distributed:
//
//     ownership-benchmark [workers=200] [trips=1000000]
//
// The workers influence each other by heartbeats only, and all have room. So they are simulated one after another, each
// with the same heartbeats, and the memory is that of one worker.

let options = Dictionary(
  CommandLine.arguments.dropFirst().map { argument in
    let parts = argument.split(separator: "=", maxSplits: 1)
    return (parts[0], parts[parts.count - 1])
  }, uniquingKeysWith: { $1 })

func number(_ name: Substring, _ preset: Int) -> Int { options[name].flatMap { Int($0) } ?? preset }

let workerCount = number("workers", 200)
let tripCount = number("trips", 1_000_000)
/// The worker that is killed, the one that hands its trips over, and the one that joins.
let (killed, leaving, joining) = (0, 1, workerCount)

enum Stage: Int, CaseIterable {
  case start, withinLease, killed, left, joined
}

/// The owner of each trip in each stage, and the trips with several owners.
var owners = Stage.allCases.map { _ in [Int32](repeating: -1, count: tripCount) }
var shared = Stage.allCases.map { _ in 0 }
var settling: [String: (longest: Duration, sum: Duration)] = [:]

@MainActor func timed<Result>(_ name: String, _ body: () -> Result) -> Result {
  let start = ContinuousClock.now
  let result = body()
  let duration = ContinuousClock.now - start
  let (longest, sum) = settling[name] ?? (.zero, .zero)
  settling[name] = (max(longest, duration), sum + duration)
  return result
}

func residentMemory() -> Int {
  guard let text = try? LocalFile.contents(of: "/proc/self/statm", limit: 256) else { return 0 }
  let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
  return (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

func name(_ worker: Int) -> String { "worker-\(worker)" }

var memory = 0

@MainActor func simulate(_ worker: Int) {
  var now = ContinuousClock.now
  var owned: Set<Int> = []
  var ownership = Ownership(worker: name(worker), capacity: tripCount, lease: .seconds(6))
  var running = Set(0..<workerCount)
  if worker == joining { running.insert(joining) }

  func beat() {
    for peer in running where peer != worker {
      ownership.heartbeat(of: name(peer), threshold: 0, at: now)
    }
  }

  func settle(_ action: String, _ stage: Stage) {
    let changes = timed(action) {
      ownership.advance(to: now)
      return ownership.settle()
    }
    for change in changes {
      switch change {
      case .take(let key): owned.insert(Int(key.dropFirst(6)) ?? 0)
      case .drop(let key): owned.remove(Int(key.dropFirst(6)) ?? 0)
      case .expire: break
      }
    }
    // The process of the killed worker polls nothing, whatever it believed before.
    if worker == killed, stage != .start { return }
    if worker == joining, stage != .joined { return }
    for trip in owned {
      let other = owners[stage.rawValue][trip]
      if other >= 0, other != Int32(worker) { shared[stage.rawValue] += 1 }
      owners[stage.rawValue][trip] = Int32(worker)
    }
  }

  let before = residentMemory()
  for trip in 0..<tripCount { ownership.addRequest("demo.t\(trip)", until: nil) }
  if worker == killed { memory = residentMemory() - before }
  if worker != joining { ownership.start() }
  beat()
  settle("all workers start", .start)

  running.remove(killed)
  for _ in 0..<3 {
    now += .seconds(2)
    beat()
    settle("no change", .withinLease)
  }
  now += .milliseconds(250)
  settle("a worker is killed", .killed)

  running.remove(leaving)
  if worker == leaving { ownership.stop() }
  ownership.remove(name(leaving))
  settle("a worker hands over", .left)

  running.insert(joining)
  if worker == joining { ownership.start() }
  beat()
  settle("a worker joins", .joined)
}

for worker in 0...workerCount { simulate(worker) }

func fixed(_ value: Double, _ digits: Int) -> String {
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let rounded = Int((value * Double(scale)).rounded())
  let fraction = String(rounded % scale)
  return "\(rounded / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

print(
  "| stage | workers | trips without an owner | with several | maximum / mean | minimum / mean | moved trips × n |"
)
print("|---|---:|---:|---:|---:|---:|---:|")
var isGood = true
for stage in Stage.allCases {
  let present = owners[stage.rawValue]
  var counts: [Int32: Int] = [:]
  for owner in present where owner >= 0 { counts[owner, default: 0] += 1 }
  let missing = present.count { $0 < 0 }
  let mean = Double(tripCount - missing) / Double(max(1, counts.count))
  let most = Double(counts.values.max() ?? 0) / mean
  let least = Double(counts.values.min() ?? 0) / mean
  var moved = 0.0
  if stage != .start {
    let previous = owners[stage.rawValue - 1]
    // The trips of the killed worker have no owner until its lease ends.
    let changed = zip(previous, present).count { $0 != $1 && $1 >= 0 }
    moved = Double(changed) / Double(tripCount) * Double(workerCount)
  }
  let hasOwners = stage == .withinLease || missing == 0
  isGood =
    isGood && hasOwners && shared[stage.rawValue] == 0 && most < 1.1 && least > 0.9 && moved <= 1.2
  print(
    "| \(stage) | \(counts.count) | \(missing) | \(shared[stage.rawValue])"
      + " | \(fixed(most, 3)) | \(fixed(least, 3)) | \(fixed(moved, 2)) |")
}
print("\n| change | mean ms of a worker | longest ms |\n|---|---:|---:|")
for (action, (longest, sum)) in settling.sorted(by: { $0.key < $1.key }) {
  let rounds = Double(workerCount + 1) * (action == "no change" ? 3 : 1)
  print(
    "| \(action) | \(fixed(sum / .milliseconds(1) / rounds, 1)) | \(fixed(longest / .milliseconds(1), 1)) |"
  )
}
print("\nA worker keeps \(memory / tripCount) bytes for each wanted trip in its table.")
if !isGood { exit(1) }
