import CommandShell
import DynamicProtobuf
import Tripwire

extension AuthorizationContext {
  /// Creates the context of a request by the fields that name its resources.
  init(_ method: DynamicProtobuf.MethodDescriptor, _ request: DynamicMessage?) {
    let known = request.flatMap { request in
      FleetEngineMethods.defaults[method.path]?.context(request.serializedBytes())
    }
    let name = ["name", "task.name", "delivery_vehicle.name", "parent"].lazy
      .compactMap { request?.text(at: $0) }.first { !$0.isEmpty }
    self = known ?? AuthorizationContext(of: name ?? "")
  }
}
