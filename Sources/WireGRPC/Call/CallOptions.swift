/// What one call may be given beside its request.
public struct CallOptions: Sendable {
  /// How long the call may take, from the moment it is made, with all its attempts; nil takes the
  /// method's own default. At or below zero the call fails with DEADLINE_EXCEEDED, unsent.
  public var timeout: Duration?
  /// Sent after the headers of gRPC itself.
  public var metadata: Metadata
  /// The longest response message in bytes, as sent and once decompressed. 4 MiB by default.
  /// A longer one fails the call with RESOURCE_EXHAUSTED before it is buffered.
  public var maxReceiveMessageSize: Int
  /// The longest request message in bytes, without a limit by default. A longer one fails with
  /// RESOURCE_EXHAUSTED, unsent. Neither limit may be below 0: such a call fails with INTERNAL, unsent.
  public var maxSendMessageSize: Int
  /// Whether the call waits while no connection can be made, until its deadline, instead of
  /// failing with UNAVAILABLE.
  public var waitForReady: Bool
  /// How the request is compressed; not at all by default.
  public var compression: Compression
  /// When the call is tried again; nil takes the method's own policy, ``RetryPolicy/never`` none.
  public var retryPolicy: RetryPolicy?
  /// Asked before the call is sent, after those of the channel.
  public var interceptors: [any ClientInterceptor]

  public static let defaultMaxReceiveMessageSize = 4 * 1024 * 1024

  public init(
    timeout: Duration? = nil, metadata: Metadata = Metadata(),
    maxReceiveMessageSize: Int = defaultMaxReceiveMessageSize, maxSendMessageSize: Int = .max,
    waitForReady: Bool = false, compression: Compression = .identity,
    retryPolicy: RetryPolicy? = nil, interceptors: [any ClientInterceptor] = []
  ) {
    self.timeout = timeout
    self.metadata = metadata
    self.maxReceiveMessageSize = maxReceiveMessageSize
    self.maxSendMessageSize = maxSendMessageSize
    self.waitForReady = waitForReady
    self.compression = compression
    self.retryPolicy = retryPolicy
    self.interceptors = interceptors
  }
}
