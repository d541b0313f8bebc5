/// When and how often a failed call is retried (gRFC A6, retryPolicy).
///
/// The delay before attempt n is `min(initialBackoff * backoffMultiplier^(n-2), maxBackoff)`,
/// spread by 20 % either way. If the server sets a delay itself, that one is used, and the next
/// delay is `initialBackoff` again. A call is not retried after its response has started. A call with
/// several request messages is also not retried after it has sent more than the channel stores for retries:
/// the first 256 KiB, or the first chunk if that is larger. The call's deadline spans all attempts.
public struct RetryPolicy: Sendable, Hashable {
  private struct Values: Hashable {
    var maxAttempts: Int
    var initialBackoff: Duration
    var maxBackoff: Duration
    var backoffMultiplier: Double
    var retryableStatusCodes: Set<StatusCode>
  }

  /// Every call carries a policy and few change it, so it is one reference.
  private indirect enum Box: Hashable {
    case values(Values)
  }

  private var box: Box
  private var values: Values {
    get {
      switch box {
      case .values(let values): values
      }
    }
    set { box = .values(newValue) }
  }

  /// The maximum number of attempts, including the first. Values above 5 count as 5; values below 2
  /// disable retries.
  public var maxAttempts: Int {
    get { values.maxAttempts }
    set { values.maxAttempts = newValue }
  }

  /// The mean delay before the second attempt.
  public var initialBackoff: Duration {
    get { values.initialBackoff }
    set { values.initialBackoff = newValue }
  }

  /// The maximum of the mean delay.
  public var maxBackoff: Duration {
    get { values.maxBackoff }
    set { values.maxBackoff = newValue }
  }

  /// The factor from one delay to the next.
  public var backoffMultiplier: Double {
    get { values.backoffMultiplier }
    set { values.backoffMultiplier = newValue }
  }

  /// The status codes that are retried.
  public var retryableStatusCodes: Set<StatusCode> {
    get { values.retryableStatusCodes }
    set { values.retryableStatusCodes = newValue }
  }

  /// Creates a policy from the values of `retryPolicy` in gRFC A6.
  public init(
    maxAttempts: Int, initialBackoff: Duration, maxBackoff: Duration, backoffMultiplier: Double,
    retryableStatusCodes: Set<StatusCode>
  ) {
    box = .values(
      Values(
        maxAttempts: maxAttempts, initialBackoff: initialBackoff, maxBackoff: maxBackoff,
        backoffMultiplier: backoffMultiplier, retryableStatusCodes: retryableStatusCodes))
  }

  /// A single attempt. Calls that the server never acted on are still sent again.
  public static let never = RetryPolicy(
    maxAttempts: 1, initialBackoff: .zero, maxBackoff: .zero, backoffMultiplier: 1,
    retryableStatusCodes: [])
}

extension RetryPolicy {
  /// gRFC A6 limits policies to this number of attempts.
  private static let attemptLimit = 5

  /// The effective number of attempts, including the first.
  package var attempts: Int { max(1, min(maxAttempts, Self.attemptLimit)) }

  /// Returns the delay before the retry with this number, from 1.
  package func backoff(_ number: Int, random: Double) -> Duration {
    Backoff.pause(
      after: number, first: initialBackoff, longest: min(maxBackoff, Timeout.longest),
      multiplier: backoffMultiplier, random: random)
  }
}

extension RetryPolicy: CustomStringConvertible, CustomReflectable {
  /// "5 attempts after UNAVAILABLE, 1.0 seconds apart, x1.3 up to 10.0 seconds".
  public var description: String {
    guard attempts > 1 else { return "1 attempt" }
    let codes = retryableStatusCodes.sorted { $0.rawValue < $1.rawValue }.map(\.description)
    return "\(attempts) attempts after \(codes.joined(separator: ", ")), \(initialBackoff) apart,"
      + " x\(backoffMultiplier) up to \(maxBackoff)"
  }

  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "maxAttempts": maxAttempts, "initialBackoff": initialBackoff, "maxBackoff": maxBackoff,
        "backoffMultiplier": backoffMultiplier, "retryableStatusCodes": retryableStatusCodes,
      ], displayStyle: .struct)
  }
}
