import FleetEngineAPI
import WireProtobuf

/// The nodes of a cluster that have a stream.
struct StreamCopies: Sendable, Hashable {
  let stream: String
  var leader: String
  /// The other nodes that have all messages.
  var followers: [String]

  init(stream: String, leader: String, followers: [String]) {
    self.stream = stream
    self.leader = leader
    self.followers = followers
  }

  /// Parses the reply to STREAM.INFO; nil without a cluster, or without a leader at present.
  init?(_ info: Struct) {
    guard let stream = info.object("config")?.text("name"),
      let cluster = info.object("cluster"), let leader = cluster.text("leader")
    else { return nil }
    let copies = cluster.fields["replicas"]?.listValue?.values.compactMap(\.structValue) ?? []
    self.init(
      stream: stream, leader: leader,
      followers: copies.filter { $0.bool("current") == true && $0.bool("offline") != true }
        .compactMap { $0.text("name") })
  }
}

/// Spreads the leaders of streams over the nodes of a cluster. A node does more work for a stream that it leads. NATS
/// chooses the leaders at random, and a node that was restarted leads none.
struct LeaderBalance: Sendable {
  struct Move: Sendable, Hashable {
    let stream: String
    let node: String
  }

  private var streams: [StreamCopies]

  init(_ streams: [StreamCopies]) {
    self.streams = streams
  }

  /// The number of streams that each node leads.
  var counts: [String: Int] {
    var counts: [String: Int] = [:]
    for stream in streams {
      counts[stream.leader, default: 0] += 1
      for node in stream.followers { counts[node, default: 0] += 0 }
    }
    return counts
  }

  /// Returns the next stream that needs another leader, and assumes that it gets it; nil if no move makes the numbers
  /// more even.
  mutating func next() -> Move? {
    let counts = counts
    var best: (index: Int, node: String, difference: Int)?
    for (index, stream) in streams.enumerated() {
      for node in stream.followers {
        let difference = counts[stream.leader, default: 0] - counts[node, default: 0]
        if difference > best?.difference ?? 1 { best = (index, node, difference) }
      }
    }
    guard let best else { return nil }
    let stream = streams[best.index]
    streams[best.index].leader = best.node
    streams[best.index].followers = stream.followers.filter { $0 != best.node } + [stream.leader]
    return Move(stream: stream.stream, node: best.node)
  }
}

extension JetStream {
  /// Spreads the leaders of the streams of each kind over the nodes.
  func spreadLeaders(of layout: StreamLayout) async throws(NATSError) {
    for kind in ResourceKind.allCases {
      var streams: [StreamCopies] = []
      for (name, _) in layout.streams(of: kind) {
        if let copies = StreamCopies(try await info(of: name)) { streams.append(copies) }
      }
      var balance = LeaderBalance(streams)
      while let move = balance.next() { try await moveLeader(of: move.stream, to: move.node) }
    }
  }

  private func moveLeader(of stream: String, to node: String) async throws(NATSError) {
    let (name, action) = ("STREAM.LEADER.STEPDOWN.\(stream)", "move the leader of \(stream)")
    let request = JSONWriter.object { json in
      json.object("placement") { $0.member("preferred", node) }
    }
    do throws(NATSError) {
      _ = try await call(name, request, action: action)
    } catch {
      guard error.kind == .badRequest else { throw error }
      // Before 2.11, the server chooses the node.
      _ = try await call(name, action: action)
    }
  }
}
