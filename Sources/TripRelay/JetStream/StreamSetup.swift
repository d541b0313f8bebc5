import FleetEngineAPI
import RelayAPI
import WireProtobuf

/// The configuration of a stream of the relay.
struct StreamConfiguration: Sendable {
  let name: String
  let subjects: String
  /// Seconds after which messages are removed; 0 for never.
  let maxAge: Int
  /// Where accepted messages are published again; nil for nowhere.
  let republished: String?
  let isBucket: Bool

  /// The last state of each resource of a partition. A state that nobody renews, such as that of a trip that is
  /// over, is kept for an hour.
  private static func states(
    _ kind: ResourceKind, _ stream: (name: String, subjects: String)
  ) -> StreamConfiguration {
    StreamConfiguration(
      name: stream.name, subjects: stream.subjects + ".>", maxAge: 3_600,
      republished: RelayNames.live(kind) + ".>", isBucket: false)
  }

  private static func bucket(_ bucket: RelayNames.Bucket) -> StreamConfiguration {
    StreamConfiguration(
      name: bucket.stream, subjects: bucket.subjects, maxAge: bucket.maxAge, republished: nil,
      isBucket: true)
  }

  static let buckets = [.pollRequests, .workers, .delays].map(bucket)

  static func states(_ layout: StreamLayout) -> [StreamConfiguration] {
    ResourceKind.allCases.flatMap { kind in layout.streams(of: kind).map { states(kind, $0) } }
  }

  func json(replicas: Int) -> String {
    let second = 1_000_000_000
    let window = maxAge == 0 ? 120 : min(maxAge, 120)
    return JSONWriter.object { json in
      json.member("name", name)
      json.member("subjects", [subjects])
      json.member("retention", "limits")
      json.member("storage", "file")
      json.member("discard", "new")
      json.member("max_msgs_per_subject", 1)
      json.member("max_age", maxAge * second)
      json.member("duplicate_window", window * second)
      json.member("num_replicas", replicas)
      json.member("allow_direct", true)
      if let republished {
        json.object("republish") { json in
          json.member("src", subjects)
          json.member("dest", republished)
        }
      }
      if isBucket {
        json.member("allow_rollup_hdrs", true)
        json.member("deny_delete", true)
      }
    }
  }
}

extension JetStream {
  /// Creates the buckets and the streams that do not exist, and adds copies to those with fewer than `replicas`.
  /// Each one may take some seconds while a node of the cluster is lost.
  ///
  /// - Parameters:
  ///   - partitions: the number of partitions, which does not shrink; nil for the present one.
  ///   - names: the streams of states that may be missing; nil for all of the layout.
  /// - Returns: the layout, and when each stream of states was created, by the clock of NATS.
  /// - Throws: ``NATSError`` with the kind `incompatibleStream` if one has another configuration.
  @discardableResult
  func setUp(
    replicas: Int = 1, partitions: Int? = nil, _ names: Set<String>? = nil
  ) async throws(NATSError) -> (layout: StreamLayout, created: [String: Timestamp]) {
    for bucket in StreamConfiguration.buckets { _ = try await ensure(bucket, replicas: replicas) }
    while true {
      let (present, number) = try await retrying { () async throws(NATSError) in
        try await self.layout()
      }
      let wanted = partitions.flatMap(StreamLayout.init(partitions:)) ?? present
      let layout = wanted.partitions > present.partitions ? wanted : present
      // Without a stored number there is one partition, or NATS has lost all.
      let created = try await ensureStreams(
        of: layout, number == 0 ? nil : names, replicas: replicas)
      guard layout != present else { return (layout, created) }
      do throws(NATSError) {
        // The streams exist before anybody looks for them.
        try await retrying { () async throws(NATSError) in
          _ = try await put(layout.json, for: StreamLayout.key, in: .pollRequests, after: number)
        }
        return (layout, created)
      } catch {
        // Another worker was faster.
        guard error.kind == .wrongLastSequence else { throw error }
      }
    }
  }

  /// Returns the present layout, and the number of its message.
  func layout() async throws(NATSError) -> (StreamLayout, number: UInt64) {
    let entry = try await entry(StreamLayout.key, in: .pollRequests)
    return (entry.flatMap { StreamLayout($0.message) } ?? .single, entry?.sequence ?? 0)
  }

  /// Creates the streams of states that do not exist.
  ///
  /// - Returns: when each one was created, by the clock of NATS.
  private func ensureStreams(
    of layout: StreamLayout, _ names: Set<String>?, replicas: Int
  ) async throws(NATSError) -> [String: Timestamp] {
    var created: [String: Timestamp] = [:]
    for stream in StreamConfiguration.states(layout) where names?.contains(stream.name) ?? true {
      created[stream.name] = try await ensure(stream, replicas: replicas)
    }
    return created
  }

