extension ChannelConfiguration {
  /// The first value that is out of range, with its name and limits; nil if all are valid. Times
  /// may be of any length: longer ones count as ``Timeout/longest``.
  var fault: String? {
    if connectTimeout <= .zero {
      return "connectTimeout is \(connectTimeout): it must be above 0"
    }
    if let timeout = keepalive?.timeout, timeout <= .zero {
      return "keepalive.timeout is \(timeout): it must be above 0"
    }
    if let idleTimeout, idleTimeout < .zero {
      return "idleTimeout is \(idleTimeout): it must not be negative"
    }
    if maxConnections < 1 { return "maxConnections is \(maxConnections): it must be 1 or more" }
    // The range of SETTINGS_MAX_HEADER_LIST_SIZE (RFC 9113 §6.5.2).
    guard (1...Int(UInt32.max)).contains(maxHeaderListSize) else {
      return "maxHeaderListSize is \(maxHeaderListSize): it must be from 1 to \(UInt32.max)"
    }
    return serviceConfig.fault
  }
}

extension ServiceConfig {
  fileprivate var fault: String? {
    for (name, config) in methods {
      if let (limit, size) = config.negativeLimit {
        return "serviceConfig: \(limit) of \(name.service)/\(name.method) is \(size): it must not"
          + " be negative"
      }
    }
    guard let retryThrottling else { return nil }
    guard RetryThrottling.tokens.contains(retryThrottling.maxTokens) else {
      return "serviceConfig: retryThrottling.maxTokens is \(retryThrottling.maxTokens): it must be"
        + " from 1 to 1000"
    }
    let ratio = retryThrottling.tokenRatio
    guard ratio >= RetryThrottling.leastRatio, ratio.isFinite else {
      return "serviceConfig: retryThrottling.tokenRatio is \(ratio): it must"
        + " be 0.001 or more"
    }
    return nil
  }
}

extension ServiceConfig.MethodConfig {
  /// The name and the value of a negative size.
  ///
  /// Not a loop over an array of tuples, for which the compiler generates code that differs from build to build
  /// (docs/decisions/build/release-linking.md).
  fileprivate var negativeLimit: (name: String, size: Int)? {
    if let size = maxSendMessageSize, size < 0 { return ("maxSendMessageSize", size) }
    if let size = maxReceiveMessageSize, size < 0 { return ("maxReceiveMessageSize", size) }
    return nil
  }
}
