import Testing

@testable import TripRelay

/// The figures of a worker, with given durations.
@Suite struct WorkerMetricsTests {
  @Test func durationIsCountedInTheFirstBucketThatHoldsIt() {
    var histogram = DurationHistogram()
    for time in [0, 1_000, 1_001, 2_500, 30_000, 10_000_000, 10_000_001, 3_600_000_000] {
      histogram.add(.microseconds(time))
    }
    #expect(
      histogram.buckets.map(\.bound) == [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
      ])
    #expect(histogram.buckets.map(\.count) == [2, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 6])
    #expect(histogram.count == 8)
    #expect(histogram.sum == .microseconds(3_620_034_502))
  }

  @Test func publicationsAreCountedByTheirEnd() {
    var counts = PublicationCounts()
    for _ in 0..<4 { counts.begin() }
    counts.end(.success(1), after: .milliseconds(20))
    counts.end(.failure(NATSError(.wrongLastSequence, "")), after: .milliseconds(20))
    counts.end(.failure(NATSError(.full, "")), after: .milliseconds(20))
    #expect((counts.pending, counts.stored, counts.refused) == (1, 1, 1))
    #expect(counts.times.count == 1)
    #expect(counts.times.sum == .milliseconds(20))
  }

  @Test func figuresAreServedAsText() {
    let metrics = WorkerMetrics(CallCounter())
    var figures = WorkerFigures(unownedRequests: 3, latePolls: 4)
    for time in [20, 700] {
      figures.publications.begin()
      figures.publications.end(.success(1), after: .milliseconds(time))
    }
    figures.publications.begin()
    metrics.update(figures)
    let lines = Set(metrics.text.split(separator: "\n").map(String.init))
    for line in [
      "tripwire_relay_unowned_requests 3", "tripwire_relay_late_polls_total 4",
      "tripwire_relay_pending_publications 1", "tripwire_relay_published_states_total 2",
      "# TYPE tripwire_relay_publication_seconds histogram",
      #"tripwire_relay_publication_seconds_bucket{le="0.01"} 0"#,
      #"tripwire_relay_publication_seconds_bucket{le="0.025"} 1"#,
      #"tripwire_relay_publication_seconds_bucket{le="1.0"} 2"#,
      #"tripwire_relay_publication_seconds_bucket{le="+Inf"} 2"#,
      "tripwire_relay_publication_seconds_sum 0.72", "tripwire_relay_publication_seconds_count 2",
    ] { #expect(lines.contains(line), "\(line)") }
  }
}
