import Tripwire
import WireProtobuf

/// Compares the clocks of the client, the vehicle and the server, by the times of locations.
struct ClockCheck: ~Copyable {
  /// Clocks that the network sets agree within a second; the rest is for servers that lag behind others.
  private static let limit = Duration.seconds(5)
  /// Vehicles send a location every 5 to 10 s, and again when the network returns.
  private static let delayLimit = Duration.seconds(30)

  /// The differences that are not over.
  private var client: Finding?
  private var vehicle: Finding?
  private var lastServerTime: Timestamp?
  /// When the last request was sent.
  private var lastSent: Timestamp?

  /// - Parameters:
  ///   - time: when the response was received.
  ///   - sent: when its request was sent.
  mutating func receive(
    _ location: VehicleLocation, at time: Timestamp, sent: Timestamp?
  ) -> [Finding] {
    guard let server = location.serverTime else { return [] }
    let isNew = lastServerTime != nil && server != lastServerTime
    defer {
      lastServerTime = server
      lastSent = sent
    }
    var findings: [Finding] = []
    // A location cannot be received before the server has it. One that the last response did not have
    // cannot be older than that request.
    if let ahead = excess(of: server, over: time) {
      findings += Self.update(&client, .clientBehind, ahead, at: time)
    } else if isNew, let lastSent {
      let ahead = excess(of: lastSent, over: server)
      findings += Self.update(&client, .clientAhead, ahead, at: time)
    } else if case .clock(.clientBehind, _)? = client?.detail {
      findings += Self.update(&client, .clientBehind, nil, at: time)
    }
    guard let update = location.measuredTime else { return findings }
    if let ahead = excess(of: update, over: server) {
      findings += Self.update(&vehicle, .vehicleAhead, ahead, at: time)
    } else {
      let behind = excess(of: server, over: update, limit: Self.delayLimit)
      findings += Self.update(&vehicle, .vehicleBehind, behind, at: time)
    }
    return findings
  }

  func end() -> [Finding] {
    [client, vehicle].compactMap(\.self)
  }

  /// How much later `time` is; nil up to the limit.
  private func excess(
    of time: Timestamp, over other: Timestamp, limit: Duration = limit
  ) -> Duration? {
    elapsed(from: other, to: time).flatMap { $0 > limit ? $0 : nil }
  }

  /// - Parameter amount: nil when the clocks agree.
  /// - Returns: the difference that is over.
  private static func update(
    _ open: inout Finding?, _ kind: RecordingCheck.ClockDifference, _ amount: Duration?,
    at time: Timestamp
  ) -> [Finding] {
    if let amount, case .clock(kind, let largest)? = open?.detail {
      open?.until = time
      open?.detail = .clock(kind, max(largest, amount))
      return []
    }
    defer { open = amount.map { Finding(.clock(kind, $0), from: time, to: time) } }
    return open.map { [$0] } ?? []
  }
}
