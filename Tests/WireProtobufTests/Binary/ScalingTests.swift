import TestSupport
import Testing

/// Checks that four times the input takes about four times as long, for every shape.
@Suite(.serialized) struct ScalingTests {
  /// The minimum of several runs: processor time of this thread in nanoseconds.
  static func time(_ shape: Shape, _ input: [UInt8]) throws -> Double {
    var best = Double.infinity
    for _ in 0..<2 {
      let taken = try processorTime { _ = try shape.decode(input) }
      best = min(best, taken / .nanoseconds(1))
    }
    return best
  }

  @Test(arguments: Shape.all)
  func timeIsLinearInTheInput(_ shape: Shape) throws {
    let count = 5_000
    var (small, large) = (Double.infinity, Double.infinity)
    // Other tests share the processor's caches, so slow results are measured again.
    for _ in 0..<5 {
      small = min(small, try Self.time(shape, shape.input(count)))
      large = min(large, try Self.time(shape, shape.input(4 * count)))
      // The ratio is 4 if linear and 16 if quadratic. Times below 2 ms are ignored.
      if large < 9 * small || large < 2e6 { return }
    }
    Issue.record("\(shape.name): \(large / small) times the time")
  }
}
