/// Returns the usual time from one event to the next in seconds: the median, or 5 s if there are fewer than three.
///
/// Events at the same time count as one: some exports have whole seconds.
///
/// - Parameter times: of the events, in seconds and in order.
func usualInterval(_ times: [Double]) -> Double {
  let intervals = zip(times.dropFirst(), times).map { $0 - $1 }.filter { $0 > 0 }.sorted()
  return intervals.count < 3 ? 5 : intervals[intervals.count / 2]
}
