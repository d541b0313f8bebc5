import FleetEngineAPI
import WireProtobuf
import WireSystem

/// The workers of a relay and its requested resources, from NATS alone.
package struct RelayStatus: Sendable {
  package struct Worker: Sendable {
    package let name: String
    package let heartbeat: Heartbeat
    /// The time since its last heartbeat.
    package let age: Duration

    /// Whether its resources have other owners by now.
    package var isLost: Bool { age > RelayWorkerOptions().lease }

    /// Whether it polls resources, or will do so.
    package var isPolling: Bool {
      !isLost && [.starting, .working].contains(heartbeat.phase)
    }
  }

  package let workers: [Worker]
  package let wanted: Int
  package let partitions: Int
  /// The resources with a state in the streams, those that are over included.
  package let states: Int
  /// The number of streams with states that each node of a cluster leads.
  package let leaders: [String: Int]

  /// The resources that workers poll.
  package var polled: Int {
    workers.filter { !$0.isLost }.reduce(0) { $0 + $1.heartbeat.resources }
  }

  /// The largest number of resources that the workers may poll; nil if none polls.
  package var capacity: Int? {
    let polling = workers.filter(\.isPolling)
    return polling.isEmpty ? nil : polling.reduce(0) { $0 + $1.heartbeat.capacity }
  }

  /// Reads the status.
  package init(_ client: RelayClient) async throws(NATSError) {
    let stream = JetStream(client)
    workers = try await Worker.all(stream)
    let requests = try await stream.info(of: RelayNames.Bucket.pollRequests.stream).messageCount
    let (layout, number) = try await stream.layout()
    wanted = requests - (number == 0 ? 0 : 1)
    partitions = layout.partitions
    var states = 0
    var copies: [StreamCopies] = []
    for kind in ResourceKind.allCases {
      // A worker of an older version creates the stream of trips only.
      do throws(NATSError) {
        for (name, _) in layout.streams(of: kind) {
          let info = try await stream.info(of: name)
          states += info.messageCount
          if info.messageCount > 0, let found = StreamCopies(info) { copies.append(found) }
        }
      } catch {
        guard error.kind == .noStream, kind != .trip else { throw error }
      }
    }
    self.states = states
    leaders = LeaderBalance(copies).counts
  }
}

extension Struct {
  fileprivate var messageCount: Int {
    Int(clamping: object("state")?.integer("messages") ?? 0)
  }
}

extension RelayStatus.Worker {
  /// Reads the workers, those that are lost included.
  static func all(_ stream: JetStream) async throws(NATSError) -> [RelayStatus.Worker] {
    let bucket = RelayNames.Bucket.workers
    let answer = try await stream.call(
      "STREAM.INFO.\(bucket.stream)",
      JSONWriter.object { $0.member("subjects_filter", bucket.subjects) },
      action: "read the list of workers")
    // Without a leader, NATS stores no heartbeats, and all workers would look lost.
    if let cluster = answer.object("cluster"), cluster.text("leader") ?? "" == "" {
      throw NATSError(.noLeader, "NATS does not store the heartbeats of the workers at present")
    }
    let subjects = (answer.object("state")?.object("subjects")?.fields ?? [:]).keys.sorted()
    var messages: [(name: String, heartbeat: Heartbeat, time: Double)] = []
    for subject in subjects {
      guard let name = bucket.key(subject).flatMap({ NATSToken.decode($0) }),
        let last = try await stream.last(subject, in: bucket.stream),
        let heartbeat = Heartbeat(last.message.data)
      else { continue }
      messages.append((name, heartbeat, last.time))
    }
    let now = WallTime.now
    return messages.map {
      Self(name: $0.name, heartbeat: $0.heartbeat, age: .seconds(max(0, min(now - $0.time, 1e9))))
    }
  }
}
