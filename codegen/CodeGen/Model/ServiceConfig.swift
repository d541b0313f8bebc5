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
    for (index, entry) in (config.fields["methodConfig"]?.list ?? []).enumerated() {
      guard let entry = entry.object else {
        throw GenerationError("\(path): methodConfig[\(index)]: must be an object")
      }
      let method: MethodConfig
      do {
        method = try MethodConfig(entry)
      } catch {
        throw GenerationError("\(path): \(error)")
      }
      for name in entry.fields["name"]?.list ?? [] {
        let service = name.object?.fields["service"]?.string ?? ""
        configs["\(service)/\(name.object?.fields["method"]?.string ?? "")"] = method
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
    guard let retry = config.fields["retryPolicy"]?.object else { return }
    guard let attempts = retry.fields["maxAttempts"]?.number,
      let multiplier = retry.fields["backoffMultiplier"]?.number, attempts >= 2, attempts < 1e6
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
    for code in retry.fields["retryableStatusCodes"]?.list ?? [] {
      guard let name = code.string, Self.errorCodes.contains(name) else {
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
    guard let text = value?.string, text.last == "s", let seconds = Double(text.dropLast()) else {
      throw GenerationError(
        "\(name): must be a duration in seconds with the suffix s, such as \"15s\"")
    }
    return seconds == seconds.rounded() && seconds.magnitude < 1e9
      ? ".seconds(\(Int(seconds)))" : ".seconds(\(seconds))"
  }
}

extension Value {
  fileprivate var string: String? {
    if case .stringValue(let text)? = kind { text } else { nil }
  }

  fileprivate var number: Double? {
    if case .numberValue(let number)? = kind { number } else { nil }
  }

  fileprivate var object: Struct? {
    if case .structValue(let object)? = kind { object } else { nil }
  }

  fileprivate var list: [Value]? {
    if case .listValue(let list)? = kind { list.values } else { nil }
  }
}
