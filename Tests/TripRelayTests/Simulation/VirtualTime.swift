import RelayAPI
import WireProtobuf

/// Runs closures in the order of their virtual times.
final class VirtualTime {
  private struct Event {
    let time: ContinuousClock.Instant
    let number: Int
    let body: () -> Void

    func isBefore(_ other: Event) -> Bool { (time, number) < (other.time, other.number) }
  }

  let start = ContinuousClock.now
  private(set) var now: ContinuousClock.Instant
  private(set) var steps = 0
  var random: SplitMix
  /// A binary heap: each event is before its children at 2n + 1 and 2n + 2.
  private var heap: [Event] = []
  private var added = 0

  init(seed: UInt64) {
    now = start
    random = SplitMix(state: seed)
  }

  /// The time on the clock of the day, which all machines share.
  var moment: StateTime {
    let time = WireDuration(now - start)
    return StateTime(
      instant: now, timestamp: Timestamp(seconds: 1_000_000 + time.seconds, nanos: time.nanos))
  }

  var elapsed: Duration { now - start }

  func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(Int.random(in: range, using: &random))
  }

  func after(_ delay: Duration, _ body: @escaping () -> Void) { at(now + delay, body) }

  func at(_ time: ContinuousClock.Instant, _ body: @escaping () -> Void) {
    added += 1
    heap.append(Event(time: max(now, time), number: added, body: body))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  func clear() { heap = [] }

  func run(until end: ContinuousClock.Instant) {
    while let first = heap.first, first.time <= end {
      removeFirst()
      now = first.time
      steps += 1
      first.body()
    }
    now = end
  }

  private func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
      guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }),
        heap[least].isBefore(heap[parent])
      else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

/// SplitMix64.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
