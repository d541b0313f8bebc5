import Testing
import WireProtobuf

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Four times the input takes about four times the time, whatever its shape.
@Suite(.serialized) struct ScalingTests {
  /// The least of some runs: time of the processor this thread took, in nanoseconds.
  static func time(_ shape: Shape, _ input: [UInt8]) throws -> Double {
    var best = Double.infinity
    for _ in 0..<2 {
      let start = processorTime()
      _ = try shape.decode(input)
      best = min(best, processorTime() - start)
    }
    return best
  }

  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
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
