/// The options of one call.
public struct CallOptions: Sendable {
  /// The time limit of the call, from its start and including all attempts; nil uses the method's
  /// default. With a value of zero or less, the call fails with DEADLINE_EXCEEDED and is not sent.
  public var timeout: Duration?
  /// Metadata to send after gRPC's own headers.
  public var metadata: Metadata
  /// The maximum size of a response message in bytes, before and after decompression; 4 MiB by
  /// default. A larger message fails the call with RESOURCE_EXHAUSTED before it is buffered.
  public var maxReceiveMessageSize: Int
  /// The maximum size of a request message in bytes; unlimited by default. A larger message fails
  /// with RESOURCE_EXHAUSTED and is not sent. A negative limit fails the call with INTERNAL,
  /// unsent.
  public var maxSendMessageSize: Int
  /// Whether the call waits for a connection until its deadline, instead of failing with
  /// UNAVAILABLE if none can be made (gRPC wait-for-ready.md).
  public var waitForReady: Bool
  /// The compression of request messages; none by default.
  public var compression: Compression
  /// The retry policy. Nil uses the method's policy; ``RetryPolicy/never`` disables retries.
  public var retryPolicy: RetryPolicy?
  /// Interceptors of this call. They run after those of the channel.
  public var interceptors: [any ClientInterceptor]

  /// The default of ``maxReceiveMessageSize``: 4 MiB.
  public static let defaultMaxReceiveMessageSize = 4 * 1024 * 1024

  /// Creates options. See the properties for the defaults.
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