  /// Whether a stream with several copies is on a server older than 2.10, which may store two messages that replace
  /// the same one (nats-server issue 4320; 2.9.21 corrects it). Only later servers put their time into the answer.
  func mayMissConflicts() async throws(NATSError) -> Bool {
    let info = try await retrying { () async throws(NATSError) in
      try await call(
        "STREAM.INFO.\(RelayNames.Bucket.workers.stream)", action: "read the list of workers")
    }
    let copies = info.object("config")?.integer("num_replicas") ?? 1
    return copies > 1 && info.text("ts") == nil
  }

  private func ensure(
    _ stream: StreamConfiguration, replicas: Int
  ) async throws(NATSError) -> Timestamp {
    try await retrying { () async throws(NATSError) in
      try await ensureOnce(stream, replicas: replicas)
    }
  }

  private func ensureOnce(
    _ stream: StreamConfiguration, replicas: Int
  ) async throws(NATSError) -> Timestamp {
    do throws(NATSError) {
      return try await adopt(stream, replicas: replicas)
    } catch {
      guard error.kind == .noStream else { throw error }
      do throws(NATSError) {
        let info = try await call(
          "STREAM.CREATE.\(stream.name)", stream.json(replicas: replicas),
          action: "create the stream \(stream.name)")
        return try created(info, stream)
      } catch let refusal {
        guard refusal.kind == .incompatibleStream else { throw refusal }
        if let other = await otherStream(with: stream.subjects, than: stream.name) {
          throw NATSError(
            .incompatibleStream, "\(refusal.message): \(other)",
            hint: RelayHint.overlappingStream(other, stream.subjects))
        }
        do throws(NATSError) {
          // Another worker may have created it since.
          return try await adopt(stream, replicas: replicas)
        } catch {
          // Without a majority, a stream that another worker asked for is in use, and does not exist yet.
          throw error.kind == .noStream ? NATSError(.noLeader, refusal.message) : error
        }
      }
    }
  }

  /// The name of another stream that stores the same subjects; nil if there is none, or the user may not ask.
  private func otherStream(with subjects: String, than name: String) async -> String? {
    let answer = try? await call(
      "STREAM.NAMES", JSONWriter.object { $0.member("subject", subjects) },
      action: "list the streams")
    return answer?.texts("streams").first { $0 != name }
  }

  /// Checks a stream that exists. `tripwire relay want` may have created it with one copy.
  private func adopt(
    _ stream: StreamConfiguration, replicas: Int
  ) async throws(NATSError) -> Timestamp {
    let info = try await call(
      "STREAM.INFO.\(stream.name)", action: "create the stream \(stream.name)")
    var configuration = info.object("config") ?? [:]
    try check(stream, configuration)
    if let present = configuration.integer("num_replicas"), present < replicas {
      let action = "keep \(replicas) copies of the stream \(stream.name)"
      // A single server accepts the change, and keeps one copy.
      guard info.object("cluster") != nil else {
        throw NATSError(
          .other, "cannot \(action): NATS is not a cluster", hint: RelayHint.tooFewServers)
      }
      configuration.fields["num_replicas"] = Value(kind: .numberValue(Double(replicas)))
      _ = try await call(
        "STREAM.UPDATE.\(stream.name)", Value(kind: .structValue(configuration)).plainJSON,
        action: action)
    }
    return try created(info, stream)
  }

  private func created(
    _ info: Struct, _ stream: StreamConfiguration
  ) throws(NATSError) -> Timestamp {
    guard let text = info.text("created"),
      let time = try? Timestamp(jsonString: "\"\(text)\"")
    else {
      throw NATSError(.other, "NATS did not report when the stream \(stream.name) was created")
    }
    return time
  }

  private func check(_ stream: StreamConfiguration, _ found: Struct) throws(NATSError) {
    func problem() -> String? {
      if found.texts("subjects") != [stream.subjects] {
        return "its subjects are not \(stream.subjects)"
      }
      if found.integer("max_msgs_per_subject") != 1 { return "max_msgs_per_subject is not 1" }
      if found.bool("allow_direct") != true { return "allow_direct is not set" }
      // It is -1 or missing if there is no limit.
      if let limit = found.integer("max_msgs"), limit > 0 { return "max_msgs is not -1" }
      if found.text("retention") != "limits" { return "its retention is not limits" }
      guard let republished = stream.republished else { return nil }
      let copy = found.object("republish")
      if copy?.text("dest") != republished { return "it does not republish to \(republished)" }
      if copy?.text("src") != stream.subjects {
        return "it does not republish \(stream.subjects)"
      }
      return copy?.bool("headers_only") == true ? "it republishes headers only" : nil
    }
    guard let problem = problem() else { return }
    throw NATSError(
      .incompatibleStream, "cannot use the stream \(stream.name) of NATS: \(problem)",
      hint: RelayHint.incompatibleStream(stream.name))
  }
}
