import WireProtobuf
import WireSystem

/// The workers of a relay and its wanted trips, from NATS alone.
package struct RelayStatus: Sendable {
  package struct Worker: Sendable {
    package let name: String
    package let heartbeat: Heartbeat
    /// The time since its last heartbeat.
    package let age: Duration

    /// Whether its trips have other owners by now.
    package var isLost: Bool { age > RelayWorkerOptions().lease }
  }

  package let workers: [Worker]
  package let wanted: Int
  /// The trips with a state in the stream, those that are over included.
  package let states: Int

  /// Reads the status.
  package init(_ client: RelayClient) async throws(NATSError) {
    let stream = JetStream(client)
    let answer = try await stream.call(
      "STREAM.INFO.\(RelayNames.workers.stream)",
      "{\"subjects_filter\":\"\(RelayNames.workers.subjects)\"}", action: "read the workers")
    let subjects = (answer.object("state")?.object("subjects")?.fields ?? [:]).keys.sorted()
    var messages: [(name: String, heartbeat: Heartbeat, time: Double)] = []
    for subject in subjects {
      guard let last = try await stream.last(subject, in: RelayNames.workers.stream),
        let name = RelayNames.workers.key(subject).flatMap({ NATSToken.decode($0) }),
        let heartbeat = Heartbeat(last.message.data)
      else { continue }
      messages.append((name, heartbeat, last.time))
    }
    let now = WallTime.now
    workers = messages.map {
      Worker(name: $0.name, heartbeat: $0.heartbeat, age: .seconds(max(0, min(now - $0.time, 1e9))))
    }
    wanted = try await Self.count(stream, RelayNames.wants.stream)
    states = try await Self.count(stream, RelayNames.tripStream)
  }

  private static func count(_ stream: JetStream, _ name: String) async throws(NATSError) -> Int {
    let answer = try await stream.call("STREAM.INFO.\(name)", action: "read the stream \(name)")
    return Int(clamping: answer.object("state")?.number("messages") ?? 0)
  }
}
