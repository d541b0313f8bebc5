public import WireGRPC

/// The defaults of a channel's calls (grpc/service_config.md).
///
///     configuration.serviceConfig = try ServiceConfig(json: """
///       {"methodConfig": [{"name": [{"service": "a.Service"}], "timeout": "5s"}],
///        "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}}
///       """)
///
/// They apply where ``CallOptions`` have no value. If the config has an entry for a method, the
/// defaults of the method's descriptor are ignored.
public struct ServiceConfig: Sendable, Hashable {
  /// The methods that a ``MethodConfig`` applies to. The most specific entry applies.
  public struct MethodName: Sendable, Hashable {
    /// "maps.fleetengine.v1.TripService"; empty for all services.
    public var service: String
    /// "GetTrip"; empty for all methods of the service.
    public var method: String

    /// Creates the name of a method, of all methods of a service, or of all methods.
    public init(service: String = "", method: String = "") {
      self.service = service
      self.method = method
    }
  }

  /// The defaults of the calls of some methods.
  public struct MethodConfig: Sendable, Hashable {
    /// Replaces ``MethodDescriptor/timeout``; nil for no limit.
    public var timeout: Duration?
    /// Whether calls wait for a connection even if their options do not say so.
    public var waitForReady: Bool
    /// The maximum size of a request in bytes. The smaller of this and the call's limit applies; nil sets none.
    public var maxSendMessageSize: Int?
    /// The maximum size of a response in bytes. The smaller of this and the call's limit applies; nil sets none.
    public var maxReceiveMessageSize: Int?
    /// Replaces ``MethodDescriptor/retryPolicy``; nil for no retry policy.
    public var retryPolicy: RetryPolicy?

    /// Creates the defaults of some methods.
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

  /// The defaults by method.
  public var methods: [MethodName: MethodConfig]
  /// The throttle of all retries of the channel; nil for none.
  public var retryThrottling: RetryThrottling?

  /// Creates a config.
  public init(
    methods: [MethodName: MethodConfig] = [:], retryThrottling: RetryThrottling? = nil
  ) {
    self.methods = methods
    self.retryThrottling = retryThrottling
  }

  /// The config of a method: its own, that of its service, or that of all services.
  public subscript(service service: String, method method: String) -> MethodConfig? {
    methods[MethodName(service: service, method: method)]
      ?? methods[MethodName(service: service)] ?? methods[MethodName()]
  }
}

extension Channel {
  /// Returns the options, completed with the defaults of the service config and the method.
  package func complete<Request, Response>(
    _ options: CallOptions, for method: MethodDescriptor<Request, Response>
  ) -> CallOptions {
    var options = options
    guard !serviceConfig.methods.isEmpty,
      let config = serviceConfig[service: method.service, method: method.method]
    else {
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
