import FleetEngineAPI
import Tripwire
import WireGRPC
import WireGRPCServer
import WireProtobuf

/// A valid fault, and what has happened of it.
struct ActiveFault: Sendable {
  /// What happens to a call.
  enum Effect {
    /// Its answer is sent later.
    case delay(Duration)
    /// The engine does not execute it.
    case answer(UnaryAnswer)
  }

  private static let mostMethods = 100

  /// With its name, and the number of calls that had it.
  private(set) var fault: Fault
  /// The paths of the methods; nil for all.
  private let methods: Set<String>?
  /// Nil for all.
  private let resource: FaultResource?
  private let begin: Timestamp
  /// Nil for no end.
  private let end: Timestamp?
  private var usage = QuotaUsage()

  /// - Parameters:
  ///   - place: the field with the fault, such as "fault".
  /// - Throws: INVALID_ARGUMENT with the invalid fields.
  init(
    _ fault: Fault, name: String, _ place: String, at now: Timestamp
  ) throws(EngineError) {
    var violations = Violations()
    var paths: Set<String> = []
    for (index, method) in fault.methods.enumerated() {
      let path = Self.path(of: method)
      violations.require(
        path != nil, "\(place).methods[\(index)]",
        "is \(method.shortened(to: EngineError.longestText).quotedForDisplay), which is not a method"
          + " of Fleet Engine")
      if let path { paths.insert(path) }
    }
    violations.require(
      fault.methods.count <= Self.mostMethods, "\(place).methods",
      "has more than \(Self.mostMethods) methods")
    let resource = fault.resource.isEmpty ? nil : FaultResource(fault.resource)
    violations.require(
      fault.resource.isEmpty || resource != nil, "\(place).resource",
      "is \(fault.resource.shortened(to: EngineError.longestText).quotedForDisplay), and must have a"
        + " form such as providers/PROJECT/trips/TRIP or trips/TRIP")
    let start = fault.start?.duration ?? .zero
    violations.require(start >= .zero, "\(place).start", "must not be negative")
    violations.require(
      fault.duration.map { $0.duration > .zero } ?? true, "\(place).duration", "must be positive")
    violations.require(fault.times >= 0, "\(place).times", "must not be negative")
    violations.requireEffect(of: fault, on: resource, place)
    try violations.check()
    self.fault = fault
    self.fault.name = name
    self.fault.calls = 0
    methods = paths.isEmpty ? nil : paths
    self.resource = resource
    begin = now + start
    end = fault.duration.map { [begin] in begin + $0.duration }
  }

  /// Returns the path of a method, whose name may be without that of the service; nil if there is no such method.
  private static func path(of method: String) -> String? {
    let name = method.hasPrefix("/") ? String(method.dropFirst()) : method
    if FleetEngine.method("/\(name)") != nil { return "/\(name)" }
    return name.utf8.contains(UInt8(ascii: "/"))
      ? nil : FleetEngine.paths.first { $0.hasSuffix("/\(name)") }
  }

  func isOver(at now: Timestamp) -> Bool {
    fault.times > 0 && fault.calls >= fault.times || end.map { $0 <= now } ?? false
  }

  /// - Parameter context: the resources of the call; nil for an invalid request.
  func matches(_ path: String, _ context: AuthorizationContext?, at now: Timestamp) -> Bool {
    begin <= now && methods?.contains(path) != false
      && (resource.map { resource in context.map { resource.isUsed(by: $0) } ?? false } ?? true)
  }

  /// Returns what happens to a matching call, which is counted; nil if it is not concerned.
  mutating func hit(by context: AuthorizationContext?, at now: Timestamp) -> Effect? {
    let effect: Effect
    switch fault.effect {
    case .status(let status): effect = .answer(.failure(status))
    case .quota(let quota):
      guard let retry = usage.excess(of: quota, at: now) else { return nil }
      effect = .answer(.failure(quota.status(retry: retry, context?.providerID ?? "")))
    case .latency(let time): effect = .delay(time.duration)
    case .silence: effect = .answer(.silence)
    case .disconnect: effect = .answer(.disconnect)
    case .stuckLocation, nil: return nil
    }
    fault.calls += 1
    return effect
  }

  /// Nil for other faults.
  var stuckLocation: StuckLocation? {
    guard case .stuckLocation = fault.effect else { return nil }
    return StuckLocation(resource: resource, begin: begin, end: end)
  }
}

extension Fault {
  static let longestLatency = Duration.seconds(3_600)

  /// Checks the fields.
  ///
  /// - Parameter place: the field with the fault in errors.
  package func check(_ place: String) throws(EngineError) {
    _ = try ActiveFault(self, name: "", place, at: Timestamp())
  }
}

extension Violations {
  /// Clients accept trailers of 8 kB (gRPC's default), and the status is in base64.
  private static let largestStatus = 4 << 10

  fileprivate mutating func requireEffect(
    of fault: Fault, on resource: FaultResource?, _ place: String
  ) {
    switch fault.effect {
    case .status(let status):
      require(
        1...16 ~= status.code, "\(place).status.code", "must be the number of an error, such as 14")
      require(
        status.message.count <= EngineError.longestMessage, "\(place).status.message",
        "has more than \(EngineError.longestMessage) characters")
      require(
        status.serializedBytes().count <= Self.largestStatus, "\(place).status",
        "has more than \(Self.largestStatus) bytes")
    case .quota(let quota):
      require(
        quota.callsPerMinute >= 0, "\(place).quota.calls_per_minute", "must not be negative")
    case .latency(let time):
      require(
        time.duration > .zero && time.duration <= Fault.longestLatency, "\(place).latency",
        "must be positive, and at most one hour")
    case .silence, .disconnect: break
    case .stuckLocation:
      require(
        fault.methods.isEmpty, "\(place).methods", "cannot be combined with stuck_location")
      require(fault.times == 0, "\(place).times", "cannot be combined with stuck_location")
      require(
        resource.map { [.vehicle, .deliveryVehicle].contains($0.kind) } ?? true,
        "\(place).resource", "must be a vehicle or a delivery vehicle for stuck_location")
    case nil:
      add(
        place, "has no effect: status, quota, latency, silence, disconnect or stuck_location")
    }
  }
}
