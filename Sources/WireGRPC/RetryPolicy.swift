/// When and how often a failed call is tried again (gRFC A6, retryPolicy).
///
/// The delay before attempt n is `min(initialBackoff * backoffMultiplier^(n-2), maxBackoff)`,
/// spread by a fifth either way. The value says what a service wants; ``Channel`` does not carry it
/// out yet.
public struct RetryPolicy: Sendable, Hashable {
  /// Attempts in all, the first included. Values above 5 count as 5, below 2 mean no retry.
  public var maxAttempts: Int
  public var initialBackoff: Duration
  public var maxBackoff: Duration
  public var backoffMultiplier: Double
  /// The codes after which the call is tried again.
  public var retryableStatusCodes: Set<StatusCode>

  public init(
    maxAttempts: Int, initialBackoff: Duration, maxBackoff: Duration, backoffMultiplier: Double,
    retryableStatusCodes: Set<StatusCode>
  ) {
    self.maxAttempts = maxAttempts
    self.initialBackoff = initialBackoff
    self.maxBackoff = maxBackoff
    self.backoffMultiplier = backoffMultiplier
    self.retryableStatusCodes = retryableStatusCodes
  }
}
