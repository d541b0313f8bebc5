/// A metric in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats).
struct Metric {
  enum Kind: String { case gauge, counter, histogram }

  let name: String
  let kind: Kind
  let help: String

  init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }

  func text(_ value: Int) -> String { text([("", "\(value)")]) }
  func text(_ value: Double) -> String { text([("", "\(value)")]) }

  func text(_ histogram: DurationHistogram) -> String {
    var samples: [(suffix: String, value: String)] = histogram.buckets.map { bucket in
      (suffix: "_bucket{le=\"\(bucket.bound)\"}", value: "\(bucket.count)")
    }
    samples.append((suffix: "_bucket{le=\"+Inf\"}", value: "\(histogram.count)"))
    samples.append((suffix: "_sum", value: "\(histogram.sum / .seconds(1))"))
    samples.append((suffix: "_count", value: "\(histogram.count)"))
    return text(samples)
  }

  /// - Parameter samples: each with what follows the name, such as `{code="NOT_FOUND"}`.
  func text(_ samples: [(suffix: String, value: String)]) -> String {
    "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
      + samples.map { "\(name)\($0.suffix) \($0.value)\n" }.joined()
  }
}
