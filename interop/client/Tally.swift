import Synchronization

/// Collects the report of a load from any thread.
final class Tally: Sendable {
  private let sum = Mutex(LoadReport())

  func add(_ call: LoadReport.Call) {
    sum.withLock { $0.add(call) }
  }

  func addConnection() {
    sum.withLock { $0.connections += 1 }
  }

  func addSlowing() {
    sum.withLock { $0.slowings += 1 }
  }

  func report(seconds: Double) -> LoadReport {
    sum.withLock { sum in
      sum.seconds = seconds
      return sum
    }
  }
}
