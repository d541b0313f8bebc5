import WireSystem

/// How far a vehicle has driven at which time. Between two times it drives at a steady speed.
struct Pace: Sendable {
  /// In seconds from the start, ascending.
  private var times: [Double]
  /// The meters from the start at these times, ascending.
  private var meters: [Double]

  /// - Parameter speed: in meters per second, more than 0.
  init(length: Double, speed: Double) {
    times = [0, length / speed]
    meters = [0, length]
  }

  /// - Parameters:
  ///   - times: in seconds from the start, ascending, at least one.
  ///   - meters: for each of the times, ascending.
  init(times: [Double], meters: [Double]) {
    self.times = times
    self.meters = meters
  }

  /// In seconds.
  var duration: Double { times.last ?? 0 }

  /// Adds a stop for some seconds.
  mutating func stop(at distance: Double, for seconds: Double) {
    let next = meters.partitioningIndex { $0 >= distance }
    guard next < meters.count else { return }
    var time = times[next]
    if next > 0 {
      let part = (distance - meters[next - 1]) / (meters[next] - meters[next - 1])
      time = times[next - 1] + (times[next] - times[next - 1]) * part
    }
    for index in next..<times.count { times[index] += seconds }
    times.insert(contentsOf: [time, time + seconds], at: next)
    meters.insert(contentsOf: [distance, distance], at: next)
  }

  /// The distance from the start in meters, and the speed in meters per second.
  func state(at time: Double) -> (meters: Double, speed: Double) {
    let next = times.partitioningIndex { $0 > time }
    guard next < times.count else { return (meters.last ?? 0, 0) }
    guard next > 0 else { return (meters[0], 0) }
    let speed = (meters[next] - meters[next - 1]) / (times[next] - times[next - 1])
    return (meters[next - 1] + speed * (time - times[next - 1]), speed)
  }
}
