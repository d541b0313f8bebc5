/// What a gRPC service config (JSON) says of methods: timeouts and retry policies.
package struct ServiceConfig: Sendable {
  private var configs: [String: MethodConfig] = [:]

  package init() {}

  func method(_ name: String, of service: String) -> MethodConfig {
    configs["\(service)/\(name)"] ?? configs["\(service)/"] ?? MethodConfig()
  }
}

struct MethodConfig: Equatable, Sendable {
  var timeout: Interval?
  var retryPolicy: Retry?

  struct Interval: Equatable, Sendable {
    var expression: String
  }

  struct Retry: Equatable, Sendable {
    var expression: String
  }
}
extension ServiceConfig { package init(json: [UInt8], path: String) throws(GenerationError) { self.init() } }
