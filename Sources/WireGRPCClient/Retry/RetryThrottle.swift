/// When a server fails too many calls, none to it are tried again (gRFC A6, retryThrottling).
public struct RetryThrottling: Sendable, Hashable {
  /// How many failures in a row it takes, less a half: retries stop at `maxTokens / 2`. 1 to 1000.
  public var maxTokens: Int
  /// What a success makes good of a failure, to three digits after the point; more than 0.
  public var tokenRatio: Double

  static let tokens = 1...1000
  /// Digits after the third do not count.
  static let leastRatio = 0.001

  public init(maxTokens: Int, tokenRatio: Double) {
    self.maxTokens = maxTokens
    self.tokenRatio = tokenRatio
  }
}

/// The tokens of one server: what calls to it have lost and won back. Counts in thousandths.
package struct RetryThrottle {
  private static let token = 1000
  private let most: Int
  private let ratio: Int
  private var count: Int

  /// - Parameter throttling: nil never throttles.
  package init(_ throttling: RetryThrottling?) {
    guard let throttling else {
      (most, ratio, count) = (0, 0, 1)
      return
    }
    most = max(1, min(throttling.maxTokens, 1000)) * Self.token
    // Digits after the third do not count; those before are not to be lost to binary fractions.
    ratio = Int(max(0, min(throttling.tokenRatio, 1000)) * Double(Self.token) + 1e-6)
    count = most
  }

  package var allowsRetries: Bool { 2 * count > most }

  package mutating func attemptFailed() {
    if most > 0 { count = max(0, count - Self.token) }
  }

  package mutating func callSucceeded() {
    if count < most { count = min(most, count + ratio) }
  }
}
