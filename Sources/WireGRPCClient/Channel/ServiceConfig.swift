public import WireGRPC

/// What a channel's calls do where neither their ``CallOptions`` nor their method says it
/// (grpc/service_config.md).
///
///     configuration.serviceConfig = try ServiceConfig(json: """
///       {"methodConfig": [{"name": [{"service": "a.Service"}], "timeout": "5s"}],
///        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}
///       """)
///
/// A method that is named here takes all its defaults from here, and none from the descriptor that
/// was generated with it.
public struct ServiceConfig: Sendable, Hashable {
  /// Which methods a ``MethodConfig`` is for: the closest that there is counts.
  public struct MethodName: Sendable, Hashable {
    /// "maps.fleetengine.v1.TripService"; empty for all services.
    public var service: String
    /// "GetTrip"; empty for all methods of the service.
    public var method: String

    public init(service: String = "", method: String = "") {
      self.service = service
      self.method = method
    }
  }

  public struct MethodConfig: Sendable, Hashable {
    /// Instead of ``MethodDescriptor/timeout``.
    public var timeout: Duration?
    /// Whether calls wait for a connection even if their options do not say so.
    public var waitForReady: Bool
    /// The longest request in bytes, if that is less than the call's own limit.
    public var maxSendMessageSize: Int?
    /// The longest response in bytes, if that is less than the call's own limit.
    public var maxReceiveMessageSize: Int?
    /// Instead of ``MethodDescriptor/retryPolicy``.
    public var retryPolicy: RetryPolicy?

    public init(
      timeout: Duration? = nil, waitForReady: Bool = false, maxSendMessageSize: Int? = nil,
      maxReceiveMessageSize: Int? = nil, retryPolicy: RetryPolicy? = nil
    ) {
      self.timeout = timeout
      self.waitForReady = waitForReady
      self.maxSendMessageSize = maxSendMessageSize
      self.maxReceiveMessageSize = maxReceiveMessageSize
      self.retryPolicy = retryPolicy
    }
  }

  public var methods: [MethodName: MethodConfig]
  /// For all calls of the channel; nil never throttles.
  public var retryThrottling: RetryThrottling?

  public init(
    methods: [MethodName: MethodConfig] = [:], retryThrottling: RetryThrottling? = nil
  ) {
    self.methods = methods
    self.retryThrottling = retryThrottling
  }

  /// What is said of a method: of itself, of its service, or of all there are.
  public subscript(service service: String, method method: String) -> MethodConfig? {
    methods[MethodName(service: service, method: method)]
      ?? methods[MethodName(service: service)] ?? methods[MethodName()]
  }
}

extension ServiceConfig {
  /// The options of a call, with what this config and the method say where they are silent.
  func completing<Request, Response>(
    _ options: CallOptions, for method: MethodDescriptor<Request, Response>
  ) -> CallOptions {
    var options = options
    guard !methods.isEmpty, let config = self[service: method.service, method: method.method] else {
      options.timeout = options.timeout ?? method.timeout
      options.retryPolicy = options.retryPolicy ?? method.retryPolicy
      return options
    }
    options.timeout = options.timeout ?? config.timeout
    options.retryPolicy = options.retryPolicy ?? config.retryPolicy
    options.waitForReady = options.waitForReady || config.waitForReady
    options.maxSendMessageSize = min(options.maxSendMessageSize, config.maxSendMessageSize ?? .max)
    options.maxReceiveMessageSize = min(
      options.maxReceiveMessageSize, config.maxReceiveMessageSize ?? .max)
    return options
  }
}
