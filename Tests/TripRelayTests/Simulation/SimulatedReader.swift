import RelayAPI

@testable import TripRelay

/// A reader of all trips, with the decisions of the real one.
final class SimulatedReader {
  private let time: VirtualTime
  private let nats: SimulatedNATS
  private let link: SimulatedNATS.Link
  private var views: [String: ResourceView]
  /// The version of each trip that is shown.
  private(set) var shown: [String: Int] = [:]
  /// When an older version was shown after a newer one, or anything after the final one.
  private(set) var faults: [String] = []

  init(_ time: VirtualTime, _ nats: SimulatedNATS, _ keys: [String]) {
    (self.time, self.nats) = (time, nats)
    link = nats.connect()
    views = Dictionary(uniqueKeysWithValues: keys.map { ($0, ResourceView(at: time.now)) })
    link.receive = { [weak self] key, stored in self?.receive(key, stored) }
    link.reconnected = { [weak self] in self?.reconnected() }
    tick()
  }

  func cut(for duration: Duration) { nats.cut(link, for: duration) }

  func stall(for duration: Duration) { nats.stall(link, for: duration) }

  private func tick() {
    for key in views.keys { proceed(key) }
    time.after(.milliseconds(200)) { [weak self] in self?.tick() }
  }

  private func reconnected() {
    for key in views.keys { views[key]?.reconnected(at: time.now) }
  }

  private func proceed(_ key: String) {
    while link.isConnected, let command = views[key]?.next(at: time.now) {
      switch command {
      case .read:
        nats.read(key, link) { [weak self] result in self?.readEnded(key, result) }
      case .request:
        nats.addRequest(key, link) { [weak self] result in self?.requestEnded(key, result) }
      }
    }
  }

  private func readEnded(_ key: String, _ result: Result<SimulatedNATS.Stored?, NATSError>) {
    switch result {
    case .success(let last):
      views[key]?.readEnded(at: time.now)
      let verdict = views[key]?.take(last: last.map { $0.state.received($0.number) }, at: time.now)
      if let last, verdict == .show { show(key, last) }
    case .failure: views[key]?.readFailed(at: time.now)
    }
  }

  private func requestEnded(_ key: String, _ result: Result<Void, NATSError>) {
    switch result {
    case .success:
      views[key]?.requestEnded(at: time.now, random: Double.random(in: 0..<1, using: &time.random))
    case .failure: views[key]?.requestFailed(at: time.now)
    }
  }

  private func receive(_ key: String, _ stored: SimulatedNATS.Stored) {
    let verdict = views[key]?.take(stored.state.received(stored.number), at: time.now)
    if verdict == .show { show(key, stored) }
    proceed(key)
  }

  private func show(_ key: String, _ stored: SimulatedNATS.Stored) {
    let version = stored.state.version
    if version < shown[key] ?? 0 {
      faults.append("\(time.elapsed): \(key) from \(shown[key] ?? 0) to \(version), \(stored)")
    }
    shown[key] = version
  }
}
