import WireGRPC
import WireProtobuf

/// The position of an invalid value in the JSON of a service config, and what it must be.
public struct ServiceConfigError: Error, Hashable, Sendable, CustomStringConvertible {
  /// "methodConfig[0].retryPolicy.maxAttempts: must be a whole number from 2 to 4294967295".
  public var description: String
}

extension ServiceConfig {
  /// Parses the JSON form of gRPC service configs. Ignores load balancing, health checks and
  /// hedging.
  ///
  /// Unknown services and methods are not errors, because a client knows only its own.
  ///
  /// - Throws: ``ServiceConfigError`` for invalid JSON, and for values that gRFC A6 and
  ///   service_config.md forbid.
  public init(json: String) throws(ServiceConfigError) {
    let root: ConfigValue
    do throws(JSONDecodingError) {
      root = ConfigValue(path: "", value: Value(kind: .structValue(try Struct(jsonString: json))))
    } catch {
      throw ServiceConfigError(description: error.description)
    }
    self.init()
    for config in try root["methodConfig"]?.elements ?? [] {
      let method = try MethodConfig(config)
      for name in try config["name"]?.elements ?? [] {
        let key = MethodName(
          service: try name["service"]?.text ?? "", method: try name["method"]?.text ?? "")
        if let invalid = [key.service, key.method].first(where: { $0.contains("/") }) {
          throw name.error("service and method names must not contain a slash: \"\(invalid)\"")
        }
        guard key.method.isEmpty || !key.service.isEmpty else {
          throw name.error("service is missing")
        }
        guard methods.updateValue(method, forKey: key) == nil else {
          throw name.error("duplicate entry")
        }
      }
    }
    if let throttling = try root["retryThrottling"] {
      retryThrottling = try RetryThrottling(throttling)
    }
  }
}

extension ServiceConfig.MethodConfig {
  fileprivate init(_ config: ConfigValue) throws(ServiceConfigError) {
    self.init(
      timeout: try config["timeout"]?.duration,
      waitForReady: try config["waitForReady"]?.flag ?? false,
      maxSendMessageSize: try config["maxRequestMessageBytes"]?.whole(0...Int(UInt32.max)),
      maxReceiveMessageSize: try config["maxResponseMessageBytes"]?.whole(0...Int(UInt32.max)))
    if let policy = try config["retryPolicy"] { retryPolicy = try RetryPolicy(policy) }
    if retryPolicy != nil, try config["hedgingPolicy"] != nil {
      throw config.error("has both a retryPolicy and a hedgingPolicy")
    }
  }
}

extension RetryPolicy {
  fileprivate init(_ policy: ConfigValue) throws(ServiceConfigError) {
    let codes = try policy.required("retryableStatusCodes")
    self.init(
      maxAttempts: try policy.required("maxAttempts").whole(2...Int(UInt32.max)),
      initialBackoff: try policy.required("initialBackoff").positiveDuration,
      maxBackoff: try policy.required("maxBackoff").positiveDuration,
      backoffMultiplier: try policy.required("backoffMultiplier").positive,
      retryableStatusCodes: [])
    for code in try codes.elements { retryableStatusCodes.insert(try code.statusCode) }
    if retryableStatusCodes.isEmpty { throw codes.error("is empty") }
  }
}

extension RetryThrottling {
  fileprivate init(_ throttling: ConfigValue) throws(ServiceConfigError) {
    self.init(
      maxTokens: try throttling.required("maxTokens").whole(RetryThrottling.tokens),
      tokenRatio: try throttling.required("tokenRatio").ratio)
  }
}

private struct ConfigValue {
  let path: String
  let value: Value

  func error(_ text: String) -> ServiceConfigError {
    ServiceConfigError(description: "\(path): \(text)")
  }

  /// The value of a field; nil if it is missing or null.
  subscript(name: String) -> ConfigValue? {
    get throws(ServiceConfigError) {
      guard case .structValue(let object)? = value.kind else { throw error("must be an object") }
      guard let value = object.fields[name] else { return nil }
      if case .nullValue? = value.kind { return nil }
      return ConfigValue(path: path.isEmpty ? name : "\(path).\(name)", value: value)
    }
  }

  func required(_ name: String) throws(ServiceConfigError) -> ConfigValue {
    guard let value = try self[name] else { throw error("\(name) is missing") }
    return value
  }

  var elements: [ConfigValue] {
    get throws(ServiceConfigError) {
      guard case .listValue(let list)? = value.kind else { throw error("must be a list") }
      return list.values.enumerated().map { ConfigValue(path: "\(path)[\($0)]", value: $1) }
    }
  }

  var text: String {
    get throws(ServiceConfigError) {
      guard case .stringValue(let text)? = value.kind else { throw error("must be a string") }
      return text
    }
  }

  var flag: Bool {
    get throws(ServiceConfigError) {
      guard case .boolValue(let flag)? = value.kind else { throw error("must be true or false") }
      return flag
    }
  }

  var positive: Double {
    get throws(ServiceConfigError) {
      guard case .numberValue(let number)? = value.kind, number > 0, number.isFinite else {
        throw error("must be a number above 0")
      }
      return number
    }
  }

  var ratio: Double {
    get throws(ServiceConfigError) {
      let number = try positive
      guard number >= RetryThrottling.leastRatio else { throw error("must be 0.001 or more") }
      return number
    }
  }

  /// Returns a number, which JSON may also write as a string.
  func whole(_ range: ClosedRange<Int>) throws(ServiceConfigError) -> Int {
    let number: Int? =
      switch value.kind {
      case .numberValue(let number)?: Int(exactly: number)
      case .stringValue(let text)?: Int(text)
      default: nil
      }
    guard let number, range.contains(number) else {
      throw error("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  var duration: Duration {
    get throws(ServiceConfigError) {
      let text = try text
      // gRFC A6 itself contains ".1s".
      let whole = text.hasPrefix(".") ? "0" + text : text
      guard let duration = try? WireDuration(jsonString: "\"\(whole)\"") else {
        throw error("must be a duration in seconds with the suffix s, such as \"1.5s\"")
      }
      guard duration.duration >= .zero else { throw error("must not be negative") }
      return duration.duration
    }
  }

  var positiveDuration: Duration {
    get throws(ServiceConfigError) {
      let duration = try duration
      guard duration > .zero else { throw error("must be above 0") }
      return duration
    }
  }

  /// The code by name or number, except OK, which is never retried.
  var statusCode: StatusCode {
    get throws(ServiceConfigError) {
      let number: Int? =
        switch value.kind {
        case .numberValue(let number)?: Int(exactly: number)
        case .stringValue(let name)?: StatusCode.names.firstIndex(of: name)
        default: nil
        }
      guard let number, number > 0, StatusCode.names.indices.contains(number) else {
        throw error("must be the status code of an error, such as \"UNAVAILABLE\"")
      }
      return StatusCode(rawValue: number)
    }
  }
}
