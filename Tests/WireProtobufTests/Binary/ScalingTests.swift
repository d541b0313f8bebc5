import TestSupport
import Testing
import WireProtobuf

/// Four times the input takes about four times the time, whatever its shape.
@Suite(.serialized) struct ScalingTests {
  /// The least of some runs: time of the processor this thread took, in nanoseconds.
  static func time(_ shape: Shape, _ input: [UInt8]) throws -> Double {
    var best = Double.infinity
    for _ in 0..<2 {
      let taken = try processorTime { _ = try shape.decode(input) }
      best = min(best, taken / .nanoseconds(1))
    }
    return best
  }

  @Test(arguments: Shape.all)
  func timeGrowsAsTheInput(_ shape: Shape) throws {
    let count = 5_000
    var (small, large) = (Double.infinity, Double.infinity)
    // Other tests share the processor's caches: what looks slow is looked at again.
    for _ in 0..<5 {
      small = min(small, try Self.time(shape, shape.input(count)))
      large = min(large, try Self.time(shape, shape.input(4 * count)))
      // 4 when linear, 16 when quadratic. Less than 2 ms in all is not worth a word.
      if large < 9 * small || large < 2e6 { return }
    }
    Issue.record("\(shape.name): \(large / small) times the time")
  }
}
