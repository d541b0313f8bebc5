import CommandLine
import CommandShell
import RecordingAnalysis
import Tripwire

/// Shows the way of each location from the device to the app, and what became of each update.
final class LocationPathView: EvidenceView {
  private static let headings = ["measured", "received", "answered", "shown", "total", "update"]

  override func show(_ evidence: TripEvidence) throws(ErrorReport) {
    let paths = LocationPath.all(evidence, SentLocation.all(evidence.updates))
    if paths.isEmpty {
      console.warn("the \(evidence.kind.noun) has no location")
    } else if isJSON {
      try writeJSON(paths)
    } else {
      try writeDay(of: evidence)
      try writeText(paths)
    }
  }

  // MARK: Text

  private func writeText(_ paths: [LocationPath]) throws(ErrorReport) {
    var lines = [Self.headings] + paths.map(cells)
    lines.append([])
    for (name, value) in Self.statistics {
      let delays = LocationPath.Leg.allCases.map { leg in
        Self.delay(LocationPath.percentiles(of: leg, paths).map(value))
      }
      lines.append([name] + delays + [""])
    }
    for line in drawn(lines, widths: columnWidths(lines)) { try output.write(line: line) }
  }

  private static let statistics:
    [(String, @Sendable ((median: Double, p95: Double, worst: Double)) -> Double)] = [
      ("median", { $0.median }), ("p95", { $0.p95 }), ("worst", { $0.worst }),
    ]

  private func cells(_ path: LocationPath) -> [String] {
    [path.measured.map(time) ?? TextTable.unset]
      + [.uplink, .wait, .downlink, .total].map { Self.delay(path.delay($0)) }
      + [path.sent?.words ?? ""]
  }

  /// "+1.2 s"
  private static func delay(_ seconds: Double?) -> String {
    guard let seconds else { return TextTable.unset }
    return (seconds < 0 ? "-" : "+") + Units.latency(seconds: seconds.magnitude)
  }

  // MARK: JSON

  private func writeJSON(_ paths: [LocationPath]) throws(ErrorReport) {
    for path in paths {
      let json = JSONWriter.object { json in
        json.member("event", "location")
        json.member("call", path.sent?.update.call)
        for (name, time) in [
          ("measured", path.measured), ("received", path.received), ("answered", path.answered),
          ("shown", path.shown),
        ] {
          json.member(name, json: time.flatMap { Timestamp(secondsSince1970: $0)?.jsonText })
        }
        for leg in LocationPath.Leg.allCases {
          json.member(leg.rawValue, json: path.delay(leg)?.jsonSeconds)
        }
        json.place("sent", path.sent?.update.sent.place)
        json.place(
          "accepted", path.sent == nil ? path.location.place : path.sent?.update.accepted?.place)
        json.member(
          "meters", json: path.sent?.meters.map { Units.fixed($0, decimals: 0) })
        json.member("result", path.sent?.result.name)
        json.member("reason", path.sent?.words)
      }
      try output.write(json: json + "\n")
    }
    for leg in LocationPath.Leg.allCases {
      guard let delays = LocationPath.percentiles(of: leg, paths) else { continue }
      let json = JSONWriter.object { json in
        json.member("event", "delays")
        json.member("leg", leg.rawValue)
        json.member("median", json: delays.median.jsonSeconds)
        json.member("p95", json: delays.p95.jsonSeconds)
        json.member("worst", json: delays.worst.jsonSeconds)
      }
      try output.write(json: json + "\n")
    }
  }
}

extension SentLocation {
  /// "discarded: 334 km in 5 s is too fast"; nil if the server has the location as it was sent.
  var words: String? {
    switch result {
    case .accepted, .unknown: nil
    case .changed(let meters): "changed by \(Units.distance(meters: meters))"
    case .discarded(let reason): "discarded: \(reason.words)"
    case .failed: "failed: \(update.outcome.code?.description ?? "no status")"
    }
  }
}

extension SentLocation.Result {
  fileprivate var name: String {
    switch self {
    case .accepted: "accepted"
    case .changed: "changed"
    case .discarded: "discarded"
    case .failed: "failed"
    case .unknown: "unknown"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func place(_ name: String, _ place: LatLng?) {
    guard let place else { return }
    object(name) { json in
      json.member("latitude", json: Units.fixed(place.latitude, decimals: 6))
      json.member("longitude", json: Units.fixed(place.longitude, decimals: 6))
    }
  }
}
