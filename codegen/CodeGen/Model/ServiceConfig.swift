import WireProtobuf

/// The timeouts and retry policies of methods in a gRPC service config (grpc/service_config.md).
package struct ServiceConfig: Sendable {
  /// The settings by "service/method", or "service/" for all methods of a service.
  private var configs: [String: MethodConfig] = [:]

  package init() {}

  /// Reads the JSON of a config.
  ///
  /// - Parameter path: the path of the file, for errors.
  package init(json: [UInt8], path: String) throws(GenerationError) {
    let config: Struct
    do {
      config = try Struct(jsonUTF8Bytes: json)
    } catch {
      throw GenerationError("\(path):\(error)")
    }
    for (index, entry) in (config.fields["methodConfig"]?.listValue?.values ?? []).enumerated() {
      guard let entry = entry.structValue else {
        throw GenerationError("\(path): methodConfig[\(index)]: must be an object")
      }
      let method: MethodConfig
      do {
        method = try MethodConfig(entry)
      } catch {
        throw GenerationError("\(path): \(error)")
      }
      for name in entry.fields["name"]?.listValue?.values ?? [] {
        let service = name.structValue?.text("service") ?? ""
        configs["\(service)/\(name.structValue?.text("method") ?? "")"] = method
      }
    }
  }

  func method(_ name: String, of service: String) -> MethodConfig {
    configs["\(service)/\(name)"] ?? configs["\(service)/"] ?? MethodConfig()
  }
}

/// The settings of one method, as Swift expressions.
struct MethodConfig: Equatable, Sendable {
  var timeout: String?
  var retryPolicy: Retry?

  struct Retry: Equatable, Sendable {
    var maxAttempts: Int
    var initialBackoff: String
    var maxBackoff: String
    var backoffMultiplier: Double
    /// gRPC's codes in lowerCamelCase.
    var statusCodes: [String]
  }

  init() {}

  fileprivate init(_ config: Struct) throws(GenerationError) {
    if let timeout = config.fields["timeout"] {
      self.timeout = try Self.duration(timeout, "timeout")
    }
    guard let retry = config.object("retryPolicy") else { return }
    guard let attempts = retry.number("maxAttempts"),
      let multiplier = retry.number("backoffMultiplier"), attempts >= 2, attempts < 1e6
    else {
      throw GenerationError(
        "retryPolicy: requires a maxAttempts of 2 or more and a backoffMultiplier")
    }
    retryPolicy = Retry(
      maxAttempts: Int(attempts),
      initialBackoff: try Self.duration(retry.fields["initialBackoff"], "initialBackoff"),
      maxBackoff: try Self.duration(retry.fields["maxBackoff"], "maxBackoff"),
      backoffMultiplier: multiplier,
      statusCodes: [])
    for code in retry.fields["retryableStatusCodes"]?.listValue?.values ?? [] {
      guard let name = code.stringValue, Self.errorCodes.contains(name) else {
        throw GenerationError(
          "retryableStatusCodes: must be names of error codes, such as \"UNAVAILABLE\"")
      }
      retryPolicy?.statusCodes.append(SwiftNames.lowerCamel(name))
    }
  }

  /// All codes except OK.
  private static let errorCodes: Set<String> = [
    "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
    "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]

  /// Returns `.seconds(1.5)` for "1.5s".
  private static func duration(_ value: Value?, _ name: String) throws(GenerationError) -> String {
    guard let text = value?.stringValue, text.last == "s", let seconds = Double(text.dropLast())
    else {
      throw GenerationError(
        "\(name): must be a duration in seconds with the suffix s, such as \"15s\"")
    }
    return seconds == seconds.rounded() && seconds.magnitude < 1e9
      ? ".seconds(\(Int(seconds)))" : ".seconds(\(seconds))"
  }
}
