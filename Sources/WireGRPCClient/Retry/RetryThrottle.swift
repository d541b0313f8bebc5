/// Limits retries when too many calls to a server fail (gRFC A6, retryThrottling).
public struct RetryThrottling: Sendable, Hashable {
  /// The number of tokens, 1 to 1000. Each attempt that fails with a retryable code, or that the server
  /// asks not to retry, takes one; retries stop at or below `maxTokens / 2`.
  public var maxTokens: Int
  /// The number of tokens that a success returns, above 0, to three decimal places.
  public var tokenRatio: Double

  static let tokens = 1...1000
  /// The smallest ratio: further decimal places are ignored.
  static let leastRatio = 0.001

  /// Creates the settings of a throttle. See the properties for the limits.
  public init(maxTokens: Int, tokenRatio: Double) {
    self.maxTokens = maxTokens
    self.tokenRatio = tokenRatio
  }
}

/// The tokens of one server, in thousandths.
struct RetryThrottle {
  private static let token = 1000
  private let maximum: Int
  private let ratio: Int
  private var count: Int

  /// - Parameter throttling: nil never throttles.
  init(_ throttling: RetryThrottling?) {
    guard let throttling else {
      (maximum, ratio, count) = (0, 0, 1)
      return
    }
    maximum = max(1, min(throttling.maxTokens, 1000)) * Self.token
    // Truncates after three decimal places. 1e-6 keeps binary fractions from losing the third.
    ratio = Int(max(0, min(throttling.tokenRatio, 1000)) * Double(Self.token) + 1e-6)
    count = maximum
  }

  var allowsRetries: Bool { 2 * count > maximum }

  mutating func attemptFailed() {
    if maximum > 0 { count = max(0, count - Self.token) }
  }

  mutating func callSucceeded() {
    if count < maximum { count = min(maximum, count + ratio) }
  }
}
