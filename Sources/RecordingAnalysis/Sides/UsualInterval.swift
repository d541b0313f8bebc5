/// Returns the usual time from one event to the next in seconds: the median; the shorter one of two; 5 s, which is the
/// interval of the Consumer SDK, for fewer.
///
/// Events at the same time count as one: some exports have whole seconds.
///
/// - Parameter times: of the events, in seconds and in order.
func usualInterval(_ times: [Double]) -> Double {
  let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
  return switch intervals.count {
  case 0, 1: 5
  case 2: intervals[0]
  default: intervals[intervals.count / 2]
  }
}
