package import ProtobufDescriptors
import WireGRPC
package import WireGRPCServer
import WireProtobuf

/// Answers calls from an emulated fleet, and those of health and reflection.
package final class EmulatorService: CallHandler {
  private static let served = Set(
    (FleetEngine.paths + EmulatorControl.paths).map { String($0.dropFirst().prefix { $0 != "/" }) }
  ).union(ReflectionService.serviceNames).union([HealthService.serviceName])

  private let fleet: EmulatedFleet
  private let descriptors: @Sendable () -> [FileDescriptorProto]
  private let health: HealthService
  /// Created on the first request, because it may need much memory.
  private lazy var reflection = ReflectionService(
    services: Self.served.sorted(), preferred: [], files: descriptors())

  /// - Parameter descriptors: returns the types that reflection describes; called when a client first asks.
  package init(
    _ fleet: EmulatedFleet, descriptors: @escaping @Sendable () -> [FileDescriptorProto]
  ) {
    self.fleet = fleet
    self.descriptors = descriptors
    health = HealthService(services: Self.served)
  }

  package func route(_ head: RequestHead) throws(Refusal) -> CallRoute {
    if ReflectionService.paths.contains(head.path) { return reflection.route }
    if let route = health.route(head.path) { return route }
    guard let method = fleet.method(head.path) else {
      throw Refusal(EngineError.noMethod(head.path).status)
    }
    let token = head.token?.value
    return CallRoute { UnaryResponder { method($0, token) } }
  }

  package func shutDown() { health.shutDown() }
}
